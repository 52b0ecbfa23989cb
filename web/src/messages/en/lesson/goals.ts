// What a goal still asks for, in words.
import { html, type TemplateResult } from 'lit';

/** A part of a sentence; what the learner or the author wrote has markup. */
export type Part = TemplateResult | string;

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
export const itemOf = (tensor: Part, item: string): Part[] => [`item ${item} of `, tensor];
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
