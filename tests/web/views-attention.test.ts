// The views of attention: row and column labels, the maps of its heads, its mask, the alignment, positions, permuted
// words.
import { describe, expect, it } from 'vitest';
import {
  bottomOf,
  placeIn,
  rightOf,
  layOutAlignment,
  wordsOf,
} from '../../web/src/figures/shared/attention/attention-map';
import { attentionsOf, headPlane } from '../../web/src/figures/shared/attention/attention-trace';
import { readPage } from '../../web/src/lab/page';
import { targetWords, nameOfMark } from '../../web/src/ui/words';
import type { TaskInfo } from '../../web/src/engine/types';
import { layOutHeads } from '../../web/src/figures/heads/heads-scene';
import { layOutMask, presetMask } from '../../web/src/figures/mask/mask-scene';
import { flowIn, LAYER, points, runOf } from './views-engine';
import {
  type AlignmentData,
  agreement,
  argmaxOfRow,
  sumOf,
  truthOf,
  alignmentTable,
} from '../../web/src/figures/alignment/alignment-scene';
import { csvOf } from '../../web/src/figures/host/files';
import { csvTables } from '../../web/src/figures/host/tables';
import { cellIndex } from '../../web/src/ui/grid-layout';
import {
  isRounding,
  layOutPermute,
  moved,
  orderOf,
  permuteRows,
  rowDifferences,
} from '../../web/src/figures/permute/permute-scene';
import { diagonalSpread, rotate, positionsOf, rotationOf } from '../../web/src/figures/positions/positions-scene';
import { layOutPositions, wave } from '../../web/src/figures/positions/positions-drawing';

describe('words', () => {
  const pair = { source: ['il', 'dort'], target: ['it', 'sleeps', 'now'], alignment: [], heldOut: false };
  const page = readPage({});
  const lab = { page, trace: null, task: null, pair, config: () => ({}) };
  const weights = (name: string, T: number, S: number) =>
    ({ name, shape: [1, 2, T, S] }) as unknown as Parameters<typeof wordsOf>[1];
  const of = (name: string, T: number, S: number): object => wordsOf(lab, weights(name, T, S));
  it('are those the encoder and the decoder read, as many as there are positions', () => {
    const source = ['il', 'dort', '<eos>'];
    const [target, shifted] = [
      [...pair.target, '<eos>'],
      ['<bos>', ...pair.target],
    ];
    expect(of('encoder.0.attention/α', 3, 3)).toEqual({ rows: source, columns: source });
    expect(of('decoder.0.self_attention/α', 4, 4)).toEqual({ rows: shifted, columns: shifted });
    expect(of('decoder.0.cross_attention/α', 4, 3)).toEqual({ rows: target, columns: source });
    expect(of('attention/α', 1, 2)).toEqual({ rows: ['0'], columns: ['il', 'dort'] });
  });
  it('of a text are its prompt and continuation, with the prompt marked as given', () => {
    const text = { source: ['one', 'day'], target: ['tom', ' ', '.'], alignment: [], heldOut: false };
    const task = { form: 'texts' } as unknown as TaskInfo;
    const read = ['<bos>', 'one', 'day', 'tom', '␣', '.'];
    for (const name of ['decoder.0.attention/α', 'attention/α'])
      for (const T of [6, 5]) {
        const words = { rows: read.slice(0, T), columns: read.slice(0, T), promptRange: [1, 3] };
        expect(wordsOf({ ...lab, pair: text, task }, weights(name, T, T))).toEqual(words);
      }
  });
  it('of characters have a mark for a space', () => {
    const blank = { source: ['a', ' ', 'b'], target: ['b', '\t', '\n'], alignment: [], heldOut: false };
    expect(wordsOf({ ...lab, pair: blank }, weights('attention/α', 4, 3))).toEqual({
      rows: ['a', '␣', 'b', '<eos>'],
      columns: ['a', '␣', 'b'],
    });
    expect(['␣', '⇥', '↵', 'b'].map(nameOfMark)).toEqual(['space', 'tab', 'line break', undefined]);
    expect(targetWords({ pair: blank, task: null }).words).toEqual(['b', '⇥', '↵']);
  });
  it('are the lesson’s, if their number matches', async () => {
    const { trace } = await runOf(LAYER);
    const weights = attentionsOf(trace)[0]!;
    const labels = JSON.stringify({ α: { rows: ['a', 'b', 'c', 'd'], columns: ['a', 'b'] } });
    expect(wordsOf({ ...lab, page: readPage({ labels }), trace, pair: null }, weights)).toEqual({
      rows: ['a', 'b', 'c', 'd'],
      columns: ['0', '1', '2', '3'],
    });
  });
});

