// One cell of a tensor: its value, its gradient, how it was computed, and how to change it.
import { grouped } from '../../intl';

export const CHOOSE_CELL = 'Choose a cell, or press Step forward.';
export const ABOUT_CELLS =
  'Click a cell, or move to one with the arrow keys: here you can see how it was computed, and change it.';
export const CLOSE = 'Close';

/** Where the cell of a scalar is. */
export const ONE_NUMBER = 'one number';
export const editedAt = <T>(place: readonly (T | string)[], mark: (edited: string) => T): (T | string)[] => [
  ...(place.length ? [...place, ', '] : []),
  mark('edited'),
];
/** The card as a whole, for screen readers. */
export const aboutCell = (tensor: string): string => `Chosen: ${tensor}`;

export const VALUE = 'value';
export const gradientIs = <T>(symbol: T): (T | string)[] => ['gradient ', symbol];
export const NOT_YET = 'not yet';

export const FORMULA = 'Formula';
export const SET_BY_YOU = 'Set by you: everything after it is recomputed.';
export const SHARED = 'These share one gradient: it passes from one to the next unchanged.';
/** After the first names of a long list. */
export const andMore = (count: number): string => `… and ${grouped(count)} more`;
export const OF_UPDATE = 'Part of the update that a training step would make.';
export const belongsTo = <T>(tensor: T): (T | string)[] => ['belongs to ', tensor];

/** To first order: `by` is its gradient times 0.1. */
export const ifItGrew = (by: string): string =>
  `If this number grew by 0.1, the loss would ${by.startsWith('−') ? `fall by about ${by.slice(1)}` : `grow by about ${by}`}.`;

export const EDIT = 'Change';
export const ALL_DIGITS = 'All digits';
export const UNDO = 'Undo change';
export const CHECK = 'Check gradient';
export const SET = 'Set';
export const CANCEL = 'Cancel';
export const newValueOf = (tensor: string, place: string): string => `New value of ${tensor}, ${place}`;
