// What is said of work that the browser does not keep, and the way out.
import type { Outcome } from './kept';

/** What is lost when the page closes, and what else there is. */
const WORK = {
  trained: ['what you train', 'copy a link, which trains it again'],
  brought: ['what you brought to learn from', 'keep a copy of it'],
  solved: ['what you solve', 'go on without: only the ticks are lost'],
} as const;
export type Unkept = keyof typeof WORK;

export function unkeptWords(work: Unkept, outcome: Exclude<Outcome, 'kept'>): string {
  const [what, out] = WORK[work];
  return outcome === 'full'
    ? `This browser has no room left to keep ${what}: it is lost when the page closes. Remove the data of other sites, or ${out}.`
    : `This browser keeps nothing for this site: ${what} is lost when the page closes. Allow it to in its settings, or ${out}.`;
}
