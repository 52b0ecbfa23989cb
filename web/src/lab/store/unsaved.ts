// What the learner is told about work that the browser does not keep, and what to do instead.
import type { Outcome } from './storage';

/** What is lost when the page closes, and what to do instead. */
const WORK = {
  trained: ['what you train', 'copy a link, which can train it again'],
  brought: ['your own data', 'keep a copy of it'],
  solved: ['what you solve', 'carry on: only the ticks will be lost'],
} as const;
export type Unsaved = keyof typeof WORK;

export function unsavedMessage(work: Unsaved, outcome: Exclude<Outcome, 'kept'>): string {
  const [what, instead] = WORK[work];
  return outcome === 'full'
    ? `This browser has no space left to save ${what}: it will be lost when the page closes. Delete the data of other sites, or ${instead}.`
    : `This browser saves nothing for this site: ${what} will be lost when the page closes. Allow site data in its settings, or ${instead}.`;
}
