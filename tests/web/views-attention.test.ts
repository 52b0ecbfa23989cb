// The views of the attention layer: what they read out of real traces, and where they draw it.
import { describe, expect, it } from 'vitest';
import { bottomOf, placeIn, rightOf } from '../../web/src/figures/shared/attention/attention-map';
import {
  type Flow,
  attentionName,
  attentionsOf,
  flowOf,
  headsOf,
  isMaskOf,
} from '../../web/src/figures/shared/attention/attention-trace';
import { readPage } from '../../web/src/lab/page';
import { targetWords } from '../../web/src/ui/words';
import type { TaskInfo } from '../../web/src/engine/types';
import { wordsOf } from '../../web/src/figures/shared/attention/attention-words';
import { partsOf, splitAttentionsOf } from '../../web/src/figures/shared/attention/attention-parts';
import { nameOfMark } from '../../web/src/ui/token';
import { type DataflowLayout, layOutDataflow, segmentsOf } from '../../web/src/figures/dataflow/dataflow-layout';
import { linesOfPart } from '../../web/src/figures/dataflow/dataflow-parts';
import { type Item, type Slab, linesOf } from '../../web/src/figures/dataflow/dataflow-slabs';
import { layOutHeads } from '../../web/src/figures/heads/heads-layout';
import { layOutMask, presetMask } from '../../web/src/figures/mask/mask-layout';
import { positionsOf } from '../../web/src/figures/positions/positions-trace';
import { type Run, runOf } from './views-engine';

const LAYER = { kind: 'attention_layer', seed: 3, words: 4, size: 6, heads: 2 };

const flowIn = ({ trace }: Run): Flow => flowOf(trace, attentionsOf(trace)[0]!)!;
const matrix = ({ values }: Run, slab: Slab): number[][] =>
  Array.from({ length: slab.rows }, (_, r) =>
    Array.from({ length: slab.columns }, (__, c) => values.get(slab.node.id)![slab.at(r, c)]!),
  );

/** What the drawing claims: left · top (+ bias). */
function product(run: Run, left: Slab, item: Item): number[][] {
  const [a, b] = [matrix(run, left), matrix(run, item.top!)];
  const bias = item.bias && matrix(run, item.bias)[0]!;
  return a.map((row) => b[0]!.map((_, c) => row.reduce((sum, x, k) => sum + x * b[k]![c]!, bias?.[c] ?? 0)));
}

const CONFIGS: [string, object][] = [
  ['four words by hand', { kind: 'attention', seed: 1 }],
  ['two heads', LAYER],
  ['two heads that share keys', { ...LAYER, key_value_heads: 1 }],
  ['four heads that share two keys', { ...LAYER, size: 8, heads: 4, key_value_heads: 2 }],
  ['cross-attention with wider values', { ...LAYER, source_words: 7, value_size: 4, key_size: 2 }],
  ['no bias, sinusoids', { ...LAYER, bias: false, positions: 'sinusoidal', mask: 'causal' }],
  ['sums over all keys', { ...LAYER, form: 'linear', output_projection: true }],
  ['sums over other keys', { ...LAYER, form: 'linear', source_words: 7, value_size: 4, bias: true }],
  ['sums, word by word', { ...LAYER, form: 'linear', mask: 'causal', key_value_heads: 1 }],
  ['a sum of one word', { ...LAYER, form: 'linear', mask: 'causal', words: 1 }],
  ['blocks of keys', { ...LAYER, form: 'blocks', block: 3, mask: 'causal', output_projection: true }],
  ['blocks of other keys with a bias', { ...LAYER, form: 'blocks', block: 3, source_words: 7, positions: 'alibi' }],
  ['one block of keys', { ...LAYER, form: 'blocks', block: 4, key_value_heads: 1, value_size: 4 }],
];

/** Every drawing that there is of the layer: of what comes in parts one for each. */
function drawings({ trace }: Run): Item[][][] {
  const [weights] = attentionsOf(trace);
  const [split] = splitAttentionsOf(trace);
  const heads = [...Array(headsOf((weights ?? split)!)).keys()];
  if (weights) return heads.map((head) => linesOf(flowOf(trace, weights)!, head));
  const layer = partsOf(trace, split!)!;
  return heads.flatMap((head) => layer.parts.map((_, at) => linesOfPart(layer, head, at)));
}

/** What a line claims: its sums and quotients, where a left matrix counts with its product alone. */
function expectSums(run: Run, line: Item[]): void {
  let total: number[][] = [];
  let separator = 'start';
  line.forEach((item, i) => {
    if (item.separator !== 'touch') separator = item.separator;
    if (line[i + 1]?.separator === 'touch') return;
    const own = matrix(run, item.slab);
    if (separator === 'equals')
      own.forEach((row, r) => row.forEach((value, c) => expect(value).toBeCloseTo(total[r]![c]!, 4)));
    else if (separator === 'plus') total = total.map((row, r) => row.map((value, c) => value + own[r]![c]!));
    else if (separator === 'divide') total = total.map((row, r) => row.map((value) => value / own[r]![0]!));
    else total = own;
  });
}

