// The picture that a captioner reads, and where it looks.
import { rowAndColumn } from './shared';

export const HEADING = 'Where the model looks';
export const PLACES_OF_PICTURE = 'Places of the picture';
export const WORD_OF_CAPTION = 'Word of the caption';
export const WORDS_OF_CAPTION = 'Words of the caption';
export const VALUES = 'Values';
export const WHOSE_ATTENTION = 'Whose attention is shown';
export const WORDS = 'Words';
export const PLACES = 'Places';
/** What is at a place where nothing is. */
export const EMPTY = 'empty';
/** Column of the words or the place that attend. */
export const WHO = 'who';

/** "row 1, column 2 (red_circle)". */
export const placeAt = (row: number, column: number, there: string | undefined): string =>
  `${rowAndColumn(row, column)}${there ? ` (${there})` : ''}`;

export const attendsMostTo = (who: string, place: string): string => `${who} attends most to ${place}`;
export const attendsMostWith = (who: string, place: string, weight: string): string =>
  `${attendsMostTo(who, place)}: ${weight}`;

/** What each word of the caption does. */
export const inSentences = (each: readonly string[]): string => each.join('. ');
