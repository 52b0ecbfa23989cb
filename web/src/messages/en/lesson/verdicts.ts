// Verdicts on the answers to tasks.
import { html, type TemplateResult } from 'lit';
import { anyOf, counted, plural } from '../../intl';

/** A part of a sentence; what the learner or the author wrote has markup. */
type Part = TemplateResult | string;

// Goals

export const HOLDS = 'It holds.';
export const HOLDS_EVERYWHERE = 'It holds here, and for other inputs too.';
export const HOLDS_ONLY_HERE = 'It holds here, but not for other inputs.';

export const changedToo = (name: Part): TemplateResult =>
  html`${name} was changed too, but should stay as it was: set it back, or start again.`;
/** `name` is a tensor that a button set. */
export const cellByCell = (name: Part): TemplateResult =>
  html`A button set all of ${name} at once. Start again, and change its cells yourself.`;
export const NOT_CHECKABLE =
  'The model as it is now lacks what this exercise asks about. Undo your changes, or start again.';

// Numbers

export const noNumber = (answer: Part): TemplateResult =>
  html`${answer} is not a number: 0 / 0, ∞ − ∞ and the square root of a negative number are undefined.`;
export const unreadableNumber = (text: string): string =>
  `"${text}" is not a number; write one like 0.25 or 10 / sqrt(3).`;
export const computed = (answer: string): string => `The engine computes ${answer}.`;
export const tooLarge = (answer: string): string => `${answer} is too large.`;
export const tooSmall = (answer: string): string => `${answer} is too small.`;

// Predictions

export const revealed = (expression: Part, value: string): TemplateResult => html`${expression} is ${value}.`;

// Orders

export const IN_ORDER = 'This is the order in which the engine runs them.';
export const FIRST_WRONG = 'The first step is not the right one.';
export const inPlace = (steps: number): string =>
  plural(steps, {
    one: 'The first step is in the right place; the next one is not.',
    other: `The first ${steps} steps are in the right place; the next one is not.`,
  });

// Expressions

export const agrees = (others: number): string =>
  `It gives what the engine computes, here and for ${counted(others, { one: 'other set of values', other: 'other sets of values' })}.`;
/** `value` is null for several values where one is wanted. */
export function differs(isHere: boolean, value: string | null, right: string): string {
  const result = `gives ${value ?? 'several values'}, while the engine computes ${right}.`;
  return isHere ? `Here it ${result}` : `It is right here, but with other values it ${result}`;
}
export const TEXT_FOR_NUMBER = 'This is text; a number is needed.';
export const TRUTH_FOR_NUMBER = 'This is true or false; a number is needed.';
export const mayNotBeUsed = (name: string, using: readonly string[]): string =>
  `"${name}" may not be used here; use ${anyOf(using, String).join('')}.`;
/** `problem` is a sentence. */
export const atCharacter = (column: number, problem: string): string => `At character ${column}: ${problem}`;
