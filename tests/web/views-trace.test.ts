// What the views read out of a trace: rows of the board, the cells that a cell depends on, what the words are about.
import { describe, expect, it, vi } from 'vitest';

vi.mock('virtual:sources', () => ({ folder: '' }));

import type { Selection, Trace, TraceNode } from '../../web/src/engine/types';
import { nodeOf, scopeOf } from './lab-parts';
import { LabStore } from '../../web/src/lab/lab-store';
import { emptyState } from '../../web/src/lab/link/table';
import { readPage } from '../../web/src/lab/page';
import { automaticRows, boardRows } from '../../web/src/bench/board/board-layout';
import { cellAfterKey, cellAt, cellIndex, planeOf } from '../../web/src/ui/grid-layout';
import {
  describeCell,
  entropyBits,
  gradientOf,
  headline,
  namesIn,
  shortNames,
  subjectOf,
  summarize,
} from '../../web/src/figures/shared/summary';
import { resultOf } from '../../web/src/bench/code/line-result';
import { symbol } from '../../web/src/figures/shared/marks';
import { provenance } from '../../web/src/figures/shared/provenance';
import { validationError } from '../../web/src/figures/shared/edit-value';

let nodes: TraceNode[];
function node(name: string, shape: number[], inputs: number[] = [], part: Partial<TraceNode> = {}): number {
  const leaf = !inputs.length;
  const id = nodes.length;
  const own = leaf ? { op: 'input', rule: '', phase: 'leaf' as const } : { op: 'matmul', rule: 'nk,km->nm' };
  nodes.push(nodeOf(id, name, { ...own, shape, inputs, ...part }));
  return id;
}

/** X W → H; e = H Hᵀ; α = exp e / Σ exp e with two hidden results; c = α H. */
function attention(): Trace {
  nodes = [];
  const W = node('W', [2, 2], [], { op: 'parameter', role: 'parameter' });
  const X = node('X', [3, 2], [], { role: 'input' });
  const H = node('m/H', [3, 2], [X, W]);
  const e = node('m/e', [3, 3], [H, H], { rule: 'nk,mk->nm' });
  const exp = node('m.softmax/exp', [3, 3], [e], { op: 'exp', rule: 'elementwise' });
  const sum = node('m.softmax/sum', [3, 1], [exp], { op: 'sum', rule: 'reduce:1' });
  const a = node('m/α', [3, 3], [exp, sum], { op: 'divide', rule: 'elementwise', role: 'weight' });
  node('m/c', [3, 2], [a, H]);
  return { nodes, scopes: [] };
}
const names = (rows: TraceNode[][]): string[][] => rows.map((row) => row.map((n) => n.name));

describe('board', () => {
  it('shows what is named, by depth, inputs before parameters', () => {
    expect(names(automaticRows(attention()))).toEqual([['X', 'W', 'm/H', 'm/e', 'm/α'], ['m/c']]);
  });
  it('follows what the page asks for, and leaves out what is not there', () => {
    const trace = attention();
    const find = (name: string): TraceNode | undefined => trace.nodes.find((n) => n.name === name);
    expect(names(boardRows(trace, [['X', 'nothing'], ['m/c'], ['none']], find))).toEqual([['X'], ['m/c']]);
  });
});

describe('the cells that a cell depends on', () => {
  it('go through hidden results to the tensors on show, and stop there', () => {
    const trace = attention();
    const lit = provenance(trace, { node: 6, index: 4 }, new Set([2, 3]), () => undefined);
    expect([...lit.keys()]).toEqual([3]);
    expect([...lit.get(3)!].sort()).toEqual([3, 4, 5]);
  });
  it('are a row and a column for a product', () => {
    const lit = provenance(attention(), { node: 7, index: 3 }, new Set([2, 6]), () => undefined);
    expect([...lit.get(6)!].sort()).toEqual([3, 4, 5]);
    expect([...lit.get(2)!].sort()).toEqual([1, 3, 5]);
  });
});

