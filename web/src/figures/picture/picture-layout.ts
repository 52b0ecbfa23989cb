// A picture and the grid of places over it. Pure geometry, in CSS pixels.
import type { Box } from '../shared/geometry';

export interface Grid {
  rows: number;
  columns: number;
}

/** The grid of a feature map, as square as its number of places allows. */
export function gridOf(places: number): Grid {
  let rows = Math.floor(Math.sqrt(places));
  while (places % rows) rows--;
  return { rows, columns: places / rows };
}

export const placeBox = ({ rows, columns }: Grid, place: number, side: number): Box => ({
  x: ((place % columns) * side) / columns,
  y: (Math.floor(place / columns) * side) / rows,
  width: side / columns,
  height: side / rows,
});

/** Side of the picture at the largest whole-number scale that fits, at least 1. */
export function sideFor(pixels: number, width: number, max: number): number {
  return pixels * Math.max(1, Math.floor(Math.min(width, max) / pixels));
}

/** RGBA bytes of a picture (3, H, W) with values in [0, 1]; `pixels` is H · W. */
export function rgbaOf(values: ArrayLike<number>, pixels: number): Uint8ClampedArray<ArrayBuffer> {
  const rgba = new Uint8ClampedArray(4 * pixels);
  for (let i = 0; i < pixels; i++) {
    for (let c = 0; c < 3; c++) rgba[4 * i + c] = Math.round(255 * (values[c * pixels + i] ?? 0));
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

/** The place at a point of the picture; null outside. */
export function placeAt({ rows, columns }: Grid, side: number, x: number, y: number): number | null {
  const [row, column] = [Math.floor((y * rows) / side), Math.floor((x * columns) / side)];
  return row >= 0 && column >= 0 && row < rows && column < columns ? row * columns + column : null;
}
