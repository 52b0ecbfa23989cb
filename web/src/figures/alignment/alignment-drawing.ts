// Draws an attention matrix with words for its rows and columns: a cell for each pair, the true links outlined.
import { type TemplateResult, nothing, svg } from 'lit';
import type { Place } from '../../ui/grid-layout';
import { fixed } from '../../ui/numbers';
import { markTitle } from '../../ui/words';
import type { Part } from '../host/contract';
import { type AlignmentData, type AlignmentLayout, truthOf } from '../shared/attention/alignment-layout';
import { columnLabels } from '../shared/attention/attention-map';
import { type Scale, colorOf, css, inkOn, palette } from '../shared/palette';

export const FULL: Scale = { map: 'sequential', limit: 1 };
/** Smaller weights are not written into their cells. */
const MIN_LABELLED = 0.045;

export interface DrawnAlignment extends AlignmentLayout {
  rows: number;
  columns: number;
  /** Height of a line of text. */
  line: number;
}

export const labels = (data: AlignmentData, layout: DrawnAlignment, here: Place | null): Part => svg`
  ${columnLabels(layout, data.source, layout.turn, layout.line, here?.column ?? -1)}
  ${data.target.map(
    (word, t) =>
      svg`<text class="token-word ${here?.row === t ? 'on' : ''}" text-anchor="end" x=${layout.x - 9} y=${layout.y + (t + 0.5) * layout.cell.height + layout.line * 0.34}>${word}${markTitle(word)}</text>`,
  )}`;

const cornerOf = ({ x, y, cell, columns }: DrawnAlignment, index: number): [left: number, top: number] => [
  x + (index % columns) * cell.width,
  y + Math.floor(index / columns) * cell.height,
];

export const cells = (data: AlignmentData, layout: DrawnAlignment): TemplateResult[] =>
  Array.from({ length: layout.rows * layout.columns }, (_, i) => cellAt(layout, i, data.weights[i] ?? NaN));

function cellAt(layout: DrawnAlignment, index: number, weight: number): TemplateResult {
  const { cell, line, numbered } = layout;
  const [left, top] = cornerOf(layout, index);
  if (Number.isNaN(weight))
    return svg`<rect class="hollow" x=${left + 0.5} y=${top + 0.5} width=${cell.width - 2} height=${cell.height - 2}></rect>`;
  const color = colorOf(weight, FULL, palette());
  const written = numbered && weight >= MIN_LABELLED;
  return svg`<rect x=${left} y=${top} width=${cell.width - 1} height=${cell.height - 1} fill=${css(color)}></rect>
    ${written ? svg`<text class="number" text-anchor="middle" fill=${inkOn(color)} x=${left + (cell.width - 1) / 2} y=${top + cell.height / 2 + line * 0.32}>${fixed(weight, 2)}</text>` : nothing}`;
}

/** A true link: an outline inside its cell, with the upper left corner filled. */
export const links = (data: AlignmentData, layout: DrawnAlignment): TemplateResult[] =>
  [...truthOf(data)].map((index) => link(layout, cornerOf(layout, index)));

function link({ cell }: DrawnAlignment, [left, top]: [number, number]): TemplateResult {
  const { ink, paper } = palette();
  const corner = Math.min(8, cell.height / 3) + 2.5;
  const box = (inset: number): string => {
    const [width, height] = [cell.width - 1 - 2 * inset, cell.height - 1 - 2 * inset];
    return `M${left + inset} ${top + inset}h${width}v${height}h${-width}z`;
  };
  return svg`<g class="truth"><path fill="none" stroke=${paper} stroke-width="3" d=${box(1.5)}></path>
    <path fill="none" stroke=${ink} stroke-width="1.25" d=${box(0.6)}></path>
    <path fill=${ink} stroke=${paper} stroke-width="1" d="M${left} ${top}h${corner}l${-corner} ${corner}z"></path></g>`;
}

export function ring({ cell, x, y }: AlignmentLayout, here: Place | null): Part {
  if (!here) return nothing;
  const [left, top] = [x + here.column * cell.width, y + here.row * cell.height];
  return svg`<rect class="here" x=${left} y=${top} width=${cell.width - 1} height=${cell.height - 1}></rect>`;
}
