// The parts of a drawn attention matrix or mask: cells, values, words, cursor ring.
import { type TemplateResult, nothing, svg } from 'lit';
import { type Cell, frame, inkCells } from '../cells';
import type { Box } from '../geometry';
import type { Place } from '../../../ui/grid-layout';
import { fixed } from '../../../ui/numbers';
import { type Scale, colorOf, inkOn, palette } from '../palette';
import { markTitle } from '../../../ui/words';

/** Smaller weights are not written into their cells. */
const MIN_LABELLED = 0.045;

export interface MapBox {
  x: number;
  y: number;
  cell: { width: number; height: number };
  rows: number;
  columns: number;
}

export type At = (row: number, column: number) => number;
type Values = ArrayLike<number> | undefined;

export const rightOf = ({ x, columns, cell }: MapBox): number => x + columns * cell.width;
export const bottomOf = ({ y, rows, cell }: MapBox): number => y + rows * cell.height;

const boxAt = ({ x, y, cell }: MapBox, { row, column }: Place): Box => ({
  ...{ x: x + column * cell.width, y: y + row * cell.height },
  ...cell,
});

export function cellsOf(box: MapBox, values: ArrayLike<number>, at: At): Cell[] {
  return Array.from({ length: box.rows * box.columns }, (_, i) => {
    const place = { row: Math.floor(i / box.columns), column: i % box.columns };
    return { ...boxAt(box, place), value: values[at(place.row, place.column)] ?? NaN };
  });
}

/** `values` undefined: not reached yet. */
export function mapCells(box: MapBox, values: Values, at: At, scale: Scale): TemplateResult {
  if (values) return inkCells(cellsOf(box, values, at), scale);
  const { x, y, cell, rows, columns } = box;
  const lines = (count: number, path: (i: number) => string): string =>
    Array.from({ length: count + 1 }, (_, i) => path(i)).join('');
  const across = lines(rows, (r) => `M${x} ${y + r * cell.height - 0.5}h${columns * cell.width}`);
  const down = lines(columns, (c) => `M${x + c * cell.width - 0.5} ${y}v${rows * cell.height}`);
  return svg`<path class="hollow" d=${across + down}></path>`;
}

/** The weights written into their cells, except the smallest. */
export const mapNumbers = (box: MapBox, values: Values, at: At, scale: Scale, line: number): TemplateResult[] =>
  cellsOf(box, values ?? [], at)
    .filter(({ value }) => value >= MIN_LABELLED)
    .map(
      ({ x, y, width, height, value }) =>
        svg`<text class="number" text-anchor="middle" fill=${inkOn(colorOf(value, scale, palette()))}
          x=${x + (width - 1) / 2} y=${y + height / 2 + line * 0.32}>${fixed(value, 2)}</text>`,
    );

/** Range of the words of the prompt; `to` is exclusive. */
type PromptRange = readonly [from: number, to: number];

const kindOf = (i: number, on: number, prompt: PromptRange = [0, 0]): string =>
  ['token-word', on === i ? 'on' : '', i >= prompt[0] && i < prompt[1] ? 'given' : ''].join(' ');

export const rowLabels = (
  box: MapBox,
  words: readonly string[],
  line: number,
  on: number,
  prompt?: PromptRange,
): TemplateResult[] =>
  words.map(
    (word, r) =>
      svg`<text class=${kindOf(r, on, prompt)} text-anchor="end" x=${box.x - 8} y=${box.y + (r + 0.5) * box.cell.height + line * 0.34}>${word}${markTitle(word)}</text>`,
  );

export function columnLabels(
  box: MapBox,
  words: readonly string[],
  turn: number,
  line: number,
  on: number,
  prompt?: PromptRange,
): TemplateResult[] {
  const head = (c: number): string => {
    const middle = box.x + (c + 0.5) * box.cell.width;
    if (turn === 0) return `translate(${middle} ${box.y - line * 0.55})`;
    return `translate(${middle + (turn === -90 ? line * 0.35 : 0)} ${box.y - 7}) rotate(${turn})`;
  };
  return words.map(
    (word, c) =>
      svg`<text class=${kindOf(c, on, prompt)} text-anchor=${turn ? 'start' : 'middle'} transform=${head(c)}>${word}${markTitle(word)}</text>`,
  );
}

/** Around the cell at a place; `kind` is its class. */
export function ring(box: MapBox, place: Place | null, kind = 'here'): TemplateResult | typeof nothing {
  if (!place) return nothing;
  const { x, y, ...size } = boxAt(box, place);
  return frame(kind, { x: x - 0.5, y: y - 0.5, ...size });
}

/** The cell of a map under a point of the drawing; null outside. */
export function placeIn(box: MapBox, px: number, py: number): Place | null {
  const [row, column] = [Math.floor((py - box.y) / box.cell.height), Math.floor((px - box.x) / box.cell.width)];
  return row >= 0 && column >= 0 && row < box.rows && column < box.columns ? { row, column } : null;
}
