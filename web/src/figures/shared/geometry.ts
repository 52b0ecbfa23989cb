// Geometry that the figures share, as pure functions.

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

export const isInside = ({ x, y, width, height }: Box, px: number, py: number): boolean =>
  px >= x && py >= y && px < x + width && py < y + height;

/**
 * Positions for items that must not overlap: in the given order, at least `gap` apart, as close to `wanted` as possible
 * in weighted least squares (isotonic regression by pooling adjacent violators), clamped to `within`.
 */
export function spread(
  wanted: readonly number[],
  gap: number,
  weights: readonly number[] = [],
  within: readonly [number, number] = [-Infinity, Infinity],
): number[] {
  const pools: { sum: number; weight: number; count: number }[] = [];
  const middle = (pool: { sum: number; weight: number }): number => pool.sum / pool.weight;
  wanted.forEach((at, i) => {
    const weight = weights[i] ?? 1;
    let pool = { sum: (at - i * gap) * weight, weight, count: 1 };
    for (let last = pools.at(-1); last && middle(last) > middle(pool); last = pools.at(-1)) {
      pools.pop();
      pool = { sum: last.sum + pool.sum, weight: last.weight + pool.weight, count: last.count + pool.count };
    }
    pools.push(pool);
  });
  const [from, to] = [within[0], within[1] - (wanted.length - 1) * gap];
  const starts = pools.flatMap((pool) => Array<number>(pool.count).fill(middle(pool)));
  return starts.map((start, i) => Math.max(from, Math.min(to, start)) + i * gap);
}

/** A vector as a strip: its cells in rows of equal length. */
export interface Fold {
  rows: number;
  columns: number;
  /** Cell width in pixels. */
  cell: number;
}

/** Folds into as few rows as cells at least `min` pixels wide allow; cells are whole pixels wide, or `min`. */
export function foldOf(cells: number, width: number, min = 3): Fold {
  const max = Math.max(1, Math.floor(width / min));
  const rows = Math.max(1, Math.ceil(cells / max));
  const columns = Math.ceil(cells / rows);
  return { rows, columns, cell: Math.max(min, Math.floor(width / columns)) };
}

/** All `count` indices, or `max` of them spread evenly, including the first and the last. */
export function evenly(count: number, max: number): number[] {
  if (count <= max) return Array.from({ length: count }, (_, i) => i);
  return Array.from({ length: max }, (_, i) => Math.round((i * (count - 1)) / (max - 1)));
}
