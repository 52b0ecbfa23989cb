// Stepping consists of pure functions of a trace and a cursor. The trace here is made by hand, with nested scopes.
import { describe, expect, it } from 'vitest';
import {
  cursorAt,
  findNode,
  isOfUpdate,
  pathOf,
  START,
  atPosition,
  frame,
  isReached,
  position,
  stepsOf,
} from '../../web/src/lab/cursor';
import { isStuck, move, partsOf, stopAt, topStops } from '../../web/src/lab/stops';
import { nodeOf, scopeOf } from './lab-parts';
import { pick, seeded } from './states';
import type { Cursor, StepAction, Trace, TraceNode } from '../../web/src/engine/types';

const node = (id: number, name: string, scope = 0, phase: TraceNode['phase'] = 'forward'): TraceNode =>
  nodeOf(id, name, { scope, phase });

/** X W | attention( Q  softmax( one(leaf) max exp α )  c ) | L | ∂L ∂c */
const trace: Trace = {
  nodes: [
    node(0, 'X', 0, 'leaf'),
    node(1, 'W', 0, 'leaf'),
    node(2, 'attention/Q', 1),
    node(3, 'attention.softmax/one', 2, 'leaf'),
    node(4, 'attention.softmax/max', 2),
    node(5, 'attention.softmax/exp', 2),
    node(6, 'attention/α', 2),
    node(7, 'attention/c', 1),
    node(8, 'L', 0),
    node(9, '∂L', 0, 'backward'),
    node(10, '∂attention/c', 0, 'backward'),
  ],
  scopes: [scopeOf(0, '', -1, 0, 10), scopeOf(1, 'attention', 0, 2, 7), scopeOf(2, 'attention.softmax', 1, 3, 6)],
};

const on = (id: number, whole = -1): Cursor => ({ node: id, scope: whole });
const walk = (from: Cursor, ...actions: StepAction[]): Cursor =>
  actions.reduce((at, action) => move(trace, at, action), from);

/** Scopes in a row, of so many operations each that have no names. */
const scopesInRow = (count: number, size: number, nameOf: (i: number) => string): Trace => ({
  nodes: Array.from({ length: count * size }, (_, id) => {
    const scope = Math.floor(id / size);
    return node(id, `${nameOf(scope)}/exp#${id}`, scope + 1);
  }),
  scopes: [
    scopeOf(0, '', -1, 0, -1),
    ...Array.from({ length: count }, (_, i) => scopeOf(i + 1, nameOf(i), 0, i * size, i * size + size - 1)),
  ],
});
const eight = scopesInRow(8, 3, (i) => `part${i}`);

describe('stops', () => {
  const cursors = (of: Trace): Cursor[] => topStops(of).map(({ cursor }) => cursor);

  it('are the parts of an attention and of a softmax in it, while there are few', () => {
    expect(cursors(trace)).toEqual([on(2), on(4), on(5), on(6), on(7), on(8), on(10)]);
  });

  it('are scopes where there are enough, with their operations inside', () => {
    expect(cursors(eight)).toEqual([2, 5, 8, 11, 14, 17, 20, 23].map((id, i) => on(id, i + 1)));
    expect(partsOf(eight, topStops(eight)[0]!).map(({ cursor }) => cursor)).toEqual([on(0), on(1), on(2)]);
  });

  it('are left one at a time, forward and back, up to both ends', () => {
    const seen = [START];
    for (let i = 0; i < 7; i++) seen.push(move(trace, seen.at(-1)!, 'forward'));
    expect(seen.map((cursor) => cursor.node)).toEqual([-1, 2, 4, 5, 6, 7, 8, 10]);
    const back = seen.map((_, i) => walk(seen.at(-1)!, ...Array<StepAction>(i).fill('back')).node);
    expect(back).toEqual([10, 8, 7, 6, 5, 4, 2, -1]);
    expect(isStuck(trace, START, 'back')).toBe(true);
    expect(isStuck(trace, on(10), 'forward')).toBe(true);
    expect(walk(START, 'last')).toEqual(on(10));
    expect(walk(on(10), 'first')).toEqual(START);
    expect(isStuck(trace, START, 'first')).toBe(true);
  });

  it('are opened by Into and closed by Out', () => {
    expect(walk(on(10), 'into')).toEqual(on(9));
    expect(walk(on(9), 'out')).toEqual(on(10));
    expect(isStuck(trace, on(2), 'into')).toBe(true);
    expect(isStuck(trace, on(10), 'out')).toBe(true);
  });

  it('go on beyond their parts: after the last to the next stop, before the first to the one before', () => {
    expect(move(eight, on(5, 2), 'into')).toEqual(on(3));
    expect(move(eight, on(5), 'forward')).toEqual(on(8, 3));
    expect(move(eight, on(3), 'back')).toEqual(on(2, 1));
    expect(move(eight, on(4), 'out')).toEqual(on(5, 2));
  });

  it('are found for a scope that was opened, at its end', () => {
    expect(stopAt(trace, on(7, 1))!.cursor).toEqual(on(7));
    expect(walk(on(7, 1), 'forward')).toEqual(on(8));
    expect(frame(trace, on(6, 2))?.name).toBe('attention');
  });

  it('are of the top level where a lesson opens', () => {
    const opening = { ...on(4), opening: true };
    expect(stopAt(eight, opening)!.cursor).toEqual(on(5, 2));
    expect(move(eight, opening, 'forward')).toEqual(on(8, 3));
    expect(move(eight, opening, 'back')).toEqual(on(2, 1));
  });

  it('are one for many calls of one function', () => {
    const calls = scopesInRow(50, 2, () => 'call');
    expect(cursors(calls)).toEqual([on(99, 50)]);
    expect(partsOf(calls, topStops(calls)[0]!)).toHaveLength(50);
    expect(move(calls, on(99, 50), 'into')).toEqual(on(1, 1));
  });
});