describe('cursor in a grid', () => {
  const plane = planeOf([2, 3, 4], [1]);
  it('knows the slice on show', () => {
    expect(cellIndex(plane, 0, 0)).toBe(12);
    expect(cellAt(plane, 17)).toEqual({ row: 1, column: 1 });
    expect(cellAt(plane, 3)).toBeNull();
  });
  it('stays inside', () => {
    const key = (name: string, whole = false): unknown => cellAfterKey(plane, { row: 2, column: 3 }, name, whole);
    expect(key('ArrowRight')).toEqual({ row: 2, column: 3 });
    expect(key('ArrowUp')).toEqual({ row: 1, column: 3 });
    expect(key('Home')).toEqual({ row: 2, column: 0 });
    expect(key('Home', true)).toEqual({ row: 0, column: 0 });
    expect(key('a')).toBeNull();
  });
});

describe('words', () => {
  it('tell the largest, each row of weights, and the entropy in bits', () => {
    expect(entropyBits([0.25, 0.25, 0.25, 0.25])).toBeCloseTo(2);
    expect(entropyBits([1, 0])).toBe(0);
    const text = summarize(planeOf([2, 2]), [0.5, 0.5, 1, 0], 'weight');
    expect(text).toBe(
      'Largest 1 at [1, 0]. Row 0: largest at column 0, 0.5; entropy 1 bit. Row 1: largest at column 0, 1; entropy 0 bits.',
    );
    const named = headline({ shape: [2, 2] }, [0.5, 0.5, 0.1, 0.9], 'weight', 3, {
      columns: ['je', 'suis'],
      rows: ['I', 'am'],
    });
    expect(named).toBe('row am: largest at suis, 0.9; entropy 0.469 bits');
  });
  it('count what is not finite and do not call it largest', () => {
    expect(summarize(planeOf([3]), [-Infinity, 1, 2], 'score')).toBe(
      'Largest 2 at [2]; smallest 1. 1 value is not finite.',
    );
    expect(summarize(planeOf([1]), [-Infinity], 'score')).toBe('No finite value.');
    expect(summarize(planeOf([3]), undefined, 'score')).toBe('Not reached yet.');
  });
});

