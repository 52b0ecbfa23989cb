// The tables of a figure, once as HTML, page by page, and once as CSV.
import { type TemplateResult, html, nothing } from 'lit';
import { NEXT_ROWS, PREVIOUS_ROWS, rowsShown } from '#messages/figures/host';
import { shortest } from '../../ui/numbers';
import type { At, Words } from '../shared/attention/attention-map';
import { evenly } from '../shared/geometry';
import { csvOf } from './files';
import { type Table, type TableRow, type Value, cellOf, htmlTable, matrixRows } from './table';

/** An attention matrix, headed by its words. `values` undefined: not reached yet, the cells are empty. */
export const wordTable = (
  tensor: string,
  caption: string,
  { rows, columns }: Words,
  values: ArrayLike<number> | undefined,
  at: At,
): Table => ({
  ...{ caption, tensor, head: ['', ...columns] },
  rows: matrixRows(rows, columns.length, (r, c) => ({ value: values && (values[at(r, c)] ?? NaN), index: at(r, c) })),
});

/** About as many cells as a page draws without a noticeable wait. */
const MOST_CELLS = 2000;

/** Some rows of one of a figure's tables. */
interface Section {
  table: Table;
  rows: readonly TableRow[];
}

/** The table twin page by page, each of at most MOST_CELLS cells if the rows are not wider. */
export function pagesOf(tables: readonly Table[]): Section[][] {
  const pages: Section[][] = [[]];
  let room = MOST_CELLS;
  for (const table of tables) {
    const { rows, most = Infinity } = table;
    const all = rows.length <= most ? rows : evenly(rows.length, most).map((i) => rows[i]!);
    const width = Math.max(1, (all[0]?.heads.length ?? 0) + (all[0]?.cells.length ?? 0));
    for (let from = 0; from === 0 || from < all.length;) {
      if (room < Math.min(width, MOST_CELLS)) room = pages.push([]) && MOST_CELLS;
      const section = { table, rows: all.slice(from, from + Math.max(1, Math.floor(room / width))) };
      pages.at(-1)!.push(section);
      room -= width * section.rows.length;
      from += section.rows.length || 1;
    }
  }
  return pages;
}

const rowsIn = (pages: readonly Section[][]): number => pages.flat().reduce((sum, { rows }) => sum + rows.length, 0);

/** The tables of a figure, or one page of them; `turn` goes to another. */
export function htmlTables(tables: readonly Table[], page: number, turn: (page: number) => void): TemplateResult {
  const pages = pagesOf(tables);
  const at = Math.min(page, pages.length - 1);
  const before = rowsIn(pages.slice(0, at));
  const shown = rowsIn([pages[at]!]);
  const button = (to: number, text: string): TemplateResult =>
    html`<button class="link" ?disabled=${!pages[to]} @click=${() => turn(to)}>${text}</button>`;
  return html`${pages[at]!.map(({ table, rows }) => htmlTable(table, rows))}
  ${
    pages.length > 1
      ? html`<p class="hint">${rowsShown(before + 1, before + shown, rowsIn(pages))}</p>
          ${button(at - 1, PREVIOUS_ROWS)} ${button(at + 1, NEXT_ROWS)}`
      : nothing
  }`;
}

/** A float32 by its shortest decimal, any other number as it is. */
const written = (value: Value = ''): Value =>
  typeof value === 'number' && Math.fround(value) === value ? shortest(value) : value;

/** All tables as one CSV file: under the heads of the first, each row after its table's key. */
export function csvTables(tables: readonly Table[]): string {
  const [first] = tables;
  const head = first?.head && [[...(first.key ? [first.key[0]] : []), ...first.head]];
  const lines = tables.flatMap(({ key, rows }) =>
    rows.map(({ heads, cells }) => [
      ...(key ? [key[1]] : []),
      ...heads,
      ...cells.map((cell) => written(cellOf(cell).value)),
    ]),
  );
  return csvOf([...(head ?? []), ...lines]);
}
