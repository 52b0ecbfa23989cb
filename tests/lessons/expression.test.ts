// The expression language of exercises: values and error messages.
import { describe, expect, it } from 'vitest';
import { BadExpression, namesIn, parse } from '../../web/src/lesson/expression/parser';
import { evaluate, holds, numberOf } from '../../web/src/lesson/expression/expression';
import type { Lookup, Tensor } from '../../web/src/lesson/facts';

const tensors: Record<string, Tensor> = {
  e: { shape: [5], values: [1, 5, 2, 1, 1] },
  α: { shape: [2, 3], values: [0.5, 0.25, 0.25, 0, 1, 0] },
  L: { shape: [], values: [0.5] },
  '∂e': { shape: [2], values: [-0.1, 0.1] },
  'attention.softmax/exp': { shape: [1], values: [7] },
  exact_match: { shape: [], values: [0.9] },
  'exact_match(20)': { shape: [], values: [0.7] },
  log_probability: { shape: [], values: [-3] },
  'log_probability(4)': { shape: [], values: [-2] },
};
const texts: Record<string, string> = { written: 'elle a ri', 'written(4)': 'elle a bien ri', target: 'elle a ri' };
const lookup: Lookup = Object.assign((name: string) => tensors[name], { text: (name: string) => texts[name] });
const complaint = (text: string): [string, number] => {
  try {
    evaluate(parse(text), lookup);
  } catch (error) {
    if (error instanceof BadExpression) return [error.message, error.column];
    throw error;
  }
  return ['no complaint', 0];
};

describe('numbers', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 2 - 3', 5],
    ['12 / 3 / 2', 2],
    ['-2 * -3', 6],
    ['2 − 3', -1],
    ['1.5e2', 150],
    ['.5', 0.5],
    ['inf', Infinity],
    ['-∞', -Infinity],
    ['e[1]', 5],
    ['e[-1]', 1],
    ['e[argmax(e)]', 5],
    ['α[0,2]', 0.25],
    ['α[1][1]', 1],
    ['sum(α[0])', 1],
    ['sum(α[:,1])', 1.25],
    ['max(e)', 5],
    ['max(e[0], 3)', 3],
    ['min(e)', 1],
    ['mean(e)', 2],
    ['argmax(α[0])', 0],
    ['abs(∂e[0])', 0.1],
    ['exp(0)', 1],
    ['log(exp(2))', 2],
    ['sqrt(9)', 3],
    ['entropy(α[0])', 1.5],
    ['entropy(α[1])', 0],
    ['dot(e, e)', 32],
    ['dot(α, α)', 1.375],
    ['dot(α, e[:3])[1]', 5],
    ['dot(e[:2], α)[1]', 5.25],
    ['norm(e)', Math.sqrt(32)],
    ['norm(α)', Math.sqrt(1.375)],
    ['tanh(0.5)', Math.tanh(0.5)],
    ['sigmoid(0)', 0.5],
    ['sigmoid(inf)', 1],
    ['sum(softmax(e))', 1],
    ['softmax(e)[1]', Math.exp(5) / (3 * Math.E + Math.exp(5) + Math.exp(2))],
    ['softmax(α)[1,0]', 1 / (2 + Math.E)],
    ['softmax(concat(0, -inf))[1]', 0],
    ['softmax(concat(-inf, -inf))[0]', 0],
    ['concat(e, α[0])[5]', 0.5],
    ['concat(1, 2, 3)[2]', 3],
    ['concat(α, α)[1,4]', 1],
    ['sum(e[1:3])', 7],
    ['sum(e[:-1])', 9],
    ['sum(e[-2:])', 2],
    ['sum(α[0,1:])', 0.5],
    ['sum(α[:,1:2])', 1.25],
    ['α[1:,:][0,1]', 1],
    ['α[:,2][0]', 0.25],
    ['exact_match', 0.9],
    ['exact_match - exact_match(20)', 0.2],
    ['log_probability(4) - log_probability', 1],
    ['sum(e * e)', 32],
    ['sum(e - 1)', 5],
    ['sum(1 - e)', -5],
    ['L', 0.5],
    ['"attention.softmax/exp"', 7],
    ["'attention.softmax/exp'[0]", 7],
  ])('%s is %d', (text, value) => expect(numberOf(text, lookup)).toBeCloseTo(value, 12));
});

describe('truth', () => {
  it.each([
    ['α[1,1] > 0.99 and sum(α[1]) ~ 1', true],
    ['e[0] == 1 or missing > 2', true],
    ['e[0] != 1 and missing > 2', false],
    ['not e[0] == 2', true],
    ['e >= 1', true],
    ['e > 1', false],
    ['α[0] == α[0]', true],
    ['α[0] == α[1]', false],
    ['1.0009 ~ 1', true],
    ['1.0011 ~ 1', false],
    ['1000.9 ~ 1000', true],
    ['inf ~ inf', true],
    ['e[0] ≤ 1', true],
    ['1 < 2 and (3 < 2 or 2 < 3)', true],
    ['α[0,1:] == α[0,2]', true],
    ['written == "elle a ri"', true],
    ["written == 'elle rit'", false],
    ['"elle rit" != written', true],
    ['written == target', true],
    ['written(4) == "elle a bien ri"', true],
    ['written(4) == written', false],
    ['not (written) == target', false],
    ['exact_match > 0.5 and written != "e"', true],
  ])('%s is %s', (text, truth) => expect(holds(text, lookup)).toBe(truth));
});

