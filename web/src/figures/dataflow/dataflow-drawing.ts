// Draws an attention layer: matrices with their labels, and the signs and arrows between them; also its tables.
import { type TemplateResult, nothing, svg } from 'lit';
import { TENSOR, tensor } from '#messages/figures/dataflow';
import { cellsOf } from '../shared/attention/attention-map';
import { frame, inkCells } from '../shared/cells';
import { SHEET, SHEETS, type DataflowLayout, type Placed, type Sign } from './dataflow-layout';
import { type Slab, jointOf } from './dataflow-slabs';
import { isNamed, shortName } from '../shared/marks';
import { shapeText } from '../../ui/numbers';
import type { Part } from '../host/contract';
import { type Table, matrixRows } from '../host/table';
import { scaleOf } from '../shared/palette';

type Named = Pick<Slab, 'node' | 'transposed' | 'label'>;

/** Base "W", subscript "Q" followed by the position or block, if any, and superscript "ᵀ" if transposed. */
export function slabName({ node, transposed, label: given }: Named) {
  const name = given ?? (isNamed(node) ? shortName(node.name) : 'x');
  const letter = /^(.*\.)?([WUb]_?\w*)\.(weight|bias)$/.exec(node.name);
  const [base = '', ...rest] = (
    letter ? (letter[3] === 'bias' ? letter[2]!.replace('W', 'b') : letter[2]!) : name
  ).split('_');
  const part = (!name.includes(' ') && /\.(?:t|block)(\d+)[./]/.exec(node.name)?.slice(1)) || [];
  return { base, sub: [...rest, ...part].join('_'), sup: transposed ? 'ᵀ' : '' };
}

export const slabText = (slab: Named): string => {
  const { base, sub, sup } = slabName(slab);
  return `${base}${sub ? `_${sub}` : ''}${sup}`;
};

/** "4 × 3"; with several heads "2 × 4 × 3". */
export const slabShape = ({ rows, columns, heads }: Slab): string =>
  shapeText(heads > 1 ? [heads, rows, columns] : [rows, columns]);

/** "n × K"; with several heads "N × n × K". */
export const slabLetters = ({ letters, heads, letter }: Slab): string =>
  [...(heads > 1 ? [letter] : []), ...letters].join(' × ');

const isWord = (base: string): boolean => base.length > 2;

function label({ slab, label: at }: Placed, line: number, lines: number, now: boolean): Part {
  if (!at) return nothing;
  const { base, sub, sup } = slabName(slab);
  const name = svg`<tspan class="${isWord(base) ? '' : 'sym'} r-${slab.node.role}">${base}${sup}</tspan>${
    sub ? svg`<tspan class="sym sub r-${slab.node.role}" dy=${line * 0.25}>${sub}</tspan>` : ''
  }`;
  const numbers = svg`<tspan class="slab-shape" dx="5" dy=${sub ? -line * 0.25 : 0}>${slabShape(slab)}</tspan>`;
  const below = (text: string, row: number): TemplateResult =>
    svg`<text class="slab-shape" x=${at.x} y=${at.y + row * line * 1.1}>${text}</text>`;
  return svg`<text class="slab-name ${now ? 'on' : ''}" x=${at.x} y=${at.y}>${name}${lines < 3 ? numbers : ''}</text>
    ${lines < 3 ? nothing : below(slabShape(slab), 1)} ${below(slabLetters(slab), lines - 1)}
    ${now ? svg`<path class="now-line" d="M${at.x} ${at.y + 3.5}h${Math.max(10, base.length * line * 0.6)}"></path>` : nothing}`;
}

/** Sheets for the heads behind the one in front. */
function sheets({ slab, x, y, width, height }: Placed): TemplateResult[] {
  const behind = Math.min(slab.heads - 1, SHEETS);
  return Array.from({ length: behind }, (_, i) => {
    const by = (behind - i) * SHEET;
    return frame('sheet', { x: x + by - 0.5, y: y - by + 0.5, width, height });
  });
}

