// When the learner edits a program that has been trained, the weights whose name and shape stay are kept. Loaded with
// the first such edit.
import { weightsKept } from '#messages/bench/program';
import { experimentOf } from './changes';
import { fingerprint } from './store/fingerprint';
import type { Keeper } from './store/keeper';
import type { Page } from './page';
import type { RemoteSession } from '../engine/remote';
import type { Checkpoint } from '../engine/replay';
import type { Config, State } from '../engine/types';

export interface TakenOver {
  state: State;
  /** What the new program begins with. */
  checkpoint: Checkpoint;
  /** Which weights are kept, new and gone. */
  words: string;
  /** Drops the checkpoint of an edit long before this one, once this one is stored. */
  forgetOlder: (page: Page, keeper: Keeper) => Promise<void>;
}

/**
 * The state `next` with the trained weights of the session that fit into the model of `config`; null if none do.
 * @param trained How far the old program is trained
 */
export async function takeOver(
  session: RemoteSession,
  trained: Omit<Checkpoint, 'bytes'>,
  next: State,
  config: Config,
): Promise<TakenOver | null> {
  const saved = await session.save();
  const carried = saved.ok ? await session.carryOver(config, saved.value) : saved;
  if (!carried.ok || !carried.value.kept.length) return null;
  const { checkpoint: bytes, ...names } = carried.value;
  const state = { ...next, steps: trained.steps, takenOver: fingerprint(bytes) };
  const forgetOlder = (page: Page, keeper: Keeper): Promise<void> => forget(state, page, keeper);
  return { state, checkpoint: { ...trained, bytes }, words: weightsKept(names, trained.steps), forgetOlder };
}

/** Undo needs the last edits; more would take the place of what was trained elsewhere. */
const MOST = 4;
const accepted: State[] = [];

/** What has been trained further is not found, and stays. */
async function forget(state: State, page: Page, keeper: Keeper): Promise<void> {
  accepted.push(state);
  if (accepted.length <= MOST) return;
  const old = accepted.shift()!;
  const { slot } = await keeper.find(page, old, experimentOf(page, old));
  if (slot) await keeper.drop(slot);
}
