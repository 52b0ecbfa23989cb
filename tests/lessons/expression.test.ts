// Expressions over tensors and facts: their names, and what the engine computes and refuses; facts of a model with a
// task, and other kinds of model.
import { afterAll, describe, expect, it } from 'vitest';
import {
  BadExpression,
  callsIn,
  complaintOf,
  evaluate,
  holds,
  namesIn,
  numberOf,
  otherName,
  type Names,
} from '../../web/src/lesson/expression';
import { english } from '../../web/plugin/engine-module';
import type { Lookup, Tensor } from '../../web/src/lesson/facts';
import { engine } from '../bindings/modules';
import { openWasm } from './sessions';
import { perform } from '../../web/src/lesson/run';
import type { Config } from '../../web/src/engine/types';
import type { Comparison } from '../../web/src/lesson/format/comparisons';
import { checkComparison } from './check-comparison';

const tensors: Record<string, Tensor> = {
  e: { shape: [5], values: [1, 5, 2, 1, 1] },
  α: { shape: [2, 3], values: [0.5, 0.25, 0.25, 0, 1, 0] },
  L: { shape: [], values: [0.5] },
  ids: { shape: [2], values: [1, 2] },
  '∂e': { shape: [2], values: [-0.1, 0.1] },
  'attention.softmax/exp': { shape: [1], values: [7] },
  'attention/softmax.exp': { shape: [1], values: [8] },
  'cell.0.t2/add#3': { shape: [1], values: [9] },
  'decoder.t0/h̄': { shape: [1], values: [10] },
  '∂attention/q': { shape: [2], values: [3, 4] },
  exact_match: { shape: [], values: [0.9] },
  'exact_match(20)': { shape: [], values: [0.7] },
  log_probability: { shape: [], values: [-3] },
  'log_probability(4)': { shape: [], values: [-2] },
};
const texts: Record<string, string> = { written: 'elle a ri', 'written(4)': 'elle "a" bien ri', target: 'elle a ri' };
const lookup: Lookup = Object.assign((name: string) => tensors[name], { text: (name: string) => texts[name] });
const run: Names = { lookup: async () => lookup };

const session = await openWasm();
afterAll(() => session.close());

async function complaint(text: string): Promise<[string, number]> {
  try {
    await evaluate(session, text, run);
  } catch (error) {
    if (error instanceof BadExpression) return [error.message, error.column];
    throw error;
  }
  return ['no complaint', 0];
}

it.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['10 - 2 - 3', 5],
  ['12 / 3 / 2', 2],
  ['-2 * -3', 6],
  ['1.5e2', 150],
  ['.5', 0.5],
  ['-inf', -Infinity],
  ['e[1]', 5],
  ['e[-1]', 1],
  ['e[argmax(e)]', 5],
  ['e[int(ids[1])]', 2],
  ['α[0,2]', 0.25],
  ['α[1][1]', 1],
  ['sum(α[0])', 1],
  ['sum(α[:,1])', 1.25],
  ['sum(α)', 2],
  ['max(e)', 5],
  ['maximum(e[0], 3)', 3],
  ['maximum(0, e[0] - 2)', 0],
  ['min(α)', 0],
  ['mean(e)', 2],
  ['argmax(α[0])', 0],
  ['abs(e.grad[0])', 0.1],
  ['exp(0)', 1],
  ['log(exp(2))', 2],
  ['sqrt(9)', 3],
  ['e @ e', 32],
  ['(α @ e[:3])[1]', 5],
  ['(e[:2] @ α)[1]', 5.25],
  ['sqrt(sum(square(e)))', Math.sqrt(32)],
  ['tanh(0.5)', Math.tanh(0.5)],
  ['sigmoid(0)', 0.5],
  ['softmax(e, dim=-1)[1]', Math.exp(5) / (3 * Math.E + Math.exp(5) + Math.exp(2))],
  ['softmax(stack([e[0], e[1]]), dim=-1).sum()', 1],
  ['cat([e, α[0]])[5]', 0.5],
  ['sum(e[1:3])', 7],
  ['sum(e[-2:])', 2],
  ['sum(α[:,1:2])', 1.25],
  ['α.numel()', 6],
  ['exact_match', 0.9],
  ['exact_match - exact_match(20)', 0.2],
  ['log_probability(4) - log_probability', 1],
  ['sum(1 - e)', -5],
  ['L', 0.5],
  ['trace["attention.softmax/exp"]', 7],
  ['trace["attention/softmax.exp"] - trace["attention.softmax/exp"]', 1],
  ['trace["cell.0.t2/add#3"][0] + trace["decoder.t0/h̄"][0]', 19],
  ['trace["attention/q"].grad[1]', 4],
  ['0 / e[0] * 2', 0],
])('%s is %d', async (text, value) => expect(await numberOf(session, text, run)).toBeCloseTo(value, 5));

