// What training has come to, kept in this browser: one checkpoint for every page. Going on from it gives the same bits
// as never having stopped.
import { createStore, get, set } from 'idb-keyval';
import { stepsOf } from './changes';
import { unlessRefused } from './kept';
import type { Page } from './page';
import { emptyState } from './table';
import { configKey, type Checkpoint, type Experiment } from '../engine/replay';
import type { State } from '../types';

interface Kept extends Checkpoint {
  key: string;
  /** As it was, so that it can be gone back to. */
  state: State;
  /** Milliseconds since 1970. */
  at: number;
}

/** The last one, for a browser that keeps nothing. */
let latest: Kept | null = null;

const store = createStore('unroll-checkpoints', 'checkpoints');

/** All that decides the weights besides the number of steps. */
const keyOf = (experiment: Experiment): string =>
  `${configKey(experiment)} ${JSON.stringify(experiment.inputs.filter(({ at }) => at < experiment.steps))}`;

/** For as long as the page is open if the browser keeps nothing. */
export function keep(page: Page, state: State, experiment: Experiment, checkpoint: Checkpoint): Promise<void> {
  const made = (latest = { ...checkpoint, key: keyOf(experiment), state, at: Date.now() });
  return unlessRefused(() => set(page.lesson, made, store));
}

/** What this page last trained; null if that is nothing. A field of the state that it was kept without is empty. */
export async function lastKept(page: Page): Promise<Kept | null> {
  const kept = latest ?? (await unlessRefused(() => get<Kept>(page.lesson, store)));
  return kept ? { ...kept, state: { ...emptyState(page.lesson), ...kept.state } } : null;
}

/** The checkpoint that brings an experiment furthest: the browser's, or the one that came with the page. */
export async function checkpointFor(page: Page, state: State, experiment: Experiment): Promise<Checkpoint | null> {
  if (!experiment.steps) return null;
  const kept = await lastKept(page);
  const fits = kept && kept.key === keyOf(experiment) && kept.steps <= experiment.steps;
  const shipped = page.trained && stepsOf(page, { ...state, steps: null });
  if (shipped && shipped <= experiment.steps && shipped > (fits ? kept.steps : 0)) return download(page);
  return fits ? kept : null;
}

/** Null if it cannot be had: then the steps are taken again. */
async function download({ trained }: Page): Promise<Checkpoint | null> {
  try {
    const response = await fetch(trained!.weights);
    if (!response.ok) return null;
    return { steps: trained!.steps, bytes: new Uint8Array(await response.arrayBuffer()), curve: [] };
  } catch {
    return null;
  }
}
