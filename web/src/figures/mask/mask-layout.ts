// Layout of a mask beside the resulting weights; the values of the usual masks.
import { type MapBox, bottomOf, rightOf } from '../shared/attention/attention-map';
import type { Widths } from '../shared/attention/alignment-layout';

export interface MaskLayout {
  mask: MapBox;
  weights: MapBox;
  /** The weights are to the right of the mask and share its row words. */
  beside: boolean;
  turn: 0 | -90;
  width: number;
  height: number;
  /** Height of a line of text, and width of the longest column word. */
  line: number;
  longest: number;
}

const MAX_CELL = 48;
const APART = 36;

/** Side by side if the cells stay large enough to press, else one above the other. */
export function layOutMask(words: Widths, width: number, line: number): MaskLayout {
  const [T, S] = [words.target.length, words.source.length];
  const left = Math.ceil(Math.max(0, ...words.target)) + 12;
  const longest = Math.ceil(Math.max(0, ...words.source));
  const min = Math.max(24, Math.ceil(line * 1.6));
  const side = Math.floor((width - left - APART) / (2 * S));
  const beside = side >= min;
  const cell = Math.max(min, Math.min(MAX_CELL, beside ? side : Math.floor((width - left) / S)));
  const high = Math.max(min, Math.round(Math.min(cell * 0.7, line * 2.4)));
  const turn = longest + 6 <= cell ? 0 : -90;
  const above = 1.5 * line + (turn ? longest + 8 : line * 1.5);
  const box = (x: number, y: number): MapBox => ({ x, y, cell: { width: cell, height: high }, rows: T, columns: S });
  const mask = box(left, above);
  const weights = beside ? box(rightOf(mask) + APART, above) : box(left, bottomOf(mask) + above + 0.8 * line);
  const size = { width: rightOf(weights) + 1, height: bottomOf(weights) + 1 };
  return { ...size, mask, weights, beside, turn, line, longest };
}

export type Preset = 'none' | 'causal' | 'padding' | 'window';
/** Additive mask (T, S), row-major: 0 lets a key through, −∞ hides it. `size`: keys that are padding or in a window. */
export function presetMask(preset: Preset, T: number, S: number, size: number): number[] {
  const hides: Record<Preset, (i: number, j: number) => boolean> = {
    none: () => false,
    causal: (i, j) => j > i,
    padding: (_, j) => j >= S - size,
    window: (i, j) => j > i || j <= i - size,
  };
  return Array.from({ length: T * S }, (_, at) => (hides[preset](Math.floor(at / S), at % S) ? -Infinity : 0));
}
