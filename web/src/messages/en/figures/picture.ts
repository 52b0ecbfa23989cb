// The picture that a captioner reads, and where it looks.
import { rowAndColumn } from './shared';

export const HEADING = 'Where the model looks';
export const PLACES_OF_PICTURE = 'Places of the picture';
/** Says what its keys do. */
export const FIELDS_TO_PAINT = 'Fields of the picture: Enter paints one, Delete empties it';
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

/** Of a field: how much weight the word on show gives it. */
export const weighs = (place: string, weight: string): string => `${place}: weight ${weight}`;
/** Of the last painted field. */
export const UNDO = 'Undo';
export const paintField = (place: string): string => `What to paint in ${place}`;

export const attendsMostTo = (who: string, place: string): string => `${who} attends most to ${place}`;
export const attendsMostWith = (who: string, place: string, weight: string): string =>
  `${attendsMostTo(who, place)}: ${weight}`;

/** What each word of the caption does. */
export const inSentences = (each: readonly string[]): string => each.join('. ');
