// Work that takes time: it is started and stopped with one button, and says how far it is and what came of it.
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Work, type Job } from '../../web/src/lesson/compare/work';
import type { LabElement } from '../../web/src/ui/lab-element';
import { htmlOf } from '../lessons/html-of';

vi.mock('../../web/src/figures/sequence', () => ({ loadSequenceViews: async () => undefined }));

let updates = 0;
let refusal = '';

/** A session that trains, and refuses to load with `refusal`. */
function session(): object {
  let step = 0;
  return {
    threads: 1,
    load: async () => (refusal ? { ok: false, message: refusal } : { ok: true, value: { parameters: [] } }),
    train: async (steps: number) => ({ ok: true, value: { step: (step += steps), loss: 1 / step, accuracy: 0 } }),
  };
}

const element = {
  addController: () => undefined,
  requestUpdate: () => updates++,
  lab: { probe: (job: (of: object) => unknown) => job(session()) },
} as unknown as LabElement;

const job = (compare: Job['compare']): Job => ({
  runs: ['one', 'two'].map((label) => ({ label, with: {} })),
  steps: 20,
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
afterEach(() => vi.restoreAllMocks());

it('trains every run to the end, then shows the outcome', async () => {
  const work = workOf((work, shouldContinue) => work.train(shouldContinue));
  expect(shown(work)).toContain('Train both');
  await press(work);
  expect(work.running).toBe(false);
  expect(work.runners.map(({ label, curve }) => [label, curve.at(-1)!.step])).toEqual([
    ['one', 20],
    ['two', 20],
  ]);
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
