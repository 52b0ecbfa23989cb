// What an expression over the engine's tensors is worth.
import { BadExpression, parse, type Arithmetic, type Comparison, type Expression } from './expression-parser';

export { BadExpression, namesIn, parse, partsOf, type Expression } from './expression-parser';

/** Row-major; [] is the shape of a single number. */
export interface Tensor {
  shape: readonly number[];
  values: ArrayLike<number>;
}

export type Value = Tensor | boolean;
export type Lookup = (name: string) => Tensor | undefined;

/** How far apart two numbers that are "~" may lie, relative to the larger of 1 and the right one. */
export const CLOSE = 1e-3;

const scalar = (value: number): Tensor => ({ shape: [], values: [value] });

/** Throws BadExpression: an unknown name, an index out of range, shapes that do not fit, truth where a number is due. */
export function evaluate(expression: Expression, lookup: Lookup): Value {
  switch (expression.kind) {
    case 'number':
      return scalar(expression.value);
    case 'name':
      return named(expression, lookup);
    case 'index':
      return indexed(expression, lookup);
    case 'call':
      return call(expression, lookup);
    case 'negative':
      return mapped(numbers(expression.of, lookup), (x) => -x);
    case 'arithmetic':
      return paired(expression, lookup, ARITHMETIC[expression.op]);
    case 'not':
      return !truth(expression.of, lookup);
    case 'and':
      return truth(expression.left, lookup) && truth(expression.right, lookup);
    case 'or':
      return truth(expression.left, lookup) || truth(expression.right, lookup);
    case 'comparison':
      return Array.from(paired(expression, lookup, (a, b) => Number(COMPARE[expression.op](a, b))).values).every(
        Boolean,
      );
  }
}

/** The value of an expression that must be one number. */
export function numberOf(text: string, lookup: Lookup): number {
  const value = evaluate(parse(text), lookup);
  if (typeof value === 'boolean' || value.values.length !== 1)
    throw new BadExpression(`"${text}" is not a single number; pick one element with an index.`, 1);
  return value.values[0]!;
}

/** True or false of an expression that must be one of them. */
export function holds(text: string, lookup: Lookup): boolean {
  const value = evaluate(parse(text), lookup);
  if (typeof value !== 'boolean')
    throw new BadExpression(`"${text}" is not true or false; compare it with something.`, 1);
  return value;
}

const ARITHMETIC: Record<Arithmetic, (a: number, b: number) => number> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

const COMPARE: Record<Comparison, (a: number, b: number) => boolean> = {
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
  '~': (a, b) => a === b || Math.abs(a - b) <= CLOSE * Math.max(1, Math.abs(b)),
};

const FUNCTION: Record<string, (...args: Tensor[]) => Tensor> = {
  sum: (x) => scalar(total(x)),
  mean: (x) => scalar(total(x) / x.values.length),
  max: (...all) => scalar(Math.max(...all.flatMap((x) => Array.from(x.values)))),
  min: (...all) => scalar(Math.min(...all.flatMap((x) => Array.from(x.values)))),
  argmax: (x) => scalar(Array.from(x.values).reduce((best, value, i) => (value > x.values[best]! ? i : best), 0)),
  abs: (x) => mapped(x, Math.abs),
  exp: (x) => mapped(x, Math.exp),
  log: (x) => mapped(x, Math.log),
  sqrt: (x) => mapped(x, Math.sqrt),
  /** In bits. */
  entropy: (x) => scalar(total(mapped(x, (p) => (p > 0 ? -p * Math.log2(p) : 0)))),
};

const total = (x: Tensor): number => Array.from(x.values).reduce((sum, value) => sum + value, 0);

const mapped = ({ shape, values }: Tensor, f: (x: number) => number): Tensor => ({
  shape,
  values: Array.from(values, f),
});

function fail(expression: Expression, message: string): never {
  throw new BadExpression(message, expression.from + 1);
}

function numbers(expression: Expression, lookup: Lookup): Tensor {
  const value = evaluate(expression, lookup);
  return typeof value === 'boolean' ? fail(expression, 'A comparison stands where a number is expected.') : value;
}

function truth(expression: Expression, lookup: Lookup): boolean {
  const value = evaluate(expression, lookup);
  return typeof value === 'boolean' ? value : fail(expression, 'A number stands where a comparison is expected.');
}

function named(expression: Expression & { kind: 'name' }, lookup: Lookup): Tensor {
  return lookup(expression.name) ?? fail(expression, `There is no tensor "${expression.name}" in this run.`);
}

function call(expression: Expression & { kind: 'call' }, lookup: Lookup): Tensor {
  const args = expression.args.map((arg) => numbers(arg, lookup));
  if (expression.name === 'dot')
    return scalar(
      total(paired({ ...expression, left: expression.args[0]!, right: expression.args[1]! }, lookup, ARITHMETIC['*'])),
    );
  return FUNCTION[expression.name]!(...args);
}

const shapeText = (shape: readonly number[]): string => `(${shape.join(', ')})`;

/** Element by element; a single number goes with every element. */
function paired(
  { left, right, from, to }: { left: Expression; right: Expression; from: number; to: number },
  lookup: Lookup,
  f: (a: number, b: number) => number,
): Tensor {
  const a = numbers(left, lookup);
  const b = numbers(right, lookup);
  if (a.values.length === 1 && a.shape.length <= b.shape.length) return mapped(b, (x) => f(a.values[0]!, x));
  if (b.values.length === 1) return mapped(a, (x) => f(x, b.values[0]!));
  if (shapeText(a.shape) !== shapeText(b.shape))
    fail({ kind: 'number', value: 0, from, to }, `The shapes ${shapeText(a.shape)} and ${shapeText(b.shape)} differ.`);
  return { shape: a.shape, values: Array.from(a.values, (x, i) => f(x, b.values[i]!)) };
}

function indexed(expression: Expression & { kind: 'index' }, lookup: Lookup): Tensor {
  const { shape, values } = numbers(expression.of, lookup);
  if (expression.at.length > shape.length)
    fail(expression, `There are ${expression.at.length} indices for the shape ${shapeText(shape)}.`);
  const at = shape.map((size, axis) => indexOn(expression, axis, size, lookup));
  const kept = shape.filter((_, axis) => at[axis] === null);
  const count = kept.reduce((a, b) => a * b, 1);
  const flat = Array.from({ length: count }, (_, i) => values[flatIndex(shape, at, i)]!);
  return { shape: kept, values: flat };
}

/** The position asked for on one axis; null for all of it. Negative positions count from the end. */
function indexOn(
  expression: Expression & { kind: 'index' },
  axis: number,
  size: number,
  lookup: Lookup,
): number | null {
  const part = expression.at[axis];
  if (!part) return null;
  const position = numbers(part, lookup).values[0]!;
  const index = position < 0 ? position + size : position;
  if (!Number.isInteger(index) || index < 0 || index >= size)
    fail(part, `The index ${position} is outside 0 to ${size - 1}.`);
  return index;
}

/** Where the i-th element of a selection stands in the whole tensor. */
function flatIndex(shape: readonly number[], at: (number | null)[], i: number): number {
  let rest = i;
  let index = 0;
  let stride = 1;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis]!;
    const fixed = at[axis];
    index += stride * (fixed ?? rest % size);
    if (fixed === null) rest = Math.floor(rest / size);
    stride *= size;
  }
  return index;
}
