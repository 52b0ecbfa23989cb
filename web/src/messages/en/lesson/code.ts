// An exercise in which the reader writes a function.
import { counted, listed } from '../../intl';

export const LABEL = 'Your function. Tab indents; to leave, press Escape, then Tab.';
export const BEGIN_AGAIN = 'Begin again';
export const LOADING = 'Loading the editor…';
export const NOT_LOADED = 'The editor could not be loaded: reload the page.';
export const ONE_SOLUTION = 'One solution. Yours stays above.';
/** Above code that is added after the reader's text. */
export const GIVEN = 'Given: this calls what you write';
export const STEP_IT = 'Step through yours on the workbench';

export const mayNotUse = (operation: string): string => `${operation} is what you are to write: do without it.`;
export const isGiven = (name: string): string =>
  `${name} is defined by the exercise: choose another name for your function.`;
export const KEEPS =
  'Every line must be inside a function, without default values: nothing may be kept from one position to the next.';
export const tooLong = (count: number, most: number): string =>
  `These are ${count} lines; write at most ${most}. Empty lines and comments do not count.`;
/** `what`: "a tuple of 2", "None". */
export const returnsNot = (what: string): string => `It returns ${what}, and one tensor is wanted.`;
export const notCallable = (call: string, problem: string): string =>
  `It is called as ${call}, and that fails: ${problem}`;
/** `problem` is a sentence. */
export const givenFails = (line: string, problem: string): string =>
  `With what your functions return, the given line “${line}” fails: ${problem}`;
/** "2 × 3", "3 values", "one value". */
const sizes = (shape: readonly number[]): string =>
  shape.length > 1
    ? shape.join(' × ')
    : shape.length
      ? counted(shape[0]!, { one: 'value', other: 'values' })
      : 'one value';
export const otherShape = (mine: readonly number[], right: readonly number[]): string =>
  `It returns ${sizes(mine)}; it should be ${sizes(right)}.`;
export const otherValue = (at: string, mine: string, right: string, meaning: string): string =>
  `${at ? `The value at ${at}` : 'The result'} is ${mine}; ${right} is right.${meaning && ` ${meaning}`}`;
export const notWeights = (row: number, sum: string): string =>
  `Row ${row} sums to ${sum}; a row of weights sums to 1.`;
export const notCentred = (row: number, mean: string): string => `Row ${row} has the mean ${mean}; it should be 0.`;
export const otherGradient = (input: string, mine: string, right: string): string =>
  `The values are right. But a gradient of ${input} is ${mine}, and ${right} is right: is something cut off from it?`;
export const gradientIsNaN = (input: string): string =>
  `The values are right. But a gradient of ${input} is no number (NaN): 0 was divided by 0, say, and what hides that from the values, such as where, does not hide it from the gradient.`;
// Of a puzzle: each a sentence.
/** `within` may be empty. */
export const offTarget = (at: string, mine: string, right: string, within: string): string =>
  `${at ? `The value at ${at}` : 'The result'} is ${mine}; it should be ${right}${within && `, give or take ${within}`}.`;
export const otherWeight = (row: number, column: number, mine: string, right: string): string =>
  `Position ${row} gives ${whom(row, column)} a weight of ${mine}; it should be ${right}.`;
export const looksTooLittle = (row: number, column: number, mine: string, least: string): string =>
  `Position ${row} looks at ${whom(row, column)} with ${mine}; it should be more than ${least}.`;
export const looksElsewhere = (row: number, column: number, mine: string, wanted: number, least: string): string =>
  `Position ${row} looks at ${whom(row, column)} with ${mine}; it should look at ${whom(row, wanted)} with more than ${least}.`;
export const otherGuess = (row: number, top: number, mine: string, wanted: number, least: string): string =>
  `Guess ${row} is ${top}, with ${mine}; it should be ${wanted}, with more than ${least}.`;
const whom = (row: number, column: number): string => (row === column ? 'itself' : `position ${column}`);
/** "row 2 of x". */
export const rowOf = (input: string, row: number): string => `row ${row} of ${input}`;

/** Names with shapes, or with what they are. */
type Inputs = readonly (readonly [string, readonly number[] | string])[];
const described = (inputs: Inputs): string =>
  listed(inputs.map(([name, what]) => `${name} is ${typeof what === 'string' ? what : sizes(what)}`));
/** What is wrong is so in a later case only. */
export const notAtFirst = (problem: string, inputs: Inputs): string =>
  `With the first inputs all was right. Now ${described(inputs)}. ${problem}`;
/** `problem` is the first mistake in a puzzle, after so many cases that are right. */
export const onInputs = (problem: string, inputs: Inputs, before: number): string =>
  before ? notAtFirst(problem, inputs) : `Here ${described(inputs)}. ${problem}`;
export const agrees = (cases: number, gradients: boolean): string =>
  `Values${gradients ? ' and gradients' : ''} are the engine’s own in ${counted(cases, { one: 'case', other: 'cases' })}.`;
export const holds = (cases: number): string =>
  `The puzzle is solved: it holds in ${counted(cases, { one: 'case', other: 'cases' })}.`;
