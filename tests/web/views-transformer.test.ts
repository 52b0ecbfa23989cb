// The views of blocks, generation and pictures, read from real traces.
import { automaticRows } from '../../web/src/bench/board/board-layout';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { type BlocksLayout, layOutBlocks } from '../../web/src/figures/blocks/blocks-layout';
import { type Block, Blocks } from '../../web/src/figures/blocks/blocks-trace';
import { layOutGeneration } from '../../web/src/figures/generation/generation-drawing';
import {
  GenerationScene,
  likeliest,
  readGeneration,
  rowOf,
  Costs,
} from '../../web/src/figures/generation/generation-scene';
import { flatGridNavigation } from '../../web/src/figures/host/contract';
import { gridOf, placeAt, placeBox, readPicture, rgbaOf, sideFor } from '../../web/src/figures/picture/picture-scene';
import { targetWords } from '../../web/src/ui/words';
import type { TaskInfo, Trace } from '../../web/src/engine/types';
import { KINDS } from '../../web/src/engine/kinds';
import { offered, type Offer, viewsOf } from '../../web/src/figures/views';
import { areApart, runOf, SEQ2SEQ, sentences, STORIES, type Run } from './views-engine';
import { cost as costText } from '../../web/src/messages/en/figures/generation';

const TRANSFORMER = {
  ...{ kind: 'transformer', model_size: 8, heads: 2, feed_forward: 16, layers: 1, seed: 7 },
  ...{ source_vocabulary: 12, target_vocabulary: 12 },
};
const chances =
  ({ probabilities }: Run) =>
  (node: { id: number }) =>
    probabilities.get(node.id);
const named = (blocks: readonly Block[], name: string): Block => blocks.find((block) => block.name === name)!;
const read =
  ({ values }: Run) =>
  (node: { id: number }) =>
    values.get(node.id);

describe('a transformer in blocks', () => {
  let run: Run;
  let blocks: Blocks;
  beforeAll(async () => {
    run = await runOf(TRANSFORMER, sentences(3, 4));
    blocks = new Blocks(run.trace, 0);
  });

  const inside = (...path: string[]): Block[] =>
    path.reduce((list, name) => blocks.inside(named(list, name)).blocks, blocks.inside().blocks);

  it('consists of its nested scopes, in the order of the data flow', () => {
    const outer = inside().map(({ name }) => name);
    const named = ['source', 'target_in', 'encoder', 'decoder', 'cross_entropy'];
    expect(outer.filter((name) => named.includes(name))).toEqual(named);
    const layer = inside('encoder', 'encoder.0').map(({ name }) => name);
    expect(layer).toEqual(['norm1', 'attention', 'after attention', 'norm2', 'feed_forward', 'after feed_forward']);
  });
  it('counts every parameter of the model once', () => {
    const numbers = run.trace.nodes.filter(({ role, phase }) => role === 'parameter' && phase === 'leaf');
    const count = (list: typeof numbers): number =>
      list.reduce((sum, { shape }) => sum + shape.reduce((a, b) => a * b, 1), 0);
    const attention = named(inside('encoder', 'encoder.0'), 'attention');
    expect(attention.parameters).toBe(4 * (8 * 8 + 8));
    expect(inside().reduce((sum, { parameters }) => sum + parameters, 0)).toBe(count(numbers));
  });
  it('has residual connections around attention and feed-forward network only', () => {
    const around = (...path: string[]): string[] => {
      const box = named(inside(...path.slice(0, -1)), path.at(-1)!);
      const { blocks: list, flows } = blocks.inside(box);
      return flows.filter(({ residual }) => residual).map(({ to }) => list[to]!.name);
    };
    expect(around('encoder', 'encoder.0')).toEqual(['after attention', 'after feed_forward']);
    expect(around('decoder', 'decoder.0')).toHaveLength(3);
    expect(around('encoder', 'encoder.0', 'feed_forward')).toEqual([]);
  });
  it('finds the boxes around an operation', () => {
    const α = run.trace.nodes.find(({ name }) => name === 'encoder.0.attention/α')!;
    expect(blocks.ancestors(α.id)).toEqual([
      'encoder',
      'encoder.0',
      'encoder.0.attention',
      'encoder.0.attention.softmax',
    ]);
    expect(blocks.ancestors(-1)).toEqual([]);
  });
  it('contains every operation of the forward pass', () => {
    const all = (box?: Block): Block[] =>
      blocks.inside(box).blocks.flatMap((block) => (block.scopes.size ? all(block) : [block]));
    const found = all()
      .filter(({ input }) => !input)
      .map(({ output }) => output!.id);
    const forward = run.trace.nodes.filter(({ phase }) => phase === 'forward').map(({ id }) => id);
    expect(found.sort((a, b) => a - b)).toEqual(forward);
  });
});