describe.each(CONFIGS)('the data flow of %s', (_name, config) => {
  it('is made of products that hold: each result is its left matrix times the one above it', async () => {
    const run = await runOf(config);
    for (const line of drawings(run).flat())
      line.forEach((item, i) => {
        if (!item.left) return;
        const root = item.slab.node.op === 'divide' ? Math.sqrt(item.top!.rows) : 1;
        const made = product(run, line[i - item.left]!.slab, item);
        matrix(run, item.slab).forEach((row, r) =>
          row.forEach((value, c) => expect(value).toBeCloseTo(made[r]![c]! / root, 4)),
        );
      });
  });

  it('adds up: what stands behind = is the sum or the quotient of what stands before', async () => {
    const run = await runOf(config);
    for (const line of drawings(run).flat()) expectSums(run, line);
  });

  it('has the sides that are summed over meet, and nothing overlaps or sticks out', async () => {
    for (const lines of drawings(await runOf(config)))
      for (const width of [1200, 700, 328]) {
        const layout = layOutDataflow(lines, {
          width,
          maxHeight: Infinity,
          line: 12,
          labelLines: 2,
          labelWidth: () => 60,
        });
        expect(layout.width).toBeLessThanOrEqual(width);
        expectJoined(layout);
        expectApart(layout);
      }
  });
});

function expectJoined({ placed, cell }: DataflowLayout): void {
  const products = placed.filter(({ factors }) => factors);
  expect(products.length).toBeGreaterThan(3);
  for (const { x, y, width, height, factors } of products) {
    const [left, top] = factors!.map((i) => placed[i]!);
    expect([left!.y, left!.height]).toEqual([y, height]);
    expect([top!.x, top!.width]).toEqual([x, width]);
    expect(left!.width).toBe(top!.height);
    expect(top!.height % cell).toBe(0);
  }
}

function expectApart({ placed, width, height }: DataflowLayout): void {
  placed.forEach((a, i) => {
    expect(a.x + a.width).toBeLessThanOrEqual(width);
    expect(a.y).toBeGreaterThanOrEqual(0);
    expect(a.y + a.height).toBeLessThanOrEqual(height);
    for (const b of placed.slice(i + 1)) {
      const across = a.x < b.x + b.width && b.x < a.x + a.width;
      const down = a.y < b.y + b.height && b.y < a.y + a.height;
      expect(across && down).toBe(false);
    }
  });
}

describe('the data flow', () => {
  it('names letters and heads: one source for all in self-attention, two across', async () => {
    const own = linesOf(flowIn(await runOf(LAYER)), 1);
    const letters = (line: Item[]): string[] => line.map(({ slab }) => `${slab.node.name} ${slab.letters.join('×')}`);
    expect(letters(own[0]!)).toEqual(['X n×D', 'attention/q n×K', 'attention/k n×K', 'attention/v n×K']);
    const cross = linesOf(flowIn(await runOf({ ...LAYER, source_words: 7, value_size: 4 })), 0);
    expect(letters(cross[0]!)).toEqual([
      'X T×D',
      'attention/q T×K',
      'source S×D',
      'attention/k S×K',
      'attention/v S×Kᵥ',
    ]);
    expect(cross[1]!.map(({ separator }) => separator)).toEqual([
      'start',
      'touch',
      'plus',
      'softmax',
      'touch',
      'heads',
      'touch',
    ]);
    expect(segmentsOf(cross[1]!).map((piece) => piece.length)).toEqual([2, 1, 2, 2]);
  });
  it('has what is added to the scores in its order: the bias for distance, then the mask', async () => {
    const run = await runOf({ ...LAYER, positions: 'alibi' });
    const flow = flowIn(run);
    expect(flow.added.map(({ name }) => name)).toEqual(['attention/bias', 'mask']);
    const [bias] = linesOf(flow, 1)[1]!.filter(({ separator }) => separator === 'plus');
    expect(matrix(run, bias!.slab)[0]![1]).toBe(run.values.get(bias!.slab.node.id)![16 + 1]);
  });
  it('is found in every attention of a transformer, and in no mean of heads', async () => {
    const run = await runOf({ kind: 'transformer', seed: 1 });
    const found = attentionsOf(run.trace).map((weights) => [
      weights.name,
      flowOf(run.trace, weights)?.query.weight?.name,
    ]);
    expect(found).toEqual([
      ['encoder.0.attention/α', 'encoder.0.attention.W_Q.weight'],
      ['decoder.0.self_attention/α', 'decoder.0.self_attention.W_Q.weight'],
      ['decoder.0.cross_attention/α', 'decoder.0.cross_attention.W_Q.weight'],
      ['attention/α', undefined],
    ]);
    const [, self] = attentionsOf(run.trace).map((weights) => flowOf(run.trace, weights));
    expect(self!.added.map(({ id }) => isMaskOf(run.values.get(id)))).toEqual([true]);
    const positions = positionsOf(run.trace, self!, ({ id }) => run.values.get(id));
    expect(Object.entries(positions).map(([what, node]) => [what, node.name])).toEqual([
      ['table', 'encoder/positions'],
    ]);
  });
  it('tells attentions by their place', () => {
    expect(attentionName({ name: 'encoder.0.attention/α' })).toBe('encoder 0, self-attention');
    expect(attentionName({ name: 'decoder.1.cross_attention/α' })).toBe('decoder 1, cross-attention');
    expect(attentionName({ name: 'attention/α' })).toBe('attention');
  });
});

