// Another model beside the one on the workbench: where two runs part, and what may stand beside what.
import { beforeAll, describe, expect, it } from 'vitest';
import {
  chosenIn,
  differencesOf,
  freshModel,
  keptOf,
  rivalsOf,
  settingsIn,
  valuesFor,
  withOneChanged,
  checkTask,
} from '../../web/src/lesson/compare/beside/other';
import { firstDifference, gapIn, type Traced } from '../../web/src/lesson/compare/beside/first-difference';
import { choiceOf } from '../../web/src/lesson/compare/beside/other';
import { TESTED } from '../../web/src/lesson/compare/beside/job';
import { AXIS, LOWER, rungConfig, RUNGS } from '../../web/src/lesson/compare/beside/rungs';
import * as texts from '../../web/src/messages/en/lesson/beside';
import { startOf } from '../../web/src/workbench/models';
import type { Recipes } from '../../web/src/workbench/settings';
import type { Config, Reply, TraceNode } from '../../web/src/engine/types';
import { engine, value as granted } from '../bindings/modules';
import { nodeOf, refusal } from './lab-parts';
import { sessionOf, tested, traceIn } from './views-engine';

type Tensor = [name: string, values: number[], part?: Partial<TraceNode>];

/** A run with these tensors; the values of `hidden` cannot be read. */
function run(tensors: readonly Tensor[], hidden = -1): Traced {
  const nodes = tensors.map(([name, values, part], id) => nodeOf(id, name, { shape: [values.length], ...part }));
  const reply = (id: number): Reply<Float32Array> =>
    id === hidden ? refusal('gone') : { ok: true, value: Float32Array.from(tensors[id]![1]) };
  return { trace: { nodes, scopes: [] }, valuesOf: async (ids) => ids.map(reply) };
}

describe('the first tensor that differs', () => {
  it('is the first in the order of the run, and the place is that of its largest difference', async () => {
    const a = run([
      ['x', [1, 2]],
      ['h', [0, 1, 2]],
      ['y', [5]],
    ]);
    const b = run([
      ['x', [1, 2]],
      ['h', [0, 1.5, 4]],
      ['y', [6]],
    ]);
    expect(await firstDifference(a, b)).toEqual({
      compared: 2,
      gap: { name: 'h', shape: [3], isLeaf: false, count: 2, index: 2, values: [2, 4] },
      reshaped: null,
      only: [null, null],
    });
  });
  it('is looked for by name, in whatever order the other run has them', async () => {
    const a = run([
      ['x', [1]],
      ['k', [2]],
      ['q', [3]],
    ]);
    const b = run([
      ['q', [9]],
      ['k', [8]],
      ['x', [1]],
    ]);
    expect((await firstDifference(a, b))!.gap!.name).toBe('k');
  });
  it('has the same name and the same shape: others are named apart', async () => {
    const a = run([
      ['x', [1]],
      ['W', [1, 2]],
      ['only a', [1]],
      ['y', [1]],
    ]);
    const b = run([
      ['only b', [1]],
      ['x', [1]],
      ['W', [1, 2, 3]],
      ['y', [2]],
    ]);
    const found = (await firstDifference(a, b))!;
    expect(found.reshaped).toEqual({ name: 'W', shapes: [[2], [3]] });
    expect(found.only).toEqual(['only a', 'only b']);
    expect([found.gap!.name, found.compared]).toEqual(['y', 2]);
  });
  it('is none if all are the same bits, or no name is in both', async () => {
    const same = run([
      ['x', [1]],
      ['y', [NaN]],
    ]);
    expect(await firstDifference(same, same)).toMatchObject({ compared: 2, gap: null, only: [null, null] });
    const apart = await firstDifference(run([['a', [1]]]), run([['b', [1]]]));
    expect(apart).toEqual({ compared: 0, gap: null, reshaped: null, only: ['a', 'b'] });
  });
  it('passes over results without a name, and the way back', async () => {
    const a = run([
      ['exp', [1]],
      ['∂y', [1], { phase: 'backward' }],
      ['y', [1]],
    ]);
    const b = run([
      ['exp', [2]],
      ['∂y', [2], { phase: 'backward' }],
      ['y', [1]],
    ]);
    expect(await firstDifference(a, b)).toMatchObject({ compared: 1, gap: null });
  });
  it('is found behind many that are the same', async () => {
    const many = (last: number): Traced =>
      run(Array.from({ length: 173 }, (_, i) => [`h${i}`, [i === 171 ? last : i]]));
    expect(await firstDifference(many(1), many(2))).toMatchObject({ compared: 172, gap: { name: 'h171' } });
  });
  it('is unknown where values cannot be read', async () => {
    const tensors: Tensor[] = [
      ['x', [1]],
      ['y', [2]],
    ];
    expect(await firstDifference(run(tensors), run(tensors, 1))).toBeNull();
  });
  it('counts a zero of the other sign, and takes NaN for the largest difference', () => {
    const gap = (a: number[], b: number[]) =>
      gapIn(nodeOf(0, 'x', { shape: [a.length] }), Float32Array.from(a), Float32Array.from(b));
    expect(gap([0], [-0])).toMatchObject({ count: 1, index: 0 });
    expect(gap([1, NaN, 9], [2, 0, 0])).toMatchObject({ count: 3, index: 1 });
    expect(gap([-Infinity, NaN], [-Infinity, NaN])).toBeNull();
  });
});

