// A line of words, and how a language model goes on with it.
export const LINE = 'The line, and how the model goes on';
export const SING = 'Sing';
/** Of a word that is chosen: "1st word". */
export const wordAt = (place: string): string => `${place} word`;
/** In the place of a word that is not sung yet. */
export const NOT_SUNG = '…';

interface Sung {
  /** The word just read, and the one that follows. */
  after: string;
  word: string;
  p: string;
  /** Where it looked, if it looks back: the place with the largest weight. */
  looked: { place: string; word: string; weight: string } | null;
}

export const tellWord = ({ after, word, p, looked }: Sung): string =>
  `After ${after} the likeliest word is ${word}, with a probability of ${p}.` +
  (looked ? ` The model looks most at ${looked.place} (${looked.word}), with a weight of ${looked.weight}.` : '');

export const tellSong = (right: number, all: number): string => `${right} of ${all} words are those of the line.`;
export const PRESS_WORD = 'Press a sung word to see where the model looked.';
