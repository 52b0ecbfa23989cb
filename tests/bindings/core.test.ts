// The core module: the whole one's bits for the models it has, and a sentence for all that it has not.
import { beforeAll, describe, expect, it } from 'vitest';
import type { MainModule, Session } from '../../bindings/engine';
import { CORE_KINDS, moduleOf } from '../../web/src/engine/modules';
import { everything, value } from './boundary';
import { core, engine } from './modules';

let modules: [MainModule, MainModule];
let session: Session;

beforeAll(async () => {
  modules = [await engine(), await core()];
  session = new modules[1].Session();
});

const list = (words: string[]): string => words.map((word) => `"${word}"`).join(', ');

describe('the core module', () => {
  it.each(CORE_KINDS)('runs and trains %s to the same bits', (kind) => {
    const [whole, small] = modules.map(({ Session }) => {
      const session = new Session();
      value(session.load({ kind, seed: 7, optimiser: 'adam' }));
      const run = value(session.run([]));
      const trained = session.train(3);
      return { run, trained, everything: everything(session) };
    });
    expect(small).toEqual(whole);
  });

  it('has the kinds that the page believes, and refuses the others', () => {
    expect(session.load({ kind: 'seq2seq' })).toEqual({
      ok: false,
      code: 'E_CONFIG',
      message: `kind is "seq2seq": use one of ${list(CORE_KINDS)}.`,
      detail: 'load',
    });
  });

  it.each([{ task: 'reverse' }, { pairs: 'a b\tb a' }])('has no task to load: %o', (field) => {
    value(session.load({ kind: 'softmax' }));
    value(session.run([]));
    const before = everything(session);
    expect(session.load({ kind: 'softmax', ...field })).toEqual({
      ok: false,
      code: 'E_CONFIG',
      message: 'This is the core engine, which has no tasks: load the whole engine instead.',
      detail: 'load',
    });
    expect(everything(session)).toEqual(before);
    expect(session.task()).toMatchObject({ ok: false, code: 'E_INPUT' });
  });

  it('names no tasks and no recipes', () => {
    const [whole, small] = modules;
    expect(whole.taskNames()).toContain('reverse');
    expect([...small.taskNames(), ...small.recipeModels()]).toEqual([]);
    expect(small.recipe('reverse', 'gru')).toMatchObject({ ok: false, code: 'E_CONFIG' });
  });

  it('is of the same sources', () => {
    const [whole, small] = modules;
    expect(small.sourceHash()).toBe(whole.sourceHash());
  });
});

describe('a page starts with', () => {
  it.each([
    ['the core for a lesson without a task', '01-softmax', 'softmax', 'core'],
    ['the whole for a lesson with another kind', '05-seq2seq', 'seq2seq', 'whole'],
    ['the whole on the workbench', '', 'softmax', 'whole'],
  ])('%s', (_, lesson, kind, module) => {
    expect(moduleOf({ lesson, config: { kind } })).toBe(module);
  });
});