/** A cell of the matrix `layout.placed[placed]`. */
export interface Spot {
  placed: number;
  row: number;
  column: number;
}

export interface Shown {
  values: (slab: Slab) => Float32Array | undefined;
  /** Id of the tensor that the operation at the cursor contributes to; −1 for none. */
  now: number;
  /** Highlighted cells: the hovered or selected one, in every drawing of its tensor. */
  spots: readonly Spot[];
  /** Index of the matrix at the keyboard's cursor; −1 for none. */
  cursor: number;
}

function matrix(placed: Placed, i: number, { cell, line, labelLines }: DataflowLayout, shown: Shown): TemplateResult {
  const { slab, x, y, width, height } = placed;
  const box = { x: x - 0.5, y: y - 0.5, width, height };
  const values = shown.values(slab);
  const now = slab.node.id === shown.now;
  const open = shown.cursor === i || shown.spots.some((spot) => spot.placed === i);
  const map = { x, y, cell: { width: cell, height: cell }, rows: slab.rows, columns: slab.columns };
  const filled = values ? inkCells(cellsOf(map, values, slab.at), scaleOf(slab.node.role, values)) : nothing;
  return svg`<g class="slab ${open ? 'open' : ''}" data-tensor=${slab.node.name} data-placed=${i}>
    ${sheets(placed)} ${frame(['ground', values ? '' : 'hollow'].join(' '), box)}
    ${filled} ${label(placed, line, labelLines, now)} ${shown.cursor === i ? frame('here', box, 2) : nothing}
  </g>`;
}

/** Frames a cell and, in a product, the row and the column it is computed from. */
function highlight(layout: DataflowLayout, { placed: at, row, column }: Spot): TemplateResult {
  const { placed, cell } = layout;
  const { x, y, factors } = placed[at]!;
  const [left, top] = factors ? [placed[factors[0]], placed[factors[1]]] : [];
  const around = (kind: string, fx: number, fy: number, width: number, height: number): TemplateResult =>
    frame(kind, { x: fx - 0.5, y: fy - 0.5, width, height }, 0.5);
  return svg`${left ? around('lit', left.x, left.y + row * cell, left.width, cell) : nothing}
    ${top ? around('lit', top.x + column * cell, top.y, cell, top.height) : nothing}
    ${around('here', x + column * cell, y + row * cell, cell, cell)}`;
}

function sign({ separator, x, y, width }: Sign, line: number): TemplateResult {
  const { sign: text, arrow } = jointOf(separator);
  if (text) return svg`<text class="sign" text-anchor="middle" x=${x + width / 2} y=${y + line * 0.45}>${text}</text>`;
  const end = x + width - 8;
  return svg`<path class="flow" d="M${x + 8} ${y}H${end}m-5 -3.5l5 3.5l-5 3.5"></path>
    <text class="slab-shape ${separator}" text-anchor="middle" x=${x + width / 2} y=${y - 6}>${arrow}</text>`;
}

export function dataflow(layout: DataflowLayout, shown: Shown): TemplateResult {
  return svg`${layout.flows.map((d) => svg`<path class="flow" d=${d}></path>`)}
    ${layout.signs.map((each) => sign(each, layout.line))}
    ${layout.placed.map((placed, i) => matrix(placed, i, layout, shown))}
    ${shown.spots.map((spot) => highlight(layout, spot))}`;
}

/** "Q, n × K = 4 × 3" */
export const tensorText = (slab: Slab): string => tensor(slabText(slab), slabLetters(slab), slabShape(slab));

/** One table per tensor. */
export const tableOf = (slab: Slab, values: Float32Array | undefined): Table => ({
  caption: tensorText(slab),
  tensor: slab.node.name,
  key: [TENSOR, slab.node.name],
  rows: matrixRows([...Array(slab.rows).keys()], slab.columns, (r, c) => {
    const index = slab.at(r, c);
    return { index, value: values && (values[index] ?? NaN) };
  }),
});
