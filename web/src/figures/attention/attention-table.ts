// An attention matrix as a table headed by its words, at full precision.
import { type TemplateResult, html, nothing } from 'lit';
import type { At } from './attention-map';
import type { Words } from './attention-words';
import { column } from '../../ui/numbers';
import { nameOfMark } from '../../ui/token';

/** `values` undefined: not reached yet, the cells are empty. */
export function wordTable(
  name: string,
  caption: string,
  { rows, columns }: Words,
  values: ArrayLike<number> | undefined,
  at: At,
): TemplateResult {
  const texts = columns.map((_, c) => (values ? column(rows.map((__, r) => values[at(r, c)] ?? NaN)) : []));
  return html`<table data-tensor=${name}>
    <caption>
      ${caption}
    </caption>
    <thead>
      <tr>
        <td></td>
        ${columns.map((word) => html`<th scope="col" title=${nameOfMark(word) ?? nothing}>${word}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (word, r) =>
          html`<tr>
            <th scope="row" title=${nameOfMark(word) ?? nothing}>${word}</th>
            ${texts.map((list, c) => html`<td data-index=${at(r, c)}>${list[r]}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`;
}
