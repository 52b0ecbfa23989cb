// The data flow of attention: reading it from real traces, and its layout.
import { describe, expect, it } from 'vitest';
import {
  attentionName,
  attentionsOf,
  flowOf,
  headsOf,
  isMaskOf,
} from '../../web/src/figures/shared/attention/attention-trace';
import { partsOf, splitAttentionsOf } from '../../web/src/figures/shared/attention/attention-parts';
import {
  type DataflowLayout,
  layOutDataflow,
  layOutPart,
  segmentsOf,
} from '../../web/src/figures/dataflow/dataflow-layout';
import { linesOf, linesOfPart, type Item, type Slab } from '../../web/src/figures/dataflow/dataflow-slabs';
import { SCORES } from '../../web/src/workbench/models';
import { positionsOf } from '../../web/src/figures/positions/positions-scene';
import { runOf, areApart, flowIn, LAYER, type Run } from './views-engine';

const matrix = ({ values }: Run, slab: Slab): number[][] =>
  Array.from({ length: slab.rows }, (_, r) =>
    Array.from({ length: slab.columns }, (__, c) => values.get(slab.node.id)![slab.at(r, c)]!),
  );

/** The product that the drawing shows: left · top (+ bias). */
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
  ['linear attention', { ...LAYER, form: 'linear', output_projection: true }],
  ['linear cross-attention', { ...LAYER, form: 'linear', source_words: 7, value_size: 4, bias: true }],
  ['causal linear attention', { ...LAYER, form: 'linear', mask: 'causal', key_value_heads: 1 }],
  ['causal linear attention over one word', { ...LAYER, form: 'linear', mask: 'causal', words: 1 }],
  ['blocks of keys', { ...LAYER, form: 'blocks', block: 3, mask: 'causal', output_projection: true }],
  [
    'cross-attention in blocks with a bias',
    { ...LAYER, form: 'blocks', block: 3, source_words: 7, positions: 'alibi' },
  ],
  ['one block of keys', { ...LAYER, form: 'blocks', block: 4, key_value_heads: 1, value_size: 4 }],
];

/** Every drawing of the layer; attention in parts has one for each part. */
function drawings({ trace }: Run): Item[][][] {
  const [weights] = attentionsOf(trace);
  const [split] = splitAttentionsOf(trace);
  const heads = [...Array(headsOf((weights ?? split)!)).keys()];
  if (weights) return heads.map((head) => linesOf(flowOf(trace, weights)!, head));
  const layer = partsOf(trace, split!)!;
  return heads.flatMap((head) => layer.parts.map((_, at) => linesOfPart(layer, head, at)));
}

