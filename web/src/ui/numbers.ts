// Formats and parses numbers. A minus is U+2212; a float32 is written as its shortest decimal that reads back.
import { SCALAR } from '#messages/ui';
import type { Config } from '../engine/types';

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** "-1.5e-7" → "−1.5 × 10⁻⁷": typographic minus sign and power of ten. */
export function withPower(text: string): string {
  const [mantissa = '', exponent] = text.split('e');
  const digits = mantissa.replace('-', '−');
  if (exponent === undefined) return digits;
  const power = exponent
    .replace('+', '')
    .replace('-', '⁻')
    .replace(/\d/g, (d) => SUPERSCRIPTS[Number(d)] ?? d);
  return `${digits} × 10${power}`;
}

function special(value: number): string | null {
  if (Number.isNaN(value)) return 'NaN';
  if (Number.isFinite(value)) return null;
  return value > 0 ? '∞' : '−∞';
}

/** The shortest decimal that rounds to this float32, in JavaScript notation: "0.98522025", "1e-7", "-Infinity". */
export function shortest(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  for (let digits = 1; digits < 9; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.fround(candidate) === Math.fround(value)) return String(candidate);
  }
  return String(Number(value.toPrecision(9)));
}

/** Every significant digit of a float32, for display: "−0.98522025". */
export const exact = (value: number): string => special(value) ?? withPower(shortest(value));

/** Rounded to `digits` significant digits: "1.742", "−1.5 × 10⁻⁷". */
export function significant(value: number, digits: number): string {
  const odd = special(value);
  if (odd) return odd;
  const rounded = Number(value.toPrecision(digits));
  const text = String(rounded);
  const fits = Math.abs(rounded) >= 1e-4 && Math.abs(rounded) < 1e6;
  if (rounded === 0 || fits) return withPower(text.includes('e') ? rounded.toPrecision(digits) : text);
  return withPower(rounded.toExponential().replace(/\.0+e/, 'e'));
}

/** Rounded to `digits` significant digits, in a form that can be typed back: "−0.25", "1200000", "1e−7", "−∞". */
export const rounded = (value: number, digits: number): string =>
  special(value) ?? String(Number(value.toPrecision(digits))).replace(/-/g, '−');

/** With a fixed number of decimals, so that a column lines up: "0.50", "−1.25". */
export function fixed(value: number, decimals: number): string {
  const text = special(value) ?? withPower(value.toFixed(decimals));
  return /^−0(\.0*)?$/.test(text) ? text.slice(1) : text;
}

/** Compact scientific notation for a cell: "−4.2e−7". */
export function scientific(value: number, decimals: number): string {
  const odd = special(value);
  if (odd) return odd;
  return value === 0 ? '0' : value.toExponential(decimals).replace('+', '').replace(/-/g, '−');
}

/**
 * The format for the cells of a tensor: `fixed`, "0.05", "−0.36"; `scientific` if all are so small (below 0.002) or one
 * is so large (from 1e5) that decimals say nothing.
 */
export const cellFormatter = (values: readonly number[]): ((value: number, decimals: number) => string) =>
  isFarFromOne(values) ? scientific : fixed;

export function isFarFromOne(values: readonly number[]): boolean {
  const largest = values.reduce((max, v) => (Number.isFinite(v) ? Math.max(max, Math.abs(v)) : max), 0);
  return largest > 0 && (largest < 0.002 || largest >= 1e5);
}

const FIGURE_SPACE = '\u2007';
const POINT_SPACE = '\u2008';
const MAX_DECIMALS = 14;

/**
 * A column of float32 in full, aligned at the decimal point: every value with the decimals of the longest, "0.50000000"
 * under "0.98522025". Non-finite values are padded. A column with a value too small or too large for that is written by
 * `exact`.
 */
export function column(values: readonly number[]): string[] {
  const decimals = decimalsNeeded(values, MAX_DECIMALS + 1);
  const plain = decimals <= MAX_DECIMALS && values.every((v) => !Number.isFinite(v) || Math.abs(v) < 1e15);
  if (!plain) return values.map(exact);
  const padding = decimals ? POINT_SPACE + FIGURE_SPACE.repeat(decimals) : '';
  return values.map((value) => {
    const odd = special(value);
    return odd ? odd + padding : fixed(Number(shortest(value)), decimals);
  });
}

/** The fewest decimals, up to `max`, at which every value reads back as the same float32; 0 for whole numbers. */
export function decimalsNeeded(values: ArrayLike<number>, max: number): number {
  let needed = 0;
  for (let i = 0; i < values.length && needed < max; i++) {
    const value = values[i] ?? 0;
    while (needed < max && Number.isFinite(value) && Math.fround(Number(value.toFixed(needed))) !== Math.fround(value))
      needed++;
  }
  return needed;
}

/**
 * Parses a number typed by the learner, null if it is none: "−1.5", "0,5" (a decimal comma), "1,200" (as the page
 * writes it), "1e-3", "-inf", "−∞".
 * Every number field of the page uses this.
 */
export function parseNumber(text: string): number | null {
  const plain = text.trim().replace(/−/g, '-').replace(/∞/g, 'inf').toLowerCase();
  if (/^[+]?inf(inity)?$/.test(plain)) return Infinity;
  if (/^-inf(inity)?$/.test(plain)) return -Infinity;
  if (/^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/.test(plain)) return Number(plain.replaceAll(',', ''));
  if (!/^[+-]?(\d+[.,]?\d*|[.,]\d+)(e[+-]?\d+)?$/.test(plain)) return null;
  return Number(plain.replace(',', '.'));
}

/**
 * Parses several numbers, null if one of them cannot be read. They are separated by spaces, semicolons, or commas
 * followed by a space; "1,5" alone is 1.5, but "1,5,2" is three numbers.
 */
export function parseNumbers(text: string): number[] | null {
  const pieces = text.trim().split(/[\s;]+|,\s+/);
  const numbers = pieces.flatMap((piece) => (/,.*,/.test(piece) ? piece.split(',') : [piece])).map(parseNumber);
  return numbers.every((value) => value !== null) ? numbers : null;
}

/** "4 × 3"; "scalar" for no axes. */
export const shapeText = (shape: readonly number[]): string => (shape.length ? shape.join(' × ') : SCALAR);

// Values typed into a setting, of the model or of generation.

type Value = Config[string];

const MAX_QUOTED = 30;

export const written = (value: Value): string => (Array.isArray(value) ? value.join(' ') : String(value));

/**
 * Parses `text` as the type of `like`, the current value. If that fails, returns the text (at most 30 characters) for
 * the engine to refuse, which alone knows the range of a setting.
 */
export function typed(text: string, like: Value): Value {
  const read = Array.isArray(like) ? parseNumbers(text) : typeof like === 'number' ? parseNumber(text) : text;
  return read ?? text.trim().slice(0, MAX_QUOTED);
}
