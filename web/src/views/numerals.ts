// Whether and how numbers are written on the cells: as many decimals as fit everywhere, the same for the whole tensor.
import { type Lines, type Plane, cellIndex } from './grid-layout';
import { decimalsNeeded, fixed, tight } from './numbers';

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
  plane: Plane,
  lines: Lines,
  values: ArrayLike<number>,
  family: string,
): Numerals | null {
  const [width, height] = [narrowest(lines.x), narrowest(lines.y)];
  if (height < 13 || width < 14 || plane.rows * plane.columns > MOST_CELLS) return null;
  const shown = planeValues(plane, values);
  const needed = decimalsNeeded(shown, MOST_DECIMALS);
  for (const { size, pad, tall, write } of WRITERS) {
    if (height < tall) continue;
    const font = `400 ${size}px ${family}`;
    context.font = font;
    const fits = (decimals: number): boolean =>
      shown.every((value) => context.measureText(write(value, decimals)).width <= width - pad);
    const least = Math.min(needed, size > 12 ? 4 : size > 11 ? 3 : size > 10 ? 2 : 1);
    for (let decimals = needed; decimals >= least; decimals--)
      if (fits(decimals)) return { size, font, write: (value) => write(value, decimals) };
  }
  return null;
}

const narrowest = (edges: number[]): number =>
  edges.slice(1).reduce((least, edge, i) => Math.min(least, edge - (edges[i] ?? 0)), Infinity);

/** The values of the slice on show. */
export function planeValues(plane: Plane, values: ArrayLike<number>): number[] {
  const start = cellIndex(plane, 0, 0);
  return Array.from({ length: plane.rows * plane.columns }, (_, i) => values[start + i] ?? 0);
}
