// Layout of a beam search as a tree from left to right: one column per position, no overlapping nodes.
import { spread } from '../shared/geometry';

export interface BeamNode {
  /** Index of the parent node; −1 for the root. */
  parent: number;
  token: string;
  /** log p(token | the tokens before). */
  logProbability: number;
  /** Sum of the log probabilities from the root. */
  score: number;
  /** p(token | the tokens before), and p of the sequence from the root. */
  probability: number;
  sequenceProbability: number;
  state: 'kept' | 'pruned' | 'finished';
}

export interface BeamTreeData {
  nodes: BeamNode[];
  /** Index of the last node of the best hypothesis. */
  best: number;
}

export interface Placed {
  /** Left end and vertical middle of its text. */
  x: number;
  y: number;
  /** Width of its text. */
  width: number;
  depth: number;
}

export interface BeamLayout {
  places: Placed[];
  width: number;
  height: number;
  /** Left end of each column. */
  columns: number[];
}

/** Node indices from the root to `node`. */
export function pathTo(nodes: readonly BeamNode[], node: number): number[] {
  const path: number[] = [];
  for (let at = node; at >= 0; at = nodes[at]?.parent ?? -1) path.unshift(at);
  return path;
}

export const childrenOf = (nodes: readonly BeamNode[], node: number): number[] =>
  nodes.flatMap(({ parent }, i) => (parent === node ? [i] : [])).sort((a, b) => nodes[b]!.score - nodes[a]!.score);

/** Nodes by position, in the order of their parents; siblings by descending score. */
export function columnsOf(nodes: readonly BeamNode[]): number[][] {
  const columns: number[][] = [];
  let column = childrenOf(nodes, -1);
  while (column.length) {
    columns.push(column);
    column = column.flatMap((node) => childrenOf(nodes, node));
  }
  return columns;
}

/** Weights that keep branches straight: most of all the best, then those kept. */
const WEIGHTS = { best: 1e6, kept: 30, pruned: 1 };

/** In pixels: `widths` of the nodes' texts, `line` from one node to the next below, `gap` between columns. */
export function layOutBeam(data: BeamTreeData, widths: readonly number[], line: number, gap: number): BeamLayout {
  const { nodes } = data;
  const best = new Set(pathTo(nodes, data.best));
  const places: Placed[] = nodes.map((_, i) => ({ x: 0, y: 0, width: widths[i] ?? 0, depth: 0 }));
  const lefts: number[] = [];
  let x = 0;
  columnsOf(nodes).forEach((column, depth) => {
    const weights = column.map((i) =>
      best.has(i) ? WEIGHTS.best : nodes[i]!.state === 'pruned' ? WEIGHTS.pruned : WEIGHTS.kept,
    );
    const wanted = column.map((i) => places[nodes[i]!.parent]?.y ?? 0);
    spread(wanted, line, weights).forEach((y, k) => Object.assign(places[column[k]!]!, { x, y, depth }));
    lefts.push(x);
    x += Math.max(...column.map((i) => widths[i] ?? 0)) + gap;
  });
  const top = Math.min(0, ...places.map(({ y }) => y));
  for (const place of places) place.y += line / 2 - top;
  const bottom = Math.max(0, ...places.map(({ y }) => y));
  return { places, width: Math.max(0, x - gap), height: bottom + line / 2, columns: lefts };
}

/**
 * The node after a key: left to the parent, right along the best path or to the best child, up and down within a
 * position, Home to the root, End to the best node; null for other keys.
 */
export function nodeAfterKey(data: BeamTreeData, from: number, key: string): number | null {
  const { nodes, best } = data;
  if (key === 'Home') return childrenOf(nodes, -1)[0] ?? from;
  if (key === 'End') return best;
  if (key === 'ArrowLeft') return upwards(nodes, from);
  if (key === 'ArrowRight') return onwards(data, from);
  if (key !== 'ArrowUp' && key !== 'ArrowDown') return null;
  const column = columnsOf(nodes).find((list) => list.includes(from)) ?? [from];
  return column[column.indexOf(from) + (key === 'ArrowUp' ? -1 : 1)] ?? from;
}

const upwards = (nodes: readonly BeamNode[], from: number): number => {
  const parent = nodes[from]?.parent ?? -1;
  return parent < 0 ? from : parent;
};

/** The next node of the best path if that passes here, else the best child; `from` at a leaf. */
function onwards({ nodes, best }: BeamTreeData, from: number): number {
  const children = childrenOf(nodes, from);
  const path = new Set(pathTo(nodes, best));
  return children.find((child) => path.has(child)) ?? children[0] ?? from;
}

/** Finished hypotheses, the best first; while there are none, the kept prefixes. */
export function hypothesesOf({ nodes, best }: BeamTreeData): number[] {
  const ends = nodes.flatMap(({ state }, i) => (state === 'finished' ? [i] : []));
  const parents = new Set(nodes.map(({ parent }) => parent));
  const open = nodes.flatMap(({ state }, i) => (state === 'kept' && !parents.has(i) ? [i] : []));
  const order = (ends.length ? ends : open).sort((a, b) => nodes[b]!.score - nodes[a]!.score);
  return order.includes(best) ? [best, ...order.filter((node) => node !== best)] : order;
}
