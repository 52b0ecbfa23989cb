// States as strips of coloured cells, drawn as few paths: one per shade.
import { type Inked, inkPaths } from '../shared/cells';
import type { Box, Fold } from '../shared/geometry';
import type { Palette, Scale } from '../shared/palette';

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
