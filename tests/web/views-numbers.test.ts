// Numbers as the page writes and reads them, and the formula of a step with its numbers.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { TemplateResult } from 'lit';
import {
  cellFormatter,
  column,
  decimalsNeeded,
  exact,
  fixed,
  parseNumber,
  parseNumbers,
  scientific,
  shapeText,
  shortest,
  significant,
} from '../../web/src/ui/numbers';
import type { Trace, TraceNode } from '../../web/src/engine/types';
import { nodeOf, scopeOf } from './lab-parts';
import { fromRoot } from '../bindings/modules';
import { inNumbers, inSymbols, shortFormula } from '../../web/src/figures/shared/formula';

describe('a float32 in full', () => {
  it('reads back as the same bits, with no digit to spare', () => {
    let seed = 12345;
    const bits = new Uint32Array(1);
    const value = new Float32Array(bits.buffer);
    for (let i = 0; i < 20_000; i++) {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      bits[0] = seed;
      const number = value[0]!;
      if (!Number.isFinite(number)) continue;
      const text = shortest(number);
      expect(Math.fround(Number(text))).toBe(number === 0 ? Number(text) : number);
      const digits = text.replace(/e.*/, '').replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '').length;
      if (digits > 1) expect(Math.fround(Number(number.toPrecision(digits - 1)))).not.toBe(number);
    }
  });
  it('is typeset with a real minus, and as a power of ten if that is shorter', () => {
    expect(exact(Math.fround(-0.98522025))).toBe('−0.98522025');
    expect(exact(Math.fround(1e-7))).toBe('1 × 10⁻⁷');
    expect(exact(-Infinity)).toBe('−∞');
    expect(exact(NaN)).toBe('NaN');
    expect(exact(Math.fround(3.4e38))).toBe('3.4 × 10³⁸');
  });
});

describe('rounded numbers', () => {
  it('keeps significant digits', () => {
    expect(significant(1.7417405, 4)).toBe('1.742');
    expect(significant(-0.000012345, 3)).toBe('−1.23 × 10⁻⁵');
    expect(significant(0, 3)).toBe('0');
    expect(significant(1234567, 3)).toBe('1.23 × 10⁶');
  });
  it('never writes minus zero', () => {
    expect(fixed(-0.00001, 2)).toBe('0.00');
    expect(fixed(-0.5, 1)).toBe('−0.5');
    expect(fixed(-Infinity, 2)).toBe('−∞');
  });
  it('writes very large and very small numbers as powers of ten', () => {
    expect(scientific(-4.2e-7, 1)).toBe('−4.2e−7');
    expect(scientific(250000, 1)).toBe('2.5e5');
    expect(scientific(0, 2)).toBe('0');
  });
  it('finds the decimals that a tensor needs', () => {
    expect(decimalsNeeded([1, 0, -2], 4)).toBe(0);
    expect(decimalsNeeded([0.5, Math.fround(0.25)], 4)).toBe(2);
    expect(decimalsNeeded([1 / 3], 4)).toBe(4);
    expect(decimalsNeeded([-Infinity, 1], 4)).toBe(0);
  });
});

describe('the cells of a tensor', () => {
  const cells = (values: number[], decimals: number): string[] =>
    values.map((value) => cellFormatter(values)(value, decimals));
  it('all have a digit before the point and equally many after it, even in a narrow cell', () => {
    expect(cells([0.583, -0.07, 0.0001, -0.0001, 12.3456], 2)).toEqual(['0.58', '−0.07', '0.00', '0.00', '12.35']);
    expect(cells([0.05, -Infinity, 1], 2)).toEqual(['0.05', '−∞', '1.00']);
  });
  it('are powers of ten if decimals would show nothing', () => {
    expect(cells([-0.00042, 0, 0.0011], 1)).toEqual(['−4.2e−4', '0', '1.1e−3']);
    expect(cells([0.5, 250000], 1)).toEqual(['5.0e−1', '2.5e5']);
  });
});

