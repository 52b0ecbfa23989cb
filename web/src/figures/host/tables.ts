// The tables of a figure, once as HTML and once as CSV; and the table of a tensor.
import { type TemplateResult, html, nothing } from 'lit';
import {
  NEXT_ROWS,
  PREVIOUS_ROWS,
  onlyFirstCells,
  onlySomeRows,
  rowsShown,
  tableOfTensor,
} from '#messages/figures/host';
import type { TraceNode } from '../../engine/types';
import { type Plane, cellIndex } from '../../ui/grid-layout';
import { column, shapeText, shortest, significant } from '../../ui/numbers';
import { nameOfMark } from '../../ui/words';
import type { At, Words } from '../shared/attention/attention-map';
import { evenly } from '../shared/geometry';
import type { Names } from '../shared/summary';
import { csvOf } from './files';

/** undefined: not reached yet, the cell is empty. */
export type Value = string | number | undefined;

export interface TableCell {
  value: Value;
  /** Written in the table in place of the value; CSV has the value. */
  text?: string;
  /** Flat index into the row's or the table's tensor. */
  index?: number;
  kind?: string;
}

export interface TableRow {
  /** What the row is about. */
  heads: readonly Value[];
  cells: readonly (Value | TableCell)[];
  /** Name of the tensor that the row's values are from. */
  tensor?: string | undefined;
  /** Depth of indentation. */
  depth?: number;
}

export interface Table {
  caption: string;
  /** The caption is for screen readers: the figure's heading says it. */
  quiet?: boolean;
  /** Name of the tensor that the values are from. */
  tensor?: string | undefined;
  /** Heads of all columns, those of the rows' heads too; none: they need none. */
  head?: readonly Value[];
  rows: readonly TableRow[];
  /** Rows beyond this many are left out of the HTML, evenly. */
  most?: number;
  /** Column that tells this table from the figure's others in CSV: its head, and its value here. */
  key?: readonly [head: string, value: Value];
  kind?: string;
}

const cellOf = (cell: Value | TableCell): TableCell => (typeof cell === 'object' ? cell : { value: cell });

/** The rows of a matrix. */
export const matrixRows = (
  heads: readonly Value[],
  columns: number,
  cell: (row: number, column: number) => Value | TableCell,
): TableRow[] =>
  heads.map((head, r) => ({ heads: [head], cells: Array.from({ length: columns }, (_, c) => cell(r, c)) }));

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

/** Every column's numbers, written so that they line up. */
function textsOf(rows: readonly TableRow[]): string[][] {
  const cells = rows.map((row) => row.cells.map(cellOf));
  const across = Math.max(0, ...cells.map((row) => row.length));
  const texts = cells.map((row) => row.map(({ value, text }) => text ?? (typeof value === 'string' ? value : '')));
  for (let c = 0; c < across; c++) {
    const numbers = cells.flatMap((row, r) => {
      const { value, text } = row[c] ?? { value: undefined };
      return typeof value === 'number' && text === undefined ? [{ r, value }] : [];
    });
    column(numbers.map(({ value }) => value)).forEach((text, i) => (texts[numbers[i]!.r]![c] = text));
  }
  return texts;
}

const headText = (head: Value): string => (typeof head === 'number' ? significant(head, 6) : (head ?? ''));

const titleOf = (head: Value): string | typeof nothing => nameOfMark(String(head)) ?? nothing;

function headOf({ head, rows }: Table): TemplateResult | typeof nothing {
  if (!head) return nothing;
  return html`<thead>
    <tr>
      ${head.map((each) =>
        each === '' && rows[0]?.heads.length
          ? html`<td></td>`
          : html`<th scope="col" title=${titleOf(each)}>${headText(each)}</th>`,
      )}
    </tr>
  </thead>`;
}

function rowOf({ heads, cells, tensor, depth }: TableRow, texts: readonly string[]): TemplateResult {
  const indent = depth === undefined ? nothing : `padding-left:${1 + depth}em`;
  return html`<tr data-tensor=${tensor ?? nothing}>
    ${heads.map((head) => html`<th scope="row" style=${indent} title=${titleOf(head)}>${headText(head)}</th>`)}
    ${cells.map((cell, c) => {
      const { index, kind } = cellOf(cell);
      return html`<td data-index=${index ?? nothing} class=${kind ?? nothing}>${texts[c]}</td>`;
    })}
  </tr>`;
}

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
  return html`${pages[at]!.map(htmlTable)}
  ${
    pages.length > 1
      ? html`<p class="hint">${rowsShown(before + 1, before + shown, rowsIn(pages))}</p>
          ${button(at - 1, PREVIOUS_ROWS)} ${button(at + 1, NEXT_ROWS)}`
      : nothing
  }`;
}

function htmlTable({ table, rows: shown }: Section): TemplateResult {
  const { rows, most = Infinity } = table;
  const texts = textsOf(shown);
  return html`<table class=${table.kind ?? nothing} data-tensor=${table.tensor ?? nothing}>
      <caption class=${table.quiet ? 'vh' : nothing}>
        ${table.caption}
      </caption>
      ${headOf(table)}
      <tbody>
        ${shown.map((row, r) => rowOf(row, texts[r]!))}
      </tbody>
    </table>
    ${rows.length > most ? html`<p class="hint">${onlySomeRows(most, rows.length)}</p>` : nothing}`;
}

// A tensor as a table at full precision: what its cells show, for reading and copying.

const MOST_COLUMNS = 64;
const MOST_VALUES = 2048;

/** `values` undefined: not reached yet, cells are empty. Cells carry `data-index`, the flat index into the tensor. */
export function tableTwin(
  node: TraceNode,
  plane: Plane,
  values: ArrayLike<number> | undefined,
  names: Names = {},
): TemplateResult {
  const columns = Math.min(plane.columns, MOST_COLUMNS);
  const rows = Math.min(plane.rows, Math.floor(MOST_VALUES / Math.max(1, columns)));
  const named = (list: readonly string[] | undefined, count: number) =>
    Array.from({ length: count }, (_, i) => list?.[i] ?? i);
  const cells = matrixRows(named(names.rows, rows), columns, (row, c) => {
    const index = cellIndex(plane, row, c);
    return { index, value: values && (values[index] ?? 0) };
  });
  const [hasRows, hasColumns] = [plane.shape.length > 1, plane.shape.length > 0];
  const table = {
    ...{ caption: `${node.name}, ${shapeText(node.shape)}`, quiet: true, tensor: node.name },
    head: hasColumns ? [...(hasRows ? [''] : []), ...named(names.columns, columns)] : undefined,
    rows: hasRows ? cells : cells.map((row) => ({ ...row, heads: [] })),
  };
  const cut = rows < plane.rows || columns < plane.columns;
  return html`<div class="twin" tabindex="0" role="region" aria-label=${tableOfTensor(node.name)}>
    ${htmlTable({ table, rows: table.rows })}
    ${cut ? html`<p class="hint">${onlyFirstCells(rows, columns)}</p>` : nothing}
  </div>`;
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
