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
  isStuck,
  move,
  phases,
  position,
  stepsOf,
} from '../../web/src/lab/cursor';
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

describe('forward and back', () => {
  it('go operation by operation and skip leaves', () => {
    const seen = [START];
    for (let i = 0; i < 8; i++) seen.push(move(trace, seen.at(-1)!, 'forward'));
    expect(seen.map((cursor) => cursor.node)).toEqual([-1, 2, 4, 5, 6, 7, 8, 9, 10]);
    const back = seen.map((_, i) => walk(seen.at(-1)!, ...Array<StepAction>(i).fill('back')).node);
    expect(back).toEqual([10, 9, 8, 7, 6, 5, 4, 2, -1]);
  });

  it('stop at both ends', () => {
    expect(isStuck(trace, START, 'back')).toBe(true);
    expect(isStuck(trace, on(10), 'forward')).toBe(true);
    expect(walk(START, 'last')).toEqual(on(10));
    expect(walk(on(10), 'first')).toEqual(START);
    expect(isStuck(trace, START, 'first')).toBe(true);
  });
});

describe('over, into, out', () => {
  it('over runs the next composite as a whole', () => {
    expect(walk(START, 'over')).toEqual(on(7, 1));
    expect(walk(on(2), 'over')).toEqual(on(6, 2));
  });

  it('over is a plain step where no composite starts, and stops at the end', () => {
    expect(walk(on(4), 'over')).toEqual(on(5));
    expect(walk(on(7, 1), 'over')).toEqual(on(8));
    expect(isStuck(trace, on(10), 'over')).toBe(true);
  });

  it('into opens the current composite at its first operation', () => {
    expect(walk(on(7, 1), 'into')).toEqual(on(2));
    expect(walk(on(6, 2), 'into')).toEqual(on(4));
    expect(walk(on(2), 'into')).toEqual(on(4));
  });

  it('out finishes the enclosing scope and moves to it, level by level', () => {
    expect(walk(on(4), 'out')).toEqual(on(6, 2));
    expect(walk(on(4), 'out', 'out')).toEqual(on(7, 1));
    expect(isStuck(trace, on(7, 1), 'out')).toBe(true);
    expect(isStuck(trace, on(8), 'out')).toBe(true);
    expect(frame(trace, on(6, 2))?.name).toBe('attention');
  });

  it('forward and back from a composite start at its last operation', () => {
    expect(walk(on(6, 2), 'forward')).toEqual(on(7));
    expect(walk(on(6, 2), 'back')).toEqual(on(5));
  });
});

const counts = (of: Trace): string[] => phases(of).map(({ phase, count }) => `${phase} ${count}`);

describe('positions', () => {
  it('convert to a count of operations and back', () => {
    expect(stepsOf(trace)).toEqual([2, 4, 5, 6, 7, 8, 9, 10]);
    for (let count = 0; count <= 8; count++) expect(position(trace, atPosition(trace, count))).toBe(count);
    expect(atPosition(trace, -3)).toEqual(START);
    expect(atPosition(trace, 99)).toEqual(on(10));
    expect(counts(trace)).toEqual(['forward 6', 'backward 2']);
  });

  it('leaves are always reached, operations once passed', () => {
    const reached = (cursor: Cursor): string[] => trace.nodes.filter((n) => isReached(n, cursor)).map((n) => n.name);
    expect(reached(START)).toEqual(['X', 'W', 'attention.softmax/one']);
    expect(reached(on(4))).toEqual(['X', 'W', 'attention/Q', 'attention.softmax/one', 'attention.softmax/max']);
    expect(reached({ ...on(4), opening: true })).toEqual(reached(on(8)));
    expect(move(trace, { ...on(4), opening: true }, 'forward')).toEqual(on(5));
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
  it('is a separate part after the backward pass, and ends the trace', () => {
    expect(counts(learning)).toEqual(['forward 6', 'backward 2', 'update 3']);
    expect(stepsOf(learning).slice(-3)).toEqual([11, 13, 14]);
    expect(move(learning, START, 'last')).toEqual(on(14));
    expect(isStuck(learning, on(14), 'forward')).toBe(true);
  });

  it('can be stepped over as a whole, or into a parameter', () => {
    const whole = move(learning, on(10), 'over');
    expect(whole).toEqual(on(14, 3));
    expect(move(learning, whole, 'into')).toEqual(on(11));
    expect(move(learning, on(11), 'over')).toEqual(on(14, 4));
    expect(move(learning, on(13), 'out')).toEqual(on(14, 4));
    expect(cursorAt(learning, pathOf(learning, on(14, 4)))).toEqual(on(14, 4));
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
  const actions: StepAction[] = ['first', 'back', 'forward', 'last', 'into', 'over', 'out'];
  const random = seeded(1);
  let cursor = START;
  for (let i = 0; i < 1000; i++) {
    cursor = move(trace, cursor, pick(random, actions));
    expect(cursor.node === -1 || stepsOf(trace).includes(cursor.node)).toBe(true);
    if (cursor.scope >= 0) expect(trace.scopes[cursor.scope]!.last).toBe(cursor.node);
  }
  expect(JSON.stringify(trace)).toBe(before);
});
