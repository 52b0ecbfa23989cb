// What the page says after dropping some of the learner's work, and the action that brings it back.
import * as texts from '#messages/lab';
import type { State } from '../engine/types';
import type { Found } from './store/found';

export interface Notice {
  message: string;
  action?: { label: string; run: () => void };
}

export const seedless: Notice = { message: texts.SEEDLESS };

/** The sentence about a checkpoint that could not be resumed from, or is of an earlier engine; else empty. */
export const checkpointWords = ({ lost, earlier }: Pick<Found, 'lost' | 'earlier'>): string =>
  lost ? texts.RETRAINED[lost] : earlier ? texts.EARLIER_ENGINE : '';

const workIn = ({ edits, interventions, inputs }: State, steps = 0): texts.Work => ({
  edits: edits.length + interventions.length,
  inputs: inputs.length,
  steps,
});

/** `steps` were taken with the old seed. */
export const seedWords = (after: State, steps: number): string =>
  texts.newSeed(after.seed!, workIn(after), { edits: 0, inputs: 0, steps });

/** Empty if nothing was dropped. `steps`: how many fewer there are now. */
export const resetWords = (before: State, after: State, steps: number): string =>
  texts.resetDropped(workIn(before, Math.max(0, steps)), before.seed === after.seed ? null : before.seed);

/** Empty if these inputs were unchanged. */
export function replacedWords(before: State, inputs: readonly string[]): string {
  const changed = inputs.filter((input) => [...before.inputs, ...before.edits].some(({ name }) => name === input));
  return changed.length ? texts.inputsReplaced(changed) : '';
}

/** @param at When it was kept, in milliseconds since 1970. */
export const keptWords = (steps: number, at: number): string => texts.trainedHere(steps, (Date.now() - at) / 60_000);
