// Sentences whose grammar depends on what they tell: the engine's errors, in the page's language and in another, the
// bench, the figures, and the notices.
import { describe, expect, it, test } from 'vitest';
import type { MessageArgument } from '../../bindings/engine';
import { placeOf } from '../../web/src/editor/checker';
import * as english from '../../web/src/messages/en/refusals';
import { allOf, anyOf, grouped, listed } from '../../web/src/messages/intl';
import { fieldOf, sentence, worded, type EngineError, type Words } from '../../web/src/messages/sentence';
import { standsOut } from '../../web/src/messages/en/bench/board';
import { onUnseenPairs, scheduleEnded, stepsAhead, whatItWrites } from '../../web/src/messages/en/bench/training';
import { headsLookedBack, previousWas } from '../../web/src/messages/en/bench/views';
import { agreement } from '../../web/src/messages/en/figures/alignment';
import { tree } from '../../web/src/messages/en/figures/beam';
import { box } from '../../web/src/messages/en/figures/blocks';
import { layer } from '../../web/src/messages/en/figures/dataflow';
import { attendsInAll, attendsMost } from '../../web/src/messages/en/figures/heads';
import { gradientNorms, reads } from '../../web/src/messages/en/figures/unrolled';
import { keptWords, replacedWords, resetWords, seedWords } from '../../web/src/lab/notice';
import { emptyState } from '../../web/src/lab/link/table';
import { editsDropped, trainingAt } from '../../web/src/messages/en/lab';
import type { State } from '../../web/src/engine/types';

const told = (id: string, given: MessageArgument[] = [], line = 0, column = 0): EngineError => {
  return { id, arguments: given, place: { line, column } };
};

const german: Words = {
  SENTENCES: {
    too_long: 'Höchstens {2} Wörter: {0} hat {1}.',
    no_such_score: '„{0}“ gibt es nicht, nur {1: oder }.',
    shape: '{0} passt nicht in Zeile {1}.',
    found: '{0} {0:Wert|Werte} statt {1}.',
    nothing: 'nichts',
  },
  FIELDS: { target: 'das Ziel' },
  number: (number) => number.toLocaleString('de'),
  placed: (line, column, text) => `Zeile ${line}, Spalte ${column}: ${text}`,
};

test('a translation has its own order, numbers, lists, plurals and names of fields', () => {
  expect(worded(told('too_long', [{ field: 'target' }, 12345, 0.5]), german)).toBe(
    'Höchstens 0,5 Wörter: das Ziel hat 12.345.',
  );
  expect(worded(told('no_such_score', ['{1} $& x', ['dot', 'cosine']]), german)).toBe(
    '„{1} $& x“ gibt es nicht, nur dot oder cosine.',
  );
  expect(worded(told('shape', [{ shape: [3, 4] }, 7]), german)).toBe('(3, 4) passt nicht in Zeile 7.');
  const found = (count: number): string => worded(told('found', [count, { id: 'nothing', arguments: [] }]), german);
  expect([found(1), found(2)]).toEqual(['1 Wert statt nichts.', '2 Werte statt nichts.']);
});

test('a place in a program stands before the sentence', () => {
  const problem = told('nothing', [], 3, 5);
  expect(worded(problem, german)).toBe('Zeile 3, Spalte 5: nichts');
  const places = [placeOf(problem), placeOf(told('nothing', [], 3)), placeOf({})];
  expect(places).toEqual([{ line: 3, column: 5 }, undefined, undefined]);
});

test('English is the catalogue of the engine', async () => {
  expect(await sentence(told('divides_by_zero', [], 3, 5))).toBe('line 3, column 5: this divides by 0.');
  expect(await sentence(told('input_object'))).toBe('{name, shape, values}');
});

test('a sentence that a newer engine has is shown by its id', () => {
  expect(worded(told('brand_new', [1]), german)).toBe('brand_new');
});

