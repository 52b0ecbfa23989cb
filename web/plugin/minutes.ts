// Estimated duration of a lesson.
import type { RootContent } from 'mdast';
import { visit } from 'unist-util-visit';

/** Slow, to allow for the formulas and the bench. */
const WORDS_A_MINUTE = 150;
const MINUTES_A_TASK = 2;
/** Minutes: an estimate is not given to the minute. */
const ROUNDED_TO = 5;

/** Counts the words of the text, not those of the YAML of its tasks. */
export function minutesOf(body: readonly RootContent[], tasks: number): number {
  const minutes = wordsIn(body) / WORDS_A_MINUTE + tasks * MINUTES_A_TASK;
  return Math.max(1, Math.round(minutes / ROUNDED_TO)) * ROUNDED_TO;
}

function wordsIn(body: readonly RootContent[]): number {
  let words = 0;
  visit({ type: 'root', children: [...body] }, 'text', ({ value }) => {
    words += value.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  });
  return words;
}