it.each([
  ['α[1,1] > 0.99 and abs(sum(α[1]) - 1) < 0.001', true],
  ['e[0] == 1 or missing > 2', true],
  ['e[0] != 1 and missing > 2', false],
  ['not e[0] == 2', true],
  ['e >= 1', true],
  ['e > 1', false],
  ['α[0] == α[0]', true],
  ['α[0] == α[1]', false],
  ['1 < 2 and (3 < 2 or 2 < 3)', true],
  ['α[0,1:] == α[0,2]', true],
  ['0 < e[0] <= 1', true],
  ['written == "elle a ri"', true],
  ["written == 'elle rit'", false],
  ['"elle rit" != written', true],
  ['written == target', true],
  [`written(4) == 'elle "a" bien ri'`, true],
  ['written(4) == written', false],
  ['exact_match > 0.5 and written != "e"', true],
])('%s is %s', async (text, truth) => expect(await holds(session, text, run)).toBe(truth));

describe('mistakes', () => {
  it.each([
    ['(1', /^.+$/, 1],
    ['1 2', /^.+$/, 3],
    ['e[1', /^.+$/, 1],
    ['foo(1)', /^nothing here has the name foo\.$/, 1],
    ['trace["attention.softmax/exp"][0] + foo', /^nothing here has the name foo\./, 37],
    ['written + 1', /^.+$/, 9],
    ['1 + bleu(20)', /^"bleu\(20\)" needs a model with a task\.$/, 5],
    ['written(2) == "a"', /^"written\(2\)" needs a model with a task\.$/, 1],
    ['written(65)', /^written takes the width of a beam, a whole number from 1 to 64, like written\(4\)\.$/, 1],
    [
      'exact_match(0)',
      /^exact_match takes the length of the source, a whole number from 1 to 63, like exact_match\(20\)\.$/,
      1,
    ],
    ['bleu(e)', /^bleu takes the length of the source, a whole number from 1 to 63, like bleu\(20\)\.$/, 1],
    ['trace["x/y"] + 1', /^There is no tensor "x\/y" in this run\.$/, 1],
    ['x + 1', /^nothing here has the name x\./, 1],
    ['1 + e[5]', /^.+$/, 7],
    ['e + α[0]', /^.+$/, 3],
    ['1 / 0', /^.+$/, 3],
    ['[1, 2]', /^this gives a list of 2: a number or a tensor is needed\.$/, 1],
    ['e > 1 and L > 0', /^.+$/, 3],
    ['parameter("W", [2])', /^there are no parameters here\.$/, 1],
  ])('%j: %s', async (text, message, column) => {
    const [said, at] = await complaint(text);
    expect(said).toMatch(message);
    expect(at).toBe(column);
  });

  it('requires a single number', async () =>
    expect(numberOf(session, 'e', run)).rejects.toThrow('"e" is not a single number; pick one element with an index.'));
  it('requires a comparison', async () =>
    expect(holds(session, 'e[0]', run)).rejects.toThrow('"e[0]" is not true or false; compare it with something.'));
  it('that can be seen without a run are found when a lesson is built', async () => {
    const opened = new (await engine()).Session();
    const found = (text: string) => complaintOf(text, (program) => opened.calculate(program, []) as never, english);
    expect(found('trace["a/b"][0] > missing and written(4) == "a"')).toBeNull();
    expect(found('α[0')).toMatch(/bracket|\]|\[/);
    expect(found('exact_match(0) > 1')).toMatch(/^exact_match takes the length/);
    opened.delete();
  });
});