test('a number has at most fifteen digits, as the engine writes it', () => {
  const numbers = [4294967295, 0.1 + 0.2, -3e-5, 0.0001, 1e15, 1.5e300, -Infinity, NaN];
  const written = ['4294967295', '0.3', '-3e-05', '0.0001', '1e+15', '1.5e+300', '−∞', 'NaN'];
  expect(numbers.map(english.number)).toEqual(written);
});

test('the field that an error is about is one of its arguments', () => {
  expect(fieldOf(told('too_long', [{ field: 'target' }, 7]))).toBe('target');
  expect(fieldOf(told('found', ['target', ['target'], { shape: [1] }]))).toBeUndefined();
  expect(fieldOf({})).toBeUndefined();
});

test('the page writes numbers and lists according to its language', () => {
  expect(grouped(1234567)).toBe('1,234,567');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  expect(allOf([1, 2, 3])).toEqual([1, ', ', 2, ' and ', 3]);
  expect(anyOf(['a', 'b', 'c'], (name) => name.toUpperCase())).toEqual(['A', ', ', 'B', ' or ', 'C']);
});

test('steps and pairs are counted', () => {
  expect([1, 2000].map(scheduleEnded)).toEqual([
    'The schedule of 1 step has ended: further training restarts it.',
    'The schedule of 2,000 steps has ended: further training restarts it.',
  ]);
  expect([stepsAhead(1, false), stepsAhead(200, false), stepsAhead(1, true)]).toEqual(['step', 'steps', 'step more']);
  expect([0, 1, 20].map(whatItWrites)).toEqual([
    'What it writes before training',
    'What it writes after 1 step',
    'What it writes after 20 steps',
  ]);
});

test('pairs are described during a test and before it', () => {
  const tests = [null, { done: 64, pairs: 200 }, { done: 200, pairs: 200 }, { done: 1, pairs: 1 }];
  expect(tests.map(onUnseenPairs)).toEqual([
    'On pairs it has not seen in training',
    'On 64 of 200 pairs it has not seen in training',
    'On 200 pairs it has not seen in training',
    'On 1 pair it has not seen in training',
  ]);
});

test('a sentence with a link is one message', () => {
  const link = (text: string): string => `[${text}]`;
  expect(previousWas(link, 'je').join('')).toBe('[The previous word] was je.');
  expect(headsLookedBack(link, ['je', 'vais', 'bien']).join('')).toBe(
    '[Self-attention] in the last block looked back: head 0 at je, head 1 at vais and head 2 at bien.',
  );
});

test('salient values are described for a tensor or one of its rows', () => {
  expect(standsOut('c', null, 'largest 2 at [2].').join('')).toBe('c: largest 2 at [2].');
  expect(standsOut('α', 'je', 'largest at I, 0.9').join('')).toBe('α, row je: largest at I, 0.9');
});

it('a verb agrees with its count', () => {
  expect(agreement(1, 2)).toBe('1 of 2 words attend most to a true link.');
  expect(agreement(0, 1)).toBe('0 of 1 word attends most to a true link.');
  const boxOf = (operations: number, run: number): string => box({ title: 'norm', parameters: 1, operations, run });
  expect(boxOf(12, 4)).toBe('norm: 1 parameter; 12 operations, 4 of which have run');
  expect(boxOf(12, 1)).toBe('norm: 1 parameter; 12 operations, 1 of which has run');
  expect(boxOf(12, 0)).toBe('norm: 1 parameter; 12 operations, none of which have run');
  expect(boxOf(1, 1)).toBe('norm: 1 parameter; 1 operation, which has run');
  expect(tree(1, 0, [{ words: 'je', logP: '−1' }])).toBe(
    'A tree of 1 prefix, 0 of them dropped. Hypotheses, best first: je, log p −1.',
  );
});
it('a list ends with "and" where nothing is left out', () => {
  expect(attendsInAll('it', 'animal', ['0.1', '0.2', '0.3'])).toBe(
    'it attends to animal with weights 0.1, 0.2 and 0.3 in heads 0 to 2',
  );
  const rest = [
    { words: ['c', 'h'], isOwn: false },
    { words: ['e'], isOwn: true },
  ];
  expect(reads('<bos>', rest)).toBe('It reads <bos>, then the teacher’s c and h, then its own e.');
  expect(reads('<bos>', [])).toBe('It reads <bos>.');
  expect(gradientNorms('encoder', ['I 0.2', 'am 0.3'])).toBe('Gradient norms, encoder: I 0.2 and am 0.3.');
  expect(gradientNorms('encoder', [])).toBe('Gradient norms, encoder: not reached yet.');
});
it('a sentence ends once', () => {
  expect(layer(['q: Largest 2 at [0, 1].', 'k: not reached yet'])).toBe(
    '2 tensors. q: Largest 2 at [0, 1]. k: not reached yet.',
  );
});
it('a row without weights attends to nothing', () => {
  expect(attendsMost('it', { column: 'animal', weight: '0.62', entropy: '1' })).toBe(
    'it attends most to animal, 0.62, entropy 1 bit',
  );
  expect(attendsMost('it', undefined)).toBe('it attends to nothing');
});

