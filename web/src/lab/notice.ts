// What the page says after dropping some of the learner's work, and the action that brings it back.
import { grouped, listed } from '../messages/intl';
import type { State } from '../engine/types';

export interface Notice {
  message: string;
  action?: { label: string; run: () => void };
}

const SEEDLESS = 'Another seed would change nothing: this model has no random parameters or inputs.';
export const seedless: Notice = { message: SEEDLESS };

const RETRAINED = {
  damaged: 'The saved training was damaged, so the model was trained again.',
  earlier: 'The engine has changed since this model was trained, so it was trained again.',
};
const EARLIER_ENGINE =
  'These weights were made by an earlier version of the engine: the last digits may differ if you continue from them.';

interface Resumed {
  /** Why the latest checkpoint could not be resumed from. */
  lost: keyof typeof RETRAINED | null;
  /** The one that was is of an earlier engine. */
  earlier: boolean;
}

/** What the learner is to be told about the checkpoint that was resumed from, or could not be; else empty. */
export const checkpointWords = ({ lost, earlier }: Resumed): string =>
  lost ? RETRAINED[lost] : earlier ? EARLIER_ENGINE : '';

const count = (n: number, what: string): string[] => (n ? [`${grouped(n)} ${what}${n === 1 ? '' : 's'}`] : []);

const workIn = (state: State, steps: number): string[] => [
  ...count(state.edits.length, 'edit'),
  ...count(state.inputs.length, 'changed input'),
  ...count(steps, 'training step'),
];

/** "New seed 7: 2 edits kept, 30 training steps dropped."; `steps` were taken with the old seed. */
export function seedWords(after: State, steps: number): string {
  const kept = workIn(after, 0);
  const dropped = count(steps, 'training step');
  const parts = [...(kept.length ? [`${kept.join(', ')} kept`] : []), ...dropped.map((text) => `${text} dropped`)];
  return `New seed ${after.seed}${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}

/** "Reset: 2 edits, 30 training steps dropped."; empty if nothing was dropped. `steps`: trained by the learner. */
export function resetWords(before: State, steps: number): string {
  const dropped = workIn(before, steps);
  return dropped.length ? `Reset: ${dropped.join(', ')} dropped.` : '';
}

/** For edits that the rebuilt model refused. */
export const droppedWords = (edits: number): string =>
  edits === 1
    ? 'An edit was dropped: this model does not have that tensor.'
    : `${edits} edits were dropped: this model does not have those tensors.`;

/** "Your changed mask was replaced."; empty if these inputs were unchanged. */
export function replacedWords(before: State, inputs: readonly string[]): string {
  const changed = inputs.filter((input) => [...before.inputs, ...before.edits].some(({ name }) => name === input));
  if (!changed.length) return '';
  return `Your changed ${listed(changed)} ${changed.length === 1 ? 'was' : 'were'} replaced.`;
}

/** "You trained a model here for 412 steps, 5 minutes ago." */
export const keptWords = (steps: number, at: number): string =>
  `You trained a model here for ${count(steps, 'step').join('')}, ${ago((Date.now() - at) / 60_000)}.`;

/** "Training is at step 412 of 100,000: the rest will take about 7 minutes on this device." */
export function restWords(step: number, target: number, seconds: number): string {
  const [minutes, whole] = [Math.round(seconds / 60), Math.round(seconds)];
  const time = seconds < 1 ? '' : minutes > 1 ? `${minutes} minutes` : count(whole, 'second').join('');
  const progress = `step ${grouped(step)} of ${grouped(target)}`;
  return `Training is at ${progress}${time && `: the rest will take about ${time} on this device`}.`;
}

function ago(minutes: number): string {
  if (minutes < 1.5) return 'a minute ago';
  if (minutes < 90) return `${Math.round(minutes)} minutes ago`;
  if (minutes < 36 * 60) return `${Math.round(minutes / 60)} hours ago`;
  return `${Math.round(minutes / 60 / 24)} days ago`;
}
