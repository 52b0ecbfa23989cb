// The tree of a beam search: its columns, its branches, moving the cursor.
import { describe, expect, it } from 'vitest';
import {
  type BeamNode,
  type BeamTreeData,
  childrenOf,
  columnsOf,
  hypothesesOf,
  layOutBeam,
  listBeam,
  nodeAfterKey,
  pathTo,
} from '../../web/src/figures/beam/beam-tree-scene';

const nodes: BeamNode[] = [];
function node(parent: number, token: string, p: number, state: BeamNode['state'] = 'kept'): number {
  const logProbability = Math.log(p);
  const before = nodes[parent];
  const score = (before?.score ?? 0) + logProbability;
  const sequenceProbability = (before?.sequenceProbability ?? 1) * p;
  return nodes.push({ parent, token, logProbability, score, probability: p, sequenceProbability, state }) - 1;
}
const root = node(-1, '<bos>', 1);
const je = node(root, 'je', 0.6);
const il = node(root, 'il', 0.3);
const tu = node(root, 'tu', 0.1, 'pruned');
const est = node(il, 'est', 0.9);
const suis = node(je, 'suis', 0.7);
const ne = node(je, 'ne', 0.05, 'pruned');
const end = node(suis, '<eos>', 0.8, 'finished');
const other = node(est, '<eos>', 0.5, 'finished');
const data: BeamTreeData = { nodes, best: end };

describe('tree', () => {
  it('has a column for each position, by parents and then by score', () => {
    expect(columnsOf(nodes)).toEqual([[root], [je, il, tu], [suis, ne, est], [end, other]]);
    expect(childrenOf(nodes, root)).toEqual([je, il, tu]);
    expect(pathTo(nodes, end)).toEqual([root, je, suis, end]);
  });
  it('lists complete sequences, best first, or the beam while there are none', () => {
    expect(hypothesesOf(data)).toEqual([end, other]);
    const open = nodes.slice(0, 7);
    expect(hypothesesOf({ nodes: open, best: suis })).toEqual([suis, est]);
    expect(hypothesesOf({ nodes, best: other })).toEqual([other, end]);
  });
});

describe('layout', () => {
  const widths = nodes.map((_, i) => 30 + i);
  const layout = layOutBeam(data, widths, 20, 40);
  it('keeps the best branch straight', () => {
    const heights = pathTo(nodes, end).map((i) => layout.places[i]!.y);
    for (const y of heights) expect(y).toBeCloseTo(heights[0]!, 2);
  });
  it('keeps prefixes of a position at least a line apart, and branches from crossing', () => {
    for (const column of columnsOf(nodes)) {
      const heights = column.map((i) => layout.places[i]!.y);
      for (let i = 1; i < heights.length; i++) expect(heights[i]! - heights[i - 1]!).toBeGreaterThanOrEqual(20 - 1e-9);
      const parents = column.map((i) => layout.places[nodes[i]!.parent]?.y ?? 0);
      expect(parents).toEqual([...parents].sort((a, b) => a - b));
    }
  });
  it('has columns side by side, wide enough for their widest words', () => {
    for (const [depth, column] of columnsOf(nodes).entries())
      for (const i of column) {
        const { x, width } = layout.places[i]!;
        expect(x).toBe(layout.columns[depth]);
        expect(x + width + 40).toBeLessThanOrEqual(layout.columns[depth + 1] ?? Infinity);
        expect(x + width).toBeLessThanOrEqual(layout.width);
      }
    const heights = layout.places.map(({ y }) => y);
    expect(Math.min(...heights)).toBe(10);
    expect(layout.height).toBe(Math.max(...heights) + 10);
  });
});

describe('as a list', () => {
  const widths = [30, 31, 32, 33, 34, 35, 36, 37, 38];
  it('has a line for each prefix that is kept, below its parent, as far in as it is deep', () => {
    const { places, width, height, columns } = listBeam(data, widths, 20, 15, 300);
    expect(places.map(({ x }) => x)).toEqual([0, 15, 15, 15, 30, 30, 30, 45, 45]);
    expect(places.map(({ y }) => y)).toEqual([10, 50, 130, 30, 150, 90, 70, 110, 170]);
    expect(columns).toEqual([0, 15, 30, 45]);
    expect({ width, height }).toEqual({ width: 45 + 38, height: 180 });
  });
  it('has those that are dropped side by side, as far as there is room', () => {
    const dropped = nodes.map((each) => ({ ...each, state: each.parent === root ? ('pruned' as const) : each.state }));
    const leaves = { nodes: dropped.slice(0, 4), best: root };
    const at = (room: number): number[][] => listBeam(leaves, widths, 20, 15, room).places.map(({ x, y }) => [x, y]);
    expect(at(200)).toEqual([[0, 10], [15, 30], [61, 30], [108, 30]]); // prettier-ignore
    expect(at(100)).toEqual([[0, 10], [15, 30], [61, 30], [15, 50]]); // prettier-ignore
  });
});

it('cursor moves along the tree and stays inside', () => {
  const key = (from: number, name: string): number | null => nodeAfterKey(data, from, name);
  expect(key(root, 'ArrowRight')).toBe(je);
  expect(key(je, 'ArrowRight')).toBe(suis);
  expect(key(end, 'ArrowRight')).toBe(end);
  expect(key(suis, 'ArrowLeft')).toBe(je);
  expect(key(root, 'ArrowLeft')).toBe(root);
  expect(key(je, 'ArrowDown')).toBe(il);
  expect(key(je, 'ArrowUp')).toBe(je);
  expect(key(other, 'Home')).toBe(root);
  expect(key(root, 'End')).toBe(end);
  expect(key(root, 'x')).toBeNull();
});
