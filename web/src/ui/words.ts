// Tokens as they are shown: white space gets a visible mark, and a name for its tooltip; and the tokens at the positions of a
// run.
import { LINE_BREAK, SPACE, TAB } from '#messages/ui';
import { nothing, svg, type TemplateResult } from 'lit';
import { hasTask } from '../engine/own-data';
import { isTexts } from './task-words';
import type { Lab } from '../lab/lab';

const BLANKS: readonly (readonly [token: string, mark: string, name: string])[] = [
  [' ', '␣', SPACE],
  ['\n', '↵', LINE_BREAK],
  ['\t', '⇥', TAB],
];
const MARKS = new Map(BLANKS.map(([token, mark]) => [token, mark]));
const NAMES = new Map(BLANKS.map(([, mark, name]) => [mark, name]));

export const marked = (token: string): string => MARKS.get(token) ?? token;

/** "␣" → "space". */
export const nameOfMark = (word: string): string | undefined => NAMES.get(word);

/** The name as an SVG tooltip, to go inside the <text> of the token. */
export function markTitle(word: string | undefined): TemplateResult | typeof nothing {
  const name = word && nameOfMark(word);
  return name ? svg`<title>${name}</title>` : nothing;
}

export const EOS = '<eos>';
export const BOS = '<bos>';

/** The tokens after <bos>: the target; for a language model the prompt, then its continuation. */
export interface TargetWords {
  words: string[];
  /** Length of the prompt: the first tokens, which were given. */
  promptLength: number;
}

export function targetWords({ pair, task }: Pick<Lab, 'pair' | 'task'>): TargetWords {
  const prompt = pair && readsTexts({ task }) ? pair.source : [];
  return { words: [...prompt, ...(pair?.target ?? [])].map(marked), promptLength: prompt.length };
}

export const readsTexts = ({ task }: Pick<Lab, 'task'>): boolean => task !== null && isTexts(task);

/** True if no target was given for the source: the model generated it. */
export function writesTarget({ state, page, pair }: Pick<Lab, 'state' | 'page' | 'pair'>): boolean {
  const given = state.pair ?? (hasTask(state.config) ? null : page.pair);
  return pair !== null && given !== null && given[1] === '';
}

/**
 * Names of the columns of attention weights: the source as the encoder reads it, with <eos> if it reads that too; for a
 * language model, which has no encoder, <bos> and the tokens so far.
 */
export function sourceColumns(lab: Lab, columns: number): string[] {
  if (readsTexts(lab)) return [BOS, ...targetWords(lab).words].slice(0, columns);
  const source = (lab.pair?.source ?? []).map(marked);
  const read = lab.config().reverse_source === true ? source.reverse() : source;
  return read.length < columns ? [...read, EOS] : read;
}

/** Indices of the largest values, the largest first. */
export const topOf = (values: ArrayLike<number>, max: number): number[] =>
  Array.from(values, (_, i) => i)
    .sort((a, b) => values[b]! - values[a]!)
    .slice(0, max);
