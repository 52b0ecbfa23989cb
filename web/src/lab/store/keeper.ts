// Where a lab keeps what it has trained, and what it finds there. What reads and writes checkpoints is loaded once there
// is one: most readers of a page train nothing.
import type { Experiment } from '../../engine/replay';
import type { State } from '../../engine/types';
import type { Page } from '../page';
import type { Outcome } from './storage';
import { NONE, type Found } from './found';
import { withDatabase } from './storage';
import type { saveCheckpoint, StoredCheckpoint } from './checkpoints';

const checkpoints = (): Promise<typeof import('./checkpoints')> => import('./checkpoints');

export interface Keeper {
  /** The usable checkpoint with the most steps. */
  find(page: Page, state: State, experiment: Experiment): Promise<Found>;
  save(...checkpoint: Parameters<typeof saveCheckpoint>): Promise<Outcome>;
  /** Removes a checkpoint that proved unusable. */
  drop(slot: string): Promise<void>;
  /** What this page last trained, or null. */
  last(page: Page): Promise<StoredCheckpoint | null>;
}

/** Offline it may be missing: then nothing is found, and the steps are taken again. */
const within = async <R>(
  use: (module: Awaited<ReturnType<typeof checkpoints>>) => Promise<R>,
  without: R,
): Promise<R> => {
  const module = await checkpoints().catch(() => null);
  return module ? use(module) : without;
};

const inBrowser: Keeper = {
  find: async (page, state, experiment) =>
    experiment.steps ? within((kept) => kept.checkpointFor(page, state, experiment), NONE) : NONE,
  save: (...checkpoint) => within((kept) => kept.saveCheckpoint(...checkpoint), 'refused'),
  drop: (slot) => within((kept) => kept.dropCheckpoint(slot), undefined),
  last: async (page) =>
    (await withDatabase((db) => db.count('checkpoints'))) ? within((kept) => kept.lastStored(page), null) : null,
};

const nowhere: Keeper = {
  find: async (page, state, experiment) =>
    experiment.steps ? within((kept) => kept.shippedFor(page, state, experiment), NONE) : NONE,
  save: () => Promise.resolve('kept'),
  drop: () => Promise.resolve(),
  last: () => Promise.resolve(null),
};

/** The page's main lab keeps it in the browser; any other has only the weights that came with the page. */
export const keeperOf = ({ linked }: { linked: boolean }): Keeper => (linked ? inBrowser : nowhere);
