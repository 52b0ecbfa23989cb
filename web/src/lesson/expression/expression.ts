// Evaluates expressions over the engine's tensors.
import * as texts from '#messages/lesson/expressions';
import { type Tensor, isTextName, OF_TASK, partsOfName, type Lookup } from '../facts';
import { ArgumentError, elementwise, FUNCTIONS, mapped, scalar, shapeText } from './functions';
import {
  parse,
  type Arithmetic,
  type Comparison,
  type Expression,
  type Position,
  type Range,
  BadExpression,
} from './parser';

export type Value = Tensor | boolean | string;

/** Tolerance of "~", relative to max(1, |right|). */
export const CLOSE = 1e-3;

/** Throws BadExpression: an unknown name, an index out of range, shapes that differ, a boolean for a number. */
export function evaluate(expression: Expression, lookup: Lookup): Value {
  switch (expression.kind) {
    case 'number':
      return scalar(expression.value);
    case 'text':
      return expression.value;
    case 'name':
      return named(expression, lookup);
    case 'index':
      return indexed(expression, lookup);
    case 'call':
      return call(expression, lookup);
    case 'negative':
      return mapped(numbers(expression.of, lookup), (x) => -x);
    case 'arithmetic':
      return combined(expression, lookup, ARITHMETIC[expression.op]);
    case 'not':
      return !truth(expression.of, lookup);
    case 'and':
      return truth(expression.left, lookup) && truth(expression.right, lookup);
    case 'or':
      return truth(expression.left, lookup) || truth(expression.right, lookup);
    case 'comparison':
      return compared(expression, lookup);
  }
}

/** The value of an expression that must be a single number. Throws BadExpression. */
export function numberOf(text: string, lookup: Lookup): number {
  const value = evaluate(parse(text), lookup);
  if (typeof value !== 'object' || value.values.length !== 1) throw new BadExpression(texts.notOneNumber(text), 1);
  return value.values[0]!;
}

/** The value of an expression that must be true or false. Throws BadExpression. */
export function holds(text: string, lookup: Lookup): boolean {
  const value = evaluate(parse(text), lookup);
  if (typeof value !== 'boolean') throw new BadExpression(texts.notTrueOrFalse(text), 1);
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

function fail(expression: { from: number }, message: string): never {
  throw new BadExpression(message, expression.from + 1);
}

function numbers(expression: Expression, lookup: Lookup): Tensor {
  const value = evaluate(expression, lookup);
  if (typeof value === 'object') return value;
  return fail(expression, typeof value === 'string' ? texts.TEXT_FOR_NUMBER : texts.COMPARISON_FOR_NUMBER);
}

function truth(expression: Expression, lookup: Lookup): boolean {
  const value = evaluate(expression, lookup);
  if (typeof value === 'boolean') return value;
  return fail(expression, typeof value === 'string' ? texts.TEXT_FOR_COMPARISON : texts.NUMBER_FOR_COMPARISON);
}

function named(expression: Expression & { kind: 'name' }, lookup: Lookup): Tensor | string {
  const { name } = expression;
  const found = isTextName(name) ? lookup.text?.(name) : lookup(name);
  if (found === undefined && OF_TASK.includes(partsOfName(name)[0])) fail(expression, texts.needsTask(name));
  return found ?? fail(expression, texts.noTensor(name));
}

/** Reports what a function or an operator refuses as BadExpression at its position. */
function fitted<T>({ from }: { from: number }, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    throw error instanceof ArgumentError ? new BadExpression(error.message, from + 1) : error;
  }
}

function call(expression: Expression & { kind: 'call' }, lookup: Lookup): Tensor {
  const args = expression.args.map((arg) => numbers(arg, lookup));
  return fitted(expression, () => FUNCTIONS[expression.name]!.of(...args));
}

interface Pair {
  left: Expression;
  right: Expression;
  from: number;
}

function combined(pair: Pair, lookup: Lookup, f: (a: number, b: number) => number): Tensor {
  const [a, b] = [numbers(pair.left, lookup), numbers(pair.right, lookup)];
  return fitted(pair, () => elementwise(a, b, f));
}

/** Texts compare as a whole; a comparison of tensors holds if it holds for every element. */
function compared(expression: Expression & { kind: 'comparison' }, lookup: Lookup): boolean {
  const { op, left, right } = expression;
  if (![left, right].some(isText))
    return Array.from(combined(expression, lookup, (a, b) => Number(COMPARE[op](a, b))).values).every(Boolean);
  return (evaluate(left, lookup) === evaluate(right, lookup)) === (op === '==');
}

const isText = (part: Expression): boolean => part.kind === 'text' || (part.kind === 'name' && isTextName(part.name));

function indexed(expression: Expression & { kind: 'index' }, lookup: Lookup): Tensor {
  const { shape, values } = numbers(expression.of, lookup);
  if (expression.at.length > shape.length)
    fail(expression, texts.tooManyIndices(expression.at.length, shapeText(shape)));
  const at = shape.map((size, axis) => positionsOn(expression.at[axis], size, lookup));
  const axes = shape.flatMap((_, axis) => (isOne(expression.at[axis]) ? [] : [at[axis]!.length]));
  return { shape: axes, values: flatIndices(shape, at).map((index) => values[index]!) };
}

const isOne = (part: Position | undefined): boolean => part !== undefined && part.kind !== 'range';

/** The positions selected on one axis, all of them without an index. Negative ones count from the end. */
function positionsOn(part: Position | undefined, size: number, lookup: Lookup): number[] {
  if (part && part.kind !== 'range') return [positionOf(part, size, lookup)];
  const [start, stop] = part ? rangeOf(part, size, lookup) : [0, size];
  return Array.from({ length: stop - start }, (_, i) => start + i);
}

function positionOf(part: Expression, size: number, lookup: Lookup): number {
  const position = numbers(part, lookup).values[0]!;
  const index = position < 0 ? position + size : position;
  if (!Number.isInteger(index) || index < 0 || index >= size) fail(part, texts.outsideAxis(position, size));
  return index;
}

/** From start up to, but not including, stop. */
function rangeOf(range: Range, size: number, lookup: Lookup): [start: number, stop: number] {
  const end = (part: Expression | null, fallback: number): number => {
    const position = part ? numbers(part, lookup).values[0]! : fallback;
    return position < 0 ? position + size : position;
  };
  const [start, stop] = [end(range.start, 0), end(range.stop, size)];
  if (![start, stop].every(Number.isInteger) || start < 0 || stop > size || start >= stop)
    fail(range, texts.badRange(start, stop, size));
  return [start, stop];
}

/** Flat indices of the selected elements in the whole tensor, in row-major order. */
function flatIndices(shape: readonly number[], at: readonly number[][]): number[] {
  return at.reduce<number[]>(
    (found, positions, axis) => found.flatMap((index) => positions.map((position) => index * shape[axis]! + position)),
    [0],
  );
}
