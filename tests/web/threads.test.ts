// How many threads train a model, with a session alone: what happens where more cannot start, or are lost.
import { beforeEach, expect, it, vi } from 'vitest';
import { refusal, sessionThat } from './lab-parts';
import { Threads } from '../../web/src/lab/threads';

const experiment = { config: {}, inputs: [], pair: null, steps: 30, edits: [] };

beforeEach(() => {
  vi.stubGlobal('crossOriginIsolated', true);
  vi.stubGlobal('navigator', { hardwareConcurrency: 4 });
  vi.stubGlobal('document', { hidden: false });
  return () => vi.unstubAllGlobals();
});

function threads(answers: Parameters<typeof sessionThat>[0] = {}, isReady = true) {
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