describe('names of rows and columns', () => {
  const labels = { 'm/e': { rows: ['a', 'b', 'c'], columns: [0, 1, 2] }, H: { rows: ['a', 'b', 'c'] } };
  it('go by the whole name or the end of the path', () => {
    const trace = attention();
    const of = (id: number): unknown => namesIn(labels, trace, trace.nodes[id]!);
    expect(of(3)).toEqual({ rows: ['a', 'b', 'c'], columns: ['0', '1', '2'] });
    expect(of(2)).toEqual({ rows: ['a', 'b', 'c'], columns: undefined });
    expect(of(4)).toEqual({});
  });
  it('are a gradient’s too, also of one that is called after another tensor', () => {
    const trace = attention();
    const shared = node('∂m.softmax/exp', [3, 3], [3], { phase: 'backward', role: 'gradient' });
    const none = node('∂m/c', [3, 2], [3], { phase: 'backward', role: 'gradient' });
    trace.nodes[3]!.gradient = trace.nodes[4]!.gradient = shared;
    expect(namesIn(labels, trace, trace.nodes[shared]!).rows).toEqual(['a', 'b', 'c']);
    expect(namesIn(labels, trace, trace.nodes[none]!)).toEqual({});
  });
  it('are said in place of numbers, and numbers count from 0 where there are none', () => {
    const names = { rows: ['a', 'b', 'c', 'd'], columns: ['a', 'b', 'c', 'd'] };
    expect(describeCell(planeOf([4, 4]), 0, 2, names)).toBe('row a, column c');
    expect(describeCell(planeOf([4, 3]), 3, 1, { rows: names.rows })).toBe('row d, column 1');
    expect(describeCell(planeOf([4, 4]), 0, 2)).toBe('[0, 2]');
    expect(describeCell(planeOf([2, 4, 4], [1]), 0, 2)).toBe('[1, 0, 2]');
    expect(describeCell(planeOf([2, 4, 4], [1]), 0, 2, names)).toBe('slice [1], row a, column c');
    expect(describeCell(planeOf([2]), 0, 1, { columns: ['item 0', 'item 1'] })).toBe('item 1');
    expect(describeCell(planeOf([2]), 0, 1)).toBe('[1]');
    expect(summarize(planeOf([2, 2]), [1, 2, 4, 3], 'state', names)).toBe('Largest 4 at row b, column a; smallest 1.');
    expect(headline({ shape: [2, 2] }, [1, 2, 4, 3], 'state', null, names)).toBe('Largest 4 at row b, column a.');
  });
  it('are of slices too, and a line about a cell is about its slice', () => {
    const names = { slice: 'head', slices: ['first', 'second'] };
    expect(describeCell(planeOf([1, 2, 2, 2], [0, 1]), 0, 1, names)).toBe('head second, row 0, column 1');
    expect(describeCell(planeOf([2, 2, 2], [1]), 0, 1, { slice: 'line' })).toBe('line 1, row 0, column 1');
    const weights = [1, 0, 1, 0, 0, 1, 0.25, 0.75];
    expect(headline({ shape: [2, 2, 2] }, weights, 'weight', 7)).toMatch(/^row 1: largest at column 1, 0\.75; /);
    expect(headline({ shape: [2, 2, 2] }, weights, 'weight', 2)).toMatch(/^row 1: largest at column 0, 1; /);
    expect(headline({ shape: [2, 1, 2] }, [1, 2, 4, 3], 'state', 3)).toBe('Largest 4 at [1, 0, 0].');
    expect(shortNames({ ...names, rows: ['étudiant'] }, 1280, 800)).toMatchObject(names);
  });
  it('name the cell whose value is refused', () => {
    const trace = attention();
    const said = (id: number, names: object): string => validationError(trace.nodes[id]!, 5, '', names);
    expect(said(3, { rows: ['a', 'b', 'c'] })).toMatch(/^e\[b, 2\] is empty/);
    expect(said(2, { columns: ['x', 'y'] })).toMatch(/^H\[2, y\] is empty/);
    expect(said(2, {})).toMatch(/^H\[2, 1\] is empty/);
  });
  it('stand on a board only where there is room', () => {
    const names = { rows: ['a', 'b'], columns: ['je', 'suis'] };
    expect(shortNames(names, 1280, 800)).toEqual(names);
    expect(shortNames(names, 1280, 700)).toEqual({ rows: ['a', 'b'], columns: undefined });
    expect(shortNames({ rows: ['étudiant', 'je'] }, 1280, 800)).toEqual({ rows: undefined, columns: undefined });
    expect(shortNames({ columns: Array<string>(47).fill('je') }, 1280, 800).columns).toHaveLength(47);
    expect(shortNames({ columns: Array<string>(47).fill('suis') }, 1280, 800).columns).toBeUndefined();
    expect(shortNames(names, 360, 800)).toEqual({});
  });
});

describe('a value that is typed', () => {
  const trace = attention();
  const X = trace.nodes[1]!;
  const score = { ...trace.nodes[3]!, role: 'score' as const };
  it('is refused outside the range the engine takes', () => {
    expect(validationError(X, 0, '1000001')).toBe(
      'X[0, 0] cannot be 1000001: enter a number from −1000000 to 1000000.',
    );
    expect(validationError(X, 0, '-1e39')).toMatch(/cannot be -1e39/);
    for (const text of ['1000000', '−1e6', '0,5', '0']) expect(validationError(X, 0, text)).toBe('');
  });
  it('may be −∞ in masks and scores only, and never ∞', () => {
    expect(validationError(X, 0, '-inf')).toMatch(/cannot be -inf: .*1000000\. Only masks and scores accept -inf\.$/);
    expect(validationError(score, 0, '-inf')).toBe('');
    expect(validationError({ ...X, name: 'mask' }, 0, '−∞')).toBe('');
    expect(validationError(score, 0, 'inf')).toBe(
      'e[0, 0] cannot be inf: enter a number from −1000000 to 1000000, or -inf.',
    );
  });
  it('is quoted when it is no number', () => {
    expect(validationError(X, 3, 'many')).toBe(
      'X[1, 1] cannot be “many”: enter a number from −1000000 to 1000000, such as 0.5.',
    );
  });
});

