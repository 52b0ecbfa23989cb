// Comparisons: the curves of several runs, which are trained in turns and stopped at once.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  byLag,
  exactPercent,
  lagsChart,
  lengthsChart,
  spreadCurves,
  linesOf,
  longestChain,
  median,
  norm,
  runningMean,
  runOf,
  normsOf,
} from '../../web/src/lesson/compare/charts';
import {
  marksOf,
  evaluateAll,
  inSessions,
  newRunner,
  trainTogether,
  trialsOf,
  type Runner,
  type TrialSession,
} from '../../web/src/lesson/compare/trials';
import { variantOf } from '../../web/src/lesson/changes';
import type { Run } from '../../web/src/lesson/run';
import { refusal as refuse, sessionThat, trained } from './lab-parts';
import { points } from './views-engine';
import type { RemoteSession } from '../../web/src/engine/remote';
import type { EvaluationInfo, Trace, TraceNode } from '../../web/src/engine/types';
import { Work, type Job } from '../../web/src/lesson/compare/work';
import type { ComparisonOf } from '../../web/src/lesson/format/comparisons';
import type { LabElement } from '../../web/src/ui/lab-element';
import { htmlOf } from '../lessons/html-of';

const tensor = (shape: number[], values: number[]) => ({ shape, values: Float32Array.from(values) });

const rowsOf = (lines: ReturnType<typeof linesOf>): string[] => lines.map(({ row, values }) => `${row}: ${values}`);

describe('a tensor as lines', () => {
  it('is one line if it is a scalar or a vector', () => {
    expect(linesOf('a', tensor([], [3]), { of: 'L' })).toEqual([{ label: 'a', row: null, values: [3] }]);
    expect(linesOf('a', tensor([1, 2], [3, 4]), { of: 's' })).toEqual([{ label: 'a', row: null, values: [3, 4] }]);
    expect(linesOf('a', tensor([2], [3, 4]), { of: 's', row: 0 })[0]!.values).toEqual([3, 4]);
  });
  it('has a line for each row, or only for the named one', () => {
    const matrix = tensor([2, 3], [1, 2, 3, 4, 5, 6]);
    expect(rowsOf(linesOf('a', matrix, { of: 'W' }))).toEqual(['0: 1,2,3', '1: 4,5,6']);
    expect(linesOf('a', matrix, { of: 'W', row: 1 })).toEqual([{ label: 'a', row: 1, values: [4, 5, 6] }]);
    expect(() => linesOf('a', matrix, { of: 'W', row: 2 })).toThrow('row is 2, but W is (2, 3): use 0 to 1.');
    expect(() => linesOf('a', matrix, { of: 'W', slice: 1 })).toThrow('slice is 1, but W is (2, 3): leave it out.');
  });
  it('is of one head if there are several', () => {
    const heads = tensor([1, 2, 2, 3], [...Array(12).keys()]);
    expect(rowsOf(linesOf('a', heads, { of: 'α', slice: 1 }))).toEqual(['0: 6,7,8', '1: 9,10,11']);
    expect(linesOf('a', heads, { of: 'α', slice: 1, row: 1 })).toEqual([{ label: 'a', row: 1, values: [9, 10, 11] }]);
    const refuses = (part: object, what: string): void =>
      expect(() => linesOf('a', heads, { of: 'α', ...part })).toThrow(`${what}, but α is (1, 2, 2, 3): use 0 to 1.`);
    for (const row of [undefined, 1, 3]) refuses({ row }, 'slice is missing');
    refuses({ slice: 2 }, 'slice is 2');
    refuses({ slice: 0, row: 2 }, 'row is 2');
  });
});

it('marks are the first step, evenly spaced ones and the last, within the limit', () => {
  expect(marksOf(6, 3)).toEqual([1, 2, 4, 6]);
  expect(marksOf(7, 3)).toEqual([1, 3, 6, 7]);
  expect(marksOf(2, 150)).toEqual([1, 2]);
  for (const steps of [1, 149, 150, 151, 299, 5000]) {
    const marks = marksOf(steps, 150);
    expect(marks.at(-1)).toBe(steps);
    expect(marks.length).toBeLessThanOrEqual(152);
    expect(marks).toEqual([...marks].sort((a, b) => a - b));
  }
});