describe('models of the lab', () => {
  let recipes: Recipes;
  let config: Config;
  beforeAll(async () => {
    const session = new (await engine()).Session();
    recipes = async (task, model) => granted(session.recipe(task, model));
    config = { ...(await startOf(choiceOf('seq2seq'), recipes)), seed: 1 };
  });
  const traced = async (model: Config): Promise<Traced> => {
    const session = await sessionOf(model);
    granted(session.read('abc', 'cba'));
    return {
      trace: traceIn(session),
      valuesOf: async (ids) => ids.map((id) => session.values(id) as Reply<Float32Array>),
    };
  };

  it('part where the one setting counts: another score only at the scores', async () => {
    const [a, b] = await withOneChanged(config, { by: 'setting', what: 'score', value: 'concat', seeds: 1 }, recipes);
    const found = (await firstDifference(await traced(a.config), await traced(b.config)))!;
    expect(found.gap?.name ?? found.only[1]).toMatch(/attention/);
    expect(found.compared).toBeGreaterThan(20);
  });
  it('part at the first state with another cell, and never with the same settings', async () => {
    const [a, b] = await withOneChanged(config, { by: 'setting', what: 'cell', value: 'rnn', seeds: 1 }, recipes);
    expect(await firstDifference(await traced(a.config), await traced(b.config))).toMatchObject({
      gap: { name: 'encoder.0.t0/h' },
      reshaped: { name: 'encoder.0.W' },
    });
    expect(await firstDifference(await traced(config), await traced({ ...config }))).toMatchObject({ gap: null });
  });
  it('of other kinds learn the same task from the same seed', async () => {
    for (const { kind } of rivalsOf(config)) {
      const fresh = await freshModel({ ...config, length: 6, seed: 5 }, kind, recipes);
      expect(fresh).toMatchObject({ kind, task: 'reverse', length: 6, seed: 5 });
      granted((await sessionOf(fresh)).task());
    }
    expect(rivalsOf(config).map(({ kind }) => kind)).toEqual(['seq2seq', 'transformer', 'program_seq2seq']);
    const text = { kind: 'transformer_lm', task: 'stories' };
    expect(rivalsOf(text).map(({ kind }) => kind)).toEqual(['transformer_lm', 'program_lm']);
  });
  it('say in which settings they differ, with what follows from one', async () => {
    const change = async (what: string, value: string): Promise<string[]> =>
      differencesOf(await withOneChanged(config, { by: 'setting', what, value, seeds: 1 }, recipes));
    expect(await change('hidden', '32')).toEqual(['Hidden size 64 → 32']);
    expect((await change('attention', 'luong')).join()).toMatch(
      /Attention bahdanau → luong.*Bidirectional true → false/,
    );
  });
  it('are refused where the other is the same, or learns another task', async () => {
    const change = (what: string, value: string) =>
      withOneChanged(config, { by: 'setting', what, value, seeds: 1 }, recipes);
    await expect(change('cell', 'gru')).rejects.toThrow('Cell is gru here already: choose another value');
    await expect(change('task', 'copy')).rejects.toThrow('no setting “task” to change');
    const two = [
      { label: 'here', config },
      { label: 'Transformer', config: { ...config, task: 'dates' } },
    ] as const;
    expect(() => checkTask(two)).toThrow(
      /^Task: Transformer learns dates, and the model here reverse, words up to \d+\. /,
    );
    checkTask([two[0], { label: 'b', config: { ...config, length: 10 } }]);
    expect(() => checkTask([two[0], { label: 'b', config: { ...config, task: 'reverse', length: 5 } }])).toThrow(
      'words up to 5',
    );
  });
  it('have every value but their own to change to', () => {
    const setting = (key: string) => settingsIn(config).find((each) => each.key === key)!;
    expect(valuesFor(config, setting('cell'))).toEqual(['rnn', 'rnn_relu', 'gru_reset_before', 'lstm']);
    expect(valuesFor(config, setting('bidirectional'))).toEqual(['false']);
    expect(valuesFor(config, setting('hidden'))).toBeUndefined();
  });
});

describe('the rungs of the ladder', () => {
  /** What a rung may change together: one thing. */
  const THINGS = [
    ['cell', 'attention'],
    ['cell'],
    ['reverse_source'],
    ['context'],
    ['reverse_source', 'bidirectional'],
  ].concat([['attention', 'score', 'context'], ['attention', 'input_feeding'], ['score'], ['input_feeding']]);
  it('each change one thing, which the rung below has otherwise', () => {
    expect(RUNGS.map((rung) => Object.keys(rung.with))).toEqual(THINGS);
    for (const lower of LOWER) {
      const below = rungConfig(lower);
      const changed = Object.entries(RUNGS[lower + 1]!.with);
      for (const [key, value] of changed) expect(below[key], `${key} below rung ${lower + 1}`).not.toBe(value);
    }
  });
  it('load in the engine, and have a name and a step in words', async () => {
    for (const [at, { name }] of RUNGS.entries()) {
      const session = await sessionOf({ ...rungConfig(at), seed: 1 });
      expect(granted(session.task()).name).toBe('copy');
      expect(texts.RUNGS[name].title).not.toBe('');
      expect(at === 0 || texts.RUNGS[name].step !== '').toBe(true);
    }
  });
  it('are drawn at lengths that the task has', async () => {
    const session = await sessionOf({ ...rungConfig(0), seed: 1 });
    const measured = tested(session, TESTED).byLength.map(({ length }) => length);
    expect(measured).toEqual(expect.arrayContaining([...AXIS.lengths]));
  });
});

it('what is compared is part of the page state; what is damaged there is not taken', () => {
  for (const chosen of [
    { by: 'setting', what: 'hidden', value: '−0,5 x', seeds: 3 },
    { by: 'left', what: 'transformer', value: '', seeds: 1 },
  ] as const)
    expect(chosenIn(keptOf(chosen))).toEqual(chosen);
  for (const damaged of [{}, { look: 'nothing' }, { look: 'setting cell lstm', at: 99 }])
    expect(chosenIn(damaged)).toBeNull();
});
