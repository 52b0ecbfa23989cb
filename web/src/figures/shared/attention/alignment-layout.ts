// Layout of an attention matrix: the size of its cells, and how the words above the columns are rotated.
import { wordWidth } from '../text-width';
import type { MapBox } from './attention-map';

export interface AlignmentData {
  source: string[];
  target: string[];
  /** (T, S), row-major; one row per target word. */
  weights: Float32Array;
  /** The links known to be right. */
  truth?: [source: number, target: number][];
  /** The tensor's name. */
  name: string;
}

/** Widths of the words in pixels. */
export interface Widths {
  source: number[];
  target: number[];
}

export const widthsOf = (source: readonly string[], target: readonly string[], line: number): Widths => {
  const measured = (words: readonly string[]): number[] => words.map((word) => wordWidth(word, line));
  return { source: measured(source), target: measured(target) };
};

export interface AlignmentLayout extends MapBox {
  width: number;
  height: number;
  /** Rotation of the words above the columns, in degrees. */
  turn: 0 | -45 | -90;
  /** Cells have room for their values. */
  numbered: boolean;
  /** Height of a line of text. */
  line: number;
}

const MAX_CELL = 76;

/**
 * Fits `width` pixels; wider only if vertical words would touch, and then the figure scrolls. Rows shrink, down to 1.6
 * lines, to fit `maxHeight` pixels.
 */
export function layOutAlignment(words: Widths, width: number, line: number, maxHeight = Infinity): AlignmentLayout {
  const [S, T] = [Math.max(1, words.source.length), words.target.length];
  const x = Math.ceil(Math.max(0, ...words.target)) + 12;
  const longest = Math.max(0, ...words.source);
  const fits = (reserved: number): number => Math.floor(Math.min(MAX_CELL, (width - x - reserved) / S));
  const upright = fits(0);
  const turn = longest + 8 <= upright ? 0 : fits(leanOf(words, upright)) >= line * 1.6 ? -45 : -90;
  const lean = turn === -45 ? leanOf(words, fits(0)) : 0;
  const cellWidth = Math.max(Math.ceil(line * 1.05), fits(lean));
  const y = Math.ceil(turn === 0 ? line * 1.5 : turn === -45 ? longest * Math.SQRT1_2 + line : longest + 8);
  const max = Math.min(line * 2.4, cellWidth * 0.7, Math.floor((maxHeight - y - 1) / T));
  const cellHeight = Math.round(Math.max(line * 1.6, max));
  return {
    ...{ x, y, cell: { width: cellWidth, height: cellHeight }, rows: T, columns: words.source.length },
    ...{ width: x + S * cellWidth + lean, height: y + T * cellHeight + 1 },
    ...{ turn, line, numbered: cellWidth >= line * 2.4 },
  };
}

/** How far words above the columns, rotated by 45°, extend beyond the right edge of the cells. */
function leanOf({ source }: Widths, cell: number): number {
  const reach = source.map((width, i) => width * Math.SQRT1_2 + 8 - (source.length - i - 0.5) * cell);
  return Math.ceil(Math.max(0, ...reach));
}

/** Column of the largest weight in row t. */
export function argmaxOfRow(data: AlignmentData, t: number): number {
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

/** Flat cell indices of the true links; links outside the matrix are dropped. */
export function truthOf({ truth = [], source, target }: AlignmentData): Set<number> {
  const inside = truth.filter(([s, t]) => s >= 0 && s < source.length && t >= 0 && t < target.length);
  return new Set(inside.map(([s, t]) => t * source.length + s));
}

/** Indices of the target words that have weights already. */
export const rowsWithWeights = (data: AlignmentData): number[] =>
  data.target.map((_, t) => t).filter((t) => Number.isFinite(weightAt(data, t, 0)));

/** Of the target words with weights and a true link, how many have their largest weight on one. */
export function agreement(data: AlignmentData): { right: number; of: number } {
  const truth = truthOf(data);
  const S = data.source.length;
  const linked = rowsWithWeights(data).filter((t) => data.source.some((_, j) => truth.has(t * S + j)));
  return { right: linked.filter((t) => truth.has(t * S + argmaxOfRow(data, t))).length, of: linked.length };
}
