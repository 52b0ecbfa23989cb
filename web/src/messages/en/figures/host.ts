// What every figure has: its table, its file formats, the buttons under it.
import { counted, grouped } from '../../intl';

export const EXPORT = 'Export';
/** Of the menu of a figure. */
export const MORE = 'More of this figure';
export const WIDEN = 'Show alone';
export const SHRINK = 'Back to its place';
export const SHOW_AS_FIGURE = 'Show as figure';
export const SHOW_AS_TABLE = 'Show as table';
export const HEAD = 'Head';

/** Of a button that saves it in a format. */
export const exportAs = (name: string, format: string): string => `${name} as ${format}`;

export const tableOfFigure = (heading: string): string => `Table: ${heading}`;
export const tableOfTensor = (name: string): string => `Table of ${name}`;
export const onlyFirstCells = (rows: number, columns: number): string =>
  `Only the first ${grouped(rows)} × ${grouped(columns)} cells are shown; export as CSV to get them all.`;

/** Of a long table, which is shown page by page. */
export const rowsShown = (first: number, last: number, all: number): string =>
  `Rows ${grouped(first)} to ${grouped(last)} of ${grouped(all)}; export as CSV to get them all.`;
export const PREVIOUS_ROWS = 'Show the rows before';
export const NEXT_ROWS = 'Show the next rows';
export const onlySomeRows = (shown: number, all: number): string =>
  `Showing ${grouped(shown)} of ${counted(all, { one: 'row', other: 'rows' })}; export as CSV to get them all.`;
