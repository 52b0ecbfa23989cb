// The boundary: every call returns plain values that the caller owns.
import { describe, expect, it } from 'vitest';
import { traceOf } from '../../web/src/engine/trace';
import { call, idOf, module, numbers, session, twelve, useSession } from './boundary';
import { value } from './modules';

useSession();

describe('every call answers', () => {
  it('load returns the model’s inputs and parameters', () => {
    const info = value(session.load({ kind: 'softmax', scores: [1, 5, 2], seed: 3 }));
    expect(info).toEqual({ kind: 'softmax', seed: 3, steps: 0, inputs: [{ name: 'e', shape: [3] }], parameters: [] });
  });

  it('run takes Float32Array and plain lists alike', () => {
    const first = value(session.run(numbers([4, 3], twelve(0.5))));
    expect(value(session.run(numbers([4, 3], Array.from(twelve(0.5)))))).toEqual(first);
  });

  it('trace, values and gradients fit together', () => {
    const { nodes, scopes } = traceOf(value(session.trace()));
    expect(scopes[0]).toMatchObject({ id: 0, name: '', parent: -1 });
    const { file } = scopes.find(({ name }) => name === 'attention')!;
    expect(nodes[idOf('X')]).toMatchObject({ name: 'X', role: 'input', phase: 'leaf' });
    expect(nodes[idOf('attention/α')]).toMatchObject({ name: 'attention/α', op: 'divide', phase: 'forward' });
    expect(file).toMatch(/^engine\/\S+\.cpp$/);
    for (const node of nodes) {
      const size = node.shape.reduce((product, each) => product * each, 1);
      expect(value(session.values(node.id))).toHaveLength(size);
      if (node.gradient >= 0) expect(value(session.gradients(node.id))).toEqual(value(session.values(node.gradient)));
    }
  });

  it('every run tells whether the trace has changed in more than its values', () => {
    const first = value(session.run(numbers([4, 3], twelve(0.5)))).trace;
    expect(value(session.run(numbers([4, 3], twelve(0.25)))).trace).toBe(first);
    const edited = value(session.edit('attention/α', 2, 0.25)).trace; // no gradient passes the edited weight: more steps
    expect(edited).not.toBe(first);
    const trace = value(session.trace());
    expect(value(session.edit('attention/α', 2, 0.5)).trace).toBe(edited);
    expect(value(session.trace())).toEqual(trace);
    expect(value(session.undoEdit('attention/α', 2)).trace).toBe(first);
    const longer = value(session.run(numbers([5, 3], Array(15).fill(0.5)))).trace;
    expect(longer).not.toBe(first);
    expect(Number.isSafeInteger(longer)).toBe(true);
  });
});

describe('a session returns copies, which', () => {
  it('survive memory growth and a later run', () => {
    const values = value(session.values(idOf('X')));
    const bytes = value(session.save());
    const before = [Array.from(values), Array.from(bytes)];
    call('restore', new Uint8Array(200 << 20));
    value(session.run(numbers([4, 3], twelve(9))));
    expect([Array.from(values), Array.from(bytes)]).toEqual(before);
  });

  it('do not pass writes by the page back to the session', () => {
    const id = idOf('X');
    const before = value(session.values(id));
    value(session.values(id)).fill(99);
    expect(value(session.values(id))).toEqual(before);
  });
});

it('a session can be deleted and recreated any number of times', () => {
  for (let i = 0; i < 2000; ++i) {
    const each = new module.Session();
    value(each.load({ kind: 'softmax' }));
    value(each.run([]));
    each.delete();
  }
});