describe('curves and figures', () => {
  const runner = (part: Partial<Runner> = {}): Runner => ({
    label: 'with attention',
    config: {},
    session: {} as TrialSession,
    hasTask: true,
    curve: [1, 2, 40].map((step, i) => ({ step, loss: 3 - i, accuracy: i / 4 })),
    pace: [9, 4, 5],
    parameters: 858,
    ...part,
  });

  it('are moving averages over a window', () => {
    expect(runningMean(points('1 4, 2 2, 4 6, 9 1'), 3)).toEqual(points('1 4, 2 3, 4 4, 9 1'));
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
  });
  it('summarise a run, and name its steps only if some are missing', () => {
    const { name, curves, results } = runOf(runner({ chain: 7 }), 'loss', 40, true);
    expect(name).toBe('with attention');
    expect(curves[0]!.points).toEqual(points('1 3, 2 2.5, 40 1'));
    expect(results.map(({ label, value }) => `${label} ${value}`)).toEqual([
      'loss 1',
      'accuracy 0.5',
      'ms per step 5',
      'longest chain of operations 7',
      'parameters 858',
    ]);
    const withoutCosts = runOf(runner({ chain: 7 }), 'loss', 40).results.map(({ label }) => label);
    expect(withoutCosts).toEqual(['loss', 'accuracy']);
    expect(runOf(runner(), 'loss', 100).results[0]).toEqual({ label: 'steps', value: 40 });
  });
  it('without a task are not averaged and have no accuracy', () => {
    const { curves, results } = runOf(runner({ hasTask: false }), 'loss', 400);
    expect(curves[0]!.points.map(([, y]) => y)).toEqual([3, 2, 1]);
    expect(results.some(({ label }) => label === 'accuracy')).toBe(false);
  });
  it('give the perplexity of a language model, which has no single right text', () => {
    const last = (exactMatch: number) => {
      const written = { exactMatch, perplexity: 1.5 } as EvaluationInfo;
      return runOf(runner({ written }), 'loss', 40).results[2];
    };
    expect(last(NaN)).toEqual({ label: 'perplexity', value: 1.5 });
    expect(last(0.75)).toEqual({ label: 'exact match', value: 0.75 });
  });
  it('by length lie between 0 and 100 %, over the requested lengths', () => {
    const chart = lengthsChart({ lengths: [2, 4, 9], over: 'length' }, [], 1);
    expect([chart.x.from, chart.x.to, chart.y.from, chart.y.to]).toEqual([2, 9, 0, 100]);
    expect(exactPercent({ done: 0, exactMatch: 0 } as EvaluationInfo)).toBeNull();
    expect(exactPercent({ done: 4, exactMatch: 0.25 } as EvaluationInfo)).toBe(25);
  });
  it('of one seed are a line with dots, of several their mean, once all are measured, and the dots of each', () => {
    expect(spreadCurves('a', undefined, [points('4 90')])).toEqual([{ name: 'a', points: points('4 90'), dots: true }]);
    const of = (...each: string[]) =>
      spreadCurves(
        'a',
        [1, 2, 3],
        each.map((text) => (text ? points(text) : [])),
      );
    expect(of('4 90, 8 20', '4 96, 8 26', '4 99')).toEqual([
      { name: 'a', points: points('4 95') },
      { name: 'a, seed 1', among: 'a', points: points('4 90, 8 20') },
      { name: 'a, seed 2', among: 'a', points: points('4 96, 8 26') },
      { name: 'a, seed 3', among: 'a', points: points('4 99') },
    ]);
    expect(of('4 90', '4 94', '')[0]!.points).toEqual(points('4 92'));
    expect(of('', '', '')[0]!.points).toEqual([]);
  });
  it('by lag start at the last position', () => {
    expect(byLag([1, 2, 8])).toEqual(points('0 8, 1 2, 2 1'));
    expect(norm([3, 4])).toBe(5);
    expect(lagsChart('∂cell.0.t{t}/h', []).y).toEqual({ label: '‖∂L/∂h‖', log: true });
    expect(lagsChart('decoder.t{t}/s', []).y.label).toBe('‖s‖');
    expect(lagsChart('∂cell.0.t{t}/h', []).x.label).toBe('lag in positions');
    expect(lagsChart('∂cell.{t}.t9/h', []).x.label).toBe('lag in layers');
    expect(lagsChart('∂decoder.{t}.feed_forward/y', [])).toMatchObject({
      title: '‖∂L/∂y‖ by lag in blocks',
      x: { label: 'lag in blocks' },
    });
  });
});

it('sequential depth is the longest chain of operations in the forward pass', () => {
  const node = (phase: TraceNode['phase'], ...inputs: number[]) => ({ phase, inputs }) as TraceNode;
  const nodes = [node('leaf'), node('forward', 0), node('forward', 0), node('forward', 1, 2), node('backward', 3)];
  expect(longestChain({ nodes, scopes: [] })).toBe(2);
  expect(longestChain({ nodes: [node('leaf')], scopes: [] })).toBe(0);
});

/** Records its calls; refuses from a given step on. */
function fakeSession(name: string, log: string[], refusedFrom = Infinity): TrialSession {
  let [step, done] = [0, 0];
  const shapes = Object.entries({ W: [2, 3], b: [3] });
  return sessionThat({
    load: () => ({ parameters: shapes.map(([name, shape]) => ({ name, shape })) }),
    train: (steps: number) => {
      log.push(`${name}${(step += steps)}`);
      return step < refusedFrom ? trained(step) : refuse('The loss is not a number.', 'E_DIVERGED');
    },
    evaluate: () => ({ done: (done = 0), pairs: 3 }),
    evaluateMore: () => ({ done: ++done, pairs: 3 }),
  }).session;
}

