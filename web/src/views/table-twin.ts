// A tensor as a real table, with every digit of its values: what the cells show, for reading and copying.
import { type TemplateResult, html } from 'lit';
import type { TraceNode } from '../types';
import { type Plane, cellIndex } from './grid-layout';
import { exact, shapeText } from './numbers';
import type { Names } from './summary';

const MOST_ROWS = 256;
const MOST_COLUMNS = 256;

/** `values` undefined: not reached, the cells are empty. Cells carry `data-index`, the flat index into the tensor. */
export function tableTwin(
  node: TraceNode,
  plane: Plane,
  values: ArrayLike<number> | undefined,
  names: Names = {},
): TemplateResult {
  const rows = [...Array(Math.min(plane.rows, MOST_ROWS)).keys()];
  const columns = [...Array(Math.min(plane.columns, MOST_COLUMNS)).keys()];
  const places = columns.map((column) =>
    Math.max(0, ...rows.map((row) => width(values?.[cellIndex(plane, row, column)]))),
  );
  const headed = plane.shape.length > 0;
  return html`<div class="twin" tabindex="0" role="region" aria-label="Table of ${node.name}">
    <table data-tensor=${node.name}>
      <caption class="vh">
        ${node.name}, ${shapeText(node.shape)}
      </caption>
      ${headed ? head(columns, plane, names) : ''}
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${plane.shape.length > 1 ? html`<th scope="row">${names.rows?.[row] ?? row + 1}</th>` : ''}
              ${columns.map((column) => cell(cellIndex(plane, row, column), values, places[column] ?? 0))}
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      rows.length < plane.rows || columns.length < plane.columns
        ? html`<p class="hint">The first ${rows.length} × ${columns.length} cells; Export as CSV has all.</p>`
        : ''
    }
  </div>`;
}

function head(columns: number[], plane: Plane, names: Names): TemplateResult {
  return html`<thead>
    <tr>
      ${plane.shape.length > 1 ? html`<td></td>` : ''}
      ${columns.map((column) => html`<th scope="col">${names.columns?.[column] ?? column + 1}</th>`)}
    </tr>
  </thead>`;
}

function cell(index: number, values: ArrayLike<number> | undefined, places: number): TemplateResult {
  const value = values?.[index];
  return html`<td data-index=${index} style="--short:${places - width(value)}">
    ${value === undefined ? '' : exact(value)}
  </td>`;
}

/** How wide the decimals are, in digits; the point is half a digit. So the points of a column stand in one line. */
function width(value: number | undefined): number {
  const point = value === undefined ? -1 : exact(value).indexOf('.');
  return point < 0 ? 0 : exact(value!).length - point - 0.5;
}
