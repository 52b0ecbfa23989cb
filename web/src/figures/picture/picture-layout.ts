// A picture and the grid of places over it. Pure geometry, in CSS pixels.

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

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

export const placeBox = ({ rows, columns }: Grid, place: number, side: number): Box => ({
  x: ((place % columns) * side) / columns,
  y: (Math.floor(place / columns) * side) / rows,
  width: side / columns,
  height: side / rows,
});

/** Side of the picture at the largest whole-number scale that fits, at least 1. */
export function sideFor(pixels: number, width: number, most: number): number {
  return pixels * Math.max(1, Math.floor(Math.min(width, most) / pixels));
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

/** The place an arrow key moves to, clamped at the edges; null for other keys. */
export function placeAfterKey({ rows, columns }: Grid, place: number, key: string): number | null {
  const [row, column] = [Math.floor(place / columns), place % columns];
  const by = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key];
  if (!by) return null;
  const clamp = (at: number, count: number): number => Math.max(0, Math.min(count - 1, at));
  return clamp(row + by[0]!, rows) * columns + clamp(column + by[1]!, columns);
}