describe('positions', () => {
  it('convert to a count of operations and back', () => {
    expect(stepsOf(trace)).toEqual([2, 4, 5, 6, 7, 8, 9, 10]);
    for (let count = 0; count <= 8; count++) expect(position(trace, atPosition(trace, count))).toBe(count);
    expect(atPosition(trace, -3)).toEqual(START);
    expect(atPosition(trace, 99)).toEqual(on(10));
  });

  it('leaves are always reached, operations once passed', () => {
    const reached = (cursor: Cursor): string[] => trace.nodes.filter((n) => isReached(n, cursor)).map((n) => n.name);
    expect(reached(START)).toEqual(['X', 'W', 'attention.softmax/one']);
    expect(reached(on(4))).toEqual(['X', 'W', 'attention/Q', 'attention.softmax/one', 'attention.softmax/max']);
    expect(reached({ ...on(4), opening: true })).toEqual(reached(on(8)));
  });

  it('are stored by name and restored', () => {
    for (const cursor of [on(2), on(6, 2), on(7, 1), on(10)])
      expect(cursorAt(trace, pathOf(trace, cursor))).toEqual(cursor);
    expect(cursorAt(trace, pathOf(trace, START))).toEqual(START);
    expect(cursorAt(trace, ['nowhere', ''])).toBeUndefined();
    expect(cursorAt(trace, ['L', 'attention'])).toBeUndefined();
    expect(cursorAt(trace, ['X', ''])).toBeUndefined();
  });
});

/** The same model with an update: update( norm  W( before(leaf) m W′ ) ). */
const learning: Trace = {
  nodes: [
    ...trace.nodes,
    node(11, 'update/norm', 3, 'update'),
    node(12, 'update.W/m before', 4, 'leaf'),
    node(13, 'update.W/m', 4, 'update'),
    node(14, 'update/W', 4, 'update'),
  ],
  scopes: [
    ...trace.scopes,
    { ...scopeOf(3, 'update', 0, 11, 14), phase: 'update' },
    { ...scopeOf(4, 'update.W', 3, 12, 14), phase: 'update' },
  ],
};

describe('the update', () => {
  it('is one stop after the backward pass, and ends the trace', () => {
    expect(stepsOf(learning).slice(-3)).toEqual([11, 13, 14]);
    expect(move(learning, on(10), 'forward')).toEqual(on(14, 3));
    expect(move(learning, START, 'last')).toEqual(on(14, 3));
    expect(isStuck(learning, on(14, 3), 'forward')).toBe(true);
  });

  it('is opened into its parameters', () => {
    expect(move(learning, on(14, 3), 'into')).toEqual(on(11));
    expect(cursorAt(learning, pathOf(learning, on(14, 3)))).toEqual(on(14, 3));
  });

  it('contains the optimiser’s state, and reuses no name of the model', () => {
    expect(learning.nodes.filter((each) => isOfUpdate(learning, each)).map(({ id }) => id)).toEqual([11, 12, 13, 14]);
    expect(findNode(learning, 'W')?.id).toBe(1);
    expect(findNode(learning, 'm')).toBeUndefined();
    expect(findNode(learning, 'update.W/m')?.id).toBe(13);
  });
});

it('any walk stays on operations of the trace and leaves it unchanged', () => {
  const before = JSON.stringify(trace);
  const actions: StepAction[] = ['first', 'back', 'forward', 'last', 'into', 'out'];
  const random = seeded(1);
  let cursor = START;
  for (let i = 0; i < 1000; i++) {
    cursor = move(trace, cursor, pick(random, actions));
    expect(cursor.node === -1 || stepsOf(trace).includes(cursor.node)).toBe(true);
    if (cursor.scope >= 0) expect(trace.scopes[cursor.scope]!.last).toBe(cursor.node);
  }
  expect(JSON.stringify(trace)).toBe(before);
});
