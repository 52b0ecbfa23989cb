// When the learner edits a program that has been trained, the weights whose name and shape stay are kept.
import { fingerprint } from './store/fingerprint';
import type { RemoteSession } from '../engine/remote';
import type { Checkpoint, CurvePoint } from '../engine/replay';
import type { Config, State } from '../engine/types';

export interface TakenOver {
  state: State;
  /** What the new program begins with. */
  checkpoint: Checkpoint;
  /** The parameters that are kept, the new ones, and the old ones that are gone. */
  kept: string[];
  drawn: string[];
  dropped: string[];
}

/** How far the old program is trained. */
export interface Trained {
  steps: number;
  curve: CurvePoint[];
}

/** The state `next` with the trained weights of the session that fit into the model of `config`; null if none do. */
export async function takeOver(
  session: RemoteSession,
  { steps, curve }: Trained,
  next: State,
  config: Config,
): Promise<TakenOver | null> {
  const saved = await session.save();
  const carried = saved.ok ? await session.carryOver(config, saved.value) : saved;
  if (!carried.ok || !carried.value.kept.length) return null;
  const { checkpoint: bytes, ...names } = carried.value;
  const state = { ...next, steps, takenOver: fingerprint(bytes) };
  return { state, checkpoint: { steps, bytes, curve }, ...names };
}