it('lists the names of an expression, each once', () =>
  expect(namesIn('α[e[0]] + sum(α) * e.grad[1] + trace["a/b"].grad * exact_match(20)')).toEqual([
    'α',
    'e',
    '∂e',
    '∂a/b',
    'exact_match(20)',
  ]));
it('a quoted text is no name, and the ends of a range are searched', () =>
  expect(namesIn('written == "elle a ri" and e[L:] > 0').filter((name) => name !== 'and')).toEqual([
    'written',
    'e',
    'L',
  ]));
it('knows what may not be used, and what is called', () => {
  expect(otherName('exp(e[2]) / sum(softmax(e, dim=-1)) if not inf else 0', ['e'])).toBeUndefined();
  expect(otherName('e + trace["a/b"]', ['e', 'trace["a/c"]'])).toEqual({ name: 'trace["a/b"]', from: 4 });
  expect(callsIn('exp(e) + e.sum()').map(({ name }) => name)).toEqual(['exp', 'sum']);
});

// Facts that lessons can use about a model with a task, besides its tensors.

async function facts(config: Config, names: string[]): Promise<(number | undefined)[]> {
  const { lookup } = await perform(session, { config, inputs: [], pair: null, steps: 0, edits: [] });
  const found = await lookup(names);
  return names.map((name) => found(name)?.values[0]);
}

it('counts what a KV cache holds and saves', async () => {
  const lm = { kind: 'transformer_lm', task: 'stories', model_size: 12, heads: 3, layers: 2, seed: 1 };
  const [ten, one, twenty, anew, first] = await facts(lm, [
    'cache_bytes(10)',
    'multiply_adds(1)',
    'multiply_adds(20)',
    'multiply_adds_anew(20)',
    'multiply_adds_anew(1)',
  ]);
  expect(ten).toBe(2 * 2 * 12 * 10 * 4); // layers, keys and values, numbers, positions, bytes
  expect(one).toBe(first);
  expect(twenty! - one!).toBe(19 * 2 * 2 * 12); // 19 more positions to attend to, in each layer
  expect(anew).toBeGreaterThan(10 * twenty!);
});

it('has no costs for a model without a cache', async () => {
  const gru = { kind: 'seq2seq', task: 'reverse', embedding: 4, hidden: 4, attention_size: 4, seed: 1 };
  await expect(facts(gru, ['cache_bytes(3)'])).rejects.toThrow('has no KV cache');
});

it('counts correct pronouns', async () => {
  const guessing = { kind: 'transformer', task: 'translate-en-fr', model_size: 8, heads: 2, feed_forward: 8, seed: 1 };
  expect(await facts(guessing, ['pronoun_accuracy'])).toEqual([0]);
});

// Changing the kind of model keeps the task and the training settings, wherever a lesson does so.

const base = {
  config: { kind: 'transformer', task: 'copy', length: 2, model_size: 8, heads: 2, feed_forward: 8, batch: 8, seed: 1 },
  inputs: [],
  pair: ['ab', 'ab'] as [string, string],
  steps: 0,
  edits: [],
};
const other = { kind: 'seq2seq', hidden: 8, embedding: 4 };

it('another kind in given settings keeps the task', async () => {
  const run = await perform(session, base, { ...other, pair: ['ba', 'ba'] });
  expect(run.info).toMatchObject({ kind: 'seq2seq', seed: 1 });
  expect((await run.lookup(['target'])).text!('target')).toBe('ba');
});

it('another kind keeps no input of the previous one', async () => {
  const attention = { ...base, config: { kind: 'attention', words: 2, size: 1 }, pair: null };
  const given = { ...attention, inputs: [{ name: 'X', values: [1, 2], at: 0 }] };
  const { info } = await perform(session, given, { kind: 'softmax', scores: [1, 2] });
  expect(info.inputs.map(({ name }) => name)).not.toContain('X');
});

it('another kind in a comparison keeps the task and the training settings', async () => {
  const runs = [
    { label: 'own', with: {} },
    { label: 'other', with: other },
  ];
  await checkComparison(session, base, { kind: 'training', steps: 2, pairs: 2, runs } satisfies Comparison);
});
