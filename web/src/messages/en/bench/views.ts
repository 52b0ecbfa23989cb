// Views of a run, and why the model chose a word.
import { allOf } from '../../intl';

export const NO_PICTURE = 'This model has no picture. Its numbers and its code are on the other stages.';
export const VIEWS_OF_MODEL = 'Views of the model';

export const WHY_THIS_WORD = 'Why this word?';
export const WHY_CHOSEN = 'Why the model chose this word';

/** A sentence in parts, of which `link` leads to the tensor that it is about. */
type Parts<T> = (T | string)[];
type Link<T> = (tensor: string) => T;

export const logitsGave = <T>(link: Link<T>, words: readonly T[]): Parts<T> => [
  link('Its logits'),
  ' gave these probabilities: ',
  ...allOf(words),
  '.',
];
export const attentionWasOn = <T>(link: Link<T>, words: readonly T[]): Parts<T> => [
  link('Attention'),
  ' was on ',
  ...allOf(words),
  '.',
];
/** `words`: of each head the one that it attends to most. */
export const headsLookedBack = <T>(link: Link<T>, words: readonly T[]): Parts<T> => [
  link('Self-attention'),
  ' in the last block looked back: ',
  ...allOf(words.map((word, head) => [`head ${head} at `, word])).flat(),
  '.',
];

const STATE = 'The decoder’s state';
export const stateCarried = <T>(link: Link<T>): Parts<T> => [link(STATE), ' carried what was written before.'];
export const stateBegan = <T>(link: Link<T>): Parts<T> => [link(STATE), ' started from the encoder’s output.'];
export const stateIsOutput = <T>(link: Link<T>): Parts<T> => [link(STATE), ' is the output of the last block.'];

export const previousWas = <T>(link: Link<T>, word: T): Parts<T> => [link('The previous word'), ' was ', word, '.'];
