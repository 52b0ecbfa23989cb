// An attention matrix as a table headed by its words.
import type { Table } from './tables';
import type { At } from '../shared/attention/attention-map';
import type { Words } from '../shared/attention/attention-words';

/** `values` undefined: not reached yet, the cells are empty. */
export const wordTable = (
  tensor: string,
  caption: string,
  { rows, columns }: Words,
  values: ArrayLike<number> | undefined,
  at: At,
): Table => ({
  caption,
  tensor,
  head: ['', ...columns],
  rows: rows.map((word, r) => ({
    heads: [word],
    cells: columns.map((_, c) => ({ value: values && (values[at(r, c)] ?? NaN), index: at(r, c) })),
  })),
});