describe('heads side by side', () => {
  const words = (T: number, S: number): { source: number[]; target: number[] } => ({
    source: Array<number>(S).fill(40),
    target: Array<number>(T).fill(40),
  });
  it.each([
    [1280, 4, 6, 5],
    [328, 8, 12, 12],
    [328, 2, 30, 30],
    [700, 3, 5, 5],
  ])('fit into %i px without overlapping, all at one scale', (width, heads, T, S) => {
    const layout = layOutHeads({ heads, words: words(T, S), width, line: 13, maxHeight: Infinity });
    expect(layout.small).toHaveLength(heads);
    expect(new Set(layout.small.map(({ cell }) => cell.width)).size).toBe(1);
    layout.small.forEach((a, i) => {
      expect(rightOf(a)).toBeLessThanOrEqual(width);
      expect(bottomOf(a)).toBeLessThan(layout.large.y);
      for (const b of layout.small.slice(i + 1)) expect(rightOf(a) <= b.x || bottomOf(a) <= b.y).toBe(true);
    });
    expect(placeIn(layout.large, rightOf(layout.large) - 1, bottomOf(layout.large) - 1)).toEqual({
      row: T - 1,
      column: S - 1,
    });
  });
  it('share row labels: four maps of fifteen by eleven words fit in one row of the bench', () => {
    const layout = layOutHeads({ heads: 4, words: words(15, 11), width: 703, line: 13, maxHeight: Infinity });
    expect(layout).toMatchObject({ across: 4, worded: true });
    expect(new Set(layout.small.map(({ y }) => y)).size).toBe(1);
  });
  it('has no small maps for a single head', () => {
    expect(layOutHeads({ heads: 1, words: words(3, 3), width: 500, line: 13, maxHeight: Infinity }).small).toEqual([]);
  });
});

describe('the mask', () => {
  it('has the same presets as the engine', async () => {
    const mask = async (config: object): Promise<number[]> => {
      const { trace, values } = await runOf({ ...LAYER, ...config });
      return [...values.get(trace.nodes.find(({ name }) => name === 'mask')!.id)!];
    };
    expect(presetMask('none', 4, 4, 1)).toEqual(await mask({}));
    expect(presetMask('causal', 4, 4, 1)).toEqual(await mask({ mask: 'causal' }));
    expect(presetMask('window', 4, 4, 2)).toEqual(await mask({ mask: 'window', window: 2 }));
    expect(presetMask('padding', 4, 6, 2)).toEqual(await mask({ source_words: 6, padding: 2 }));
  });
  it('has cells of at least 24 px, beside the weights if there is room', () => {
    const words = { source: [30, 30, 30, 30], target: [30, 30, 30, 30] };
    const [wide, narrow] = [layOutMask(words, 700, 13), layOutMask(words, 200, 13)];
    expect(wide.beside).toBe(true);
    expect(rightOf(wide.mask)).toBeLessThan(wide.weights.x);
    expect(narrow.beside).toBe(false);
    expect(bottomOf(narrow.mask)).toBeLessThan(narrow.weights.y);
    for (const { mask } of [wide, narrow])
      expect(Math.min(mask.cell.width, mask.cell.height)).toBeGreaterThanOrEqual(24);
  });
});

// The attention matrix: words are never cut, cells fit, true links are counted.

const LINE = 13;
const words = (source: number, target: number, width: number): { source: number[]; target: number[] } => ({
  source: Array<number>(source).fill(width),
  target: Array<number>(target).fill(width),
});

