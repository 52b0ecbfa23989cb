// The views of the attention layer: row and column labels, the maps of its heads, its mask.
import { describe, expect, it } from 'vitest';
import { bottomOf, placeIn, rightOf } from '../../web/src/figures/shared/attention/attention-map';
import { attentionsOf } from '../../web/src/figures/shared/attention/attention-trace';
import { readPage } from '../../web/src/lab/page';
import { targetWords, nameOfMark } from '../../web/src/ui/words';
import type { TaskInfo } from '../../web/src/engine/types';
import { wordsOf } from '../../web/src/figures/shared/attention/attention-words';
import { layOutHeads } from '../../web/src/figures/heads/heads-layout';
import { layOutMask, presetMask } from '../../web/src/figures/mask/mask-layout';
import { runOf } from './views-engine';

const LAYER = { kind: 'attention_layer', seed: 3, words: 4, size: 6, heads: 2 };

describe('words', () => {
  const pair = { source: ['il', 'dort'], target: ['it', 'sleeps', 'now'], alignment: [], heldOut: false };
  const page = readPage({});
  const lab = { page, trace: null, task: null, pair, config: () => ({}) };
  const of = (name: string, T: number, S: number): object =>
    wordsOf(lab, { name, shape: [1, 2, T, S] } as unknown as Parameters<typeof wordsOf>[1]);
  it('are those the encoder and the decoder read, as many as there are positions', () => {
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
  it('of a text are its prompt and continuation, with the prompt marked as given', () => {
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
  it('of characters have a mark for a space', () => {
    const blank = { source: ['a', ' ', 'b'], target: ['b', '\t', '\n'], alignment: [], heldOut: false };
    const weights = { name: 'attention/α', shape: [1, 2, 4, 3] } as unknown as Parameters<typeof wordsOf>[1];
    expect(wordsOf({ ...lab, pair: blank }, weights)).toEqual({
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
  it('share row labels: four maps of fifteen by eleven words fit in one row of the bench', () => {
    const layout = layOutHeads({ heads: 4, words: words(15, 11), width: 703, line: 13 });
    expect(layout).toMatchObject({ across: 4, worded: true });
    expect(new Set(layout.small.map(({ y }) => y)).size).toBe(1);
  });
  it('has no small maps for a single head', () => {
    expect(layOutHeads({ heads: 1, words: words(3, 3), width: 500, line: 13 }).small).toEqual([]);
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
