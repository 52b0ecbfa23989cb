// What the page says after it has taken something away, and the way back to it.
import type { State } from '../types';

export interface Notice {
  message: string;
  undo?: () => void;
}

const SEEDLESS = 'Another seed would change nothing: no parameter and no input of this model is drawn at random.';
export const seedless: Notice = { message: SEEDLESS };

const count = (n: number, what: string): string[] => (n ? [`${n} ${what}${n === 1 ? '' : 's'}`] : []);

const made = (state: State, steps: number): string[] => [
  ...count(state.edits.length, 'edit'),
  ...count(state.inputs.length, 'changed input'),
  ...count(steps, 'training step'),
];

/** "New seed 7: 2 edits kept, 30 training steps dropped." */
export function seedWords(before: State, after: State): string {
  const kept = made(after, after.steps);
  const dropped = count(before.steps - after.steps, 'training step');
  const parts = [...(kept.length ? [`${kept.join(', ')} kept`] : []), ...dropped.map((text) => `${text} dropped`)];
  return `New seed ${after.seed}${parts.length ? `: ${parts.join(', ')}` : ''}.`;
}

/** "Reset: 2 edits, 30 training steps dropped."; empty if there was nothing to drop. */
export function resetWords(before: State): string {
  const dropped = made(before, before.steps);
  return dropped.length ? `Reset: ${dropped.join(', ')} dropped.` : '';
}
