// A remembering session gives the same replies as a plain one, and calls the engine less.
import { afterAll, expect, it, vi } from 'vitest';
import { unwrap } from '../../web/src/engine/refused';
import { remembering } from './remembering';
import { openWasm, type Opened } from './sessions';

const config = { kind: 'seq2seq', task: 'copy', length: 3, hidden: 8, embedding: 4, batch: 8, seed: 1 };

const [bare, engine] = [await openWasm(), await openWasm()];
const session = remembering(engine);
afterAll(() => [bare, session].forEach((each) => each.close()));

/** The model's output for this source, after the change. */
async function outputOf(of: Opened, source: string, change: (of: Opened) => Promise<unknown> = async () => null) {
  await unwrap(of.load(config));
  await unwrap(of.read(source, source));
  const { output } = await unwrap(of.run([]));
  await change(of);
  return unwrap(of.values(output));
}

const trained = (of: Opened) => unwrap(of.train(3));
const edited = (of: Opened) => unwrap(of.edit('decoder.t0/s', 0, 0.5));

it('repeats its replies, whatever came in between', async () => {
  for (const change of [undefined, trained, edited, undefined, edited])
    for (const source of ['ab', 'cd', 'ab'])
      expect(await outputOf(session, source, change)).toEqual(await outputOf(bare, source, change));
});

it('makes no engine call twice', async () => {
  const asked = (engine.values = vi.fn(engine.values));
  const [known, other] = [await outputOf(session, 'ba'), await outputOf(session, 'dc')];
  expect(asked).toHaveBeenCalledTimes(2);
  expect(known).not.toEqual(other);
  expect(await outputOf(session, 'ba')).toBe(known);
  expect(asked).toHaveBeenCalledTimes(2);
});

it('restores the engine’s state for a new call', async () => {
  await outputOf(session, 'ab', trained);
  await outputOf(session, 'cd');
  await outputOf(session, 'ab', trained);
  await outputOf(bare, 'ab', trained);
  expect(await session.trace()).toEqual(await bare.trace());
});

it('continues an evaluation, even after other queries', async () => {
  const evaluated = async (of: Opened) => {
    await outputOf(of, 'ab', trained);
    const begun = await unwrap(of.evaluate('test', 150, 0));
    await unwrap(of.values(1));
    const more = await unwrap(of.evaluateMore());
    return [begun, more, await unwrap(of.evaluateMore())];
  };
  const found = await evaluated(session);
  expect(found[2]!.done).toBeGreaterThan(found[1]!.done);
  expect(found).toEqual(await evaluated(bare));
  await outputOf(session, 'cd');
  expect(await evaluated(session)).toEqual(found);
});

it('distinguishes −∞ from ∞, and repeats refusals', async () => {
  const softmax = async (of: Opened, value: number) => {
    await unwrap(of.load({ kind: 'softmax', scores: [1, 2], seed: 1 }));
    return of.run([{ name: 'e', shape: [2], values: Float32Array.of(value, 0) }]);
  };
  for (const value of [-Infinity, Infinity, NaN, -Infinity, Infinity])
    expect(await softmax(session, value), String(value)).toEqual(await softmax(bare, value));
  const refused = await session.load({ kind: 'nothing' });
  expect(refused.ok).toBe(false);
  expect(await session.load({ kind: 'nothing' })).toEqual(refused);
});
