// The modules that the page loads: the whole engine's bits for the models they have, and a sentence for those they have not.
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { MainModule, Session } from '../../bindings/engine';
import { sourceHash } from '../../web/plugin/source-hash.mjs';
import { moduleOf, MODULES, unknownKind, type EngineModule } from '../../web/src/engine/modules';
import { everything, value } from './boundary';
import { engine, pageModule } from './modules';

const NAMES = Object.keys(MODULES) as EngineModule[];
const KINDS = NAMES.flatMap((name) => MODULES[name].map((kind) => [name, kind] as const));

let whole: MainModule;
let parts: Record<EngineModule, MainModule>;

beforeAll(async () => {
  whole = await engine();
  parts = Object.fromEntries(await Promise.all(NAMES.map(async (name) => [name, await pageModule(name)])));
});

/** The kinds that a module says it has, where it is asked for none of them. */
function kindsOf({ Session }: MainModule): string[] {
  const reply = new Session().load({ kind: 'none' });
  const [, ...kinds] = [...(reply.ok ? '' : reply.message).matchAll(/"(\w+)"/g)].map(([, kind]) => kind!);
  return kinds;
}

/** A model before and after three steps of training: all that can be seen of it. */
function trained({ Session }: MainModule, kind: string): unknown {
  const session = new Session();
  value(session.load({ kind, seed: 7, optimiser: 'adam' }));
  const run = value(session.run([]));
  return { run, trained: session.train(3), everything: everything(session) };
}

/** What two steps on batches of a task come to, and what is written then. */
function taught({ Session }: MainModule, config: Parameters<Session['load']>[0]): unknown {
  const session = new Session();
  value(session.load({ ...config, batch: 4 }));
  const trained = session.train(2);
  const [pair] = value(session.pairs('test', 0, 1));
  const { separator } = value(session.task());
  const written = session.write(pair!.source.join(separator), { method: 'beam', width: 3 });
  const saved = createHash('sha256').update(value(session.save())).digest('hex');
  return { trained, pair, written, saved };
}

describe('the modules of the page', () => {
  it.each(NAMES)('%s has the kinds that the page believes', (name) => {
    expect(kindsOf(parts[name])).toEqual(MODULES[name]);
  });

  it('have every kind once', () => {
    expect(KINDS.map(([, kind]) => kind).sort()).toEqual(kindsOf(whole));
    for (const [name, kind] of KINDS) expect(moduleOf(kind)).toBe(name);
  });

  it.each(KINDS)(
    '%s runs and trains %s to the same bits',
    (name, kind) => {
      expect(trained(parts[name], kind)).toEqual(trained(whole, kind));
    },
    60_000,
  );

  it.each([
    ['reverse', 'gru-attention'],
    ['translate-en-fr', 'transformer'],
    ['stories', 'lm'],
    ['captions', 'captioner'],
  ])(
    'learn %s with %s to the same bits',
    (task, model) => {
      const config = value(whole.recipe(task, model));
      expect(taught(parts[moduleOf(config.kind)!], config)).toEqual(taught(whole, config));
    },
    60_000,
  );

  it.each(NAMES)('%s has all recipes, and is of the sources that the page shows', (name) => {
    const part = parts[name];
    expect(part.recipeModels()).toEqual(whole.recipeModels());
    for (const model of ['gru', 'transformer'])
      expect(part.recipe('reverse', model)).toEqual(whole.recipe('reverse', model));
    expect(part.sourceHash()).toBe(sourceHash());
  });

  it.each(NAMES)('%s takes a kind by itself where none is named', (name) => {
    expect(value(new parts[name].Session().load({})).kind).toBe(MODULES[name][0]);
  });
});

describe('the core', () => {
  it('knows no task', () => {
    expect(parts.core.taskNames()).toEqual([]);
    expect(parts.seq2seq.taskNames()).toEqual(whole.taskNames());
  });

  it.each([{ task: 'reverse' }, { pairs: 'a b\tb a\nb\tb' }, { text: 'a cat sat. '.repeat(20) }])(
    'refuses to learn one, in the words of the whole: %o',
    (field) => {
      const session = new parts.core.Session();
      value(session.load({ kind: 'attention' }));
      value(session.run([]));
      const before = everything(session);
      const refusal = session.load({ kind: 'attention', ...field });
      expect(refusal).toMatchObject({ ok: false, code: 'E_CONFIG' });
      expect(refusal).toEqual(new whole.Session().load({ kind: 'attention', ...field }));
      expect(everything(session)).toEqual(before);
      expect(session.task()).toMatchObject({ ok: false, code: 'E_INPUT' });
    },
  );
});

it('a model that is nowhere is refused in the words of the whole', () => {
  const refusal = new whole.Session().load({ kind: 'none' });
  expect(refusal).toMatchObject({ ok: false, code: 'E_CONFIG', message: unknownKind('none') });
  expect([moduleOf('none'), moduleOf(undefined)]).toEqual([null, 'core']);
});
