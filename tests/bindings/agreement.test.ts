// The same calls get the same replies natively and in WebAssembly: every number, name and sentence.
import { expect, it } from 'vitest';
import type { Session } from '../../bindings/engine';
import { engine, plain, run } from './modules';

type Request = { call: string; args: unknown[] };

const request = (call: string, ...args: unknown[]): Request => ({ call, args });

const looks: Request[] = [request('trace'), ...Array.from({ length: 60 }, (_, id) => request('values', id))];

const scores = ['dot', 'scaled_dot', 'cosine', 'content', 'general', 'biased_general', 'additive', 'concat', 'linear'];

const story: Request[] = [
  ...[...scores, 'location'].flatMap((score) => [
    request('load', { kind: 'attention', score, mask: 'causal' }),
    request('run', []),
    ...looks,
  ]),
  request('load', {
    kind: 'attention',
    seed: 11,
    score: 'additive',
    mask: 'causal',
    optimiser: 'adam',
  }),
  request('run', [{ name: 'X', shape: [2, 3], values: [0.1, -2, 3, 1e-7, 5, 6.25] }]),
  ...looks,
  request('edit', 'attention/α', 1, 0.5),
  request('checkGradient', 'W_V', 2),
  request('gradients', 4),
  request('train', 20),
  ...looks,
  request('save'),
  request('undoEdit', 'attention/α', 1),
  request('undoEdit', 'attention/α', 1),
  request('edit', 'mask', 0, '-inf'),
  request('edit', 'mask', 0, 'nan'),
  ...looks,
  request('load', {
    kind: 'softmax',
    scores: [1000, -1000, 0],
    temperature: 0,
    target: 1,
  }),
  request('run', []),
  ...looks,
  request('load', { kind: 'softmax', temperature: -0.1 }),
  request('run', [{ name: 'e', shape: [2, 2], values: [1, 2, 3, 4] }]),
];

const words: Record<string, number> = {
  inf: Infinity,
  '-inf': -Infinity,
  nan: NaN,
};
const unworded = (value: unknown): unknown => (typeof value === 'string' ? (words[value] ?? value) : value);

it('a story of calls', async () => {
  const native = run('build/native/tests/unroll_session', [], story.map((each) => JSON.stringify(each)).join('\n'));
  const expected = native.output.trim().split('\n');
  expect(expected).toHaveLength(story.length);

  const session = new (await engine()).Session();
  story.forEach(({ call, args }, i) => {
    const method = session[call as keyof Session] as (...args: unknown[]) => unknown;
    expect(plain(method.call(session, ...args.map(unworded))), `${i}: ${call}`).toEqual(JSON.parse(expected[i]));
  });
  session.delete();
});
