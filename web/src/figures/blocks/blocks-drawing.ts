// The block diagram of a model, part by part: the texts of a box (its name, output and number of parameters), its drawing,
// the table and CSV.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/blocks';
import { grouped } from '../../messages/intl';
import { shapeText } from '../../ui/numbers';
import type { Table } from '../host/table';
import { textWidth, wordWidth } from '../shared/palette';
import { isNamed, shortName } from '../shared/marks';
import type { Part } from '../host/contract';
import { frame } from '../shared/cells';
import type { Box } from '../shared/geometry';
import type { Block, Blocks } from './blocks-trace';
import type { BlocksLayout, Placed } from './blocks-layout';

const SMALL = 12;

/** "× 4" for a repeated block; "matmul" for a result named q; "" for one named after its operation. */
function noteOf({ scopes, count, output, folded }: Block): string {
  if (folded) return '';
  if (count > 1) return `× ${count}`;
  return !scopes.size && output && isNamed(output) && output.phase !== 'leaf' ? output.op : '';
}

export function titleOf({ name, scopes, count, folded }: Block): string {
  if (folded) return texts.moreOperations(folded);
  return scopes.size && count > 1 ? texts.POSITION : name.replace(/#\d+$/, '');
}

const shapeOf = ({ output }: Block): string => (output ? shapeText(output.shape) : '');

const sizeOf = ({ parameters, scopes }: Block): string =>
  parameters && scopes.size ? texts.parameters(parameters) : '';

export const linesOf = (block: Block): number => (!block.scopes.size ? 1 : sizeOf(block) ? 3 : 2);

/** Minimum width at which no text of a closed box is cut off. */
export function minWidthOf(block: Block, line: number): number {
  const small = (text: string): number => textWidth(text, (line * SMALL) / 13);
  const first = wordWidth(titleOf(block), line) + small(noteOf(block)) + (noteOf(block) ? 6 : 0);
  const shape = small(shapeOf(block));
  if (!block.scopes.size) return first + shape + line * 2;
  const symbol = block.output ? textWidth(shortName(block.output.name), line) + 6 : 0;
  return Math.max(first, symbol + shape, small(sizeOf(block))) + line * 1.6;
}

/** "attention: output o, 1 × 4 × 8; 1,088 parameters; 12 operations, 4 of which have run". */
export function describeBlock(block: Block, reached: (block: Block) => number): string {
  const { output, operations, count, at, scopes, parameters, folded } = block;
  const [title, shape, run] = [titleOf(block), shapeOf(block), reached(block)];
  if (folded) return title;
  if (!scopes.size)
    return texts.operation({
      ...{ title, shape, isReached: run > 0 },
      op: noteOf(block) && count < 2 ? output?.op : undefined,
      place: count > 1 ? { at: at + 1, of: count } : undefined,
    });
  return texts.box({
    ...{ title, parameters, operations: operations.length, run },
    place: count > 1 ? { at, last: count - 1 } : undefined,
    output: output && { name: shortName(output.name), shape },
  });
}

interface Listed {
  block: Block;
  depth: number;
}

/** All blocks, depth first, each box before its contents. */
export function listed(blocks: Blocks, box?: Block, depth = 0): Listed[] {
  return blocks
    .inside(box)
    .blocks.flatMap((block) => [{ block, depth }, ...(block.scopes.size ? listed(blocks, block, depth + 1) : [])]);
}

export const blocksTable = (shown: readonly Listed[], caption: string): Table => ({
  ...{ caption, quiet: true, kind: 'listed' },
  head: texts.COLUMNS,
  rows: shown.map(({ block, depth }) => {
    const { output, count, parameters, operations, scopes, folded } = block;
    if (folded) return { heads: [titleOf(block)], depth, cells: ['', '', '', grouped(folded)] };
    return {
      tensor: output?.name ?? '',
      heads: [count > 1 ? `${titleOf(block)} × ${count}` : titleOf(block)],
      depth,
      cells: [
        output ? shortName(output.name) : '',
        shapeOf(block),
        scopes.size ? grouped(parameters) : '',
        {
          value: scopes.size ? operations.length : output?.op,
          text: `${scopes.size ? operations.length : (output?.op ?? '')}`,
        },
      ],
    };
  }),
});

/** Each block by its key, with the full name of its output; many in one row have none. */
export const blockKeys = (all: readonly Listed[], caption: string): Table => ({
  caption,
  head: texts.KEY_COLUMNS,
  rows: all.map(({ block: { key, count, output, parameters, operations, folded } }) => ({
    heads: [folded ? texts.foldedRow(key.replace(/\/…$/, ''), folded) : key],
    cells: folded
      ? ['', '', '', parameters, folded]
      : [count, output?.name, output?.shape.join('x'), parameters, operations.length],
  })),
});

export type Progress = 'done' | 'begun' | 'hollow';

interface DrawOptions {
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
    return svg`<g class="block ${kind} ${open ? 'open' : ''} ${state} ${now} ${options.here === i ? 'at' : ''}" data-tensor=${block.output?.name ?? nothing} data-key=${block.key}>
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
  block.count > 1
    ? svg`<text class="small" x=${left} y=${y + line * 2.4}>${texts.shownPosition(block.at)}</text>`
    : nothing;

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