/** Checks the sums and quotients of a line; a left matrix counts only through its product. */
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
  it('shows correct products: each result is its left matrix times the one above it', async () => {
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

  it('adds up: what follows an = is the sum or the quotient of what precedes it', async () => {
    const run = await runOf(config);
    for (const line of drawings(run).flat()) expectSums(run, line);
  });

  it('aligns the sides that are summed over, without overlap or overflow', async () => {
    for (const lines of drawings(await runOf(config)))
      for (const width of [1200, 700, 328]) {
        const room = { width, maxHeight: Infinity, line: 12, labelLines: 2, labelWidth: () => 60 };
        const layout = layOutDataflow(lines, room);
        expect(layout.width).toBeLessThanOrEqual(width);
        expectJoined(layout);
        expectApart(layout);
      }
  });

  it('shows the part around a stop where the whole is too tall, as much of it as fits', async () => {
    for (const lines of drawings(await runOf(config)))
      for (const { node } of lines.flat().map(({ slab }) => slab)) {
        const room = { width: 320, line: 12, labelLines: 2, labelWidth: () => 60 };
        const [low, high] = [170, 500].map((maxHeight) => layOutPart(lines, { ...room, maxHeight }, node.id));
        expect(low!.placed.some(({ slab }) => slab.node.id === node.id)).toBe(true);
        expect(high!.height).toBeLessThanOrEqual(500);
        expect(high!.placed.length).toBeGreaterThanOrEqual(low!.placed.length);
        for (const part of [low!, high!]) expectApart(part);
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
    for (const b of placed.slice(i + 1)) expect(areApart(a, b)).toBe(true);
  });
}

describe('the data flow', () => {
  it.each(SCORES)('draws the scores of "%s" as a product only if they are one of queries and keys', async (score) => {
    const { trace } = await runOf({ kind: 'attention', score, seed: 1 });
    const flow = flowOf(trace, attentionsOf(trace)[0]!);
    if (score === 'location') return expect(flow).toBeNull(); // it has no keys
    expect(flow!.isProduct).toBe(/^(scaled_)?dot$|^general$/.test(score));
    const key = flow!.key[score === 'general' ? 'source' : 'result']; // W is taken to the keys
    expect([flow!.query.result.name, key.name]).toEqual(['attention/Q', 'attention/K']);
  });
  it('labels sizes: one source in self-attention, two in cross-attention', async () => {
    const own = linesOf(flowIn(await runOf(LAYER)), 1);
    const letters = (line: Item[]): string[] => line.map(({ slab }) => `${slab.node.name} ${slab.letters.join('×')}`);
    expect(letters(own[0]!)).toEqual(['X n×D', 'attention/q n×K', 'attention/k n×K', 'attention/v n×K']);
    const cross = linesOf(flowIn(await runOf({ ...LAYER, source_words: 7, value_size: 4 })), 0);
    expect(letters(cross[0]!).join(', ')).toBe('X T×D, attention/q T×K, source S×D, attention/k S×K, attention/v S×Kᵥ');
    const separators = cross[1]!.map(({ separator }) => separator).join(' ');
    expect(separators).toBe('start touch plus softmax touch heads touch');
    expect(segmentsOf(cross[1]!).map((piece) => piece.length)).toEqual([2, 1, 2, 2]);
  });
  it('shows what is added to the scores in order: the distance bias, then the mask', async () => {
    const run = await runOf({ ...LAYER, positions: 'alibi' });
    const flow = flowIn(run);
    expect(flow.added.map(({ name }) => name)).toEqual(['attention/bias', 'mask']);
    const [bias] = linesOf(flow, 1)[1]!.filter(({ separator }) => separator === 'plus');
    expect(matrix(run, bias!.slab)[0]![1]).toBe(run.values.get(bias!.slab.node.id)![16 + 1]);
  });
  it('is found in every attention of a transformer, but not in a mean over heads', async () => {
    const run = await runOf({ kind: 'transformer', seed: 1 });
    const found = attentionsOf(run.trace).map((weights) => [
      weights.name,
      flowOf(run.trace, weights)?.query.weight?.name,
    ]);
    const flows = ['encoder.0.attention', 'decoder.0.self_attention', 'decoder.0.cross_attention'];
    expect(found).toEqual([...flows.map((name) => [`${name}/α`, `${name}.W_Q.weight`]), ['attention/α', undefined]]);
    const [, self] = attentionsOf(run.trace).map((weights) => flowOf(run.trace, weights));
    expect(self!.added.map(({ id }) => isMaskOf(run.values.get(id)))).toEqual([true]);
    const positions = positionsOf(run.trace, self!, ({ id }) => run.values.get(id));
    expect(positions).toMatchObject({ table: { name: 'encoder/positions' } });
    expect(Object.keys(positions)).toHaveLength(1);
  });
  it('names attentions by their place', () => {
    expect(attentionName({ name: 'encoder.0.attention/α' })).toBe('encoder 0, self-attention');
    expect(attentionName({ name: 'decoder.1.cross_attention/α' })).toBe('decoder 1, cross-attention');
    expect(attentionName({ name: 'attention/α' })).toBe('attention');
  });
});
