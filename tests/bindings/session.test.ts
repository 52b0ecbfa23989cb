// The boundary: every call answers with a value or a refusal, and a refused call changes nothing.
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MainModule, Session } from '../../bindings/engine';
import { engine } from './modules';

type Reply = { ok: true; value: unknown } | { ok: false; code: string; message: string; detail: string };
type Anything = (...words: unknown[]) => Reply;

let module: MainModule;
let session: Session;

beforeAll(async () => {
  module = await engine();
});

beforeEach(() => {
  session = new module.Session();
  value(session.load({ kind: 'attention', seed: 7 }));
  value(session.run([]));
  return () => session.delete();
});

function value<T>(reply: { ok: true; value: T } | { ok: false; message: string }): T {
  if (!reply.ok) throw new Error(reply.message);
  return reply.value;
}

/** A call with whatever words, past the types: what a broken or hostile page could send. */
function call(name: string, ...words: unknown[]): Reply {
  return (session[name as keyof Session] as Anything).call(session, ...words);
}

function refused(name: string, words: unknown[], code: string): void {
  const before = everything();
  const reply = call(name, ...words);
  expect(reply).toMatchObject({ ok: false, code, detail: name });
  expect((reply as { message: string }).message).toMatch(/^\S.*\.$/su);
  expect(everything()).toEqual(before);
}

/** All that can be seen of a session. */
function everything(): unknown {
  const trace = value(session.trace());
  return { trace, values: trace.nodes.map((node) => value(session.values(node.id))), saved: value(session.save()) };
}

const idOf = (name: string): number => value(session.trace()).nodes.findIndex((node) => node.name === name);
const numbers = (shape: number[], values: number[] | Float32Array, name = 'X') => [{ name, shape, values }];
const twelve = (each: number) => new Float32Array(12).fill(each);

describe('every call answers', () => {
  it('load says what the model takes and has', () => {
    const info = value(session.load({ kind: 'softmax', scores: [1, 5, 2], seed: 3 }));
    expect(info).toEqual({ kind: 'softmax', seed: 3, inputs: [{ name: 'e', shape: [3] }], parameters: [] });
  });

  it('run takes Float32Array and plain lists alike', () => {
    const first = value(session.run(numbers([4, 3], twelve(0.5))));
    expect(value(session.run(numbers([4, 3], Array.from(twelve(0.5)))))).toEqual(first);
  });

  it('trace, values and gradients belong together', () => {
    const { nodes, scopes } = value(session.trace());
    expect(scopes[0]).toMatchObject({ id: 0, parent: -1 });
    for (const node of nodes) {
      const size = node.shape.reduce((product, each) => product * each, 1);
      expect(value(session.values(node.id))).toHaveLength(size);
      if (node.gradient >= 0) expect(value(session.gradients(node.id))).toEqual(value(session.values(node.gradient)));
    }
  });

  it('edit changes the value and undoEdit restores every bit', () => {
    const before = everything();
    value(session.edit('attention/α', 2, 0.25));
    expect(value(session.values(idOf('attention/α')))[2]).toBe(0.25);
    value(session.undoEdit('attention/α', 2));
    expect(everything()).toEqual(before);
  });

  it('checkGradient holds the backward pass against a difference', () => {
    const check = value(session.checkGradient('W_Q', 4));
    expect(check.difference).toBeCloseTo(Math.abs(check.analytic - check.numeric), 12);
    expect(check.difference).toBeLessThan(1e-4);
  });

  it('train counts its steps', () => {
    expect(value(session.train(3)).step).toBe(3);
    expect(value(session.train(2)).step).toBe(5);
  });

  it('save and restore lead to the same training', () => {
    value(session.load({ kind: 'attention', seed: 7, optimiser: 'adam', learning_rate: 0.01 }));
    value(session.train(5));
    const saved = value(session.save());
    const ahead = value(session.train(5));
    value(session.restore(saved));
    expect(value(session.train(5))).toEqual(ahead);
  });
});

describe('what a session gives is a copy', () => {
  it('survives the growth of the memory and a later run', () => {
    const values = value(session.values(idOf('X')));
    const bytes = value(session.save());
    const before = [Array.from(values), Array.from(bytes)];
    call('restore', new Uint8Array(200 << 20));
    value(session.run(numbers([4, 3], twelve(9))));
    expect([Array.from(values), Array.from(bytes)]).toEqual(before);
  });

  it('does not see what the page writes into it', () => {
    const id = idOf('X');
    const before = value(session.values(id));
    value(session.values(id)).fill(99);
    expect(value(session.values(id))).toEqual(before);
  });
});