it('a recurrent network in blocks folds its positions into one box, which shows one of them and feeds into itself', async () => {
  const { trace } = await runOf({ ...SEQ2SEQ, cell: 'gru', attention: 'luong' }, sentences(4, 3));
  for (const at of [0, 2]) {
    const blocks = new Blocks(trace, at);
    const decoder = named(blocks.inside().blocks, 'decoder');
    const inner = blocks.inside(decoder);
    const position = inner.blocks.find(({ count }) => count === 3)!;
    expect(position.output!.name).toBe(`decoder.t${at}/logits`);
    expect(inner.loops.has(inner.blocks.indexOf(position))).toBe(true);
  }
});

describe('the layout of blocks', () => {
  let blocks: Blocks;
  const all = (box?: Block): string[] =>
    blocks.inside(box).blocks.flatMap((block) => (block.scopes.size ? [block.key, ...all(block)] : []));
  beforeAll(async () => {
    blocks = new Blocks((await runOf(TRANSFORMER, sentences(3, 4))).trace, 0);
  });
  const layOut = (open: string[], width: number): BlocksLayout =>
    layOutBlocks(blocks, new Set(open), { width, line: 13, minWidth: () => 100, lines: () => 2 });

  it.each([328, 700])('never overlap, and stay inside their parents, at %i px', (width) => {
    const { placed, height } = layOut(all(), width);
    expect(placed.length).toBeGreaterThan(80);
    for (const [i, a] of placed.entries()) {
      const box = placed[a.parent] ?? { x: 0, y: 0, width, height };
      expect(a.x).toBeGreaterThanOrEqual(box.x);
      expect(a.x + a.width).toBeLessThanOrEqual(box.x + box.width + 0.01);
      expect(a.y + a.height).toBeLessThanOrEqual(box.y + box.height + 0.01);
      for (const b of placed.slice(i + 1).filter(({ parent }) => parent === a.parent))
        expect(areApart(a, b, 0.01), `${a.block.key} and ${b.block.key}`).toBe(true);
    }
  });
  it('are drawn from top to bottom, with a wire for every flow', () => {
    const closed = layOut([], 700);
    expect(closed.wires).toHaveLength(blocks.inside().flows.length);
    const ends = closed.wires.map(({ line }) =>
      [...line.matchAll(/[ML]([\d.]+) ([\d.]+)/g)].map(([, , y]) => Number(y)),
    );
    for (const ys of ends) expect(ys.at(-1)!).toBeGreaterThan(ys[0]!);
  });
  it('are side by side if neither reads the other', () => {
    const { placed } = layOut(
      ['encoder', 'encoder.0', 'encoder.0.attention'].flatMap((name) => all().filter((key) => key.endsWith(name))),
      700,
    );
    const y = (name: string): number =>
      placed.find(({ block }) => block.output?.name === `encoder.0.attention/${name}` && !block.scopes.size)!.y;
    expect(y('q')).toBe(y('k'));
    expect(y('v')).toBe(y('k'));
    expect(y('c')).toBeGreaterThan(y('v'));
  });
});

