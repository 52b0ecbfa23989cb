// A tensor as an HTML table at full precision: what the cells show, for reading and copying.
import { type TemplateResult, html } from 'lit';
import { onlyFirstCells, tableOfTensor } from '#messages/figures/host';
import type { TraceNode } from '../../engine/types';
import { type Plane, cellIndex } from '../../ui/grid-layout';
import { column, shapeText } from '../../ui/numbers';
import type { Names } from '../shared/summary';

const MAX_COLUMNS = 64;
const MAX_CELLS = 2048;

/** `values` undefined: not reached yet, cells are empty. Cells carry `data-index`, the flat index into the tensor. */
export function tableTwin(
  node: TraceNode,
  plane: Plane,
  values: ArrayLike<number> | undefined,
  names: Names = {},
): TemplateResult {
  const columns = [...Array(Math.min(plane.columns, MAX_COLUMNS)).keys()];
  const most = Math.floor(MAX_CELLS / Math.max(1, columns.length));
  const rows = [...Array(Math.min(plane.rows, most)).keys()];
  const texts = values && columns.map((c) => column(rows.map((row) => values[cellIndex(plane, row, c)] ?? 0)));
  const headed = plane.shape.length > 0;
  return html`<div class="twin" tabindex="0" role="region" aria-label=${tableOfTensor(node.name)}>
    <table data-tensor=${node.name}>
      <caption class="vh">
        ${node.name}, ${shapeText(node.shape)}
      </caption>
      ${headed ? head(columns, plane, names) : ''}
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${plane.shape.length > 1 ? html`<th scope="row">${names.rows?.[row] ?? row}</th>` : ''}
              ${columns.map((c) => html`<td data-index=${cellIndex(plane, row, c)}>${texts?.[c]?.[row]}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
    ${
      rows.length < plane.rows || columns.length < plane.columns
        ? html`<p class="hint">${onlyFirstCells(rows.length, columns.length)}</p>`
        : ''
    }
  </div>`;
}

function head(columns: number[], plane: Plane, names: Names): TemplateResult {
  return html`<thead>
    <tr>
      ${plane.shape.length > 1 ? html`<td></td>` : ''}
      ${columns.map((c) => html`<th scope="col">${names.columns?.[c] ?? c}</th>`)}
    </tr>
  </thead>`;
}
