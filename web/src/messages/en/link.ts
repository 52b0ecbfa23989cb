// Links to a state: what they cannot hold, and why one cannot be opened. Values, and the ranges they must be in, are
// written as in a link: 100000, not 100,000.
import { grouped } from '../intl';

const COPY_AGAIN = 'Copy the link again, or remove everything after # to start again.';
const COPY_WHOLE = 'Copy the whole link again, or remove everything after # to start again.';

/** "A link cannot hold this: steps is -3; it must be a whole number from 0 to 100000." */
export const cannotHold = (field: string, value: string, allowed: string): string =>
  `A link cannot hold this: ${field} is ${value}; it must be ${allowed}.`;
export const CANNOT_HOLD_ALL =
  'A link cannot hold this many edits and changed inputs: undo some edits, or reset an input.';

export const wrongField = (field: string, value: string, allowed: string): string =>
  `In the link, ${field} is ${value}; it must be ${allowed}. ${COPY_WHOLE}`;
export const noSuchOperation = (name: string): string =>
  `In the link, at is "${name}"; it must be an operation of this model. ${COPY_AGAIN}`;
export const noSuchCell = (index: number, tensor: string): string =>
  `In the link, cell is ${index} of "${tensor}"; it must be a cell of one of this model's tensors. ${COPY_AGAIN}`;

export const tooLong = (characters: number, most: number): string =>
  `The link is ${grouped(characters)} characters long; the limit is ${grouped(most)}. ${COPY_WHOLE}`;
export const tooLarge = (kilobytes: number): string =>
  `The link unpacks to more than ${grouped(kilobytes)} KB, which is the limit. ${COPY_WHOLE}`;
export const newerVersion = (version: number): string =>
  `The link has version ${version}, from a newer Unroll; this page reads version 1. Reload the page to update it.`;
export const otherVersion = (version: number): string =>
  `The link has version ${version}; this page reads version 1. ${COPY_WHOLE}`;
export const OTHER_CHARACTERS = `The link contains characters other than A–Z, a–z, 0–9, - and _. ${COPY_WHOLE}`;
export const damagedAfter = (characters: number): string =>
  `The link is cut short or damaged after ${grouped(characters)} characters. ${COPY_WHOLE}`;
export const NO_TABLE = `The link does not contain a state table. ${COPY_WHOLE}`;

// What a field is, and what it must be.
export const TABLE = 'table';
export const MISSING = 'missing';
export const TEXT = 'text';
export const textUpTo = (characters: number): string => `text of at most ${grouped(characters)} characters`;
export const bytesUpTo = (bytes: number): string => `text of at most ${bytes / 1024} KB`;
export const wholeNumberUpTo = (most: number): string => `a whole number from 0 to ${most}`;
export const FINITE_NUMBER = 'a finite number';
export const VALUE = 'a number, "inf", "-inf" or "-0"';
export const TRUE_OR_FALSE = 'true or false';
export const NUMBERS = 'a list of numbers';
export const numbersUpTo = (most: number): string => `a list of at most ${grouped(most)} numbers`;
export const LIST = 'a list';
export const listUpTo = (most: number): string => `a list of at most ${grouped(most)} entries`;
export const SETTING = 'text, a number, true, false, or a list of numbers';
export const SETTINGS = 'a table of settings';
export const SHOWN = 'a table of what a view shows';
export const VIEWS = 'a table of views';
export const STAGE = '"picture", "numbers", "code" or "training"';
export const STATE = 'a state table with known fields only';
export const PAIRS_OR_TEXT = '"pairs" or "text"';
export const OWN = '[what, name]';
export const INPUT = '[name, training step, values]';
export const PAIR = '[source, target]';
export const EDIT = '[name, index, value]';
export const INTERVENTION =
  '[kind, tensor, training, source, target], the kind one of zero, mean, from, hidden, detach, frozen';
export const OPERATION = '[operation, scope]';
export const CELL = '[name, index]';