describe('generation', () => {
  it('knows what each position of a transformer attends to: earlier positions, and the source', async () => {
    const run = await runOf(TRANSFORMER, sentences(3, 4));
    const generation = readGeneration(run.trace)!;
    expect(generation.positions).toBe(4);
    expect(generation.attentions.map(({ name, own, heads, width }) => [name, own, heads, width])).toEqual([
      ['decoder.0.self_attention', true, 2, 4],
      ['decoder.0.cross_attention', false, 2, 3],
    ]);
    for (const attention of generation.attentions)
      for (const head of [0, 1]) {
        const { node, from, to } = rowOf(attention, 2, head)!;
        const weights = run.values.get(node.id)!.subarray(from, to);
        expect(weights.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 5);
        if (attention.own) expect(weights[3]).toBe(0);
      }
  });
  it('reads the positions of a recurrent decoder one by one', async () => {
    const { trace } = await runOf({ ...SEQ2SEQ, cell: 'gru', attention: 'luong' }, sentences(4, 3));
    const { attentions } = readGeneration(trace)!;
    expect(attentions.map(({ own, width, nodes }) => [own, width, nodes.length])).toEqual([[false, 4, 3]]);
    expect(rowOf(attentions[0]!, 2, 0)).toMatchObject({ node: { name: 'decoder.t2.attention/α' }, from: 0, to: 4 });
  });
  it('generates nothing without a vocabulary', async () => {
    expect(readGeneration((await runOf({ kind: 'softmax' })).trace)).toBeNull();
  });
  const generation = ({ trace }: Run) => readGeneration(trace)!;
  const NO_WORDS = { target: undefined, promptLength: 0, source: () => [], vocabulary: undefined };
  /** The scene of a run at a position. */
  const sceneOf = (run: Run, given: object, at: number, head = 0, values = read(run)): GenerationScene =>
    new GenerationScene(generation(run), { ...NO_WORDS, ...given }, { at, layer: 0, head }, values, chances(run));
  it('says what is likely next, or that the position is not reached yet', async () => {
    const run = await runOf(TRANSFORMER, sentences(3, 4));
    const words = { target: ['a', 'b', 'c'], source: () => ['x', 'y', 'z'] };
    const scene = sceneOf(run, words, 1, 1);
    const row = run.values.get(generation(run).logProbs.id)!.subarray(12, 24);
    expect(scene.likely[0]!.logP).toBe(Math.max(...row));
    expect(scene.likely.map(({ id }) => row[id])).toEqual([...row].sort((a, b) => b - a).slice(0, 8));
    expect(scene.describe()).toMatch(
      /^After a: attends to [xyz] 0\.\d\d, .*; attends back to .*; most likely next: \d+ 0\.\d\d/,
    );
    expect(scene.next).toBe('b');
    expect(sceneOf(run, words, 1, 1, () => undefined).describe()).toBe('After a: not reached yet');
  });
  it('shows the probabilities that the engine computed', async () => {
    const run = await runOf(TRANSFORMER, sentences(3, 4));
    const scene = sceneOf(run, {}, 2);
    const engine = run.probabilities.get(generation(run).logProbs.id)!;
    expect(scene.likely.map(({ p }) => p)).toEqual(scene.likely.map(({ id }) => engine[24 + id]));
  });
  it('begins with the words of the prompt, marked as given', async () => {
    const run = await runOf(STORIES, ['one day', 'tom found a ball .']);
    const target = ['tom', 'found', 'a', 'ball', '.'];
    const pair = { source: ['one', 'day'], target, alignment: [], heldOut: false };
    const task = { form: 'texts' } as unknown as TaskInfo;
    const written = targetWords({ pair, task });
    expect(written).toEqual({ words: ['one', 'day', ...target], promptLength: 2 });
    const words = { target: written.words, promptLength: written.promptLength };
    const at = (position: number): GenerationScene => sceneOf(run, words, position);
    expect(at(0).text).toEqual(['<bos>', ...written.words]);
    expect(at(0).text.map((_, t) => at(0).isPrompt(t))).toEqual([false, true, true, ...Array(5).fill(false)]);
    expect(at(2).next).toBe('tom');
    expect(at(7).next).toBe('<eos>');
    expect(at(2).describe()).toMatch(/^After day \(prompt\): attends back to /);
    expect(at(3).describe()).toMatch(/^After tom: attends back to /);
  });
  it('takes the first of equally likely words', () => {
    const found = likeliest(Float32Array.of(-2, -1, -1), Float32Array.of(0.25, 0.375, 0.375), 2);
    expect(found).toEqual([1, 2].map((id) => ({ id, logP: -1, p: 0.375 })));
  });
  it('breaks into lines that fit', () => {
    const room = { width: 328, line: 13, gutter: 65 };
    const { groups, bars, height } = layOutGeneration([Array(12).fill(50), [40]], 3, 60, room);
    for (const { x, width } of groups[0]!.chips) expect(x + width).toBeLessThanOrEqual(328);
    expect(groups[0]!.chips.at(-1)!.y).toBeGreaterThan(groups[0]!.chips[0]!.y);
    expect(groups[1]!.chips[0]!.y).toBeGreaterThan(groups[0]!.chips.at(-1)!.y);
    expect(bars.y).toHaveLength(3);
    expect(bars.y[2]!).toBeLessThan(height);
  });
});

