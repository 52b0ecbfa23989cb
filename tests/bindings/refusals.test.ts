// The boundary: a refused call gives the reason in one sentence, and changes nothing. What needs no JavaScript to be
// refused is in session_refusals_test.cpp.
import { beforeEach, describe, expect, it } from 'vitest';
import { call, numbers, refused, renewSession, session, twelve, useSession } from './boundary';
import { value } from './modules';

useSession();

describe('refusals', () => {
  it.each<[string, string, unknown[], string]>([
    ['a size of a billion', 'load', [{ kind: 'attention', words: 1e9 }], 'E_CONFIG'],
    ['a size of zero', 'load', [{ kind: 'attention', size: 0 }], 'E_CONFIG'],
    ['half a word', 'load', [{ kind: 'attention', words: 2.5 }], 'E_CONFIG'],
    ['a size that is NaN', 'load', [{ kind: 'attention', words: NaN }], 'E_CONFIG'],
    ['a negative temperature', 'load', [{ kind: 'softmax', temperature: -1 }], 'E_CONFIG'],
    ['a temperature of ∞', 'load', [{ kind: 'softmax', temperature: Infinity }], 'E_CONFIG'],
    ['no scores', 'load', [{ kind: 'softmax', scores: [] }], 'E_CONFIG'],
    ['scores that are NaN', 'load', [{ kind: 'softmax', scores: [1, NaN] }], 'E_CONFIG'],
    ['scores that are words', 'load', [{ kind: 'softmax', scores: ['1', '2'] }], 'E_CONFIG'],
    ['a list as long as memory', 'load', [{ kind: 'softmax', scores: new Array(4e9) }], 'E_CONFIG'],
    ['a number as kind', 'load', [{ kind: 7 }], 'E_CONFIG'],
    ['an object as kind', 'load', [{ kind: {} }], 'E_CONFIG'],
    ['null as kind', 'load', [{ kind: null }], 'E_CONFIG'],
    ['a symbol as kind', 'load', [{ kind: Symbol('softmax') }], 'E_CONFIG'],
    ['a big integer as seed', 'load', [{ kind: 'softmax', seed: 7n }], 'E_CONFIG'],
    ['a negative seed', 'load', [{ kind: 'softmax', seed: -1 }], 'E_CONFIG'],
    ['a seed past 2³² − 1', 'load', [{ kind: 'softmax', seed: 2 ** 32 }], 'E_CONFIG'],
    ['__proto__ as a field', 'load', [JSON.parse('{"kind": "softmax", "__proto__": {"seed": 1}}')], 'E_CONFIG'],
    ['constructor as a field', 'load', [{ kind: 'softmax', constructor: 'x' }], 'E_CONFIG'],
    ['no config', 'load', [undefined], 'E_CONFIG'],
    ['null for a config', 'load', [null], 'E_CONFIG'],
    ['text for a config', 'load', ['softmax'], 'E_CONFIG'],
    ['a list for a config', 'load', [['softmax']], 'E_CONFIG'],
    ['__proto__ as an input', 'run', [numbers([4, 3], twelve(0), '__proto__')], 'E_INPUT'],
    ['another shape', 'run', [numbers([3, 4], twelve(0))], 'E_SHAPE'],
    [
      'an expression over seven axes',
      'calculate',
      ['def f(): return X', numbers([1, 1, 1, 1, 1, 4, 3], twelve(0))],
      'E_SHAPE',
    ],
    ['an expression that is no function', 'calculate', ['1 + 1', []], 'E_PROGRAM'],
    ['an expression that has no value', 'calculate', ['def f():\n    return None', []], 'E_PROGRAM'],
    ['an expression with a parameter', 'calculate', ['def f():\n    return parameter("W", [2])', []], 'E_PROGRAM'],
    ['a shape of a billion', 'run', [numbers([1e9, 1e9], twelve(0))], 'E_SHAPE'],
    ['half a shape', 'run', [numbers([4, 2.5], twelve(0))], 'E_SHAPE'],
    ['no shape', 'run', [[{ name: 'X', values: twelve(0) }]], 'E_SHAPE'],
    ['no values', 'run', [[{ name: 'X', shape: [4, 3] }]], 'E_INPUT'],
    ['text for values', 'run', [[{ name: 'X', shape: [4, 3], values: 'twelve words' }]], 'E_INPUT'],
    ['values said to be a billion', 'run', [[{ name: 'X', shape: [4, 3], values: { length: 1e9 } }]], 'E_INPUT'],
    ['∞', 'run', [numbers([4, 3], twelve(Infinity))], 'E_INPUT'],
    ['−∞ outside a mask', 'run', [numbers([4, 3], twelve(-Infinity))], 'E_INPUT'],
    ['numbers past 10⁶', 'run', [numbers([4, 3], twelve(1e7))], 'E_INPUT'],
    ['a number for an input', 'run', [[7]], 'E_INPUT'],
    ['an input without a name', 'run', [[{}]], 'E_INPUT'],
    ['nothing to run', 'run', [undefined], 'E_INPUT'],
    ['NaN for a node', 'values', [NaN], 'E_INPUT'],
    ['half a node', 'values', [0.5], 'E_INPUT'],
    ['text for a node', 'values', ['0'], 'E_INPUT'],
    ['2³² for a node', 'values', [2 ** 32], 'E_INPUT'],
    ['probabilities of what is no logarithm of one', 'probabilities', [0], 'E_INPUT'],
    ['probabilities of a node after the last', 'probabilities', [100000], 'E_INPUT'],
    ['a gradient that is not there', 'gradients', [100000], 'E_INPUT'],
    ['an edit to 10⁷', 'edit', ['X', 0, 1e7], 'E_INPUT'],
    ['an edit without a name', 'edit', [undefined, 0, 1], 'E_INPUT'],
    ['an edit to text', 'edit', ['X', 0, 'one'], 'E_INPUT'],
    ['edits of nothing', 'setEdits', [[{ name: 'attention/β', index: 0, value: 1 }]], 'E_INPUT'],
    ['edits that are no list', 'setEdits', ['X'], 'E_INPUT'],
    ['edits that are numbers', 'setEdits', [[1]], 'E_INPUT'],
    ['edits without a value', 'setEdits', [[{ name: 'X', index: 0 }]], 'E_INPUT'],
    ['a check of nothing', 'checkGradient', ['Z', 0], 'E_INPUT'],
    ['a billion steps', 'train', [1e9], 'E_INPUT'],
    ['steps without a number', 'train', [{}], 'E_INPUT'],
    ['a checkpoint of zeros', 'restore', [new Uint8Array(1000)], 'E_FORMAT'],
    ['text for a checkpoint', 'restore', ['{}'], 'E_FORMAT'],
  ])('%s: %s', (_, name, words, code) => refused(name, words, code));

  describe('of a model with a task', () => {
    const small = { kind: 'seq2seq', task: 'reverse', hidden: 8, embedding: 8, seed: 7 };
    beforeEach(() => {
      value(session.load(small));
      value(session.run([]));
      value(session.train(1));
    });

    it.each<[string, string, unknown[], string]>([
      ['a source of 70 characters', 'read', ['a'.repeat(70), ''], 'E_INPUT'],
      ['a number to read', 'read', [7, ''], 'E_INPUT'],
      ['nothing to write from', 'generate', ['', {}], 'E_INPUT'],
      ['a temperature that is text', 'generate', ['abc', { method: 'sample', temperature: 'NaN' }], 'E_CONFIG'],
      ['an option that is not there', 'generate', ['abc', { heat: 1 }], 'E_CONFIG'],
      ['a split that is not there', 'evaluate', ['exam', 0, 0], 'E_INPUT'],
      ['pairs beyond the maximum length', 'evaluate', ['test', 0, 64], 'E_INPUT'],
      ['a million pairs', 'pairs', ['test', 0, 1e6], 'E_INPUT'],
      ['half a position', 'generationCost', [0.5], 'E_INPUT'],
      ['a learning rate that is text', 'load', [{ ...small, learning_rate: 'NaN' }], 'E_CONFIG'],
      ['the size of what learns nothing', 'estimate', [{ kind: 'softmax' }], 'E_CONFIG'],
      ['one pair of one’s own', 'load', [{ kind: 'seq2seq', pairs: 'a\tb' }], 'E_INPUT'],
    ])('%s: %s', (_, name, words, code) => refused(name, words, code));
  });

  it('every call before load', () => {
    session.delete();
    renewSession();
    const words: Record<string, unknown[]> = {
      ...{ run: [[]], trace: [], values: [0], probabilities: [0], gradients: [0], edit: ['X', 0, 1], setEdits: [[]] },
      ...{ undoEdit: ['X', 0], checkGradient: ['X', 0], train: [1], save: [], restore: [new Uint8Array(8)] },
    };
    for (const [name, each] of Object.entries(words))
      expect(call(name, ...each), name).toMatchObject({ ok: false, code: 'E_INPUT', detail: name });
  });

  it('training a model without parameters', () => {
    value(session.load({ kind: 'softmax' }));
    value(session.run([]));
    refused('train', [1], 'E_CONFIG');
  });

  it('diverging training names the loss and the rate', () => {
    value(session.load({ kind: 'attention', seed: 7, learning_rate: 10, clip_norm: 1e6 }));
    value(session.run([...numbers([4, 3], twelve(1e6)), ...numbers([4, 3], twelve(-1e6), 'target')]));
    expect(call('train', 1000)).toMatchObject({ ok: false, code: 'E_DIVERGED', id: 'loss_or_gradient_not_finite' });
  });

  it('more bytes than the memory limit', () => {
    refused('restore', [new Uint8Array(1.1e9)], 'E_OOM');
  });

  it('leaves Object.prototype alone', () => {
    call('load', JSON.parse('{"kind": "softmax", "__proto__": {"polluted": 1}}'));
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
