// An attention matrix as a plane of cells under its words: how large a cell is, how the words above it stand.

export interface AlignmentData {
  source: string[];
  target: string[];
  /** T × S, row-major; a row for each target word. */
  weights: Float32Array;
  /** The links that are known to be right. */
  truth?: [source: number, target: number][];
  /** The tensor's name. */
  name: string;
}

export interface Words {
  /** Widths in pixels. */
  source: number[];
  target: number[];
}

export interface AlignmentLayout {
  cell: { width: number; height: number };
  /** Left upper corner of the cells. */
  x: number;
  y: number;
  width: number;
  height: number;
  /** Degrees that the words above turn: 0, −45 or −90. */
  turn: 0 | -45 | -90;
  /** Numbers stand in the cells. */
  numbered: boolean;
}

const MOST = 76;

/**
 * For `width` pixels; wider only where words turned upright would touch, then the figure scrolls. Rows are as low as they
 * may be for `room` pixels of height.
 */
export function layOutAlignment(words: Words, width: number, line: number, room = Infinity): AlignmentLayout {
  const [S, T] = [Math.max(1, words.source.length), words.target.length];
  const x = Math.ceil(Math.max(0, ...words.target)) + 12;
  const longest = Math.max(0, ...words.source);
  const fits = (room: number): number => Math.floor(Math.min(MOST, (width - x - room) / S));
  const upright = fits(0);
  const turn = longest + 8 <= upright ? 0 : fits(leanOf(words, upright)) >= line * 1.6 ? -45 : -90;
  const lean = turn === -45 ? leanOf(words, fits(0)) : 0;
  const cellWidth = Math.max(Math.ceil(line * 1.05), fits(lean));
  const y = Math.ceil(turn === 0 ? line * 1.5 : turn === -45 ? longest * Math.SQRT1_2 + line : longest + 8);
  const most = Math.min(line * 2.4, cellWidth * 0.7, Math.floor((room - y - 1) / T));
  const cellHeight = Math.round(Math.max(line * 1.6, most));
  return {
    cell: { width: cellWidth, height: cellHeight },
    x,
    y,
    width: x + S * cellWidth + lean,
    height: y + T * cellHeight + 1,
    turn,
    numbered: cellWidth >= line * 2.4,
  };
}

/** How far the words above, turned by 45°, reach out to the right of their cells. */
function leanOf({ source }: Words, cell: number): number {
  const reach = source.map((width, i) => width * Math.SQRT1_2 + 8 - (source.length - i - 0.5) * cell);
  return Math.ceil(Math.max(0, ...reach));
}

/** Where the largest weight of row t is. */
export function mostOf(data: AlignmentData, t: number): number {
  const S = data.source.length;
  let best = 0;
  for (let j = 1; j < S; j++) if (weightAt(data, t, j) > weightAt(data, t, best)) best = j;
  return best;
}

export const weightAt = (data: AlignmentData, t: number, j: number): number =>
  data.weights[t * data.source.length + j] ?? NaN;

export function sumOf(data: AlignmentData, t: number): number {
  const S = data.source.length;
  return data.weights.subarray(t * S, (t + 1) * S).reduce((sum, weight) => sum + weight, 0);
}

/** True links by flat index of their cell; those outside of the matrix are none of it. */
export function truthOf({ truth = [], source, target }: AlignmentData): Set<number> {
  const inside = truth.filter(([s, t]) => s >= 0 && s < source.length && t >= 0 && t < target.length);
  return new Set(inside.map(([s, t]) => t * source.length + s));
}

/** The target words that have looked already: the others have no weights yet. */
export const writtenOf = (data: AlignmentData): number[] =>
  data.target.map((_, t) => t).filter((t) => Number.isFinite(weightAt(data, t, 0)));

/** Of the target words that have a true link and have looked, how many look most at one of theirs. */
export function agreement(data: AlignmentData): { right: number; of: number } {
  const truth = truthOf(data);
  const S = data.source.length;
  const linked = writtenOf(data).filter((t) => data.source.some((_, j) => truth.has(t * S + j)));
  return { right: linked.filter((t) => truth.has(t * S + mostOf(data, t))).length, of: linked.length };
}
