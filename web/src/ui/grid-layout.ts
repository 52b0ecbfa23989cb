// A tensor laid out as a plane of cells: which axes are rows and columns, which slice is shown, how large a cell is, and
// whether and how a number is written on it.
import { ravel, unravel } from './index-rules';
import { cellFormatter, decimalsNeeded, isFarFromOne } from './numbers';

/** The visible plane of a tensor: its last two axes, at `slice` along the axes before them. */
export interface Plane {
  shape: readonly number[];
  slice: readonly number[];
  rows: number;
  columns: number;
}

/** A cell of a plane. */
export interface Place {
  row: number;
  column: number;
}

export function planeOf(shape: readonly number[], slice: readonly number[] = []): Plane {
  const lead = shape.slice(0, -2);
  const rows = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
  return { shape, rows, columns: shape.at(-1) ?? 1, slice: lead.map((size, i) => Math.min(slice[i] ?? 0, size - 1)) };
}

/** The plane that holds the cell at a flat index. */
export function planeAround(shape: readonly number[], index: number): Plane {
  const { rows, columns } = planeOf(shape);
  return planeOf(shape, unravel(Math.floor(index / (rows * columns)), shape.slice(0, -2)));
}

/** Flat index of the plane's first cell. */
export const planeStart = (plane: Plane): number =>
  ravel(plane.slice, plane.shape.slice(0, -2)) * plane.rows * plane.columns;

export const cellIndex = (plane: Plane, row: number, column: number): number =>
  planeStart(plane) + row * plane.columns + column;

/** Row and column of a flat index, or null if it is in another slice. */
export function cellAt(plane: Plane, index: number): Place | null {
  const inside = index - planeStart(plane);
  if (inside < 0 || inside >= plane.rows * plane.columns) return null;
  return { row: Math.floor(inside / plane.columns), column: inside % plane.columns };
}

/** Edges of the cells in CSS pixels, snapped to device pixels so that lines stay one pixel wide. */
export interface Lines {
  x: number[];
  y: number[];
}

export function linesOf(plane: Plane, width: number, height: number, ratio: number): Lines {
  const snap = (at: number): number => Math.round(at * ratio) / ratio;
  const edges = (n: number, length: number): number[] =>
    Array.from({ length: n + 1 }, (_, i) => snap((i * length) / n));
  return { x: edges(plane.columns, width), y: edges(plane.rows, height) };
}

/** The cell under a point, or null outside. */
export function cellUnder(lines: Lines, x: number, y: number): Place | null {
  const [column, row] = [between(lines.x, x), between(lines.y, y)];
  return column < 0 || row < 0 ? null : { row, column };
}

const between = (edges: number[], at: number): number =>
  edges.findIndex((edge, i) => at >= edge && at < (edges[i + 1] ?? edge));

/** The cell a key leads to, or null if the grid has no such key. `whole`: Home and End lead to the grid's corners. */
export function cellAfterKey(
  { rows, columns }: Pick<Plane, 'rows' | 'columns'>,
  { row, column }: Place,
  key: string,
  whole: boolean,
): Place | null {
  const moves: Record<string, Place> = {
    ArrowLeft: { row, column: Math.max(0, column - 1) },
    ArrowRight: { row, column: Math.min(columns - 1, column + 1) },
    ArrowUp: { row: Math.max(0, row - 1), column },
    ArrowDown: { row: Math.min(rows - 1, row + 1), column },
    Home: { row: whole ? 0 : row, column: 0 },
    End: { row: whole ? rows - 1 : row, column: columns - 1 },
  };
  return moves[key] ?? null;
}

// Numbers on cells: with the same number of decimals, so that the largest has three significant digits; fewer where those
// do not fit.

export interface Numerals {
  size: number;
  font: string;
  write: (value: number) => string;
}

const MAX_CELLS = 1024;
const SIZES = [
  { size: 15, pad: 14, tall: 34 },
  { size: 13, pad: 12, tall: 24 },
  { size: 12, pad: 8, tall: 0 },
  { size: 11, pad: 4, tall: 0 },
  { size: 10, pad: 1, tall: 0 },
];

/** Null if no legible size fits. */
export function chooseNumerals(
  context: CanvasRenderingContext2D,
  { plane, lines, zoom }: { plane: Plane; lines: Lines; zoom: number },
  values: ArrayLike<number>,
  family: string,
): Numerals | null {
  const [width, height] = [narrowest(lines.x) / zoom, narrowest(lines.y) / zoom];
  if (height < 13 || width < 14 || plane.rows * plane.columns > MAX_CELLS) return null;
  const shown = planeValues(plane, values);
  const far = isFarFromOne(shown);
  const needed = far ? 2 : decimalsNeeded(shown, decimalsFor(shown));
  const write = cellFormatter(shown);
  for (const { size, pad, tall } of SIZES) {
    if (height < tall) continue;
    const font = `400 ${size * zoom}px ${family}`;
    context.font = font;
    const fits = (decimals: number): boolean =>
      shown.every((value) => context.measureText(write(value, decimals)).width <= (width - pad) * zoom);
    const min = Math.min(needed, far ? 0 : size > 12 ? 3 : size > 11 ? 3 : size > 10 ? 2 : 1);
    for (let decimals = needed; decimals >= min; decimals--)
      if (fits(decimals)) return { size: size * zoom, font, write: (value) => write(value, decimals) };
  }
  return null;
}

/** Decimals with which the largest of the values has three significant digits; at most three. */
function decimalsFor(values: readonly number[]): number {
  const largest = values.reduce((max, v) => (Number.isFinite(v) ? Math.max(max, Math.abs(v)) : max), 0);
  return Math.max(0, Math.min(3, 2 - Math.floor(Math.log10(largest || 1))));
}

const narrowest = (edges: number[]): number =>
  edges.slice(1).reduce((min, edge, i) => Math.min(min, edge - (edges[i] ?? 0)), Infinity);

/** The values of the visible slice. */
export function planeValues(plane: Plane, values: ArrayLike<number>): number[] {
  const start = cellIndex(plane, 0, 0);
  return Array.from({ length: plane.rows * plane.columns }, (_, i) => values[start + i] ?? 0);
}
