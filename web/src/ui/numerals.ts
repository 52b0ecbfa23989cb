// Whether and how numbers are written on cells: with as many decimals as fit in every cell of the plane, all the same.
import { type Lines, type Plane, cellIndex } from './grid-layout';
import { cellFormatter, decimalsNeeded, isFarFromOne } from './numbers';

export interface Numerals {
  size: number;
  font: string;
  write: (value: number) => string;
}

const MAX_CELLS = 1024;
const MAX_DECIMALS = 4;
const SIZES = [
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
  const needed = far ? 2 : decimalsNeeded(shown, MAX_DECIMALS);
  const write = cellFormatter(shown);
  for (const { size, pad, tall } of SIZES) {
    if (height < tall) continue;
    const font = `400 ${size * zoom}px ${family}`;
    context.font = font;
    const fits = (decimals: number): boolean =>
      shown.every((value) => context.measureText(write(value, decimals)).width <= (width - pad) * zoom);
    const min = Math.min(needed, far ? 0 : size > 12 ? 4 : size > 11 ? 3 : size > 10 ? 2 : 1);
    for (let decimals = needed; decimals >= min; decimals--)
      if (fits(decimals)) return { size: size * zoom, font, write: (value) => write(value, decimals) };
  }
  return null;
}

const narrowest = (edges: number[]): number =>
  edges.slice(1).reduce((min, edge, i) => Math.min(min, edge - (edges[i] ?? 0)), Infinity);

/** The values of the visible slice. */
export function planeValues(plane: Plane, values: ArrayLike<number>): number[] {
  const start = cellIndex(plane, 0, 0);
  return Array.from({ length: plane.rows * plane.columns }, (_, i) => values[start + i] ?? 0);
}