describe('refusals', () => {
  it.each<[string, string, unknown[], string]>([
    ['a kind that is not there', 'load', [{ kind: 'perceptron' }], 'E_CONFIG'],
    ['a field that is not there', 'load', [{ kind: 'softmax', hiden: 3 }], 'E_CONFIG'],
    ['a size of a billion', 'load', [{ kind: 'attention', words: 1e9 }], 'E_CONFIG'],
    ['a size of zero', 'load', [{ kind: 'attention', size: 0 }], 'E_CONFIG'],
    ['half a word', 'load', [{ kind: 'attention', words: 2.5 }], 'E_CONFIG'],
    ['a size that is NaN', 'load', [{ kind: 'attention', words: NaN }], 'E_CONFIG'],
    ['a negative temperature', 'load', [{ kind: 'softmax', temperature: -1 }], 'E_CONFIG'],
    ['a temperature of ∞', 'load', [{ kind: 'softmax', temperature: Infinity }], 'E_CONFIG'],
    ['no scores', 'load', [{ kind: 'softmax', scores: [] }], 'E_CONFIG'],
    ['scores that are NaN', 'load', [{ kind: 'softmax', scores: [1, NaN] }], 'E_INPUT'],
    ['scores that are words', 'load', [{ kind: 'softmax', scores: ['1', '2'] }], 'E_CONFIG'],
    ['a list as long as memory', 'load', [{ kind: 'softmax', scores: new Array(4e9) }], 'E_CONFIG'],
    ['a number as kind', 'load', [{ kind: 7 }], 'E_CONFIG'],
    ['an object as kind', 'load', [{ kind: {} }], 'E_CONFIG'],
    ['null as kind', 'load', [{ kind: null }], 'E_CONFIG'],
    ['a symbol as kind', 'load', [{ kind: Symbol('softmax') }], 'E_CONFIG'],
    ['a big integer as seed', 'load', [{ kind: 'softmax', seed: 7n }], 'E_CONFIG'],
    ['a negative seed', 'load', [{ kind: 'softmax', seed: -1 }], 'E_CONFIG'],
    ['a seed past 2⁵³', 'load', [{ kind: 'softmax', seed: 1e300 }], 'E_CONFIG'],
    ['__proto__ as a field', 'load', [JSON.parse('{"kind": "softmax", "__proto__": {"seed": 1}}')], 'E_CONFIG'],
    ['constructor as a field', 'load', [{ kind: 'softmax', constructor: 'x' }], 'E_CONFIG'],
    ['no config', 'load', [undefined], 'E_CONFIG'],
    ['null for a config', 'load', [null], 'E_CONFIG'],
    ['text for a config', 'load', ['softmax'], 'E_CONFIG'],
    ['a list for a config', 'load', [['softmax']], 'E_CONFIG'],
    ['an input that is not there', 'run', [numbers([4, 3], twelve(0), 'Y')], 'E_INPUT'],
    ['__proto__ as an input', 'run', [numbers([4, 3], twelve(0), '__proto__')], 'E_INPUT'],
    ['another shape', 'run', [numbers([3, 4], twelve(0))], 'E_SHAPE'],
    ['a shape of five axes', 'run', [numbers([1, 1, 1, 4, 3], twelve(0))], 'E_SHAPE'],
    ['a shape of a billion', 'run', [numbers([1e9, 1e9], twelve(0))], 'E_SHAPE'],
    ['a negative shape', 'run', [numbers([-4, -3], twelve(0))], 'E_SHAPE'],
    ['half a shape', 'run', [numbers([4, 2.5], twelve(0))], 'E_SHAPE'],
    ['no shape', 'run', [[{ name: 'X', values: twelve(0) }]], 'E_SHAPE'],
    ['too few values', 'run', [numbers([4, 3], [1, 2, 3])], 'E_SHAPE'],
    ['no values', 'run', [[{ name: 'X', shape: [4, 3] }]], 'E_INPUT'],
    ['text for values', 'run', [[{ name: 'X', shape: [4, 3], values: 'twelve words' }]], 'E_INPUT'],
    ['values said to be a billion', 'run', [[{ name: 'X', shape: [4, 3], values: { length: 1e9 } }]], 'E_INPUT'],
    ['NaN', 'run', [numbers([4, 3], twelve(NaN))], 'E_INPUT'],
    ['∞', 'run', [numbers([4, 3], twelve(Infinity))], 'E_INPUT'],
    ['−∞ outside a mask', 'run', [numbers([4, 3], twelve(-Infinity))], 'E_INPUT'],
    ['numbers past 10⁶', 'run', [numbers([4, 3], twelve(1e7))], 'E_INPUT'],
    ['the second of two inputs', 'run', [[...numbers([4, 3], twelve(1)), ...numbers([1], [1], 'mask')]], 'E_SHAPE'],
    ['a number for an input', 'run', [[7]], 'E_INPUT'],
    ['an input without a name', 'run', [[{}]], 'E_INPUT'],
    ['nothing to run', 'run', [undefined], 'E_INPUT'],
    ['a node before the first', 'values', [-1], 'E_INPUT'],
    ['a node after the last', 'values', [100000], 'E_INPUT'],
    ['NaN for a node', 'values', [NaN], 'E_INPUT'],
    ['half a node', 'values', [0.5], 'E_INPUT'],
    ['text for a node', 'values', ['0'], 'E_INPUT'],
    ['2³² for a node', 'values', [2 ** 32], 'E_INPUT'],
    ['a gradient that is not there', 'gradients', [100000], 'E_INPUT'],
    ['an edit of nothing', 'edit', ['attention/β', 0, 1], 'E_INPUT'],
    ['an edit of a gradient', 'edit', ['∂attention/α', 0, 1], 'E_INPUT'],
    ['an edit past the end', 'edit', ['X', 12, 1], 'E_INPUT'],
    ['an edit before the start', 'edit', ['X', -1, 1], 'E_INPUT'],
    ['an edit to NaN', 'edit', ['X', 0, NaN], 'E_INPUT'],
    ['an edit to ∞', 'edit', ['X', 0, Infinity], 'E_INPUT'],
    ['an edit to 10⁷', 'edit', ['X', 0, 1e7], 'E_INPUT'],
    ['an edit without a name', 'edit', [undefined, 0, 1], 'E_INPUT'],
    ['an edit to text', 'edit', ['X', 0, 'one'], 'E_INPUT'],
    ['an undo of nothing', 'undoEdit', ['X', 0], 'E_INPUT'],
    ['a check of nothing', 'checkGradient', ['Z', 0], 'E_INPUT'],
    ['a check past the end', 'checkGradient', ['X', 12], 'E_INPUT'],
    ['no steps', 'train', [0], 'E_INPUT'],
    ['steps backwards', 'train', [-5], 'E_INPUT'],
    ['a billion steps', 'train', [1e9], 'E_INPUT'],
    ['steps without a number', 'train', [{}], 'E_INPUT'],
    ['an empty checkpoint', 'restore', [new Uint8Array(0)], 'E_FORMAT'],
    ['a checkpoint of zeros', 'restore', [new Uint8Array(1000)], 'E_FORMAT'],
    ['text for a checkpoint', 'restore', ['{}'], 'E_FORMAT'],
  ])('%s: %s', (_, name, words, code) => refused(name, words, code));

  it('every call before load', () => {
    session.delete();
    session = new module.Session();
    const words: Record<string, unknown[]> = { run: [[]], trace: [], values: [0], gradients: [0], edit: ['X', 0, 1] };
    Object.assign(words, { undoEdit: ['X', 0], checkGradient: ['X', 0], train: [1], save: [] });
    words.restore = [new Uint8Array(8)];
    for (const [name, each] of Object.entries(words))
      expect(call(name, ...each), name).toMatchObject({ ok: false, code: 'E_INPUT', detail: name });
  });

  it('training a model without parameters', () => {
    value(session.load({ kind: 'softmax' }));
    value(session.run([]));
    refused('train', [1], 'E_CONFIG');
  });

  it('training that diverges names the loss and the rate', () => {
    value(session.load({ kind: 'attention', seed: 7, learning_rate: 10, clip_norm: 1e6 }));
    value(session.run([...numbers([4, 3], twelve(1e6)), ...numbers([4, 3], twelve(-1e6), 'target')]));
    expect(call('train', 1000)).toMatchObject({ ok: false, code: 'E_DIVERGED', message: /learning_rate/ });
  });

  it('more bytes than the memory may hold', () => {
    refused('restore', [new Uint8Array(1.1e9)], 'E_OOM');
  });

  it('leaves Object.prototype alone', () => {
    call('load', JSON.parse('{"kind": "softmax", "__proto__": {"polluted": 1}}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('damaged checkpoints', () => {
  it('cut off anywhere, are refused and leave the weights', () => {
    value(session.train(2));
    const saved = value(session.save());
    for (let length = 0; length < saved.length; length += 7) refused('restore', [saved.slice(0, length)], 'E_FORMAT');
  });

  it('with a flipped header byte, are refused or read, but never half', () => {
    value(session.train(2));
    const saved = value(session.save());
    const header = 8 + Number(new DataView(saved.buffer).getBigUint64(0, true));
    for (let at = 0; at < header; ++at) {
      const damaged = saved.slice();
      damaged[at] ^= 0x10;
      const before = everything();
      const reply = call('restore', damaged);
      if (reply.ok) value(session.restore(saved));
      else expect(reply).toMatchObject({ code: expect.stringMatching(/^E_(FORMAT|SHAPE)$/) });
      expect(everything(), `byte ${at}`).toEqual(before);
    }
  });

  it('of another model, are refused', () => {
    const saved = value(session.save());
    value(session.load({ kind: 'attention', seed: 7, size: 5 }));
    value(session.run([]));
    refused('restore', [saved], 'E_FORMAT');
  });
});

it('a session may be deleted and made again without end', () => {
  for (let i = 0; i < 2000; ++i) {
    const each = new module.Session();
    value(each.load({ kind: 'softmax' }));
    value(each.run([]));
    each.delete();
  }
});
