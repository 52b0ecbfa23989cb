// Attention weights over a picture, as a table.
import { type TemplateResult, html } from 'lit';
import type { TraceNode } from '../../engine/types';
import { column } from '../../ui/numbers';
import type { Grid } from './picture-layout';

/** `weights` undefined: not reached yet, the cells are empty. */
export function placeTable(
  node: TraceNode,
  { rows, columns }: Grid,
  weights: Float32Array | undefined,
  caption: string,
): TemplateResult {
  const down = Array.from({ length: rows }, (_, r) => r);
  const across = Array.from({ length: columns }, (_, c) => c);
  const texts = weights && across.map((c) => column(down.map((r) => weights[r * columns + c]!)));
  return html`<table data-tensor=${node.name}>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${across.map((c) => html`<th scope="col">${c}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${down.map(
        (r) =>
          html`<tr>
            <th scope="row">${r}</th>
            ${across.map((c) => html`<td data-index=${r * columns + c}>${texts?.[c]?.[r]}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
