// Layout of an unrolled network: columns are positions; the network that runs last stands on top, in each the top layer
// first. Below a network stand its words, or its inputs with its generated words above. Pure geometry, in CSS pixels.
import { type Place, cellAfterKey } from '../../ui/grid-layout';
import { type Box, type Fold, type Point, foldOf, isInside } from '../shared/geometry';
import type { Unrolled, UnrolledCell } from './unrolled-trace';
import { type Inked, inkPaths } from '../shared/cells';
import type { Palette, Scale } from '../shared/palette';

export interface Row extends Pick<UnrolledCell, 'network' | 'layer' | 'reverse'> {
  /** Indexes of the cells by position; −1 for none. */
  cells: number[];
  y: number;
  height: number;
  /** Start of the name of the row, on its baseline. */
  label: Point;
}

export interface Word extends Point {
  network: string;
  position: number;
  text: string;
  /** An input word, shown in addition to the position's own word. */
  read: boolean;
}

export type UnrolledLayout = ReturnType<typeof layOutUnrolled>;

export interface Measures {
  width: number;
  /** Height that it may fill; Infinity where it need not fit. */
  maxHeight: number;
  /** Height of a line of words. */
  line: number;
  /** Width of the row names. */
  gutter: number;
  /** State size of each cell. */
  sizes: readonly number[];
  /** Words by network. */
  words: Readonly<Record<string, readonly string[]>>;
  /** Input words by network, where they differ. */
  reads?: Readonly<Record<string, readonly string[]>>;
  widest: number;
  /** Norm bars below the strips. */
  bars: boolean;
  /** Not even the smallest drawing fits: bars still tell their story in columns without room for a number each. */
  inPart?: boolean | undefined;
}

const BAR = 42;
/** What the room has left over goes to the bars, up to this height. */
const HIGHEST_BAR = 5 * BAR;
const MIN_COLUMN = 40;
const MIN_BAR_COLUMN = 16;
/** Of a row: more are read off the bars. */
const MOST_NUMBERS = 8;
/** Width of the norm as a number, in lines of text. */
export const NUMBER = 2.6;
const MAX_COLUMN = 132;
const WIDEST_STRIP = 96;
export const GAP = 64;

/** Networks in execution order. */
export const networksOf = (cells: readonly UnrolledCell[]): string[] => [
  ...new Set(cells.map(({ network }) => network)),
];

/** Rows from top to bottom. */
function rowsOf(cells: readonly UnrolledCell[]): Row[] {
  const networks = networksOf(cells);
  const rows = new Map<string, Row>();
  cells.forEach(({ network, layer, reverse, position }, i) => {
    const key = `${network} ${layer} ${reverse}`;
    const row = rows.get(key) ?? { network, layer, reverse, cells: [], y: 0, height: 0, label: { x: 0, y: 0 } };
    row.cells[position] = i;
    rows.set(key, row);
  });
  for (const row of rows.values()) row.cells = Array.from(row.cells, (cell) => cell ?? -1);
  const height = (row: Row): number => networks.indexOf(row.network) * 100 + row.layer * 2 + (row.reverse ? 1 : 0);
  return [...rows.values()].sort((a, b) => height(b) - height(a));
}

const cellHeight = (rows: number): number => (rows === 1 ? 13 : rows === 2 ? 8 : 6);

function columnsOf(rows: readonly Row[], { width, line, gutter, widest, bars, inPart }: Measures) {
  const positions = Math.max(1, ...rows.map((row) => row.cells.length));
  /** Row names are above their rows. */
  const narrow = width < line * 40;
  const left = narrow ? 0 : gutter;
  const fair = Math.min(MAX_COLUMN, (width - left) / positions);
  /** Words are too wide for their columns: every other one stands a line lower. */
  const staggered = widest + 8 > fair;
  const least = bars && inPart ? MIN_BAR_COLUMN : MIN_COLUMN;
  /** Distance between the centres of adjacent columns. */
  const pitch = Math.max(least, fair, (widest + 8) / (staggered ? 2 : 1));
  return { narrow, staggered, pitch, positions, left, right: Math.ceil(left + positions * pitch) };
}

/** True if a network attends to its own states: its arcs run above its top row. */
const hasSelfAttention = ({ attention, cells }: Unrolled): boolean =>
  attention.some(({ network, memory }) => memory.flat().some((i) => cells[i]?.network === network));

