// A beam search: its prefixes as a tree, and its hypotheses.
import { counted, grouped } from '../../intl';

export const HEADING = 'Beam search';
export const HINT = 'each number is the probability of the word given those before it';
export const PREFIXES = 'Prefixes in the beam search';

export const STATES = { kept: 'kept', pruned: 'dropped', finished: 'finished' };
/** In the legend, beside these. */
export const BEST = 'best';
export const END = 'end';

export interface Prefix {
  words: string;
  state: keyof typeof STATES;
  isBest: boolean;
  /** Probability of its last word, and log-probability of all; none for the root. */
  odds?: { p: string; logP: string };
}

/** "je suis <eos>: p 0.78, log p of the whole sequence −1.00, finished, the best". */
export function prefix({ words, state, isBest, odds }: Prefix): string {
  const own = odds ? `: p ${odds.p}, log p of the whole sequence ${odds.logP}` : '';
  return `${words}${own}, ${STATES[state]}${isBest ? ', the best' : ''}`;
}

/** The whole figure, for screen readers. */
export function tree(prefixes: number, dropped: number, best: readonly { words: string; logP: string }[]): string {
  const hypotheses = best.map(({ words, logP }) => `${words}, log p ${logP}`).join('; ');
  return `A tree of ${counted(prefixes, { one: 'prefix', other: 'prefixes' })}, ${grouped(dropped)} of them dropped. Hypotheses, best first: ${hypotheses}.`;
}

export const HYPOTHESES = 'Hypotheses of the beam search, best first';
export const HYPOTHESIS_COLUMNS = ['rank', 'hypothesis', 'score (log p)', 'p', 'state'];
export const NODES = 'Nodes of the beam search';
export const NODE_COLUMNS = ['node', 'parent', 'token', 'log probability', 'score', 'state'];
