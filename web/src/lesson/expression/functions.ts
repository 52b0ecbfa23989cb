// The functions of expressions.
import { shapesDiffer, shapesDifferBeforeLast } from '#messages/lesson/expressions';
import type { Tensor } from '../facts';

/** Arguments that a function does not accept; the caller adds the position. */
export class ArgumentError extends Error {}

export interface Builtin {
  /** Number of arguments. */
  arity: [least: number, most: number];
  of: (...args: Tensor[]) => Tensor;
}

export const scalar = (value: number): Tensor => ({ shape: [], values: [value] });
export const shapeText = (shape: readonly number[]): string => `(${shape.join(', ')})`;

export const mapped = ({ shape, values }: Tensor, f: (x: number) => number): Tensor => ({
  shape,
  values: Array.from(values, f),
});

/** Elementwise; a single value broadcasts. Throws ArgumentError if the shapes differ. */
export function elementwise(a: Tensor, b: Tensor, f: (a: number, b: number) => number): Tensor {
  if (a.values.length === 1 && a.shape.length <= b.shape.length) return mapped(b, (x) => f(a.values[0]!, x));
  if (b.values.length === 1) return mapped(a, (x) => f(x, b.values[0]!));
  if (shapeText(a.shape) !== shapeText(b.shape))
    throw new ArgumentError(shapesDiffer(shapeText(a.shape), shapeText(b.shape)));
  return { shape: a.shape, values: Array.from(a.values, (x, i) => f(x, b.values[i]!)) };
}

const total = (x: Tensor): number => Array.from(x.values).reduce((sum, value) => sum + value, 0);
const product = (a: Tensor, b: Tensor): Tensor => elementwise(a, b, (x, y) => x * y);

function transposed({ shape: [rows, columns], values }: Tensor): Tensor {
  const at = (i: number): number => values[(i % rows!) * columns! + Math.floor(i / rows!)]!;
  return { shape: [columns!, rows!], values: Array.from({ length: values.length }, (_, i) => at(i)) };
}

/** (m, n) · (n) → (m). */
function timesVector(matrix: Tensor, vector: Tensor): Tensor {
  const [rows, columns] = matrix.shape as [number, number];
  const row = (i: number): Tensor => ({
    shape: [columns],
    values: Array.from({ length: columns }, (_, j) => matrix.values[i * columns + j]!),
  });
  return { shape: [rows], values: Array.from({ length: rows }, (_, i) => total(product(row(i), vector))) };
}

/** Matrix–vector product, with the vector on either side; otherwise the sum of the elementwise product. */
function dot(a: Tensor, b: Tensor): Tensor {
  if (a.shape.length === 2 && b.shape.length === 1 && a.shape[1] === b.shape[0]) return timesVector(a, b);
  if (a.shape.length === 1 && b.shape.length === 2 && a.shape[0] === b.shape[0]) return timesVector(transposed(b), a);
  return scalar(total(product(a, b)));
}

/** Along the last axis; a row of −∞ alone gives zeros. */
function softmax({ shape, values }: Tensor): Tensor {
  const size = shape.at(-1) ?? 1;
  const result: number[] = [];
  for (let from = 0; from < values.length; from += size) {
    const row = Array.from(values).slice(from, from + size);
    const most = Math.max(...row);
    const parts = row.map((x) => (x === -Infinity ? 0 : Math.exp(x - most)));
    const sum = parts.reduce((a, b) => a + b, 0);
    result.push(...parts.map((part) => (sum > 0 ? part / sum : 0)));
  }
  return { shape, values: result };
}

/** Along the last axis; a scalar counts as a vector of one. Throws ArgumentError if the other axes differ. */
function concat(...all: Tensor[]): Tensor {
  const parts = all.map(({ shape, values }) => ({ shape: shape.length ? shape : [1], values: Array.from(values) }));
  const heads = parts.map(({ shape }) => shapeText(shape.slice(0, -1)));
  if (heads.some((head) => head !== heads[0]))
    throw new ArgumentError(shapesDifferBeforeLast(parts.map(({ shape }) => shapeText(shape))));
  const sizes = parts.map(({ shape }) => shape.at(-1)!);
  const rows = parts[0]!.values.length / sizes[0]!;
  const row = (i: number): number[] =>
    parts.flatMap(({ values }, p) => values.slice(i * sizes[p]!, (i + 1) * sizes[p]!));
  return {
    shape: [...parts[0]!.shape.slice(0, -1), sizes.reduce((a, b) => a + b, 0)],
    values: Array.from({ length: rows }, (_, i) => row(i)).flat(),
  };
}

const each = (f: (x: number) => number): Builtin => ({ arity: [1, 1], of: (x) => mapped(x!, f) });
const whole = (f: (x: Tensor) => number): Builtin => ({ arity: [1, 1], of: (x) => scalar(f(x!)) });
const extreme = (f: (...values: number[]) => number): Builtin => ({
  arity: [1, Infinity],
  of: (...all) => scalar(f(...all.flatMap((x) => Array.from(x.values)))),
});

export const FUNCTIONS: Record<string, Builtin> = {
  sum: whole(total),
  max: extreme(Math.max),
  min: extreme(Math.min),
  mean: whole((x) => total(x) / x.values.length),
  argmax: whole((x) => Array.from(x.values).reduce((best, value, i) => (value > x.values[best]! ? i : best), 0)),
  abs: each(Math.abs),
  exp: each(Math.exp),
  log: each(Math.log),
  sqrt: each(Math.sqrt),
  tanh: each(Math.tanh),
  sigmoid: each((x) => 1 / (1 + Math.exp(-x))),
  softmax: { arity: [1, 1], of: (x) => softmax(x!) },
  /** Euclidean. */
  norm: whole((x) => Math.sqrt(total(product(x, x)))),
  /** In bits. */
  entropy: whole((x) => total(mapped(x, (p) => (p > 0 ? -p * Math.log2(p) : 0)))),
  dot: { arity: [2, 2], of: (a, b) => dot(a!, b!) },
  concat: { arity: [2, Infinity], of: concat },
};
