// Whether and how numbers are written on the cells: as many decimals as fit everywhere, the same for the whole tensor.
import { type Lines, type Plane, cellIndex } from './grid-layout';
import { decimalsNeeded, fixed, scientific, tight } from './numbers';

export interface Numerals {
  size: number;
  font: string;
  write: (value: number) => string;
}

const MOST_CELLS = 1024;
const MOST_DECIMALS = 4;
const WRITERS = [
  { size: 13, pad: 12, tall: 24, write: fixed },
  { size: 12, pad: 8, tall: 0, write: fixed },
  { size: 11, pad: 6, tall: 0, write: fixed },
  { size: 11, pad: 4, tall: 0, write: tight },
  { size: 10, pad: 2, tall: 0, write: tight },
];

/** null when no legible numeral fits. */
export function chooseNumerals(
  context: CanvasRenderingContext2D,
  { plane, lines, zoom }: { plane: Plane; lines: Lines; zoom: number },
  values: ArrayLike<number>,
  family: string,
): Numerals | null {
  const [width, height] = [narrowest(lines.x) / zoom, narrowest(lines.y) / zoom];
  if (height < 13 || width < 14 || plane.rows * plane.columns > MOST_CELLS) return null;
  const shown = planeValues(plane, values);
  const far = isFarFromOne(shown);
  const needed = far ? 2 : decimalsNeeded(shown, MOST_DECIMALS);
  for (const { size, pad, tall, write: plain } of WRITERS) {
    const write = far ? scientific : plain;
    if (height < tall) continue;
    const font = `400 ${size * zoom}px ${family}`;
    context.font = font;
    const fits = (decimals: number): boolean =>
      shown.every((value) => context.measureText(write(value, decimals)).width <= (width - pad) * zoom);
    const least = Math.min(needed, far ? 0 : size > 12 ? 4 : size > 11 ? 3 : size > 10 ? 2 : 1);
    for (let decimals = needed; decimals >= least; decimals--)
      if (fits(decimals)) return { size: size * zoom, font, write: (value) => write(value, decimals) };
  }
  return null;
}

/** So small, or so large, that a fixed number of decimals says nothing. */
function isFarFromOne(values: readonly number[]): boolean {
  const largest = values.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 0);
  return largest > 0 && (largest < 0.002 || largest >= 1e5);
}

const narrowest = (edges: number[]): number =>
  edges.slice(1).reduce((least, edge, i) => Math.min(least, edge - (edges[i] ?? 0)), Infinity);

/** The values of the slice on show. */
export function planeValues(plane: Plane, values: ArrayLike<number>): number[] {
  const start = cellIndex(plane, 0, 0);
  return Array.from({ length: plane.rows * plane.columns }, (_, i) => values[start + i] ?? 0);
}