describe('a column of a table', () => {
  const float = Math.fround;
  it('has the decimals of its longest number, and every digit', () => {
    expect(column([float(0.98522025), 0.5, float(-1.1), 3])).toEqual([
      '0.98522025',
      '0.50000000',
      '−1.10000000',
      '3.00000000',
    ]);
    expect(column([1, 0, -2])).toEqual(['1', '0', '−2']);
    expect(column([])).toEqual([]);
  });
  it('aligns decimal points, also with entries that have none', () => {
    const [point, infinite, none] = column([0.25, -Infinity, NaN]).map((text) => text.length);
    expect(column([0.25, -Infinity])[1]).toMatch(/^−∞\s+$/);
    expect([point, infinite, none]).toEqual([4, 5, 6]);
  });
  it('uses powers of ten if a number is too small or too large for decimals', () => {
    expect(column([float(1.5e-20), 0.5])).toEqual(['1.5 × 10⁻²⁰', '0.5']);
    expect(column([float(3e38), 1])).toEqual(['3 × 10³⁸', '1']);
  });
  it('reads back as the same bits', () => {
    const values = [1.1, 2.7e-6, -0.3333, 123456.7].map(float);
    expect(column(values).map((text) => float(Number(text.replace('−', '-'))))).toEqual(values);
  });
});

describe('a typed number', () => {
  it('can have either minus, powers of ten and infinity', () => {
    const read = (...texts: string[]): (number | null)[] => texts.map((text) => parseNumber(text));
    expect(read(' −1.5 ', '2e-3', '.5', '−1,5e1')).toEqual([-1.5, 0.002, 0.5, -15]);
    expect(read('1,000', '−12,345.5', '1,200,000', '1,000,00')).toEqual([1000, -12345.5, 1200000, null]);
    expect(read('0,5', '0,125', '1,25', '1,2000')).toEqual([0.5, 0.125, 1.25, 1.2]);
    expect(read('-inf', '−∞', '+Infinity')).toEqual([-Infinity, -Infinity, Infinity]);
  });
  it('is refused if it is not a single number', () => {
    for (const text of ['', 'abc', 'NaN', '1,5,2', '1.5,2', ',', '1 2', '0x10', '--1', 'infinite'])
      expect(parseNumber(text)).toBeNull();
  });
});

describe('a typed list', () => {
  it('can be separated by spaces, semicolons or commas, with either decimal sign', () => {
    expect(parseNumbers(' 1 5 2.5 ')).toEqual([1, 5, 2.5]);
    expect(parseNumbers('1, 5, 2,5')).toEqual([1, 5, 2.5]);
    expect(parseNumbers('0,5; 1,5')).toEqual([0.5, 1.5]);
    expect(parseNumbers('1,5,2')).toEqual([1, 5, 2]);
    expect(parseNumbers('3')).toEqual([3]);
  });
  it('is refused as a whole if one entry is not a number', () => {
    for (const text of ['', '1 two', '1,,2', 'NaN 1']) expect(parseNumbers(text)).toBeNull();
  });
});

it('writes shapes', () => {
  expect(shapeText([4, 3])).toBe('4 × 3');
  expect(shapeText([])).toBe('scalar');
});

// The formula of a step: tensor names, brackets where needed, and the numbers of a cell.

const isTemplate = (part: unknown): part is TemplateResult =>
  typeof part === 'object' && part !== null && 'strings' in part;

/** The formula as text, with a fraction as "above|below". */
function read(part: unknown): string {
  if (Array.isArray(part)) return part.map(read).join('');
  if (!isTemplate(part)) return String(part);
  const joined = part.strings.reduce((text, piece, i) => {
    const inTag = text.lastIndexOf('<') > text.lastIndexOf('>');
    return text + (inTag ? '' : read(part.values[i - 1])) + piece;
  });
  return joined
    .replace('</span><span>', '|')
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ');
}

const trace = (...list: Partial<TraceNode>[]): Trace => ({
  nodes: list.map((part, id) => nodeOf(id, '', part)),
  scopes: [scopeOf(0, '', -1, 0, -1)],
});

const leaf = (name: string, op = 'input', shape = [2]): Partial<TraceNode> => ({ name, op, shape, phase: 'leaf' });
const step = (op: string, formula: string, inputs: number[], name = `softmax/${op}`): Partial<TraceNode> => ({
  name,
  op,
  formula,
  inputs,
});

const softmax = trace(
  leaf('e'),
  leaf('one', 'constant', []),
  step('subtract', '{0} − {1}', [0, 1]),
  step('divide', '{0} / {1}', [2, 1]),
  step('exp', 'exp {0}', [3]),
  step('log', 'log {0}', [4], 'L'),
);
const values = [[3, 1], [2], [1, -1], [0.5, -0.5], [1.6487, 0.6065], [0.5, -0.5]];
const valuesOf = (node: TraceNode): number[] => values[node.id]!;

