// What is wrong with an expression: read by learners who write one, and by authors of lessons.
import { anyOf, grouped, listed, plural } from '../../intl';

// How it is written

export const EMPTY = 'The expression is empty; write one, like exp(e[1]) / sum(exp(e)).';
export const tooLong = (characters: number, most: number): string =>
  `The expression has ${grouped(characters)} characters; at most ${grouped(most)} are allowed.`;
export const tooDeep = (most: number): string =>
  `The expression is nested more than ${grouped(most)} levels deep; simplify it.`;
export const noToken = (character: string): string =>
  `"${character}" cannot be used in an expression; use names, numbers, + - * / and comparisons.`;

// What may be wanted, for the next two.
export const OPERATOR_OR_END = 'an operator or the end';
export const VALUE = 'a value';
export const OPERAND = 'a name, a number or a bracket';
export const sign = (text: string): string => `"${text}"`;

export const found = (text: string, wanted: string): string => `Found "${text}" where ${wanted} was expected.`;
export const ends = (wanted: string): string => `The expression ends where ${wanted} was expected.`;

export const TEXT_IS_EQUAL_OR_NOT = 'Text can only be compared with == or !=.';
export const TEXT_IN_QUOTES = 'Compare text with text in quotes, like written == "elle a ri".';

// Functions

/** What the number is that a name takes. */
const TAKEN = {
  length: 'the length of the source',
  positions: 'a number of positions',
  width: 'the width of a beam',
};

export const takes = (name: string, what: keyof typeof TAKEN, most: number, example: number): string =>
  `${name} takes ${TAKEN[what]}, a whole number from 1 to ${grouped(most)}, like ${name}(${example}).`;
export const noFunction = (name: string, all: readonly string[]): string =>
  `"${name}" is not a function; use one of ${anyOf(all, String).join('')}.`;
/** `least` is 1 or 2. */
export function takesValues(name: string, least: number, most: number, got: number): string {
  const values = least === 1 ? 'one value' : 'two values';
  return `${name} takes ${most > least ? `${values} or more` : values}; it got ${grouped(got)}.`;
}

// Values

export const noTensor = (name: string): string => `There is no tensor "${name}" in this run.`;
export const needsTask = (name: string): string => `"${name}" needs a model with a task.`;

export const notOneNumber = (expression: string): string =>
  `"${expression}" is not a single number; pick one element with an index.`;
export const notTrueOrFalse = (expression: string): string =>
  `"${expression}" is not true or false; compare it with something.`;

export const COMPARISON_FOR_NUMBER = 'A comparison is used where a number is expected.';
export const TEXT_FOR_NUMBER = 'Text is used where a number is expected.';
export const NUMBER_FOR_COMPARISON = 'A number is used where a comparison is expected.';
export const TEXT_FOR_COMPARISON = 'Text is used where a comparison is expected.';

// Shapes, each as "(2, 3)", and indices

export const shapesDiffer = (a: string, b: string): string => `The shapes ${a} and ${b} differ.`;
export const shapesDifferBeforeLast = (shapes: readonly string[]): string =>
  `The shapes ${listed(shapes)} differ in more than the last axis.`;
export const tooManyIndices = (count: number, shape: string): string =>
  plural(count, {
    one: `There is 1 index, but the shape is ${shape}.`,
    other: `There are ${count} indices, but the shape is ${shape}.`,
  });
export const outsideAxis = (index: number, size: number): string => `The index ${index} is outside 0 to ${size - 1}.`;
export const badRange = (start: number, stop: number, size: number): string =>
  `The range ${start}:${stop} is empty or goes outside 0:${size}.`;
