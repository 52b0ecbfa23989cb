// Draws an attention matrix with words for its rows and columns: a cell for each pair, the true links outlined.
import { type TemplateResult, svg } from 'lit';
import type { Place } from '../../ui/grid-layout';
import type { Part } from '../host/contract';
import { type AlignmentData, type AlignmentLayout, truthOf } from '../shared/attention/alignment-layout';
import { cellsOf, columnLabels, mapNumbers, ring, rowLabels } from '../shared/attention/attention-map';
import { type Cell, boxPath, frame, inkCells } from '../shared/cells';
import { FULL, palette } from '../shared/palette';

/** `outlined`: shows the true links. */
export function drawn(data: AlignmentData, layout: AlignmentLayout, outlined: boolean, here: Place | null): Part[] {
  const { columns, turn, line, numbered } = layout;
  const at = (row: number, column: number): number => row * columns + column;
  const cells = cellsOf(layout, data.weights, at);
  const reached = cells.filter(({ value }) => !Number.isNaN(value));
  const numbers = numbered ? mapNumbers(layout, data.weights, at, FULL, line) : [];
  const links = outlined ? [...truthOf(data)].map((index) => link(inner(cells[index]!))) : [];
  return [
    ...columnLabels(layout, data.source, turn, line, here?.column ?? -1),
    ...rowLabels(layout, data.target, line, here?.row ?? -1),
    inkCells(reached, FULL),
    ...cells.filter((cell) => !reached.includes(cell)).map((cell) => frame('hollow', inner(cell), -0.5)),
    ...numbers,
    ...links,
    ring(layout, here),
  ];
}

/** Without the gap to its neighbours. */
const inner = (cell: Cell): Cell => ({ ...cell, width: cell.width - 1, height: cell.height - 1 });

/** A true link: an outline inside its cell, with the upper left corner filled. */
function link(cell: Cell): TemplateResult {
  const { ink, paper } = palette();
  const { x, y, width, height } = cell;
  const corner = Math.min(8, (height + 1) / 3) + 2.5;
  const box = (inset: number): string => boxPath(x + inset, y + inset, width - 2 * inset, height - 2 * inset);
  return svg`<g class="truth"><path fill="none" stroke=${paper} stroke-width="3" d=${box(1.5)}></path>
    <path fill="none" stroke=${ink} stroke-width="1.25" d=${box(0.6)}></path>
    <path fill=${ink} stroke=${paper} stroke-width="1" d="M${x} ${y}h${corner}l${-corner} ${corner}z"></path></g>`;
}