describe('a variant', () => {
  const own = { kind: 'seq2seq', task: 'reverse', batch: 32, cell: 'gru', hidden: 8 };
  it('is the lesson’s model with other settings', () => {
    expect(variantOf(own, { cell: 'lstm' })).toEqual({ ...own, cell: 'lstm' });
    expect(variantOf(own, { kind: 'seq2seq', hidden: 4 })).toEqual({ ...own, hidden: 4 });
  });
  it('of another kind keeps the task and the training settings', () => {
    const transformer = { kind: 'transformer', heads: 2 };
    expect(variantOf(own, transformer)).toEqual({ kind: 'transformer', task: 'reverse', batch: 32, heads: 2 });
  });
});

describe('training in turns', () => {
  const two = async (log: string[], refusedFrom?: number, steps?: number): Promise<Runner[]> => [
    await newRunner({ label: 'a' }, { task: 'copy' }, fakeSession('a', log, refusedFrom)),
    await newRunner({ label: 'b', steps }, {}, fakeSession('b', log)),
  ];
  const reached = (runners: Runner[]): number[] => runners.map(({ curve }) => curve.at(-1)?.step ?? 0);

  it('brings all runs to a mark before going on to the next', async () => {
    const log: string[] = [];
    const runners = await two(log);
    await trainTogether(runners, 3, () => true);
    expect(log).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'b3']);
    expect(runners.map(({ hasTask }) => hasTask)).toEqual([true, false]);
    expect(runners[0]!.curve).toMatchObject([1, 2, 3].map((step) => ({ step, loss: 1 / step })));
    expect(runners[0]!.pace).toHaveLength(3);
    expect(runners[0]!.parameters).toBe(9);
  });
  it('ends a run at its own number of steps', async () => {
    for (const [steps, wanted] of [
      [2, ['a1', 'b1', 'a2', 'b2', 'a3']],
      [4, ['a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'b4']],
    ] as const) {
      const log: string[] = [];
      const runners = await two(log, Infinity, steps);
      await trainTogether(runners, 3, () => true);
      expect(log).toEqual(wanted);
      expect(reached(runners)).toEqual([3, steps]);
    }
  });
  it('stops after the current call', async () => {
    const log: string[] = [];
    const runners = await two(log);
    await trainTogether(runners, 300, () => log.length < 5);
    expect(log).toHaveLength(5);
    expect(reached(runners).every((step) => step < 5)).toBe(true);
  });
  it('continues with the others if one is refused', async () => {
    const runners = await two([], 2);
    await trainTogether(runners, 4, () => true);
    expect(runners.map(({ problem }) => problem)).toEqual(['The loss is not a number.', undefined]);
    expect(reached(runners)).toEqual([1, 4]);
  });
  it('names the run whose settings are refused', async () => {
    const refusing = { load: async () => ({ ok: false, message: 'cell is "x".' }) } as unknown as TrialSession;
    await expect(newRunner({ label: 'odd' }, {}, refusing)).rejects.toThrow('odd: cell is "x".');
  });
});

it('a run is trained from each seed, under its own steps', () => {
  const runs: ComparisonOf<'lengths'>['runs'] = [
    { label: 'one', with: { hidden: 8, steps: 5 } },
    { label: 'two', with: {} },
  ];
  const trials = (seeds?: number[]) => trialsOf({ runs, seeds });
  const whole = [
    { label: 'one, seed 3', with: { hidden: 8, steps: 5, seed: 3 }, steps: 5 },
    { label: 'one, seed 7', with: { hidden: 8, steps: 5, seed: 7 }, steps: 5 },
    { label: 'two, seed 3', with: { seed: 3 } },
    { label: 'two, seed 7', with: { seed: 7 } },
  ];
  expect(trials([3, 7])).toEqual(whole);
  expect(trials()).toEqual([
    { label: 'one', with: { hidden: 8, steps: 5 }, steps: 5 },
    { label: 'two', with: {} },
  ]);
});