/** What the room has left over goes between the networks, up to this many gaps. */
const MOST_GAP = 4 * GAP;

/** The networks above each other, as far apart as the height allows; bars take the room first. */
export function layOutUnrolled(network: Unrolled, measures: Measures) {
  const close = layOutApart(network, measures, GAP, BAR);
  const gaps = networksOf(network.cells).length - 1;
  const parts = measures.bars ? close.rows.length : gaps;
  const left = Math.floor((measures.maxHeight - close.height) / parts);
  if (parts < 1 || left < 1 || left === Infinity) return close;
  if (measures.bars) return layOutApart(network, measures, GAP, Math.min(HIGHEST_BAR, BAR + left));
  return layOutApart(network, measures, Math.min(MOST_GAP, GAP + left), BAR);
}

function layOutApart(network: Unrolled, measures: Measures, gap: number, bar: number) {
  const { cells } = network;
  const { line, bars, sizes } = measures;
  const rows = rowsOf(cells);
  const { narrow, staggered, pitch, positions, left, right } = columnsOf(rows, measures);
  const middleOf = (position: number): number => left + (position + 0.5) * pitch;
  const [strips, words]: [Strip[], Word[]] = [[], []];
  const placeWords = (name: string, texts: readonly string[], read: boolean, top: number): number => {
    const yOf = (position: number): number => top + line * (staggered && position % 2 ? 2.25 : 1.15);
    texts.forEach((text, position) =>
      words.push({ network: name, position, text, read, x: middleOf(position), y: yOf(position) }),
    );
    return texts.length ? yOf(1) + 9 : top + 2;
  };
  let y = hasSelfAttention(network) ? GAP * 0.7 : 2;
  rows.forEach((row, i) => {
    const next = rows[i + 1];
    const reads = measures.reads?.[row.network] ?? [];
    const own = measures.words[row.network] ?? [];
    row.label = { x: 0, y: y + line * 0.75 };
    if (narrow) y += line * 1.2;
    if (reads.length && rows[i - 1]?.network !== row.network) y = placeWords(row.network, own, false, y - 4) - 2;
    row.y = y;
    for (const cell of row.cells.filter((at) => at >= 0)) {
      strips[cell] = stripAt(cell, middleOf(cells[cell]!.position), y, sizes[cell] ?? 1, pitch);
      row.height = Math.max(row.height, strips[cell].height);
    }
    if (!narrow) row.label.y = y + row.height / 2 + line * 0.32;
    y += row.height + (bars ? bar + line * 1.2 : 0);
    if (next?.network === row.network) y += narrow ? 10 : 22;
    else y = placeWords(row.network, reads.length ? reads : own, reads.length > 0, y) + (next ? gap : 4);
  });
  /** Every such column has its norm as a number, the last one among them. */
  const numbered = Math.ceil(Math.max((line * NUMBER) / pitch, positions / MOST_NUMBERS));
  const size = { width: Math.max(measures.width, right), height: Math.ceil(y) };
  return { rows, strips, words, ...size, narrow, bars, bar, numbered, line };
}

function stripAt(cell: number, middle: number, y: number, size: number, pitch: number): Strip {
  const fold = foldOf(size, Math.min(WIDEST_STRIP, pitch - 12));
  const width = Math.min(fold.cell * fold.columns, pitch - 4);
  return { cell, x: Math.round(middle - width / 2), y, width, height: fold.rows * cellHeight(fold.rows), fold };
}

/** Foot of a position, below its word, where its attention arcs begin; null if it has no strip. */
export function footOf(layout: UnrolledLayout, network: string, position: number): Point | null {
  const rows = layout.rows.filter((row) => row.network === network);
  const lowest = rows.at(-1)?.cells[position] ?? -1;
  const strip = layout.strips[lowest];
  if (!strip) return null;
  const word = layout.words.findLast((each) => each.network === network && each.position === position);
  return { x: strip.x + strip.width / 2, y: word ? word.y + 7 : strip.y + strip.height };
}

/** The highest strip among these cells. */
export function topOf(layout: UnrolledLayout, cells: readonly number[]): Strip | undefined {
  const strips = cells.flatMap((cell) => layout.strips[cell] ?? []);
  return strips.reduce<Strip | undefined>((top, strip) => (top && top.y <= strip.y ? top : strip), undefined);
}

