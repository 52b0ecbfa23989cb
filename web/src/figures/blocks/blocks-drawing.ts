// Draws the block diagram of a model, part by part.
import { type TemplateResult, nothing, svg } from 'lit';
import { shownPosition } from '#messages/figures/blocks';
import type { Part } from '../host/contract';
import type { BlocksLayout, Placed } from './blocks-layout';
import { noteOf, shapeOf, sizeOf, titleOf } from './blocks-words';
import { shortName } from '../shared/marks';

export type Progress = 'done' | 'begun' | 'hollow';

export interface DrawOptions {
  line: number;
  progress: (place: Placed) => Progress;
  /** Indexes of the blocks at the bench's cursor and at the figure's own; −1 for none. */
  now: number;
  here: number;
  loops: (place: Placed) => boolean;
}

/** Frames of the open boxes, drawn behind their wires. */
export const frames = ({ placed }: BlocksLayout): Part[] =>
  placed.map(({ open, x, y, width, height, depth }) =>
    open
      ? svg`<rect class="around ${depth % 2 ? 'odd' : ''}" x=${x} y=${y} width=${width} height=${height} rx="4"></rect>`
      : nothing,
  );

export const boxes = ({ placed }: BlocksLayout, options: DrawOptions): Part[] =>
  placed.map((place, i) => {
    const { x, y, width, height, block, sum, open } = place;
    const kind = block.scopes.size ? 'box' : block.input ? 'given' : 'operation';
    const [state, now] = [options.progress(place), options.now === i ? 'now' : ''];
    const round = sum ? height / 2 : block.scopes.size ? 4 : block.input ? height / 2 : 2;
    return svg`<g class="block ${kind} ${open ? 'open' : ''} ${state} ${now}" data-tensor=${block.output?.name ?? nothing} data-key=${block.key}>
      <rect class="frame" x=${x} y=${y} width=${width} height=${height} rx=${round}></rect>
      ${open ? svg`<rect class="target" x=${x} y=${y} width=${width} height=${options.line * 1.8}></rect>` : nothing}
      ${sum ? plus(place) : words(place, options)}
      ${options.here === i ? svg`<rect class="here" x=${x - 2.5} y=${y - 2.5} width=${width + 5} height=${height + 5} rx=${round + 2}></rect>` : nothing}
    </g>`;
  });

function plus({ x, y, width, height }: Placed): TemplateResult {
  const [cx, cy, r] = [x + width / 2, y + height / 2, height * 0.22];
  return svg`<path class="plus" d="M${cx - r} ${cy}h${2 * r}M${cx} ${cy - r}v${2 * r}"></path>`;
}

function words(place: Placed, { line, loops }: DrawOptions): TemplateResult {
  const { x, y, width, block, open } = place;
  const left = x + line * 0.7;
  const note = noteOf(block);
  const title = svg`<text class="name" x=${left} y=${y + line * 1.25}>${titleOf(block)}${
    note ? svg`<tspan class="note" dx="6">${note}</tspan>` : nothing
  }</text>`;
  if (!block.scopes.size) return svg`${title}${shapeAt(place, y + line * 1.25, x + width - line * 0.7, 'end')}`;
  const sign = svg`<path class="sign" d=${signAt(x + width - line * 0.95, y + line * 0.8, line * 0.28, open)}></path>`;
  const loop = loops(place)
    ? svg`<text class="small" text-anchor="end" x=${x + width - line * 1.8} y=${y + line * 1.25}>↻</text>`
    : nothing;
  return svg`${title}${sign}${loop}${open ? positionOf(place, left, line) : sizesOf(place, left, line)}`;
}

const shapeAt = ({ block }: Placed, y: number, x: number, anchor: 'start' | 'end'): TemplateResult =>
  svg`<text class="small" text-anchor=${anchor} x=${x} y=${y}>${
    block.scopes.size && block.output
      ? svg`<tspan class="sym r-${block.output.role}">${shortName(block.output.name)}</tspan><tspan dx="6">${shapeOf(block)}</tspan>`
      : shapeOf(block)
  }</text>`;

const positionOf = ({ block, y }: Placed, left: number, line: number): Part =>
  block.count > 1 ? svg`<text class="small" x=${left} y=${y + line * 2.4}>${shownPosition(block.at)}</text>` : nothing;

function sizesOf(place: Placed, left: number, line: number): Part {
  const size = sizeOf(place.block);
  return svg`${shapeAt(place, place.y + line * 2.4, left, 'start')}${
    size ? svg`<text class="small" x=${left} y=${place.y + line * 3.5}>${size}</text>` : nothing
  }`;
}

/** Disclosure triangle: points right when closed, down when open. */
const signAt = (x: number, y: number, r: number, open: boolean): string =>
  open ? `M${x - r} ${y - r * 0.6}h${2 * r}l${-r} ${1.4 * r}z` : `M${x - r * 0.6} ${y - r}v${2 * r}l${1.4 * r} ${-r}z`;

/** Drawn behind the boxes; wires whose results are not computed yet are lighter. */
export const wires = ({ wires: all }: BlocksLayout, ran: (nodes: readonly number[]) => boolean): Part[] =>
  all.map(
    ({ residual, nodes, line, head }) =>
      svg`<path class="wire ${residual ? 'residual' : ''} ${ran(nodes) ? '' : 'hollow'}" d="${line}${head}"></path>`,
  );