it('over the lag, each run starts at the first one, and is loaded anew with another', async () => {
  const runs: ComparisonOf<'lengths'>['runs'] = [{ label: 'one', with: { hidden: 8 } }];
  expect(trialsOf({ runs, over: 'lag', lengths: [5, 20] })).toEqual([{ label: 'one', with: { hidden: 8, lag: 5 } }]);
  const work = workOf(async (work, go) => {
    await work.load(go, { lag: 20 });
    expect(work.runners.map(({ config }) => config)).toEqual([{ lag: 20 }, { lag: 20 }]);
    await work.load(() => false, { lag: 50 });
    expect(work.runners[0]!.config).toEqual({ lag: 20 });
    await work.train(go, (step, of) => work.report(`lag 20, ${step}`, step, of));
  });
  await press(work);
  expect(work.runners.map(({ curve }) => curve.at(-1)?.step)).toEqual([20, 20]);
  const chart = lengthsChart({ lengths: [5, 50], over: 'lag' }, [], 3);
  expect([chart.title, chart.x.label]).toEqual(['Exact match by lag, mean of 3 seeds', 'lag']);
});

it('the sessions are all open while the job runs, and evaluate one batch at a time', async () => {
  let open = 0;
  const probe = async <R>(job: (session: RemoteSession) => Promise<R>): Promise<R> => {
    ++open;
    const result = await job(fakeSession(`${open}`, []) as RemoteSession);
    --open;
    return result;
  };
  expect(await inSessions({ probe }, 3, async (sessions) => [sessions.length, open])).toEqual([3, 3]);
  expect(open).toBe(0);

  let asked = 0;
  const evaluated = await evaluateAll(fakeSession('a', []), 3, 0, () => ++asked > 0);
  expect([evaluated.ok && evaluated.value.done, asked]).toEqual([3, 3]);
  const stopped = await evaluateAll(fakeSession('a', []), 3, 0, () => false);
  expect(stopped.ok && stopped.value.done).toBe(0);
});

it('norms are read for as many positions as there are', async () => {
  const names = ['∂cell.0.t0/h', '∂cell.0.t1/h'];
  const run = {
    trace: { nodes: names.map((name, id) => ({ id, name })), scopes: [] } as unknown as Trace,
    lookup:
      async ([name]: string[]) =>
      () =>
        tensor([1, 2], name === names[0] ? [3, 4] : [0, 2]),
  } as unknown as Run;
  expect(await normsOf(run, '∂cell.0.t{t}/h')).toEqual([5, 2]);
});

// Work that takes time: it is started and stopped with one button, and says how far it is and what came of it.

vi.mock('../../web/src/figures/sequence', () => ({ loadSequenceViews: async () => undefined }));

let updates = 0;
let refusal = '';

/** It trains, and refuses to load with `refusal`. */
const session = (): object => sessionThat({ load: () => (refusal ? refuse(refusal) : { parameters: [] }) }).session;

const element = {
  addController: () => undefined,
  requestUpdate: () => updates++,
  lab: { probe: (job: (of: object) => unknown) => job(session()) },
} as unknown as LabElement;

const job = (compare: Job['compare']): Job => ({
  comparison: () => ({ runs: ['one', 'two'].map((label) => ({ label, with: {} })), steps: 20 }),
  verb: 'Train both',
  outcome: 'Trained for 20 steps.',
  compare,
  redraw: () => undefined,
  figure: () => '' as unknown as ReturnType<Job['figure']>,
});

const workOf = (compare: Job['compare']): Work => new Work(element, job(compare), { configOf: (settings) => settings });

/** Presses the button; resolves when nothing more happens. */
async function press(work: Work): Promise<void> {
  (work as unknown as { press: () => void }).press();
  await new Promise((done) => setTimeout(done, 20));
}

const shown = (work: Work): string => htmlOf(work.render()).replace(/\s+/g, ' ');

beforeEach(() => ((updates = 0), (refusal = '')));

it('trains every run to the end, then shows the outcome', async () => {
  const work = workOf((work, shouldContinue) => work.train(shouldContinue));
  expect(shown(work)).toContain('Train both');
  await press(work);
  expect(work.running).toBe(false);
  expect(work.runners.map(({ label, curve }) => `${label}: ${curve.at(-1)!.step}`)).toEqual(['one: 20', 'two: 20']);
  expect(shown(work)).toContain('Trained for 20 steps.');
  expect(updates).toBeGreaterThan(1);
});

it('stops when it is pressed again, or leaves the page', async () => {
  for (const stop of [press, (work: Work) => Promise.resolve(work.hostDisconnected())]) {
    let asked: (() => boolean) | null = null;
    const work = workOf((_, shouldContinue) => new Promise(() => (asked = shouldContinue)));
    await press(work);
    expect([work.running, asked!()]).toEqual([true, true]);
    await stop(work);
    expect([work.running, asked!()]).toEqual([false, false]);
    expect(shown(work)).toContain('Stopped');
  }
});

it('says why a model was refused, and forgets it', async () => {
  refusal = 'hidden is 0: use 1 to 256.';
  const work = workOf(() => expect.unreachable());
  await press(work);
  expect(work.running).toBe(false);
  expect(shown(work)).toContain('hidden is 0: use 1 to 256.');
  work.forget();
  expect(shown(work)).not.toContain('hidden is 0');
});
