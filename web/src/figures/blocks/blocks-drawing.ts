// Draws the block diagram of a model, part by part.
import { type TemplateResult, nothing, svg } from 'lit';
import { shownPosition } from '#messages/figures/blocks';
import type { Part } from '../host/contract';
import type { BlocksLayout, Placed } from './blocks-layout';
import { noteOf, shapeOf, sizeOf, titleOf } from './blocks-words';
import { frame } from '../shared/cells';
import type { Box } from '../shared/geometry';
import { shortName } from '../shared/marks';

export type Progress = 'done' | 'begun' | 'hollow';

export interface DrawOptions {
  progress: (place: Placed) => Progress;
  /** Indexes of the blocks at the bench's cursor and at the figure's own; −1 for none. */
  now: number;
  here: number;
  loops: (place: Placed) => boolean;
}

/** Frames of the open boxes, drawn behind their wires. */
export const frames = ({ placed }: BlocksLayout): Part[] =>
  placed.filter(({ open }) => open).map((place) => frame(place.depth % 2 ? 'odd' : 'even', place, 0, 4));

/** Where a press on a block is about it: of an open one the heading alone. */
export const targetOf = ({ x, y, width, height, open }: Placed, line: number): Box => ({
  ...{ x, y, width },
  height: open ? line * 1.8 : height,
});

export const boxes = ({ placed, line }: BlocksLayout, options: DrawOptions): Part[] =>
  placed.map((place, i) => {
    const { height, block, sum, open } = place;
    const kind = block.scopes.size ? 'box' : block.input ? 'given' : 'operation';
    const [state, now] = [options.progress(place), options.now === i ? 'now' : ''];
    const round = sum ? height / 2 : block.scopes.size ? 4 : block.input ? height / 2 : 2;
    return svg`<g class="block ${kind} ${open ? 'open' : ''} ${state} ${now}" data-tensor=${block.output?.name ?? nothing} data-key=${block.key}>
      ${frame('frame', place, 0, round)} ${open ? frame('target', targetOf(place, line)) : nothing}
      ${sum ? plus(place) : words(place, line, options.loops(place))}
      ${options.here === i ? frame('here', place, 2.5, round + 2) : nothing}
    </g>`;
  });

function plus({ x, y, width, height }: Placed): TemplateResult {
  const [cx, cy, r] = [x + width / 2, y + height / 2, height * 0.22];
  return svg`<path class="plus" d="M${cx - r} ${cy}h${2 * r}M${cx} ${cy - r}v${2 * r}"></path>`;
}

/** `loops`: it reads the position before. */
function words(place: Placed, line: number, loops: boolean): TemplateResult {
  const { x, y, width, block, open } = place;
  const left = x + line * 0.7;
  const note = noteOf(block);
  const title = svg`<text class="name" x=${left} y=${y + line * 1.25}>${titleOf(block)}${
    note ? svg`<tspan class="note" dx="6">${note}</tspan>` : nothing
  }</text>`;
  if (!block.scopes.size) return svg`${title}${shapeAt(place, y + line * 1.25, x + width - line * 0.7, 'end')}`;
  const sign = svg`<path class="sign" d=${signAt(x + width - line * 0.95, y + line * 0.8, line * 0.28, open)}></path>`;
  const loop = loops
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
