// Verdicts on the answers to tasks, what a goal still asks for, and solutions.
import { html, type TemplateResult } from 'lit';
import { anyOf, counted, plural } from '../../intl';
import { steps } from './counts';

/** A part of a sentence; what the learner or the author wrote has markup. */
export type Part = TemplateResult | string;

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

// What a goal still asks for

/** Each before a number. */
const RELATIONS: Readonly<Record<string, string>> = {
  '==': 'be',
  '~': 'be about',
  '!=': 'not be',
  '>': 'be above',
  '>=': 'be at least',
  '<': 'be below',
  '<=': 'be at most',
};

/** `now` is null if it is more than one number. */
export const shouldBe = (what: readonly Part[], relation: string, wanted: Part, now: Part | null): TemplateResult =>
  now === null
    ? html`${beginning(what)} should ${RELATIONS[relation]!} ${wanted}.`
    : html`${beginning(what)} should ${RELATIONS[relation]!} ${wanted}, and is ${now}.`;
export const shouldEqual = (what: readonly Part[], other: readonly Part[]): TemplateResult =>
  html`${beginning(what)} should equal ${other}.`;
export const shouldWrite = (wanted: Part, now: Part): TemplateResult =>
  html`The model should write ${wanted}, and writes ${now}.`;
export const NOT_REACHED = 'The goal is not reached yet.';

/** Stands for a text without a character. */
export const NOTHING = 'nothing';

/** The one number that a function makes of many. */
export const OF_ALL: Readonly<Record<string, string>> = {
  max: 'the largest value of ',
  min: 'the smallest value of ',
  sum: 'the sum of ',
  mean: 'the mean of ',
  abs: 'the size of ',
};
export const LARGEST_SIZE = 'the largest size of a value of ';
export const EVERY = 'every value of ';

/** Where in a tensor, by the names of its rows and columns or by their numbers. */
export const itemOf = (tensor: Part, item: string): Part[] => [
  `${item.startsWith('item ') ? '' : 'item '}${item} of `,
  tensor,
];
export const rowOf = (tensor: Part, row: string): Part[] => [`row ${row} of `, tensor];
export const cellOf = (tensor: Part, row: string, column: string): Part[] => [
  tensor,
  ` in row ${row}, column ${column}`,
];
export const cellsOf = (tensor: Part, row: string, first: string, last: string): Part[] => [
  EVERY,
  tensor,
  ` in row ${row}, columns ${first} to ${last}`,
];

/** As a sentence begins; a letter of a formula stays as it is. */
export const beginning = ([first, ...more]: readonly Part[]): Part[] =>
  typeof first === 'string' ? [first[0]!.toUpperCase() + first.slice(1), ...more] : [first!, ...more];

// Solutions

// Each before a sentence that says more.
export const A_SOLUTION = 'A solution.';

/** A part of a solution: settings, like "temperature = 0.5", training, or what the model reads. */
export type Instruction =
  { set: readonly TemplateResult[] } | { train: number } | { read: TemplateResult; target: TemplateResult | null };

/** "Set a = 1, b = 2, train 50 steps, have it read abc." */
export const instructions = (all: readonly Instruction[]): TemplateResult =>
  html`${all.map((each, i) => html`${i ? ', ' : ''}${instruction(each, !i)}`)}.`;

function instruction(each: Instruction, first: boolean): TemplateResult {
  if ('set' in each) return html`${first ? 'Set' : 'set'} ${each.set.map((part, i) => [i ? ', ' : '', part])}`;
  if ('train' in each) return html`${first ? 'Train' : 'train'} ${steps(each.train)}`;
  const { read, target } = each;
  return html`${first ? 'Have' : 'have'} it read ${read}${target ? html` with the target ${target}` : ''}`;
}

/** A solution that is one expression or number. */
export const solution = (answer: Part | number): TemplateResult => html`${answer}.`;
/** A solution that is an order of steps. */
export const inOrder = (all: readonly (readonly Node[])[]): TemplateResult =>
  html`${all.map((step, i) => html`${i ? '; ' : ''}${step}`)}.`;
