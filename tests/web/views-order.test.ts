// The views about order: positions, and permuted words, read from real traces.
import { describe, expect, it } from 'vitest';
import { rightOf } from '../../web/src/figures/shared/attention/attention-map';
import { type Flow, attentionsOf, flowOf, headPlane } from '../../web/src/figures/shared/attention/attention-trace';
import { cellIndex } from '../../web/src/ui/grid-layout';
import {
  isRounding,
  layOutPermute,
  moved,
  orderOf,
  permuteRows,
  rowDifferences,
} from '../../web/src/figures/permute/permute-order';
import { diagonalSpread, layOutPositions, rotate, wave } from '../../web/src/figures/positions/positions-layout';
import { positionsOf, rotationOf } from '../../web/src/figures/positions/positions-trace';
import { type Run, runOf } from './views-engine';

const LAYER = { kind: 'attention_layer', seed: 3, words: 4, size: 6, heads: 2 };

const flowIn = ({ trace }: Run): Flow => flowOf(trace, attentionsOf(trace)[0]!)!;

describe('positions', () => {
  const at = (node: { shape: number[] }, row: number, c: number) => cellIndex(headPlane(node, 1, 2), row, c);
  it('are rotated by the same matrix from every p to p + k', async () => {
    const run = await runOf({ ...LAYER, words: 12, positions: 'sinusoidal' });
    const found = positionsOf(run.trace, flowIn(run), ({ id }) => run.values.get(id));
    for (const pair of [0, 1, 2]) {
      const rotation = rotationOf(found, pair, (node) => run.values.get(node.id), at)!;
      for (let k = 0; k < 12; k++) for (let p = 0; p + k < 12; p++) expect(rotation.differs(p, k)).toBeLessThan(1e-5);
    }
  });
  it('rotate queries as the engine does, and a wrong angle would be noticed', async () => {
    const run = await runOf({ ...LAYER, words: 6, size: 8, positions: 'rotary' });
    const found = positionsOf(run.trace, flowIn(run), ({ id }) => run.values.get(id));
    const rotation = rotationOf(found, 1, (node) => run.values.get(node.id), at)!;
    for (let p = 0; p < 6; p++) expect(rotation.differs(p, 0)).toBeLessThan(1e-5);
    const off = rotate(rotation.raw!(3), rotation.cosine(4), rotation.sine(4));
    expect(Math.abs(off[0] - rotation.point(3)[0])).toBeGreaterThan(1e-4);
  });
  it('form no circle in a learned table, and show a bias if there is one', async () => {
    const learned = await runOf({ ...LAYER, positions: 'learned' });
    const found = positionsOf(learned.trace, flowIn(learned), ({ id }) => learned.values.get(id));
    expect(found.table?.shape).toEqual([4, 6]);
    expect(rotationOf(found, 0, (node) => learned.values.get(node.id), at)).toBeNull();
    const alibi = await runOf({ ...LAYER, positions: 'alibi' });
    expect(positionsOf(alibi.trace, flowIn(alibi), ({ id }) => alibi.values.get(id))).toEqual({
      bias: flowIn(alibi).added[0],
    });
    const plain = await runOf(LAYER);
    expect(positionsOf(plain.trace, flowIn(plain), ({ id }) => plain.values.get(id))).toEqual({});
  });
  it('give scores that depend on distance alone if all words are the same', async () => {
    const same = Array.from({ length: 6 * 8 }, (_, i) => ((i % 8) - 3) / 4);
    const spread = async (positions: string): Promise<number> => {
      const run = await runOf({ ...LAYER, words: 6, size: 8, positions, X: same });
      const { scores } = flowIn(run);
      const values = run.values.get(scores.id)!;
      return diagonalSpread((row, c) => values[at(scores, row, c)]!, 6, 6);
    };
    expect(await spread('rotary')).toBeLessThan(1e-5);
    expect(await spread('sinusoidal')).toBeGreaterThan(1e-3);
  });
  it('have room for the map, the waves and the circle', () => {
    for (const width of [328, 700])
      for (const columns of [6, 32]) {
        const layout = layOutPositions({ rows: 12, columns, width, line: 12, waves: true, circle: true });
        expect(rightOf(layout.map)).toBeLessThanOrEqual(width);
        const { circle, waves } = layout;
        expect(circle!.y + circle!.radius).toBeLessThanOrEqual(layout.height);
        expect(waves!.y + waves!.height).toBeLessThan(circle!.y - circle!.radius);
      }
    expect(wave([0, 1, -1], { x: 0, y: 0, width: 10, height: 4 }, 1)).toEqual([
      [0, 2],
      [5, 0],
      [10, 4],
    ]);
  });
});

describe('permuted words', () => {
  it('move one at a time, together with their rows', () => {
    expect(moved([0, 1, 2, 3], 3, 1)).toEqual([0, 3, 1, 2]);
    expect(permuteRows([1, 2, 3, 4, 5, 6], [2, 0, 1])).toEqual([5, 6, 1, 2, 3, 4]);
    expect(orderOf([1, 2, 3, 4, 5, 6], [5, 6, 1, 2, 3, 4], 3)).toEqual([2, 0, 1]);
    expect(orderOf([1, 2, 3, 4], [1, 2, 3, 5], 2)).toBeNull();
    expect(orderOf([1, 1, 1, 1], [1, 1, 1, 1], 2)).toEqual([0, 1]);
    expect(rowDifferences([1, 2, 3, 4], [3, 4.5, 1, 2], [1, 0])).toEqual([0.5, 0]);
    expect([isRounding(1e-6, [0.5]), isRounding(1e-3, [0.5]), isRounding(1e-3, [500])]).toEqual([true, false, true]);
  });
  it('only permute the outputs of a layer without positions, but change them with positions', async () => {
    const difference = async (positions: string): Promise<[number, ArrayLike<number>]> => {
      const config = { ...LAYER, positions };
      const before = await runOf(config);
      const input = before.trace.nodes.find(({ name }) => name === 'X')!;
      const order = [2, 0, 3, 1];
      const now = await runOf({ ...config, X: permuteRows(before.values.get(input.id)!, order) });
      const [a, b] = [before, now].map((run) =>
        run.values.get(run.trace.nodes.find(({ name }) => name === 'attention/o')!.id)!,
      );
      return [Math.max(...rowDifferences(a!, b!, order)), a!];
    };
    expect(isRounding(...(await difference('none')))).toBe(true);
    expect(isRounding(...(await difference('sinusoidal')))).toBe(false);
  });
  it('have strips that fit', () => {
    for (const width of [328, 700]) {
      const layout = layOutPermute({ rows: 5, inputs: 6, outputs: 6 }, { width, line: 13, word: 40, note: 60 });
      expect(layout.width).toBeLessThanOrEqual(width);
      expect(layout.x.inputNow === null).toBe(width < 500);
      expect(layout.x.before + layout.output).toBeLessThan(layout.x.now);
    }
  });
});
