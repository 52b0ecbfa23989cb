// The mask to paint on, and the weights that it leaves.
import { listed, plural } from '../../intl';

export const THE_MASK = 'The mask';
export const CELLS_OF_MASK = 'Cells of the mask';
export const PRESS_OR_DRAG = 'Press or drag over cells to hide keys.';
export const UNDO = 'Undo';
/** In the legend. */
export const HIDDEN = 'hidden, −∞';

// Above the two maps, and as captions of their tables.
export const ADDED_TO_SCORES = 'added to the scores';
export const WEIGHTS = 'the weights';
export const ADDED_TABLE = 'Added to the scores';
export const WEIGHTS_TABLE = 'The weights';
/** Column that tells the two tables apart. */
export const TENSOR = 'tensor';

export const MASK_PRESETS = 'Mask presets';
export const PRESETS = { none: 'None', causal: 'Causal', padding: 'Padding', window: 'Window' };
export const NUMBER_OF_KEYS = 'Number of keys that are padding or in the window';
/** `choice`: where the number is chosen. */
export const paddingOrWindow = <T>(keys: number, choice: T): (T | string)[] => [
  'Padding or window size: ',
  choice,
  ` ${plural(keys, { one: 'key', other: 'keys' })}`,
];

/** A query and a key; `weight` undefined: not reached yet. */
export interface Pair {
  query: string;
  key: string;
  hidden: boolean;
  weight?: string | undefined;
}

/** "c does not see d", "c sees b, weight 0.31" */
export function seesKey({ query, key, hidden, weight }: Pair): string {
  if (hidden) return `${query} does not see ${key}`;
  return weight === undefined ? `${query} sees ${key}` : `${query} sees ${key}, weight ${weight}`;
}

/** The same as a sentence. */
export const seesKeySentence = (pair: Pair): string => `${seesKey(pair)}.`;

/** A row, in the description for screen readers. `keys`: those that the query sees, of `all`. */
export function seesKeys(query: string, keys: readonly string[], all: number): string {
  if (keys.length === all) return `${query} sees every key.`;
  return keys.length ? `${query} sees ${listed(keys)}.` : `${query} sees nothing.`;
}

/** In place of the hint to press or drag. */
export const seeNothing = (queries: readonly string[]): string =>
  `${listed(queries)} ${plural(queries.length, {
    one: 'sees nothing: the weights in that row are 0.',
    other: 'see nothing: the weights in those rows are 0.',
  })}`;
