// Layout of the map of positions, its waves, and the circle on which a pair of columns rotates.
import type { MapBox } from '../shared/attention/attention-map';
import type { Box } from '../shared/geometry';

export interface Circle {
  x: number;
  y: number;
  radius: number;
}

export interface PositionsLayout {
  map: MapBox;
  waves: Box | null;
  circle: Circle | null;
  /** Top left corner of the rotation matrix. */
  matrix: { x: number; y: number } | null;
  width: number;
  height: number;
  /** Height of a line of text. */
  line: number;
}

interface Measures {
  rows: number;
  columns: number;
  width: number;
  line: number;
  waves: boolean;
  circle: boolean;
}

const MAX_CELL = 22;
const WIDE = 520;

/** Side by side where there is room, else one below the other. */
export function layOutPositions({ rows, columns, width, line, waves, circle }: Measures): PositionsLayout {
  const left = 2.2 * line;
  const top = 1.6 * line;
  const wide = width >= WIDE && (waves || circle);
  const mapWidth = (wide ? width * 0.46 : width) - left;
  const cell = {
    width: Math.max(3, Math.min(MAX_CELL, Math.floor(mapWidth / columns))),
    height: Math.max(6, Math.min(MAX_CELL, Math.floor(280 / rows))),
  };
  const map = { x: left, y: top, cell, rows, columns };
  const [right, bottom] = [left + columns * cell.width, top + rows * cell.height];
  const x = wide ? right + 3.5 * line : left;
  let y = wide ? top : bottom + 2.4 * line;
  const wavesBox = waves ? { x, y, width: width - x - 4, height: 5.5 * line } : null;
  if (wavesBox) y += wavesBox.height + 3.4 * line;
  const radius = Math.min(5 * line, (width - x) / 4);
  const round = circle ? { x: x + radius + 2, y: y + radius, radius } : null;
  const matrix = round && { x: x + 2 * radius + 2.4 * line, y: y + radius - 1.5 * line };
  const end = round ? y + 2 * radius + line : wavesBox ? y - line : bottom;
  return {
    ...{ map, line, matrix, waves: wavesBox, circle: round },
    width: Math.max(right, width),
    height: Math.ceil(Math.max(end, bottom + 0.6 * line)),
  };
}

/** A column of the map as the points of a line; the height of the box spans −limit … limit. */
export function wave(values: readonly number[], { x, y, width, height }: Box, limit: number): [number, number][] {
  const step = width / Math.max(1, values.length - 1);
  return values.map((value, p) => [x + p * step, y + height / 2 - (value / limit) * (height / 2)]);
}

/** (x, y) rotated by the angle with this cosine and sine. */
export const rotate = ([x, y]: readonly [number, number], cosine: number, sine: number): [number, number] => [
  cosine * x - sine * y,
  sine * x + cosine * y,
];

/** Largest spread of the scores along any diagonal: 0 if they depend on the distance alone. */
export function diagonalSpread(at: (row: number, column: number) => number, rows: number, columns: number): number {
  let max = 0;
  for (let offset = 1 - rows; offset < columns; offset++) {
    const line = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row + offset >= 0 && row + offset < columns,
    );
    const values = line.map((row) => at(row, row + offset));
    max = Math.max(max, Math.max(...values) - Math.min(...values));
  }
  return max;
}
