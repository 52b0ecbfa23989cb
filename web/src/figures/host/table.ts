// A table as HTML; and that of a tensor, which the bench has at once. Those of figures come with them: see tables.ts.
import { type TemplateResult, html, nothing } from 'lit';
import { onlyFirstCells, onlySomeRows, tableOfTensor } from '#messages/figures/host';
import type { TraceNode } from '../../engine/types';
import { type Plane, cellIndex } from '../../ui/grid-layout';
import { column, shapeText, significant } from '../../ui/numbers';
import { nameOfMark } from '../../ui/words';
import type { Names } from '../shared/summary';

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

export const cellOf = (cell: Value | TableCell): TableCell => (typeof cell === 'object' ? cell : { value: cell });

/** The rows of a matrix. */
export const matrixRows = (
  heads: readonly Value[],
  columns: number,
  cell: (row: number, column: number) => Value | TableCell,
): TableRow[] =>
  heads.map((head, r) => ({ heads: [head], cells: Array.from({ length: columns }, (_, c) => cell(r, c)) }));

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

/** The table with some of its rows. */
export function htmlTable(table: Table, shown: readonly TableRow[] = table.rows): TemplateResult {
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

const MOST_COLUMNS = 64;
const MOST_VALUES = 2048;

/**
 * A tensor at full precision, for reading and copying. `values` undefined: not reached yet, cells are empty. Cells carry
 * `data-index`, the flat index into the tensor.
 */
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
    ${htmlTable(table)} ${cut ? html`<p class="hint">${onlyFirstCells(rows, columns)}</p>` : nothing}
  </div>`;
}
