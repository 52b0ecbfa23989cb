// An attention matrix as a table with row sums, and as CSV: one row per target word.
import { type TemplateResult, html, nothing } from 'lit';
import { type AlignmentData, sumOf, truthOf, weightAt } from '../attention/alignment-layout';
import { csvOf } from '../figure-export';
import { column, shortest } from '../../ui/numbers';
import { nameOfMark } from '../../ui/token';

export function alignmentTable(data: AlignmentData): TemplateResult {
  const rows = data.target.map((_, t) => t);
  const texts = data.source.map((_, j) => column(rows.map((t) => weightAt(data, t, j))));
  const sums = column(rows.map((t) => Math.fround(sumOf(data, t))));
  const truth = truthOf(data);
  const cell = (t: number, j: number): TemplateResult => {
    const index = t * data.source.length + j;
    return html`<td data-index=${index} class=${truth.has(index) ? 'true-link' : ''}>${texts[j]?.[t]}</td>`;
  };
  return html`<table data-tensor=${data.name}>
    <caption class="vh">
      ${data.name}; a star marks a true link
    </caption>
    <thead>
      <tr>
        <td></td>
        ${data.source.map((word) => html`<th scope="col" title=${nameOfMark(word) ?? nothing}>${word}</th>`)}
        <th scope="col">sum</th>
      </tr>
    </thead>
    <tbody>
      ${data.target.map(
        (word, t) =>
          html`<tr>
            <th scope="row" title=${nameOfMark(word) ?? nothing}>${word}</th>
            ${data.source.map((_, j) => cell(t, j))}
            <td class="total">${sums[t]}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

export const alignmentLines = (data: AlignmentData): string =>
  csvOf([
    ['', ...data.source],
    ...data.target.map((word, t) => [word, ...data.source.map((_, j) => shortest(weightAt(data, t, j)))]),
  ]);
