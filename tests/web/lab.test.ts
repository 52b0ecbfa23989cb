// A lab and its parts alone: what the learner does, what the store says has changed, questions, and threads.
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, resultWith, RUN, sessionThat, storeWith, traceWith, type Answers } from './lab-parts';
import { UNDO } from '../../web/src/messages/en/lab';
import { Lab } from '../../web/src/lab/lab';
import { readPage } from '../../web/src/lab/page';
import type { Workers } from '../../web/src/engine/client';
import type { LabStore, Topic } from '../../web/src/lab/lab-store';
import { JobQueue } from '../../web/src/lab/job-queue';
import { Queries } from '../../web/src/lab/queries';
import type { TaskInfo } from '../../web/src/engine/types';
import { Threads } from '../../web/src/lab/trainer';
import type { Experiment } from '../../web/src/engine/replay';
import { SeedSensitivity, type Seeded } from '../../web/src/lab/seed-sensitivity';

/** The workers of hidden sessions, which get no model. */
const WORKERS = { of: () => ({ call: async () => refusal('none', 'E_WORKER'), close: () => undefined }) };

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('window', globalThis);
  return () => vi.unstubAllGlobals();
});

/** A lab beside the page's main one, with its model loaded. */
async function lab(answers: Answers = {}) {
  const values = () => Float32Array.of(1, 2);
  const { session, calls } = sessionThat({ values, ...answers });
  const lab = new Lab(readPage({ lesson: 'here' }), false, WORKERS as unknown as Workers, session);
  await lab.start();
  calls.length = 0;
  return { lab, calls, methods: () => calls.map(([method]) => method) };
}

it('the latest edit is undone first, until there is none', async () => {
  const { lab: bench, methods } = await lab();
  await bench.edit('X', 0, 2);
  await bench.edit('X', 1, 3);
  expect(await bench.undoEdit()).toBe(true);
  expect(bench.state.edits).toEqual([{ name: 'X', index: 0, value: 2 }]);
  expect(await bench.undoEdit('X')).toBe(true);
  expect(await bench.undoEdit()).toBe(false);
  expect(methods().filter((method) => method !== 'trace')).toEqual(['edit', 'edit', 'undoEdit', 'undoEdit']);
});

const silent = { kind: 'zero', tensor: 'X', training: false, source: '', target: '' };

it('interventions are put in force in the loaded model, kept under another pair, and dropped by a reset', async () => {
  const read = () => ({ source: [], target: [], alignment: [], heldOut: false });
  const { lab: bench, methods, calls } = await lab({ read });
  await bench.intervene([silent]);
  expect(calls.find(([method]) => method === 'setInterventions')).toEqual(['setInterventions', [silent]]);
  expect(methods()).not.toContain('load');
  await bench.read('ab', 'ba');
  expect(bench.state.interventions).toEqual([silent]);
  await bench.reset();
  expect(bench.state.interventions).toEqual([]);
  bench.notice!.action!.run();
  await bench.settled();
  expect(bench.state.interventions).toEqual([silent]);
});

it('a model that has been trained is trained again where an intervention changes what it learns', async () => {
  const { lab: bench, methods } = await lab();
  bench.training = { ...bench.training, step: 5 };
  await bench.intervene([silent]);
  expect(methods()).not.toContain('load');
  await bench.intervene([silent, { ...silent, kind: 'frozen' }]);
  expect(methods()).toContain('load');
});

it('an intervention that is refused leaves those before', async () => {
  const { lab: bench } = await lab({ setInterventions: () => refusal('tensor is "Y".') });
  expect((await bench.intervene([{ ...silent, tensor: 'Y' }], true)).ok).toBe(false);
  expect(bench.state.interventions).toEqual([]);
  expect(bench.problem).toBe(null);
});

it('a reset says what it dropped, and brings it back', async () => {
  const { lab: bench } = await lab();
  await bench.edit('X', 0, 2);
  await bench.reset();
  expect(bench.state.edits).toEqual([]);
  expect(bench.notice?.action?.label).toBe(UNDO);
  bench.notice!.action!.run();
  await bench.settled();
  expect(bench.state.edits).toEqual([{ name: 'X', index: 0, value: 2 }]);
});

it('a function of an input takes the values in force once earlier changes are made', async () => {
  const { lab: bench } = await lab();
  void bench.setInput('X', [3, 4]);
  await bench.setInput('X', (now) => now.map((value) => 2 * value));
  expect(bench.state.inputs).toEqual([{ name: 'X', values: [6, 8], at: 0 }]);
  await bench.setInput('X', Promise.resolve([5, 6]));
  expect(bench.state.inputs[0]!.values).toEqual([5, 6]);
});

it('a value that is typed into an input takes the place of its edit', async () => {
  const { lab: bench, methods } = await lab();
  await bench.edit('X', 0, 2);
  await bench.edit('X', 1, 3);
  await bench.setInput('X', () => [7, 8], 0);
  expect(bench.state.edits).toEqual([{ name: 'X', index: 1, value: 3 }]);
  expect(methods()).toContain('setEdits');
});

