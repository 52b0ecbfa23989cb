// How long a lesson takes, by one rule for all.
import type { RootContent } from 'mdast';
import { visit } from 'unist-util-visit';

/** Slow, for there are formulas between the words and a bench beside them. */
const WORDS_A_MINUTE = 150;
const MINUTES_A_TASK = 2;
/** It is a guess, and is not told to the minute. */
const ROUNDED_TO = 5;

/** Of the text as it is read: not the answers of its tasks. */
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
