// Reads the learner's own data, pairs or a text, with what its report needs; also in a worker, if the text is long.
import { IS_PROSE, NO_SEPARATOR } from '#messages/reader';
import { readPairs, type PairChoices, type PairsRead, type Tokens } from './pairs';
import { readProse, type ProseRead } from './prose';

export interface Job {
  of: 'pairs' | 'text';
  text: string;
  choices: PairChoices;
  /** Of a text; pairs say it themselves. */
  tokens: Tokens | undefined;
}

export type Reading =
  | { of: 'pairs'; read: PairsRead; /** Why no pair can be read at all; "" if some can. */ why: string }
  | { of: 'text'; read: ProseRead };

/** Left-out lines that the report shows; the rest are counted. */
export const MOST_LINES = 50;

const PROSE_WORDS = 4;

export function readOwn({ of, text, choices, tokens }: Job): Reading {
  if (of === 'text') return { of, read: readProse(text, tokens ?? 'characters', choices) };
  const read = readPairs(text, choices);
  return { of, read: { ...read, leftOut: read.leftOut.slice(0, MOST_LINES) }, why: whyNone(read, text) };
}

function whyNone(read: PairsRead, text: string): string {
  if (read.separator !== null || !text.trim()) return '';
  const lines = text.split('\n').filter((line) => line.trim());
  const words = lines.reduce((sum, line) => sum + line.trim().split(/\s+/).length, 0);
  return words < PROSE_WORDS * lines.length ? NO_SEPARATOR : `${NO_SEPARATOR} ${IS_PROSE}`;
}
