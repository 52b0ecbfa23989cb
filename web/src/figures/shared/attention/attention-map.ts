// An attention matrix or mask: the words that its rows and columns stand for, its layout, and the parts of its drawing
// (cells, values, words, cursor ring).
import { type TemplateResult, nothing, svg } from 'lit';
import type { Lab } from '../../../lab/lab';
import { BOS, EOS, markTitle, marked, readsTexts, targetWords } from '../../../ui/words';
import type { TraceNode } from '../../../engine/types';
import type { Place } from '../../../ui/grid-layout';
import { fixed } from '../../../ui/numbers';
import { namesIn } from '../summary';
import { type Cell, frame, inkCells } from '../cells';
import type { Box } from '../geometry';
import { type Scale, colorOf, inkOn, palette, wordWidth } from '../palette';

type Reading = Pick<Lab, 'page' | 'trace' | 'pair' | 'config' | 'task'>;

export interface Words {
  rows: string[];
  columns: string[];
  /** For a text: the rows and columns of the prompt, words that the model was given. */
  promptRange?: readonly [from: number, to: number];
}

/** The lesson's names, else the words of the current pair if their count fits, else positions from 0. */
export function wordsOf(lab: Reading, weights: TraceNode): Words {
  const named = lab.trace ? namesIn(lab.page.labels, lab.trace, weights) : {};
  const [T, S] = [weights.shape.at(-2) ?? 1, weights.shape.at(-1) ?? 1];
  const decoder = /^decoder/.test(weights.name);
  const cross = /cross/.test(weights.name);
  const fitting = (named: readonly string[] | undefined, others: string[][], count: number): string[] =>
    [named ?? [], ...others].find((list) => list.length === count)?.slice() ?? counted(count);
  const { promptLength } = targetWords(lab);
  return {
    rows: fitting(named.rows, texts(lab, decoder, cross), T),
    columns: fitting(named.columns, texts(lab, decoder && !cross), S),
    ...(promptLength && { promptRange: [1, promptLength + 1] }),
  };
}

export const counted = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

/** Candidate word lists, preferred first: for a decoder the words it reads, or if `written` those it generates next. */
function texts(lab: Reading, decoder: boolean, generated = false): string[][] {
  const { pair } = lab;
  if (!pair) return [];
  const { words } = targetWords(lab);
  const read = [BOS, ...words];
  if (readsTexts(lab)) return [read, read.slice(0, -1)];
  const source = pair.source.map(marked);
  if (lab.config().reverse_source === true) source.reverse();
  const after = [...words, EOS];
  const target = generated ? [after, words, read] : [read, words, after];
  const sources = [[...source, EOS], source];
  return decoder || !source.length ? target : [...sources, ...target];
}

/** Smaller weights are not written into their cells; where cells are many, only the large ones are. */
export const MIN_LABELLED = 0.045;
const MIN_AMONG_MANY = 0.195;
const MANY_CELLS = 100;

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
    .filter(({ value }) => value >= (box.rows * box.columns > MANY_CELLS ? MIN_AMONG_MANY : MIN_LABELLED))
    .map(
      ({ x, y, width, height, value }) =>
        svg`<text class="number" text-anchor="middle" fill=${inkOn(colorOf(value, scale, palette()))}
          x=${x + (width - 1) / 2} y=${y + height / 2 + line * 0.32}>${fixed(value, 2)}</text>`,
    );

const kindOf = (i: number, on: number | undefined, prompt: Words['promptRange'] = [0, 0]): string =>
  ['token-word', on === i ? 'on' : '', i >= prompt[0] && i < prompt[1] ? 'given' : ''].join(' ');

/** The words beside and above a map; those of the cell at `here` stand out. */
export const rowLabels = (box: MapBox, words: Words, line: number, here: Place | null): TemplateResult[] =>
  words.rows.map(
    (word, r) =>
      svg`<text class=${kindOf(r, here?.row, words.promptRange)} text-anchor="end" x=${box.x - 8} y=${box.y + (r + 0.5) * box.cell.height + line * 0.34}>${word}${markTitle(word)}</text>`,
  );

export function columnLabels(
  box: MapBox,
  words: Words,
  turn: number,
  line: number,
  here: Place | null,
): TemplateResult[] {
  const head = (c: number): string => {
    const middle = box.x + (c + 0.5) * box.cell.width;
    if (turn === 0) return `translate(${middle} ${box.y - line * 0.55})`;
    return `translate(${middle + (turn === -90 ? line * 0.35 : 0)} ${box.y - 7}) rotate(${turn})`;
  };
  return words.columns.map(
    (word, c) =>
      svg`<text class=${kindOf(c, here?.column, words.promptRange)} text-anchor=${turn ? 'start' : 'middle'} transform=${head(c)}>${word}${markTitle(word)}</text>`,
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

/** Widths of the words in pixels. */
export interface Widths {
  source: number[];
  target: number[];
}

export const widthsOf = (source: readonly string[], target: readonly string[], line: number): Widths => {
  const measured = (words: readonly string[]): number[] => words.map((word) => wordWidth(word, line));
  return { source: measured(source), target: measured(target) };
};

export interface AlignmentLayout extends MapBox {
  width: number;
  height: number;
  /** Rotation of the words above the columns, in degrees. */
  turn: 0 | -45 | -90;
  /** Cells have room for their values. */
  numbered: boolean;
  /** Height of a line of text. */
  line: number;
}

const MAX_CELL = 76;

/**
 * Fits `width` pixels; wider only if vertical words would touch, and then the figure scrolls. Rows fill `maxHeight`
 * pixels, but are no lower than 1.6 lines.
 */
export function layOutAlignment(words: Widths, width: number, line: number, maxHeight = Infinity): AlignmentLayout {
  const [S, T] = [Math.max(1, words.source.length), words.target.length];
  const x = Math.ceil(Math.max(0, ...words.target)) + 12;
  const longest = Math.max(0, ...words.source);
  const fits = (reserved: number): number => Math.floor(Math.min(MAX_CELL, (width - x - reserved) / S));
  const upright = fits(0);
  const turn = longest + 8 <= upright ? 0 : fits(leanOf(words, upright)) >= line * 1.6 ? -45 : -90;
  const lean = turn === -45 ? leanOf(words, fits(0)) : 0;
  const cellWidth = Math.max(Math.ceil(line * 1.05), fits(lean));
  const y = Math.ceil(turn === 0 ? line * 1.5 : turn === -45 ? longest * Math.SQRT1_2 + line : longest + 8);
  const most = maxHeight === Infinity ? line * 2.4 : Infinity;
  const max = Math.min(most, cellWidth * 0.75, Math.floor((maxHeight - y - 1) / T));
  const cellHeight = Math.round(Math.max(line * 1.6, max));
  return {
    ...{ x, y, cell: { width: cellWidth, height: cellHeight }, rows: T, columns: words.source.length },
    ...{ width: x + S * cellWidth + lean, height: y + T * cellHeight + 1 },
    ...{ turn, line, numbered: cellWidth >= line * 2.4 },
  };
}

/** How far words above the columns, rotated by 45°, extend beyond the right edge of the cells. */
function leanOf({ source }: Widths, cell: number): number {
  const reach = source.map((width, i) => width * Math.SQRT1_2 + 8 - (source.length - i - 0.5) * cell);
  return Math.ceil(Math.max(0, ...reach));
}
