// The tables of a figure: what of a long one is shown.
import { counted, grouped } from '../../intl';

/** Of a long table, which is shown page by page. */
export const rowsShown = (first: number, last: number, all: number): string =>
  `Rows ${grouped(first)} to ${grouped(last)} of ${grouped(all)}; export as CSV to get them all.`;
export const PREVIOUS_ROWS = 'Show the rows before';
export const NEXT_ROWS = 'Show the next rows';
export const onlySomeRows = (shown: number, all: number): string =>
  `Showing ${grouped(shown)} of ${counted(all, { one: 'row', other: 'rows' })}; export as CSV to get them all.`;
