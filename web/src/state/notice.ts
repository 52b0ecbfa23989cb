// What the page says after it has taken something away, and the way back to it.
import type { State } from '../types';

export interface Notice {
  message: string;
  action?: { label: string; run: () => void };
}

const SEEDLESS = 'Another seed would change nothing: no parameter and no input of this model is drawn at random.';
export const seedless: Notice = { message: SEEDLESS };

const count = (n: number, what: string): string[] => (n ? [`${n} ${what}${n === 1 ? '' : 's'}`] : []);

const made = (state: State, steps: number): string[] => [
  ...count(state.edits.length, 'edit'),
  ...count(state.inputs.length, 'changed input'),
  ...count(steps, 'training step'),
];

/** "New seed 7: 2 edits kept, 30 training steps dropped."; `steps` were taken with the old one. */
export function seedWords(after: State, steps: number): string {
  const kept = made(after, 0);
  const dropped = count(steps, 'training step');
  const parts = [...(kept.length ? [`${kept.join(', ')} kept`] : []), ...dropped.map((text) => `${text} dropped`)];
  return `New seed ${after.seed}${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}

/** "Reset: 2 edits, 30 training steps dropped."; empty if there was nothing to drop. `steps` are those of the learner. */
export function resetWords(before: State, steps: number): string {
  const dropped = made(before, steps);
  return dropped.length ? `Reset: ${dropped.join(', ')} dropped.` : '';
}

/** After a change of settings. */
export const droppedWords = (edits: number): string =>
  `${edits === 1 ? 'An edit was' : `${edits} edits were`} dropped: this model has no such ${edits === 1 ? 'tensor' : 'tensors'}.`;

/** "The changed mask was set aside for another."; empty if these inputs were as the model has them. */
export function asideWords(before: State, inputs: readonly string[]): string {
  const changed = inputs.filter((input) => [...before.inputs, ...before.edits].some(({ name }) => name === input));
  if (!changed.length) return '';
  const [was, another] = changed.length === 1 ? ['was', 'another'] : ['were', 'others'];
  return `The changed ${changed.join(' and ')} ${was} set aside for ${another}.`;
}

/** "You trained a model here for 412 steps, 5 minutes ago." */
export const keptWords = (steps: number, at: number): string =>
  `You trained a model here for ${steps} steps, ${ago((Date.now() - at) / 60_000)}.`;

/** "Training stands at step 412 of 100000: the rest takes about 7 minutes here." */
export function restWords(step: number, target: number, seconds: number): string {
  const minutes = Math.round(seconds / 60);
  const time = seconds < 1 ? '' : minutes > 1 ? `${minutes} minutes` : `${Math.round(seconds)} seconds`;
  return `Training stands at step ${step} of ${target}${time && `: the rest takes about ${time} here`}.`;
}

function ago(minutes: number): string {
  if (minutes < 1.5) return 'a minute ago';
  if (minutes < 90) return `${Math.round(minutes)} minutes ago`;
  if (minutes < 36 * 60) return `${Math.round(minutes / 60)} hours ago`;
  return `${Math.round(minutes / 60 / 24)} days ago`;
}