describe('mistakes', () => {
  it.each([
    ['', 'The expression is empty; write one, like exp(e[1]) / sum(exp(e)).', 1],
    ['1 +', 'The expression ends where a name, a number or a bracket was expected.', 4],
    ['(1', 'The expression ends where ")" was expected.', 3],
    ['1 2', 'Found "2" where an operator or the end was expected.', 3],
    ['e[1', 'The expression ends where "]" was expected.', 4],
    ['e $ 1', '"$" cannot be used in an expression; use names, numbers, + - * / and comparisons.', 3],
    [
      'foo(1)',
      '"foo" is not a function; use one of sum, max, min, mean, argmax, abs, exp, log, sqrt, tanh, sigmoid, softmax, norm, entropy, dot or concat.',
      1,
    ],
    [
      'constructor(1)',
      '"constructor" is not a function; use one of sum, max, min, mean, argmax, abs, exp, log, sqrt, tanh, sigmoid, softmax, norm, entropy, dot or concat.',
      1,
    ],
    ['dot(e)', 'dot takes two values; it got 1.', 1],
    ['sum(e, e)', 'sum takes one value; it got 2.', 1],
    ['concat(e)', 'concat takes two values or more; it got 1.', 1],
    ['concat(e, α)', 'The shapes (5) and (2, 3) differ in more than the last axis.', 1],
    ['1 + dot(α, e)', 'The shapes (2, 3) and (5) differ.', 5],
    ['e[3:1]', 'The range 3:1 is empty or goes outside 0:5.', 3],
    ['e[0:6]', 'The range 0:6 is empty or goes outside 0:5.', 3],
    ['e[1:2', 'The expression ends where "]" was expected.', 6],
    ['written > "e"', 'Text can only be compared with == or !=.', 1],
    ['written == 3', 'Compare text with text in quotes, like written == "elle a ri".', 12],
    ['written + 1', 'Text is used where a number is expected.', 1],
    ['not written', 'Text is used where a comparison is expected.', 5],
    ['1 + bleu', '"bleu" needs a model with a task.', 5],
    ['bleu(20)', '"bleu(20)" needs a model with a task.', 1],
    ['written(2) == "a"', '"written(2)" needs a model with a task.', 1],
    ['log_probability(9)', '"log_probability(9)" needs a model with a task.', 1],
    ['written(65)', 'written takes the width of a beam, a whole number from 1 to 64, like written(4).', 9],
    [
      'exact_match(0)',
      'exact_match takes the length of the source, a whole number from 1 to 63, like exact_match(20).',
      13,
    ],
    ['bleu(e)', 'bleu takes the length of the source, a whole number from 1 to 63, like bleu(20).', 6],
    ['exact_match(20', 'The expression ends where ")" was expected.', 15],
    ['x + 1', 'There is no tensor "x" in this run.', 1],
    ['1 + e[5]', 'The index 5 is outside 0 to 4.', 7],
    ['e[0.5]', 'The index 0.5 is outside 0 to 4.', 3],
    ['e[0,0]', 'There are 2 indices, but the shape is (5).', 1],
    ['e + α[0]', 'The shapes (5) and (3) differ.', 1],
    ['(e > 1) + 2', 'A comparison is used where a number is expected.', 1],
    ['not e[0]', 'A number is used where a comparison is expected.', 5],
  ])('%j: %s', (text, message, column) => expect(complaint(text)).toEqual([message, column]));

  it('requires a single number', () =>
    expect(() => numberOf('e', lookup)).toThrow('"e" is not a single number; pick one element with an index.'));
  it('requires a comparison', () =>
    expect(() => holds('e[0]', lookup)).toThrow('"e[0]" is not true or false; compare it with something.'));
  it('nesting and length are limited', () => {
    expect(() => parse('('.repeat(150) + '1' + ')'.repeat(150))).toThrow('is nested more than 60 levels deep');
    expect(() => parse('-'.repeat(150) + '1')).toThrow();
    expect(() => parse('1+'.repeat(300) + '1')).toThrow('The expression has 601 characters; at most 400 are allowed.');
  });
});

it('lists the names of an expression, each once', () =>
  expect(namesIn(parse('α[e[0]] + sum(α) * "∂e"[1]'))).toEqual(['α', 'e', '∂e']));
it('a quoted text is not a name, and the ends of a range are searched', () =>
  expect(namesIn(parse('written == "elle a ri" and e[L:] > 0'))).toEqual(['written', 'e', 'L']));