describe('layout', () => {
  it('sets words horizontally while each fits above its cell', () => {
    const layout = layOutAlignment(words(5, 4, 50), 700, LINE);
    expect(layout.turn).toBe(0);
    expect(layout.cell.width).toBeGreaterThanOrEqual(58);
    expect(layout.numbered).toBe(true);
  });
  it('tilts them as the window narrows, and outgrows the window only if words would touch', () => {
    const turns = [720, 500, 400, 340, 280, 200].map((width) => layOutAlignment(words(9, 9, 62), width, LINE));
    expect(turns.map(({ turn }) => turn)).toEqual([0, -45, -45, -45, -90, -90]);
    for (const [i, width] of [720, 500, 400, 340, 280].entries()) expect(turns[i]!.width).toBeLessThanOrEqual(width);
    expect(turns[5]!.cell.width).toBe(14);
  });
  it('leaves room above for the longest word and to the right of the last tilted one', () => {
    const source = [20, 20, 20, 90];
    const layout = layOutAlignment({ source, target: [30] }, 260, LINE);
    expect(layout.turn).toBe(-45);
    const [x, y] = [layout.x + 3.5 * layout.cell.width, layout.y - 7];
    expect(x + 90 * Math.SQRT1_2).toBeLessThanOrEqual(layout.width);
    expect(y - 90 * Math.SQRT1_2).toBeGreaterThanOrEqual(0);
  });
  it('keeps row labels beside the cells', () => {
    const layout = layOutAlignment({ source: [10], target: [80, 20] }, 300, LINE);
    expect(layout.x - 9 - 80).toBeGreaterThanOrEqual(0);
    expect(layout.height).toBe(layout.y + 2 * layout.cell.height + 1);
  });
});

const data: AlignmentData = {
  source: ['I', 'am', 'a', 'student'],
  target: ['je', 'suis', 'étudiant'],
  weights: new Float32Array([0.9, 0.1, 0, 0, 0.5, 0.25, 0.25, 0, 0, 0, 0, 0.5]),
  truth: points('0 0, 1 1, 3 2, 9 9'),
  name: 'attention/α',
};

describe('what it says', () => {
  it('counts the words that attend most to a true link, and ignores links outside the matrix', () => {
    expect([...truthOf(data)]).toEqual([0, 5, 11]);
    expect(agreement(data)).toEqual({ right: 2, of: 3 });
    expect(agreement({ ...data, truth: [] })).toEqual({ right: 0, of: 0 });
    const begun = data.weights.map((weight, i) => (i < data.source.length ? weight : NaN));
    expect(agreement({ ...data, weights: begun }).of).toBe(1);
  });
  it('finds the largest weight of a row and its sum', () => {
    expect([0, 1, 2].map((t) => argmaxOfRow(data, t))).toEqual([0, 0, 3]);
    expect([0, 1, 2].map((t) => sumOf(data, t))).toEqual([expect.closeTo(1), 1, 0.5]);
  });
  it('is CSV with every digit', () => {
    const lines = csvTables([alignmentTable(data)]).split('\n');
    expect(lines.slice(0, 2)).toEqual([',I,am,a,student,sum', 'je,0.9,0.1,0,0,1']);
    expect(csvOf([['a,b', 'say "x"', 1]])).toBe('"a,b","say ""x""",1\n');
  });
  it('gives a spreadsheet no formula to run', () => {
    const texts = ['=1+1', '+a', '-', '@x', '-inf', 'a=b'];
    expect(csvOf([texts])).toBe("'=1+1,'+a,'-,'@x,'-inf,a=b\n");
    expect(csvOf([[-1.5, '-1.5', '-Infinity', '+2e-7']])).toBe('-1.5,-1.5,-Infinity,+2e-7\n');
  });
});

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
    expect(wave([0, 1, -1], { x: 0, y: 0, width: 10, height: 4 }, 1)).toEqual(points('0 2, 5 0, 10 4'));
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
      const layout = layOutPermute(
        { rows: 5, inputs: 6, outputs: 6 },
        { width, line: 13, word: 40, note: 60, title: 80 },
      );
      expect(layout.width).toBeLessThanOrEqual(width);
      expect(layout.x.inputNow === null).toBe(width < 500);
      expect(layout.x.before + layout.output).toBeLessThan(layout.x.now);
    }
  });
});
