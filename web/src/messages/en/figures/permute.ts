// The words in another order, and what the model makes of them.
import { listed } from '../../intl';

export const HEADING = 'The words in a different order';
export const OUTPUTS = 'Outputs before and now';
export const ORIGINAL_ORDER = 'Original order';
export const WORDS = 'Words in the order the model reads them: press Space to pick one up, the arrow keys to move it';
/** What a word is, for screen readers. */
export const MOVABLE_WORD = 'movable word';

// Above the outputs of the two runs.
export const OUTPUTS_BEFORE = 'outputs before';
export const OUTPUTS_NOW = 'outputs now';
export const DIFFER_BY = 'differ by';

// Captions of their tables, and the column that tells them apart.
export const TABLES = { before: 'Outputs before', now: 'Outputs now' };
export const RUN = 'run';
export const RUNS = { before: 'before', now: 'now' };

// What to do next.
export const DRAG_A_WORD = 'Drag a word to another place, or pick it up with Space and move it with the arrow keys.';
export const DROP_THE_WORD = 'Drop the word to run the model.';
export const RUNNING = 'The model is running on the words in this order.';

export const OUTPUTS_NOT_REACHED = 'The outputs have not been reached yet.';
export const DIFFERENT_SIZES = 'The outputs cannot be compared: their sizes differ.';

/** `same`: up to rounding; `most`: the largest difference, null if there is none. */
export function compared(same: boolean, most: string | null): string {
  const differ = most === null ? 'they do not differ at all' : `they differ by at most ${most}`;
  return same
    ? `The outputs are the same rows in the new order: ${differ}.`
    : `The output rows have changed: ${differ}.`;
}

/** `status`: a sentence. */
export const modelReads = (words: readonly string[], status: string): string =>
  `The model reads ${listed(words)}. ${status}`;