describe('a picture', () => {
  it('is found with the words that attend to it, and with self-attention between its cells', async () => {
    const plain = readPicture((await runOf({ kind: 'captioner', task: 'captions' })).trace)!;
    expect(plain.grid).toEqual({ rows: 4, columns: 4 });
    expect(plain.placeWeights).toBeUndefined();
    expect(plain.wordWeights.length).toBeGreaterThan(1);
    const places = readPicture((await runOf({ kind: 'captioner', task: 'captions', grid_attention: true })).trace)!;
    expect(places.placeWeights!.shape.slice(-2)).toEqual([16, 16]);
    expect(readPicture((await runOf({ kind: 'softmax' })).trace)).toBeNull();
  });
  it('is overlaid by a grid', () => {
    expect(gridOf(12)).toEqual({ rows: 3, columns: 4 });
    expect(placeBox({ rows: 3, columns: 4 }, 6, 120)).toEqual({ x: 60, y: 40, width: 30, height: 40 });
    expect(sideFor(32, 328, 320)).toBe(320);
    expect(sideFor(32, 200, 320)).toBe(192);
  });
  it('takes its colours from three channels', () => {
    const rgba = rgbaOf([1, 0, 0.5, 0, 0, 1], 2);
    expect([...rgba]).toEqual([255, 128, 0, 255, 0, 0, 255, 255]);
  });
  it('can be explored by arrow keys and by pointer', () => {
    const grid = { rows: 4, columns: 4 };
    const { move, place } = flatGridNavigation('Places', grid);
    expect(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'a'].map((key) => move(5, key, false))).toEqual([
      1,
      9,
      4,
      6,
      null,
    ]);
    expect([move(3, 'ArrowRight', false), move(5, 'Home', false), move(5, 'End', true)]).toEqual([3, 4, 15]);
    expect(place(6)).toEqual({ row: 1, column: 2, index: 6 });
    expect([placeAt(grid, 80, 45, 25), placeAt(grid, 80, 80, 25), placeAt(grid, 80, -1, 25)]).toEqual([6, null, null]);
  });
});

