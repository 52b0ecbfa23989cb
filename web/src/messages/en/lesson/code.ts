// An exercise in which the reader writes a function.
import { counted } from '../../intl';

export const LABEL = 'Your function. Tab indents; to leave, press Escape, then Tab.';
export const BEGIN_AGAIN = 'Begin again';
export const NEXT_HINT = 'Another hint';
export const LOADING = 'Loading the editor…';
export const NOT_LOADED = 'The editor could not be loaded: reload the page.';
export const ONE_SOLUTION = 'One solution. Yours stays above.';
export const STEP_IT = 'Step through yours on the workbench';

export const mayNotUse = (operation: string): string => `${operation} is what you are to write: do without it.`;
/** `problem` is a sentence. */
export const notCallable = (call: string, problem: string): string =>
  `It is called as ${call}, and that fails: ${problem}`;
export const otherShape = (mine: string, right: string): string => `It returns ${mine}; ${right} is right.`;
export const otherValue = (at: string, mine: string, right: string, meaning: string): string =>
  `${at ? `The value at ${at}` : 'The result'} is ${mine}; ${right} is right.${meaning && ` ${meaning}`}`;
export const notWeights = (row: number, sum: string): string =>
  `Row ${row} sums to ${sum}; a row of weights sums to 1.`;
export const notCentred = (row: number, mean: string): string => `Row ${row} has the mean ${mean}; it should be 0.`;
export const otherGradient = (input: string, mine: string, right: string): string =>
  `The values are right. But a gradient of ${input} is ${mine}, and ${right} is right: is something cut off from it?`;
export const agrees = (cases: number, gradients: boolean): string =>
  `Values${gradients ? ' and gradients' : ''} are the engine’s own in ${counted(cases, { one: 'case', other: 'cases' })}.`;
