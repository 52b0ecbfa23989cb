// An unrolled network on paper: columns are positions; the network that reads last stands on top, in each the highest
// layer; under a network its words, or those that it reads, and then what it writes over it. Pure geometry, in CSS pixels.
import { type Fold, foldOf } from './figure-layout';
import type { Unrolled, UnrolledCell } from './unrolled-trace';

export interface Strip {
  cell: number;
  x: number;
  y: number;
  width: number;
  height: number;
  fold: Fold;
}

export interface Row {
  network: string;
  layer: number;
  reverse: boolean;
  /** By position; −1 where there is none. */
  cells: number[];
  y: number;
  height: number;
  /** Where the name of the row stands. */
  label: { x: number; y: number };
}

export interface Word {
  network: string;
  position: number;
  text: string;
  /** Read by the position, where it writes another. */
  read: boolean;
  x: number;
  y: number;
}

export interface UnrolledLayout {
  rows: Row[];
  /** By cell. */
  strips: Strip[];
  words: Word[];
  width: number;
  height: number;
  /** Names of rows stand over them. */
  narrow: boolean;
  /** Bars of norms stand under the strips. */
  bars: boolean;
}

export interface Room {
  width: number;
  /** Height of a line of words. */
  line: number;
  /** Width of the names of rows. */
  gutter: number;
  /** Cells of the state at each cell. */
  sizes: readonly number[];
  /** Words by network. */
  words: Readonly<Record<string, readonly string[]>>;
  /** Words that are read, by network, where these are others. */
  reads?: Readonly<Record<string, readonly string[]>>;
  widest: number;
  /** Bars of norms under the strips. */
  bars: boolean;
}

export const BAR = 42;
const LEAST_COLUMN = 40;
const MOST_COLUMN = 132;
const WIDEST_STRIP = 96;
export const GAP = 64;

/** Networks in the order in which they run. */
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

export function layOutUnrolled(network: Unrolled, room: Room): UnrolledLayout {
  const rows = rowsOf(network.cells);
  const positions = Math.max(1, ...rows.map((row) => row.cells.length));
  const narrow = room.width < room.line * 40;
  const left = narrow ? 0 : room.gutter;
  const fair = Math.min(MOST_COLUMN, (room.width - left) / positions);
  const staggered = room.widest + 8 > fair;
  const pitch = Math.max(LEAST_COLUMN, fair, (room.widest + 8) / (staggered ? 2 : 1));
  const columns: Columns = { left, pitch, staggered };
  const strips: Strip[] = [];
  const words: Word[] = [];
  let y = selfLooks(network) ? GAP * 0.7 : 2;
  rows.forEach((row, i) => {
    const next = rows[i + 1];
    const reads = room.reads?.[row.network] ?? [];
    const own = room.words[row.network] ?? [];
    row.label = { x: 0, y: y + room.line * 0.75 };
    if (narrow) y += room.line * 1.2;
    if (reads.length && rows[i - 1]?.network !== row.network)
      y = placeWords(row.network, own, false, room.line, columns, y - 4, words) - 2;
    row.y = y;
    placeStrips(row, network.cells, room.sizes, columns, strips);
    if (!narrow) row.label.y = row.y + row.height / 2 + room.line * 0.32;
    y = row.y + row.height + (room.bars ? BAR + room.line * 1.2 : 0);
    if (next?.network === row.network) y += narrow ? 10 : 22;
    else {
      const [below, read] = reads.length ? [reads, true] : [own, false];
      y = placeWords(row.network, below, read, room.line, columns, y, words) + (next ? GAP : 4);
    }
  });
  const width = Math.max(room.width, Math.ceil(left + positions * pitch));
  return { rows, strips, words, width, height: Math.ceil(y), narrow, bars: room.bars };
}

interface Columns {
  left: number;
  /** From the middle of a column to that of the next. */
  pitch: number;
  /** Words are too wide for their columns, and every other one stands a line lower. */
  staggered: boolean;
}

function placeStrips(
  row: Row,
  cells: readonly UnrolledCell[],
  sizes: readonly number[],
  { left, pitch }: Columns,
  strips: Strip[],
): void {
  for (const cell of row.cells.filter((at) => at >= 0)) {
    const fold = foldOf(sizes[cell] ?? 1, Math.min(WIDEST_STRIP, pitch - 12));
    const width = Math.min(fold.cell * fold.columns, pitch - 4);
    const middle = left + (cells[cell]!.position + 0.5) * pitch;
    const height = fold.rows * cellHeight(fold.rows);
    strips[cell] = { cell, x: Math.round(middle - width / 2), y: row.y, width, height, fold };
    row.height = Math.max(row.height, height);
  }
}

/** True where a network looks at itself: its arcs go over its highest row. */
const selfLooks = ({ looks, cells }: Unrolled): boolean =>
  looks.some(({ network, memory }) => memory.flat().some((i) => cells[i]?.network === network));

function placeWords(
  network: string,
  texts: readonly string[],
  read: boolean,
  line: number,
  { left, pitch, staggered }: Columns,
  y: number,
  placed: Word[],
): number {
  const lines = (position: number): number => (staggered && position % 2 ? 2.25 : 1.15);
  texts.forEach((text, position) =>
    placed.push({ network, position, text, read, x: left + (position + 0.5) * pitch, y: y + line * lines(position) }),
  );
  return y + (texts.length ? line * lines(1) + 9 : 2);
}

/** Foot of a position, where what looks from there begins: under its word. */
export function footOf(layout: UnrolledLayout, network: string, position: number): { x: number; y: number } | null {
  const rows = layout.rows.filter((row) => row.network === network);
  const lowest = rows.at(-1)?.cells[position] ?? -1;
  const strip = layout.strips[lowest];
  if (!strip) return null;
  const word = layout.words.findLast((each) => each.network === network && each.position === position);
  return { x: strip.x + strip.width / 2, y: word ? word.y + 7 : strip.y + strip.height };
}

/** The strip that stands highest among these cells. */
export function topOf(layout: UnrolledLayout, cells: readonly number[]): Strip | undefined {
  const strips = cells.flatMap((cell) => layout.strips[cell] ?? []);
  return strips.reduce<Strip | undefined>((top, strip) => (top && top.y <= strip.y ? top : strip), undefined);
}

/** Row and position after an arrow key, or null when the key is not one of the figure's. */
export function spotAfterKey(
  rows: readonly Row[],
  from: { row: number; position: number },
  key: string,
): { row: number; position: number } | null {
  const count = (row: number): number => rows[row]?.cells.length ?? 1;
  const clamp = (row: number, position: number): { row: number; position: number } => {
    const inside = Math.max(0, Math.min(rows.length - 1, row));
    return { row: inside, position: Math.max(0, Math.min(count(inside) - 1, position)) };
  };
  switch (key) {
    case 'ArrowLeft':
      return clamp(from.row, from.position - 1);
    case 'ArrowRight':
      return clamp(from.row, from.position + 1);
    case 'ArrowUp':
      return clamp(from.row - 1, from.position);
    case 'ArrowDown':
      return clamp(from.row + 1, from.position);
    case 'Home':
      return clamp(from.row, 0);
    case 'End':
      return clamp(from.row, Infinity);
    default:
      return null;
  }
}
