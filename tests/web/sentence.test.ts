// The sentences of the engine's errors, in the page's language and in another.
import { expect, test } from 'vitest';
import type { MessageArgument } from '../../bindings/engine';
import { placeOf } from '../../web/src/editor/checker';
import * as english from '../../web/src/messages/en/refusals';
import { allOf, anyOf, grouped, listed } from '../../web/src/messages/intl';
import { fieldOf, sentence, worded, type Told, type Words } from '../../web/src/messages/sentence';

const told = (id: string, given: MessageArgument[] = [], line = 0, column = 0): Told => ({
  id,
  arguments: given,
  place: { line, column },
});

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
  expect([placeOf(problem), placeOf(told('nothing', [], 3)), placeOf({})]).toEqual([
    { line: 3, column: 5 },
    undefined,
    undefined,
  ]);
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
  expect(numbers.map(english.number)).toEqual([
    '4294967295',
    '0.3',
    '-3e-05',
    '0.0001',
    '1e+15',
    '1.5e+300',
    '−∞',
    'NaN',
  ]);
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