it('a value that is typed into an input and refused leaves its edit', async () => {
  let isRefused = false;
  const { lab: bench } = await lab({ run: () => (isRefused ? refusal('too large') : { ...RUN }) });
  await bench.edit('X', 0, 2);
  isRefused = true;
  expect(await bench.setInput('X', () => [7, 8], 0)).toBe(false);
  expect(bench.state.edits).toHaveLength(1);
});

it('the cursor stays where the learner moves it while a change is made', async () => {
  const { lab: bench } = await lab({ trace: () => traceWith('Y', 'Z') });
  const edited = bench.edit('X', 0, 2);
  bench.focus({ at: 'Z' });
  await edited;
  expect(bench.cursor.node).toBe(2);
});

it('training first runs the program that was typed, and is not begun if that is refused', async () => {
  const load = vi.fn((config: object) => ('program' in config ? refusal('line 1: no colon.') : { inputs: [] }));
  const { lab: bench, methods } = await lab({ load, run: () => ({ ...RUN }) });
  bench.written = 'def f(x)';
  expect(await bench.train(() => 5)).toBe(false);
  expect(bench.problem?.message).toBe('line 1: no colon.');
  expect(bench.written).toBe('def f(x)');
  expect(methods()).not.toContain('train');
  bench.written = null;
  expect(await bench.train(() => 5)).toBe(true);
});

// The store: what it says has changed, and what stays of the learner's place when there is another run.

const TOPICS: Topic[] = ['cursor', 'selection', 'hover', 'choice', 'run', 'values', 'training', 'activity', 'problem'];

/** What a store says from now on; it says it in frames. */
function heard(store: LabStore) {
  const topics: string[] = [];
  const frames: (() => void)[] = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  for (const topic of TOPICS) store.addEventListener(topic, () => topics.push(topic));
  return { topics, nextFrame: () => frames.splice(0).forEach((draw) => draw()) };
}

it('dispatches each topic once per frame, however often it changed', () => {
  const store = storeWith();
  const { topics, nextFrame } = heard(store);
  store.select('Y', 0);
  store.select('Y', 1);
  store.choose('heads', { front: 1 });
  expect(topics).toEqual([]);
  nextFrame();
  expect(topics).toEqual(['selection', 'choice']);
  expect(store.state).toMatchObject({ selection: { node: 'Y', index: 1 }, shown: { heads: { front: 1 } } });
});

it('says nothing where nothing changed', () => {
  const store = storeWith();
  const { topics, nextFrame } = heard(store);
  store.point({});
  store.dismiss();
  nextFrame();
  expect(topics).toEqual([]);
});

it('fetches values when they are asked for, and says that they have arrived', async () => {
  const { session, calls } = sessionThat();
  const store = storeWith(session);
  const { trace } = resultWith();
  expect(store.values(trace.nodes[1]!)).toBeUndefined();
  await vi.waitFor(() => expect(store.values(trace.nodes[1]!)).toEqual(Float32Array.of(1)));
  expect(calls).toEqual([['batch', 'values', [1]]]);
  expect(store.gradient(trace.nodes[1]!)).toBeUndefined();
});

it('keeps the learner at the operation of the same name, and where they moved during the change', () => {
  const store = storeWith();
  store.accept(store.state, resultWith(traceWith('Y', 'Z')));
  store.focus({ at: 'Z' });
  const before = store.state;
  store.select('Y', 1);
  store.accept({ ...before, edits: [{ name: 'X', index: 0, value: 2 }] }, resultWith(traceWith('Y', 'W', 'Z')), before);
  expect(store.cursor).toEqual({ node: 3, scope: -1 });
  expect(store.selection).toEqual({ node: 'Y', index: 1 });
  expect(store.state.edits).toHaveLength(1);
});

it('drops the selection of a tensor that is gone', () => {
  const store = storeWith();
  store.accept(store.state, resultWith());
  store.select('Y', 0);
  store.accept(store.state, resultWith());
  expect(store.selection).not.toBeNull();
  store.accept(store.state, resultWith(traceWith('Z')));
  expect(store.selection).toBeNull();
});

it('reports what the engine refused, but not a second time that a worker was lost', () => {
  const store = storeWith();
  store.reportRefusal({ code: 'E_WORKER', message: 'The engine stopped.', detail: '' });
  expect(store.problem).toBeNull();
  store.reportRefusal({ code: 'E_INPUT', message: 'X has no row 9.', detail: '' });
  expect(store.problem?.message).toBe('X has no row 9.');
  store.dismiss();
  expect(store.problem).toBeNull();
});

// Questions about the loaded model.

function queries(answers: Answers) {
  const { session } = sessionThat(answers);
  const store = storeWith(session);
  return { store, ask: new Queries(store, session, new JobQueue(() => undefined)) };
}