// The notices that say what a new seed or a reset kept and dropped.

const edit = { name: 'X', index: 0, value: 1 };
const input = { name: 'X', values: [1, 2], at: 0 };
const state = (part: Partial<State>): State => ({ ...emptyState(''), seed: 7, ...part });

describe('a new seed', () => {
  it('is named, on its own if nothing else changed', () => expect(seedWords(state({}), 0)).toBe('New seed 7.'));

  it('says what was kept and what was dropped', () => {
    const after = state({ edits: [edit, { ...edit, index: 1 }], inputs: [input] });
    expect(seedWords(after, 30)).toBe('New seed 7: 2 edits and 1 changed input kept, 30 training steps dropped.');
    expect(seedWords(state({}), 1)).toBe('New seed 7: 1 training step dropped.');
  });
});

it('a reset says what was dropped, or nothing', () => {
  const after = state({});
  expect(resetWords(after, after, 0)).toBe('');
  expect(resetWords(state({ edits: [edit] }), after, 2)).toBe('Reset: 1 edit and 2 training steps dropped.');
  expect(resetWords({ ...after, seed: 71 }, { ...after, seed: null }, -500)).toBe('Reset: seed 71 dropped.');
});

it('a replaced input is named if it had been changed, cell by cell or as a whole', () => {
  const before = state({ edits: [edit], inputs: [{ ...input, name: 'mask' }] });
  expect(replacedWords(before, ['mask', 'padding'])).toBe('Your changed mask was replaced.');
  expect(replacedWords(before, ['X', 'mask'])).toBe('Your changed X and mask were replaced.');
  expect(replacedWords(before, ['source'])).toBe('');
});

describe('dropped work', () => {
  it('names edits of tensors that the new model lacks', () => {
    expect(editsDropped(1)).toBe('An edit was dropped: this model does not have that tensor.');
    expect(editsDropped(3)).toBe('3 edits were dropped: this model does not have those tensors.');
  });

  it('says how long ago the training was', () => {
    const agoOf = (minutes: number): string => keptWords(412, Date.now() - minutes * 60_000);
    expect([0.2, 5, 60 * 3, 60 * 24 * 4].map(agoOf)).toEqual(
      ['a minute', '5 minutes', '3 hours', '4 days'].map(
        (ago) => `You trained a model here for 412 steps, ${ago} ago.`,
      ),
    );
  });

  it('says how long the rest of a stopped training will take, if it is worth a word', () => {
    const stopped = (seconds: number): string => trainingAt(412, 100_000, seconds);
    expect(stopped(0.4)).toBe('Training is at step 412 of 100,000.');
    expect([1.4, 89, 420].map(stopped)).toEqual(
      ['1 second', '89 seconds', '7 minutes'].map(
        (rest) => `Training is at step 412 of 100,000: the rest will take about ${rest} on this device.`,
      ),
    );
  });
});
