// The engine's error messages, in the page's language and in another.
import { expect, test } from 'vitest';
import { allOf, anyOf, grouped, listed } from '../../web/src/messages/intl';
import { fieldOf, lineOf, sentence, type Language } from '../../web/src/messages/sentence';
import type { Problem } from '../../web/src/engine/types';

const problem = (pattern: string, given: string[], message = 'As the engine wrote it.'): Problem => ({
  code: 'E_INPUT',
  message,
  detail: 'read',
  pattern,
  arguments: given,
});

const german: Language = {
  tag: 'de',
  refusals: {
    'The {field} has {number} tokens: use at most {number}.': 'Höchstens {2} Wörter: {0} hat {1}.',
    'score is "{text}": use one of {list}.': '„{0}“ gibt es nicht, nur {1}.',
  },
  fields: { target: 'das Ziel' },
};

test('a sentence without a translation stays as the engine wrote it', () => {
  expect(sentence(problem('id is {number}.', ['3']))).toBe('As the engine wrote it.');
  expect(sentence(problem('id is {number}.', ['3']), german)).toBe('As the engine wrote it.');
  expect(sentence({ message: 'The page’s own.' }, german)).toBe('The page’s own.');
});

test('a translation has its own order, numbers, lists and names of fields', () => {
  const long = problem('The {field} has {number} tokens: use at most {number}.', ['target', '12345', '0.5']);
  expect(sentence(long, german)).toBe('Höchstens 0,5 Wörter: das Ziel hat 12.345.');
  const unknown = problem('score is "{text}": use one of {list}.', ['{1} $& x', 'dot, cosine, linear']);
  expect(sentence(unknown, german)).toBe('„{1} $& x“ gibt es nicht, nur dot, cosine oder linear.');
});

test('a number keeps all the digits the engine wrote, and other arguments stay as they are', () => {
  const said = (number: string): string =>
    sentence(problem('x is {number}.', [number]), { ...german, refusals: { 'x is {number}.': '{0}' } });
  expect(['4294967295', '0.1234567', '-3e-05', '−∞', 'NaN'].map(said)).toEqual([
    '4.294.967.295',
    '0,1234567',
    '-0,00003',
    '−∞',
    'NaN',
  ]);
});

test('what an error is about is read from its arguments, not from its words', () => {
  const refused = problem('The {field} of line {line} has {number} words.', ['target', '7', '70']);
  expect([lineOf(refused), fieldOf(refused)]).toEqual([7, 'target']);
  expect([lineOf(problem('Line {number}', ['7'])), fieldOf(problem('The target', []))]).toEqual([undefined, undefined]);
  expect(lineOf({ message: 'Line 3' })).toBeUndefined();
});

test('the page writes numbers and lists according to its language', () => {
  expect(grouped(1234567)).toBe('1,234,567');
  expect(listed(['a', 'b', 'c'])).toBe('a, b and c');
  expect(allOf([1, 2, 3])).toEqual([1, ', ', 2, ' and ', 3]);
  expect(anyOf(['a', 'b', 'c'], (name) => name.toUpperCase())).toEqual(['A', ', ', 'B', ' or ', 'C']);
});
