// The formula of a step: tensor names, brackets where needed, and the numbers of a cell.
import type { TemplateResult } from 'lit';
import { describe, expect, it } from 'vitest';
import type { Trace, TraceNode } from '../../web/src/engine/types';
import { inNumbers, inSymbols, shortFormula } from '../../web/src/figures/shared/formula';

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

function trace(...list: Partial<TraceNode>[]): Trace {
  const base = { rule: 'elementwise', role: 'state', phase: 'forward', shape: [2], inputs: [], scope: 0, gradient: -1 };
  const nodes = list.map((part, id) => ({ ...base, formula: '', op: 'input', ...part, id })) as unknown as TraceNode[];
  return { nodes, scopes: [{ id: 0, name: '', parent: -1, first: 0, last: -1 }] } as unknown as Trace;
}

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
