// An exercise in which the reader writes a function.
import { counted, listed } from '../../intl';

export const LABEL = 'Your function. Tab indents; to leave, press Escape, then Tab.';
export const BEGIN_AGAIN = 'Begin again';
export const NEXT_HINT = 'Another hint';
export const LOADING = 'Loading the editor…';
export const NOT_LOADED = 'The editor could not be loaded: reload the page.';
export const ONE_SOLUTION = 'One solution. Yours stays above.';
export const STEP_IT = 'Step through yours on the workbench';

export const mayNotUse = (operation: string): string => `${operation} is what you are to write: do without it.`;
/** `problem` is a sentence. */
/** `what`: "a tuple of 2", "None". */
export const returnsNot = (what: string): string => `It returns ${what}, and one tensor is wanted.`;
export const notCallable = (call: string, problem: string): string =>
  `It is called as ${call}, and that fails: ${problem}`;
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
/** What is wrong is so in a later case only. `inputs` are names with shapes, or with what is no tensor. */
export const notAtFirst = (
  problem: string,
  inputs: readonly (readonly [string, readonly number[] | string])[],
): string => {
  const all = inputs.map(([name, what]) => `${name} is ${typeof what === 'string' ? what : sizes(what)}`);
  return `With the first inputs all was right. Now ${listed(all)}. ${problem}`;
};
export const agrees = (cases: number, gradients: boolean): string =>
  `Values${gradients ? ' and gradients' : ''} are the engine’s own in ${counted(cases, { one: 'case', other: 'cases' })}.`;