/** A place in the rows, whose columns are positions, and the index of the value that was pressed in its strip. */
export interface Spot extends Place {
  index?: number;
  /** The word that the position writes was pressed. */
  output?: boolean;
}

/** The cell at a spot; null where there is none. */
export function cellAtSpot({ rows }: UnrolledLayout, spot: Spot | null): number | null {
  const cell = spot ? (rows[spot.row]?.cells[spot.column] ?? -1) : -1;
  return cell < 0 ? null : cell;
}

/** What is highlighted when the pointer is on a strip. */
export const targetOf = ({ x, y, width, height }: Strip): Box => ({
  ...{ x: x - 3, y: y - 6 },
  ...{ width: width + 6, height: height + 12 },
});

/** The spot at a point of the drawing; null: none. */
export function spotAt({ rows, strips }: UnrolledLayout, px: number, py: number): Spot | null {
  const strip = strips.findLast((each) => isInside(targetOf(each), px, py));
  const row = strip ? rows.findIndex(({ cells }) => cells.includes(strip.cell)) : -1;
  if (!strip || row < 0) return null;
  return { row, column: rows[row]!.cells.indexOf(strip.cell), index: Math.max(0, cellIn(strip, px, py, Infinity)) };
}

/** Least height and width of what a finger can press. */
const TOUCH = 24;

/** The spot of the word that is written at a point; null: none. */
export function outputSpotAt(
  { rows, words, line }: UnrolledLayout,
  outputs: readonly Pick<UnrolledCell, 'network' | 'position'>[],
  px: number,
  py: number,
): Spot | null {
  const word = words.find(({ network, position, text, read, x, y }) => {
    const width = Math.max(TOUCH, text.length * line * 0.6);
    const box = { x: x - width / 2, y: y - line * 0.35 - TOUCH / 2, width, height: TOUCH };
    const isWritten = !read && outputs.some((each) => each.network === network && each.position === position);
    return isWritten && isInside(box, px, py);
  });
  const row = rows.findIndex(({ network }) => network === word?.network);
  return word && row >= 0 ? { row, column: word.position, output: true } : null;
}

/** Row and position after an arrow key, Home or End; null for other keys. A row may be shorter than others. */
export function spotAfterKey(rows: readonly Row[], from: Spot, key: string): Spot | null {
  const lengths = rows.map(({ cells }) => cells.length);
  const to = cellAfterKey({ rows: rows.length, columns: Math.max(...lengths) }, from, key, false);
  return to && { row: to.row, column: Math.min(to.column, lengths[to.row]! - 1) };
}

/** Of the state of a cell. */
export interface Strip extends Box {
  cell: number;
  fold: Fold;
}

/** Shades on either side of zero: more than the eye tells apart, few enough that a large network draws quickly. */
const SHADES = 32;

/** The cells of all strips; undefined values are not reached yet and left to the outline. */
export function inkStrips(
  strips: readonly { strip: Strip; values: ArrayLike<number> | undefined }[],
  scale: Scale,
  colors: Palette,
): Inked[] {
  const cells = strips.flatMap(({ strip, values }) =>
    Array.from(values ?? [], (value, i) => ({ ...cellBox(strip, i), value })),
  );
  return inkPaths(cells, scale, colors, { shades: SHADES, gap: 0 }).filled;
}

export function cellBox({ x, y, width, height, fold }: Strip, index: number): Box {
  const [w, h] = [width / fold.columns, height / fold.rows];
  return { x: x + (index % fold.columns) * w, y: y + Math.floor(index / fold.columns) * h, width: w, height: h };
}

/** Index of the cell under a point of a strip; −1 for none. */
export function cellIn({ x, y, width, height, fold }: Strip, px: number, py: number, cells: number): number {
  const column = Math.floor(((px - x) / width) * fold.columns);
  const row = Math.floor(((py - y) / height) * fold.rows);
  const index = row * fold.columns + column;
  return column >= 0 && column < fold.columns && index >= 0 && index < cells ? index : -1;
}

/** ‖v‖₂ */
export function norm(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] ?? 0) ** 2;
  return Math.sqrt(sum);
}
