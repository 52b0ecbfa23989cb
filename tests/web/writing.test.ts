// Generated sequences as the page presents them: probabilities, alignment, words. The engine generates them.
import { expect, it } from 'vitest';
import {
  alignmentOf,
  tokenProbabilities,
  optionsOf,
  maxTokensFor,
  tally,
  referencePair,
  wantedInstead,
} from '../../web/src/lesson/write/writing';
import { howWritten } from '../../web/src/messages/en/lesson/write';
import type { EngineSession, PairInfo, TaskInfo, GenerationInfo } from '../../web/src/engine/types';
import { value as granted } from '../bindings/modules';
import { points, sessionOf } from './views-engine';

const CONFIG = { kind: 'seq2seq', task: 'reverse', hidden: 8, embedding: 4, seed: 3 };
const session = await sessionOf(CONFIG);
const write = (source: string, options: Parameters<EngineSession['generate']>[1] = {}): GenerationInfo =>
  granted(session.generate(source, options));

it('every token has its probability, and the sequence has their product', () => {
  const info = write('abc', optionsOf('sample', { temperature: 2 }));
  const each = tokenProbabilities(info);
  expect(each.map(([token]) => token)).toEqual([...info.tokens, ...(info.ended ? ['<eos>'] : [])]);
  expect(each.every(([, p]) => p > 0 && p <= 1)).toBe(true);
  expect(each.reduce((product, [, p]) => product * p, 1)).toBeCloseTo(info.probability, 6);
});

it('a method gets its own settings only', () => {
  const all = { width: 3, temperature: 0.5, top_k: 2 };
  expect(optionsOf('greedy', all)).toEqual({ method: 'greedy' });
  expect(optionsOf('beam', all)).toEqual({ method: 'beam', width: 3, length_normalisation: 0 });
  expect(optionsOf('sample', all)).toEqual({ method: 'sample', temperature: 0.5, top_k: 2, top_p: 1 });
  expect(optionsOf('sample', {})).toEqual({ method: 'sample', temperature: 1, top_p: 1 });
});

it('the rows of the alignment are the words written, including <eos>', () => {
  const info = write('abcd', optionsOf('beam', { width: 2 }));
  const data = alignmentOf(info, null)!;
  expect(data.source).toEqual(['a', 'b', 'c', 'd']);
  expect(data.weights.length).toBe(data.target.length * 4);
  expect(data.target.length).toBe(info.logProbabilities.length);
});

it('without attention there is no alignment', async () => {
  const plain = await sessionOf({ ...CONFIG, attention: 'none' });
  expect(alignmentOf(granted(plain.generate('abc', {})), null)).toBeNull();
});

it('where the task has a rule, each wrong token has the right one, and the end is one of them', async () => {
  const written = (tokens: string[], ended = true): GenerationInfo => {
    const logProbabilities = [...tokens, ...(ended ? ['<eos>'] : [])].map(() => 0);
    return { ...write('abc'), tokens, ended, logProbabilities, probabilities: Float32Array.from(logProbabilities) };
  };
  expect(write('abc').target).toEqual(['c', 'b', 'a']);
  expect(wantedInstead(written(['c', 'b', 'a']))).toEqual([null, null, null, null]);
  expect(wantedInstead(written(['c', 'a', 'b']))).toEqual([null, 'b', 'a', null]);
  expect(wantedInstead(written(['c', 'b']))).toEqual([null, null, 'a']);
  expect(wantedInstead(written(['c', 'b', 'a', 'a', 'a'], false))).toEqual([null, null, null, '<eos>', '']);
  const dates = await sessionOf({ ...CONFIG, task: 'dates' });
  expect(wantedInstead(granted(dates.generate('12 march 2021', {}))).every((each) => each === null)).toBe(true);
});

it('a pair’s target and links are used only for its own source and target', () => {
  const info: GenerationInfo = { ...write('ab'), tokens: ['b', 'a'], ended: true };
  const pair: PairInfo = { source: ['a', 'b'], target: ['b', 'a'], alignment: [1, 0, 0, 1], heldOut: false };
  expect(referencePair(info, pair)).toBe(pair);
  expect(referencePair(info, { ...pair, source: ['a', 'c'] })).toBeNull();
  expect(referencePair(info, { ...pair, alignment: [] })).toBeNull();
  expect(alignmentOf(info, pair)!.truth).toEqual(points('1 0, 0 1'));
  expect(alignmentOf({ ...info, tokens: ['b', 'b'] }, pair)!.truth).toEqual([]);
});

it('equal samples are counted together, the most frequent first', () => {
  const draws = Array.from({ length: 40 }, (_, i) =>
    write('ab', { ...optionsOf('sample', {}), seed: i + 1, max_length: 1 }),
  );
  const rows = tally(draws, '');
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(40);
  expect(new Set(rows.map(({ text }) => text)).size).toBe(rows.length);
  expect(rows.map(({ count }) => count)).toEqual(rows.map(({ count }) => count).sort((a, b) => b - a));
  for (const { text, count } of rows) expect(count).toBe(draws.filter(({ tokens }) => tokens.join('') === text).length);
});

it('an answer has room for twice its source, but never more than the engine’s limit', () => {
  const pairs = (separator: string): TaskInfo => ({ form: 'pairs', separator }) as unknown as TaskInfo;
  expect(maxTokensFor(' he hit  me ', pairs(' '))).toBe(14);
  expect(maxTokensFor('abé', pairs(''))).toBe(14);
  expect(maxTokensFor('a'.repeat(60), pairs(''))).toBe(64);
});

it('a text has all the room after its opening', () => {
  expect(maxTokensFor('one day', { form: 'texts', separator: ' ' } as unknown as TaskInfo)).toBe(64);
});

it('a beam’s probabilities are the engine’s', () => {
  const info = write('abc', optionsOf('beam', { width: 3 }));
  expect(info.tree[info.best]!.sequenceProbability).toBeCloseTo(info.probability, 6);
  for (const { parent, probability, sequenceProbability } of info.tree)
    expect(sequenceProbability).toBeCloseTo((info.tree[parent]?.sequenceProbability ?? 1) * probability, 6);
});

it('a generated space has a mark', () => {
  const info = { ...write('abc'), tokens: ['a', ' '], probabilities: Float32Array.of(0.5, 0.25), ended: false };
  expect(Object.fromEntries(tokenProbabilities(info))).toEqual({ a: 0.5, '␣': 0.25 });
});

it('says how it was written, and how far the model was trained', () => {
  const greedy = (steps: number): string =>
    howWritten({ method: 'Greedy', settings: [], draw: null, steps, changed: [] });
  expect(greedy(0)).toBe('Greedy, before any training');
  expect(greedy(1)).toBe('Greedy, after 1 step of training');
  expect(
    howWritten({ method: 'Sample', settings: [['Top k', '2']], draw: 3, steps: 1200, changed: ['E', 'out.bias'] }),
  ).toBe('Sample, top k 2, draw 3, after 1,200 steps of training, with E and out.bias as you changed them');
});
