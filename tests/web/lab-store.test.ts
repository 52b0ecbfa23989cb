// The store of a lab alone: what it says has changed, and what stays of the learner's place when there is another run.
import { beforeEach, expect, it, vi } from 'vitest';
import { resultWith, sessionThat, storeWith, traceWith } from './lab-parts';
import type { LabStore, Topic } from '../../web/src/lab/lab-store';

const TOPICS: Topic[] = ['cursor', 'selection', 'hover', 'choice', 'run', 'values', 'training', 'activity', 'problem'];
let frames: (() => void)[] = [];
const nextFrame = (): void => frames.splice(0).forEach((draw) => draw());

beforeEach(() => {
  frames = [];
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => frames.push(draw));
  return () => vi.unstubAllGlobals();
});

function heard(store: LabStore): string[] {
  const topics: string[] = [];
  for (const topic of TOPICS) store.addEventListener(topic, () => topics.push(topic));
  return topics;
}

it('dispatches each topic once per frame, however often it changed', () => {
  const store = storeWith();
  const topics = heard(store);
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
  const topics = heard(store);
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
  expect(calls).toEqual([['each', 'values', [1]]]);
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
