// The tables of a figure, once as HTML and once as CSV.
import { type TemplateResult, html, nothing } from 'lit';
import { onlySomeRows } from '#messages/figures/host';
import { column, shortest, significant } from '../../ui/numbers';
import { nameOfMark } from '../../ui/token';
import { evenly } from '../shared/geometry';
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

/** The table twin. */
export function htmlTable(table: Table): TemplateResult {
  const { rows, most = Infinity } = table;
  const shown = rows.length <= most ? rows : evenly(rows.length, most).map((i) => rows[i]!);
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
    ${shown.length < rows.length ? html`<p class="hint">${onlySomeRows(shown.length, rows.length)}</p>` : nothing}`;
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