describe('words', () => {
  const pair = { source: ['il', 'dort'], target: ['it', 'sleeps', 'now'], alignment: [], heldOut: false };
  const page = readPage({});
  const lab = { page, trace: null, task: null, pair, config: () => ({}) };
  const of = (name: string, T: number, S: number): object =>
    wordsOf(lab, { name, shape: [1, 2, T, S] } as unknown as Parameters<typeof wordsOf>[1]);
  it('are those that the encoder and the decoder read, as many as there are', () => {
    expect(of('encoder.0.attention/α', 3, 3)).toEqual({
      rows: ['il', 'dort', '<eos>'],
      columns: ['il', 'dort', '<eos>'],
    });
    expect(of('decoder.0.self_attention/α', 4, 4)).toEqual({
      rows: ['<bos>', 'it', 'sleeps', 'now'],
      columns: ['<bos>', 'it', 'sleeps', 'now'],
    });
    expect(of('decoder.0.cross_attention/α', 4, 3)).toEqual({
      rows: ['it', 'sleeps', 'now', '<eos>'],
      columns: ['il', 'dort', '<eos>'],
    });
    expect(of('attention/α', 1, 2)).toEqual({ rows: ['0'], columns: ['il', 'dort'] });
  });
  it('of a text are its opening and how it goes on, with the opening marked as given', () => {
    const text = { source: ['one', 'day'], target: ['tom', ' ', '.'], alignment: [], heldOut: false };
    const task = { form: 'texts' } as unknown as TaskInfo;
    const read = ['<bos>', 'one', 'day', 'tom', '␣', '.'];
    for (const name of ['decoder.0.attention/α', 'attention/α'])
      for (const T of [6, 5])
        expect(
          wordsOf({ ...lab, pair: text, task }, { name, shape: [1, 2, T, T] } as unknown as Parameters<
            typeof wordsOf
          >[1]),
        ).toEqual({ rows: read.slice(0, T), columns: read.slice(0, T), promptRange: [1, 3] });
  });
  it('of characters have a mark for a blank', () => {
    const blank = { source: ['a', ' ', 'b'], target: ['b', '\t', '\n'], alignment: [], heldOut: false };
    const weights = { name: 'attention/α', shape: [1, 2, 4, 3] } as unknown as Parameters<typeof wordsOf>[1];
    expect(wordsOf({ ...lab, pair: blank }, weights)).toEqual({
      rows: ['a', '␣', 'b', '<eos>'],
      columns: ['a', '␣', 'b'],
    });
    expect(['␣', '⇥', '↵', 'b'].map(nameOfMark)).toEqual(['space', 'tab', 'line break', undefined]);
    expect(targetWords({ pair: blank, task: null }).words).toEqual(['b', '⇥', '↵']);
  });
  it('are those of the lesson, but only where they are as many', async () => {
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
  ])('stand in %i px apart from each other, all of one scale', (width, heads, T, S) => {
    const layout = layOutHeads({ heads, words: words(T, S), width, line: 13 });
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
  it('have the words of their rows once: four of fifteen by eleven words stand in one row of the bench', () => {
    const layout = layOutHeads({ heads: 4, words: words(15, 11), width: 703, line: 13 });
    expect(layout).toMatchObject({ across: 4, worded: true });
    expect(new Set(layout.small.map(({ y }) => y)).size).toBe(1);
  });
  it('has no small maps of one head', () => {
    expect(layOutHeads({ heads: 1, words: words(3, 3), width: 500, line: 13 }).small).toEqual([]);
  });
});

describe('the mask', () => {
  it('has presets that the engine makes too', async () => {
    const mask = async (config: object): Promise<number[]> => {
      const { trace, values } = await runOf({ ...LAYER, ...config });
      return [...values.get(trace.nodes.find(({ name }) => name === 'mask')!.id)!];
    };
    expect(presetMask('none', 4, 4, 1)).toEqual(await mask({}));
    expect(presetMask('causal', 4, 4, 1)).toEqual(await mask({ mask: 'causal' }));
    expect(presetMask('window', 4, 4, 2)).toEqual(await mask({ mask: 'window', window: 2 }));
    expect(presetMask('padding', 4, 6, 2)).toEqual(await mask({ source_words: 6, padding: 2 }));
  });
  it('has cells of at least 24 px, beside the weights where there is room', () => {
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
