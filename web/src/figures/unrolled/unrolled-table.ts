// The states of an unrolled network as a table and as CSV, one row per state.
import { type TemplateResult, html, nothing } from 'lit';
import { csvOf } from '../figure-export';
import { exact, shortest, significant } from '../../ui/numbers';
import type { Scene } from './unrolled-scene';
import { nameOfMark } from '../../ui/token';
import { norm } from './unrolled-strips';
import type { UnrolledCell } from './unrolled-trace';

export function stateTable(scene: Scene, caption: string): TemplateResult {
  const { cells } = scene.network;
  const size = Math.max(...cells.map((cell) => scene.size(scene.node(cell.state))));
  const heads = ['state', 'word', ...(scene.network.inputs.length ? ['reads'] : []), 'norm', ...Array(size).keys()];
  return html`<table>
    <caption class="vh">
      ${caption}: one row per state
    </caption>
    <thead>
      <tr>
        ${heads.map((head) => html`<th scope="col">${head}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${cells.map((cell) => stateRow(scene, cell))}
    </tbody>
  </table>`;
}

function stateRow(scene: Scene, cell: UnrolledCell): TemplateResult {
  const values = scene.strip(cell);
  const start = scene.example * scene.size(scene.node(cell.state));
  return html`<tr data-tensor=${scene.shown(cell.state)?.name ?? nothing}>
    <th scope="row">${scene.rowName(cell)}</th>
    <th scope="row" title=${nameOfMark(scene.word(cell)) ?? nothing}>${scene.word(cell)}</th>
    ${scene.network.inputs.length ? html`<td class="reads">${readWords(scene, cell)}</td>` : nothing}
    <td>${values ? significant(norm(values), 4) : ''}</td>
    ${values ? [...values].map((value, i) => html`<td data-index=${start + i}>${exact(value)}</td>`) : nothing}
  </tr>`;
}

/** "c, the teacher’s" */
function readWords(scene: Scene, { network, position }: UnrolledCell): string {
  const read = scene.reads(network)[position];
  if (!read || position === 0) return read?.word ?? '';
  return `${read.word}, ${read.own ? 'its own' : 'the teacher’s'}`;
}

export const stateLines = (scene: Scene): string =>
  csvOf(
    scene.network.cells.map((cell) => [
      scene.shown(cell.state)?.name ?? '',
      scene.word(cell),
      ...(scene.network.inputs.length ? [readWords(scene, cell)] : []),
      ...[...(scene.strip(cell) ?? [])].map(shortest),
    ]),
  );