describe('in symbols', () => {
  const symbols = (id: number): string => read(inSymbols(softmax, softmax.nodes[id]!, valuesOf)).trim();
  it('names every tensor as the board does, and shows a constant as a number', () => {
    expect(symbols(2)).toBe('subtract = e − 2');
    expect(symbols(3)).toBe('divide = subtract|2');
  });
  it('shows no number for a constant that has not arrived yet', () =>
    expect(read(inSymbols(softmax, softmax.nodes[2]!, () => undefined)).trim()).toBe('subtract = e − …'));
  it('brackets the argument of a function', () => {
    expect(symbols(4)).toBe('exp = exp(divide)');
    expect(symbols(5)).toBe('L = log(exp)');
  });
  it('the engine writes these brackets where the function is not all of the formula', () => {
    const folder = fromRoot('engine/ops');
    const sources = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) => name.endsWith('.cpp'));
    const formulas = sources.flatMap(
      (name) => readFileSync(`${folder}/${name}`, 'utf8').match(/"[^"\n]*\{0\}[^"\n]*"/g) ?? [],
    );
    expect(formulas).toContain('"exp {0}"');
    for (const formula of formulas)
      expect(formula).not.toMatch(/[^"](exp|log|sin|cos|tanh|erf|√) ?\{|(exp|log) ?\{0\}[^"]/);
  });
});

it('fills numbers into the same formula, with one pair of brackets', () => {
  const numbers = (id: number, index: number): string =>
    read(inNumbers(softmax, softmax.nodes[id]!, index, valuesOf)).trim();
  expect(numbers(4, 0)).toBe('exp(0.5)');
  expect(numbers(4, 1)).toBe('exp(−0.5)');
  expect(numbers(2, 1)).toBe('1 − 2');
});

describe('in one line above the board', () => {
  const line = (of: Trace, id: number, ...shown: number[]): string =>
    read(shortFormula(of, of.nodes[id]!, new Set([id, ...shown]), valuesOf)).trim();
  it('expands hidden results, in brackets where needed', () => {
    expect(line(softmax, 4, 0, 2)).toBe('exp(subtract / 2)');
    expect(line(softmax, 4, 0)).toBe('exp((e − 2) / 2)');
    expect(line(softmax, 3, 0)).toBe('(e − 2) / 2');
  });
  it('names a table looked up at every position once, and a parameter without its path', () => {
    const reading = trace(
      leaf('table'),
      leaf('ids'),
      { ...leaf('decoder.1.attention.W_Q.weight'), role: 'parameter' },
      { ...leaf('cell.0.W'), role: 'parameter' },
      ...['gather', 'gather#2'].map((name) => step('gather', '{0}', [0, 1], `x/${name}`)),
      ...[4, 5, 6].map((id) => ({ ...step('add', '{0} + {1}', [id, id - 1], `encoder/h${id}`), scope: 1 })),
      step('multiply', '{0} · {1}', [8, 2], 'q'),
      step('multiply', '{0} · {1}', [8, 3], 'z'),
    );
    reading.scopes.push({ ...reading.scopes[0]!, id: 1, name: 'encoder', parent: 0, first: 6, last: 8 });
    expect(line(reading, 8)).toBe('encoder(cell.0.W, table)');
    expect(line(reading, 9, 8)).toBe('h6 · W_Q.weight');
    expect(line(reading, 10, 8)).toBe('h6 · cell.0.W');
  });
  it('has no brackets around a product in a sum, but around a subtracted difference', () => {
    const others = trace(
      leaf('a'),
      leaf('b'),
      step('multiply', '{0} · {1}', [0, 1]),
      step('add', '{0} + {1}', [2, 1], 'plus'),
      step('subtract', '{0} − {1}', [0, 1]),
      step('subtract', '{0} − {1}', [1, 4], 'minus'),
      step('divide', '{0} / {1}', [0, 2], 'over'),
    );
    expect(line(others, 3, 0, 1)).toBe('a · b + b');
    expect(line(others, 5, 0, 1)).toBe('b − (a − b)');
    expect(line(others, 6, 0, 1)).toBe('a / (a · b)');
  });
});
