// What a lab finds of earlier training.
import type { Checkpoint } from '../../engine/replay';

/** The checkpoint that an experiment can resume from, and what the learner should know about it. */
export interface Found {
  checkpoint: Checkpoint | null;
  /** The slot it is kept in; "" if it came with the page. */
  slot: string;
  /** The step at which its training was to end; 0 if it came with the page. */
  target: number;
  /** Made by an earlier engine: resuming may give other bits. */
  earlier: boolean;
  /** Why a kept checkpoint could not be used: damaged, or made by an earlier engine. */
  lost: 'damaged' | 'earlier' | null;
}

export const NONE: Found = { checkpoint: null, slot: '', target: 0, earlier: false, lost: null };

/** A checkpoint that is not stored yet. */
export const foundHere = (checkpoint: Checkpoint): Found => ({ ...NONE, checkpoint, target: checkpoint.steps });
