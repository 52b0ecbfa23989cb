// The modules that the page loads give the whole engine's bits for their models, and refuse others in a sentence.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { sourceHash } from '../../web/plugin/source-hash.mjs';
import { type EngineModule, kindOf, moduleOf, MODULES } from '../../web/src/engine/kinds';
import type { Engine, Config } from '../../web/src/engine/types';
import { traceOf } from '../../web/src/engine/trace';
import { everything } from './boundary';
import { engine, pageModule, value } from './modules';
import { said } from './translation';

const whole = await engine();
const parts = Object.fromEntries(
  await Promise.all(MODULES.map(async (name) => [name, await pageModule(name)])),
) as Record<EngineModule, Engine>;

/** The refusal of an unknown kind, which lists the known ones. */
const unknownKind = ({ Session }: Engine): string => {
  const reply = new Session().load({ kind: 'none' });
  return reply.ok ? '' : said(reply);
};

const KINDS = [...unknownKind(whole).matchAll(/"(\w+)"/g)].slice(1).map(([, kind]) => kind!);

/** Everything visible of a model before and after three training steps. */
function trained({ Session }: Engine, kind: string): unknown {
  const session = new Session();
  value(session.load({ kind, seed: 7, optimiser: 'adam' }));
  const run = value(session.run([]));
  return { run, trained: session.train(3), everything: everything(session) };
}

/** The result of two training steps on a task, and what the model generates then. */
function taught({ Session }: Engine, config: Config): unknown {
  const session = new Session();
  value(session.load({ ...config, batch: 4 }));
  const trained = session.train(2);
  const [pair] = value(session.pairs('test', 0, 1));
  const { separator } = value(session.task());
  const written = session.generate(pair!.source.join(separator), { method: 'beam', width: 3 });
  const saved = createHash('sha256').update(value(session.save())).digest('hex');
  return { trained, pair, written, saved };
}

describe('the modules of the page', () => {
  it.each(KINDS)('have the kind %s once, in the module where the page looks for it', (kind) => {
    const having = MODULES.filter((name) => new parts[name].Session().load({ kind }).ok);
    // Models of which a part can be the learner's are in that module, too.
    const own = having.filter((name) => name !== 'parts' || !kindOf(kind).parts);
    expect(own).toEqual([moduleOf({ kind })]);
  });

  it.each(KINDS)('run and train %s to the same bits', { timeout: 60_000 }, (kind) => {
    expect(trained(parts[moduleOf({ kind })], kind)).toEqual(trained(whole, kind));
  });

  it.each([
    ['reverse', 'gru-attention'],
    ['translate-en-fr', 'transformer'],
    ['stories', 'lm'],
    ['captions', 'captioner'],
    ['reverse', 'program'],
    ['stories', 'program'],
  ])('learn %s with %s to the same bits', { timeout: 60_000 }, (task, model) => {
    const config = value(new whole.Session().recipe(task, model));
    expect(taught(parts[moduleOf(config)], config)).toEqual(taught(whole, config));
  });

  it.each(MODULES)('%s has all recipes, and is built from the sources that the page shows', (name) => {
    const part = parts[name];
    expect(part.recipeModels()).toEqual(whole.recipeModels());
    for (const model of ['gru', 'transformer'])
      expect(new part.Session().recipe('reverse', model)).toEqual(new whole.Session().recipe('reverse', model));
    expect(part.sourceHash()).toBe(sourceHash());
  });

  it.each(MODULES)('%s takes a kind of its own if none is named', (name) => {
    const { kind } = value(new parts[name].Session().load({}));
    expect(name === 'parts' ? kindOf(kind).parts !== undefined : moduleOf({ kind }) === name).toBe(true);
  });
});

describe.each([
  ['core', 'attention'],
  ['softmax', 'softmax'],
] as const)('the module %s', (name, kind) => {
  it('has no tasks', () => {
    expect(parts[name].taskNames()).toEqual([]);
    expect(parts.seq2seq.taskNames()).toEqual(whole.taskNames());
  });

  it.each<Config>([{ task: 'reverse' }, { pairs: 'a b\tb a\nb\tb' }, { text: 'a cat sat. '.repeat(20) }])(
    'refuses to learn one with the whole engine’s message: %o',
    (field) => {
      const session = new parts[name].Session();
      value(session.load({ kind }));
      value(session.run([]));
      const before = everything(session);
      const refusal = session.load({ kind, ...field });
      expect(refusal).toMatchObject({ ok: false, code: 'E_CONFIG' });
      expect(refusal).toEqual(new whole.Session().load({ kind, ...field }));
      expect(everything(session)).toEqual(before);
      expect(session.task()).toMatchObject({ ok: false, code: 'E_INPUT' });
    },
  );
});

/** What a module says of the first matrix in the trace of a model. */
function matrixOf({ Session }: Engine, kind: string): unknown {
  const session = new Session();
  value(session.load({ kind, seed: 7 }));
  value(session.run([]));
  const { nodes } = traceOf(value(session.trace()));
  const { id, shape } = nodes.find((node) => node.shape.length === 2)!;
  return [value(session.spectrum(id, 0, shape[0]!)), value(session.principalAxes(id))];
}

it.each(KINDS.filter((kind) => kind !== 'softmax'))(
  'of %s, its module tells of matrices what the whole engine tells',
  (kind) => {
    expect(matrixOf(parts[moduleOf({ kind })], kind)).toEqual(matrixOf(whole, kind));
  },
);

it('the module of the first lesson, which has no matrix, goes without', () => {
  const { spectrum, principalAxes } = new parts.softmax.Session();
  expect({ spectrum, principalAxes }).toEqual({});
});

it.each(MODULES)('%s refuses an unknown model with the whole engine’s message', (name) => {
  expect(KINDS.length).toBeGreaterThan(MODULES.length);
  expect(unknownKind(parts[name])).toEqual(unknownKind(whole));
  expect(moduleOf({})).toBe('core');
});
