// The translator on the front page. Words of the two languages are set in italics: [*word*] marks them.
import { grouped, listed } from '../intl';

export const TRANSLATOR = 'A translator to try';
export const ENGLISH_IN = 'English in, French out';
export const PRESS_TO_HIDE = 'Press a word to hide it';
export const ENGLISH = 'English words: press one to hide it';
export const FRENCH = 'French words: press one to choose it';
export const UNDO_ALL = 'Undo everything';
export const STOP = 'Stop';

/** Shown while nothing is changed. */
export const AS_IT_WRITES = 'Each line leads from a French word to the English words that the model looked at.';

const word = (text: string): string => `*${text}*`;
const words = (all: readonly string[]): string => word(all.join(' '));

/** 99 % unless it is all. */
const percent = (weight: number): string => `${Math.min(Math.round(100 * weight), weight < 1 ? 99 : 100)} %`;

export const looksMost = (written: string, at: string, weight: number): string =>
  `For ${word(written)} the model looks most at ${word(at)}, with ${percent(weight)} of its weight.`;
/** Shown first: the word of the drawing that has moved most. */
export const learnedWhere = (written: string, at: string, weight: number): string =>
  `${looksMost(written, at, weight)} Nobody told it: it learned where to look.`;

export const pressToPull = (written: string): string =>
  `Press an English word to give it all the weight of ${word(written)}`;

/** What the model writes now, by what stood there before and what stands there now. */
function outcome(gone: readonly string[], come: readonly string[]): string {
  if (!come.length) return `leaves out ${words(gone)}`;
  if (!gone.length) return `adds ${words(come)}`;
  return `writes ${words(come)} in place of ${words(gone)}`;
}

type Differs = readonly [gone: readonly string[], come: readonly string[]];
const isSame = ([gone, come]: Differs): boolean => !gone.length && !come.length;

/** Only the look at a word is hidden: the encoder has read it, and its neighbours' states depend on it. */
const stillRead = (words: number): string =>
  words > 1
    ? 'It no longer looks at these words, but the states of their neighbours have read them too.'
    : 'It no longer looks at this word, but the states of its neighbours have read it too.';

export const without = (hidden: readonly string[], differs: Differs): string =>
  isSame(differs)
    ? `Without ${listed(hidden.map(word))} the model writes the same. ${stillRead(hidden.length)}`
    : `Without ${listed(hidden.map(word))} the model ${outcome(...differs)}.`;
/** `written` is what it wrote without that. */
export const pulledTo = (to: string, written: string, differs: Differs): string =>
  isSame(differs)
    ? `With all the weight on ${word(to)} the model still writes ${word(written)}.`
    : `With all the weight on ${word(to)} the model ${outcome(...differs)}.`;

export const loadingModel = (kilobytes: number): string => `The model is loading, ${grouped(kilobytes)} KB.`;
export const STILL_WRITING = 'The model is writing …';
export const noModel = (reason: string): string =>
  `The model could not be loaded, so the drawing stays as it is. ${reason}`;