describe('what inspector and legend tell of', () => {
  const trace = attention();
  const labOn = (step: number, selection: Selection | null): LabStore => {
    const state = { ...emptyState(''), selection, cursor: { node: step, scope: -1 } };
    return Object.assign(new LabStore(readPage({}), { batch: async () => [] }), { trace, state });
  };
  const subjectIn = (lab: LabStore): unknown => {
    const subject = subjectOf(lab, trace);
    return subject && [subject.node.name, subject.index, subject.selected];
  };
  const on = (step: number, selection: Selection | null): unknown => subjectIn(labOn(step, selection));
  it('is the selected cell, or else the step', () => {
    expect(on(-1, null)).toBeNull();
    expect(on(3, null)).toEqual(['m/e', 0, false]);
    expect(on(3, { node: 'X', index: 4 })).toEqual(['X', 4, true]);
    expect(on(3, { node: 'X', index: 99 })).toEqual(['X', 0, true]);
    expect(on(3, { node: 'gone', index: 0 })).toEqual(['m/e', 0, false]);
  });
  it('is the step again once no cell is chosen, until another is', () => {
    vi.stubGlobal('requestAnimationFrame', () => 0);
    const lab = labOn(3, { node: 'X', index: 4 });
    lab.unselect();
    expect(subjectIn(lab)).toEqual(['m/e', 0, false]);
    lab.select('X', 4);
    expect(subjectIn(lab)).toEqual(['X', 4, true]);
  });
  it('of a node of the backward pass is every tensor whose gradient it is', () => {
    const shared = trace.nodes.length;
    trace.nodes.push({ ...trace.nodes[4]!, id: shared, name: '∂m.softmax/exp', phase: 'backward' });
    trace.nodes[3]!.gradient = trace.nodes[4]!.gradient = shared;
    expect(gradientOf(trace, trace.nodes[shared]!).map((n) => n.name)).toEqual(['m/e', 'm.softmax/exp']);
    expect(gradientOf(trace, trace.nodes[3]!)).toEqual([]);
  });
});

describe('what a line of code came to', () => {
  /** One line, run for two parameters: m1 p1 | m2 p2, each in a scope of its own in the update. */
  function update(): Trace {
    nodes = [];
    const given = node('W', [2]);
    for (const scope of [2, 3])
      for (const name of ['m', 'next']) node(`update.${scope}/${name}`, [2], [given], { phase: 'update', scope });
    const scope = (id: number, parent: number, first: number, last: number): Trace['scopes'][number] => ({
      ...scopeOf(id, `s${id}`, parent, first, last),
      phase: 'update',
    });
    return { nodes, scopes: [scope(0, -1, 0, 4), scope(1, 0, 1, 4), scope(2, 1, 1, 2), scope(3, 1, 3, 4)] };
  }
  const of = (trace: Trace, at: number, ids: number[]): number | undefined =>
    resultOf(
      trace,
      { node: at, scope: -1 },
      ids.map((id) => trace.nodes[id]!),
    )?.id;

  it('is of the call that the cursor is in, reached or not', () => {
    const trace = update();
    expect(of(trace, 3, [2, 4])).toBe(4);
    expect(of(trace, 4, [1, 3])).toBe(3);
    expect(of(trace, 2, [1, 3])).toBe(1);
  });
  it('outside of any call is the latest that was reached', () => {
    const trace = update();
    expect(of(trace, 0, [2, 4])).toBe(4);
    trace.nodes[3]!.scope = 0;
    expect(of(trace, 3, [2, 4])).toBe(2);
  });
});

it('a tensor of a sequence is called with its position', () => {
  const texts = (part: unknown): string =>
    Array.isArray(part)
      ? part.map(texts).join('')
      : part && typeof part === 'object'
        ? texts((part as { values: unknown }).values)
        : String(part ?? '');
  const called = (name: string): string => texts(symbol({ name, op: 'x', role: 'state' }));
  expect(called('decoder.t1.attention/α')).toBe('stateα1');
  expect(called('cell.0.t12/h')).toBe('stateh12');
  expect(called('decoder.t0/logits')).toBe('statelogits0');
  expect(called('attention/W_Q')).toBe('stateWQ');
  expect(called('network.test/h')).toBe('stateh');
});