it('a refused question has an empty answer, and is reported', async () => {
  const { store, ask } = queries({ checkGradient: () => refusal('X is no parameter.'), recipe: () => refusal('no') });
  expect(await ask.checkGradient('X', 0)).toBeNull();
  expect(store.problem?.message).toBe('X is no parameter.');
  expect(await ask.recipe('reverse', 'gru')).toEqual({});
});

it('a gradient is checked in its turn', async () => {
  const check = { analytic: 1, numeric: 1, difference: 0 };
  expect(await queries({ checkGradient: () => check }).ask.checkGradient('X', 0)).toEqual(check);
});

it('a program is checked with the sizes of the vocabularies in place of the task', () => {
  const { store, ask } = queries({});
  const task = { sourceWords: ['a', 'b'], targetWords: ['c'] } as unknown as TaskInfo;
  store.accept({ ...store.state, config: { kind: 'program_lm', task: 'stories', size: 8 } }, { ...resultWith(), task });
  expect(ask.withProgram('y = x')).toEqual({
    kind: 'program_lm',
    size: 8,
    seed: 1,
    source_vocabulary: 2,
    target_vocabulary: 1,
    vocabulary: 1,
    program: 'y = x',
  });
});

// How many threads train a model: what happens where more cannot start, or are lost.

const experiment = { config: {}, inputs: [], pair: null, steps: 30, edits: [] };

/** In a browser with four cores. */
function threads(answers: Answers = {}, isReady = true) {
  vi.stubGlobal('crossOriginIsolated', true);
  vi.stubGlobal('navigator', { hardwareConcurrency: 4 });
  vi.stubGlobal('document', { hidden: false });
  const { session, calls } = sessionThat({ restore: () => ({ steps: 30 }), ...answers });
  session.isReadyFor = () => isReady;
  return { threads: new Threads(session), methods: () => calls.map(([method]) => method) };
}

it('the model moves to as many as the browser has cores, with its weights', async () => {
  const { threads: all, methods } = threads();
  expect(await all.moveIfReady(experiment)).toBe(true);
  expect(all.atWork).toBe(4);
  expect(methods()).toEqual(['save', 'load', 'restore', 'run']);
});

it('it stays until they are ready, and on a page that nobody sees', async () => {
  const { threads: starting } = threads({}, false);
  await starting.moveIfReady(experiment);
  const { threads: hidden } = threads();
  vi.stubGlobal('document', { hidden: true });
  await hidden.moveIfReady(experiment);
  expect([starting.atWork, hidden.atWork]).toEqual([1, 1]);
});

it('it comes back to one where it cannot get there', async () => {
  let loads = 0;
  const load = () => (++loads === 1 ? refusal('no memory', 'E_OOM') : { inputs: [] });
  const { threads: all } = threads({ load });
  expect(await all.moveIfReady(experiment)).toBe(false);
  expect([all.atWork, all.wanted]).toEqual([1, 1]);
});

it('lost ones are not tried again, unless the learner wants them', async () => {
  const { threads: all } = threads();
  expect(all.lost()).toBe(false); // one thread alone: they are not to blame
  await all.moveIfReady(experiment);
  expect(all.lost()).toBe(true);
  await all.moveIfReady(experiment);
  expect(all.atWork).toBe(1);
  all.wanted = 2;
  await all.moveIfReady(experiment);
  expect(all.atWork).toBe(2);
});

// Asking whether the seed affects a model: only the latest question counts.

const of = (config: Experiment['config']): Experiment => ({ config, inputs: [], pair: null, steps: 0, edits: [] });

/** An engine that answers on command. */
function asked() {
  const calls: { signal: AbortSignal; answer: (depends: boolean) => void }[] = [];
  const dependsOnSeed = (_: Seeded, signal: AbortSignal): Promise<boolean> =>
    new Promise((answer) => calls.push({ signal, answer }));
  const question = new SeedSensitivity(dependsOnSeed, () => undefined);
  return { question, calls };
}

it('a question overtaken by another is cancelled, and its answer ignored', async () => {
  const { question, calls } = asked();
  const first = question.ask(of({ kind: 'attention', words: 4 }));
  const second = question.ask(of({ kind: 'attention', words: 5 }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  calls[1]!.answer(true);
  await second;
  calls[0]!.answer(false);
  await first;
  expect(question.decides).toBe(true);
});

it('so is a question overtaken by a model that learns a task', async () => {
  const { question, calls } = asked();
  const first = question.ask(of({ kind: 'attention' }));
  await question.ask(of({ kind: 'seq2seq', task: 'reverse' }));
  calls[0]!.answer(false);
  await first;
  expect(question.decides).toBe(true);
});

it('the same question is asked only once', async () => {
  const { question, calls } = asked();
  void question.ask(of({ kind: 'attention', seed: 1 }));
  void question.ask(of({ kind: 'attention', seed: 2 }));
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([false]);
});