describe('the views of a page', () => {
  it('are those the page names, in that order, or the first of its model, or all that fit it', () => {
    expect(viewsOf(['picture', 'blocks'], 'captioner')).toEqual(['picture', 'blocks']);
    expect(viewsOf([], 'seq2seq')).toEqual(['unrolled', 'alignment']);
    expect(viewsOf([], 'softmax')).toEqual(offered('softmax'));
    expect(viewsOf([], 'no_model')).toEqual(['blocks']);
  });
  it('are offered with the first first, and the others by name', () => {
    expect(offered('attention').join(' ')).toBe('arrows blocks dataflow map mask permute spectrum');
    expect(offered('attention_layer').join(' ')).toBe(
      'dataflow arrows blocks heads map mask permute positions spectrum',
    );
    expect(offered('seq2seq').join(' ')).toBe('unrolled alignment arrows blocks generation map spectrum');
    expect(offered('transformer').join(' ')).toBe('generation arrows blocks dataflow heads map positions spectrum');
    expect(offered('softmax').join(' ')).toBe('blocks');
  });
  it('are left out where the trace has nothing for them', async () => {
    const traceOf = async (config: object): Promise<Trace> => (await runOf({ kind: 'attention', ...config })).trace;
    expect(offered('attention', await traceOf({}))).not.toContain('arrows');
    expect(offered('attention', await traceOf({ key_size: 2 }))).toContain('arrows');
    expect(offered('attention', await traceOf({ value_size: 2 }))).toContain('arrows');
  });
  it('are those of the kind that it is like', () => {
    expect(offered('transformer_lm')).toEqual(offered('transformer'));
    expect(viewsOf([], 'language_model')).toEqual(viewsOf([], 'seq2seq'));
  });
  it('name kinds and figures that there are', () => {
    const views = new Set(Object.keys(KINDS).flatMap((kind) => offered(kind)));
    const offers = import.meta.glob<Offer>('../../web/src/figures/*/offer.ts', { eager: true, import: 'default' });
    expect([...views].sort()).toEqual(Object.keys(offers).map((path) => path.split('/').at(-2)));
    const named = Object.values(offers).flatMap(({ kinds }) => kinds);
    expect(named.filter((kind) => kind !== '*' && !(kind in KINDS))).toEqual([]);
  });
});

describe('the cost of each generated word', () => {
  const cost = { cacheBytes: 1280, multiplyAdds: 9400, multiplyAddsUncached: 47000 };
  const trace = (): Trace => ({ nodes: [], scopes: [] });
  it('is given with and without the cache', () => {
    expect(costText(cost)).toBe('KV cache: 1,280 bytes. Next word: 9,400 multiply-adds; without the cache, 47,000');
  });
  it('is requested once per position, and again for another run', async () => {
    const ask = vi.fn(async () => ({ ok: true, value: cost }) as const);
    const arrived = vi.fn();
    const costs = new Costs(ask, arrived);
    const run = trace();
    expect(costs.at(run, 3)).toBeNull();
    await vi.waitFor(() => expect(arrived).toHaveBeenCalledOnce());
    expect(costs.at(run, 3)).toBe(cost);
    expect(ask).toHaveBeenCalledOnce();
    expect(costs.at(trace(), 3)).toBeNull();
    expect(ask).toHaveBeenCalledTimes(2);
  });
  it('is nothing for a model without a cache', async () => {
    const ask = vi.fn(async () => ({ ok: false, code: 'E_INPUT', message: 'no cache', detail: '' }) as const);
    const costs = new Costs(ask, () => undefined);
    const run = trace();
    costs.at(run, 1);
    await ask.mock.results[0]!.value;
    expect(costs.at(run, 1)).toBeNull();
    expect(ask).toHaveBeenCalledOnce();
  });
});

it('at every step of a long trace the board has what is around it', async () => {
  const { trace } = await runOf(TRANSFORMER, sentences(3, 4));
  for (const { id, phase } of trace.nodes)
    if (phase !== 'leaf')
      expect(automaticRows(trace, { node: id, scope: -1 }).flat().length, `at ${id}`).toBeGreaterThan(0);
  const words = trace.nodes.find(({ name }) => name === 'encoder/words')!;
  expect(automaticRows(trace, { node: words.id, scope: -1 }).flat()).toContain(words);
});
