// Tokens and tasks in words. White space gets a visible mark, and a name for its tooltip.
import * as texts from '#messages/ui';
import { nothing, svg, type TemplateResult } from 'lit';
import { hasTask } from '../engine/own-data';
import type { Lab } from '../lab/lab';
import type { Config, SizeInfo, TaskInfo } from '../engine/types';

const BLANKS: readonly (readonly [token: string, mark: string, name: string])[] = [
  [' ', '␣', texts.SPACE],
  ['\n', '↵', texts.LINE_BREAK],
  ['\t', '⇥', texts.TAB],
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
  const chosen = state.pair ?? (hasTask(state.config) ? null : page.pair);
  return pair !== null && chosen !== null && chosen[1] === '';
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

const SPECIAL_TOKENS = 4;

/** True for texts, which continue a prompt; false for pairs. */
export const isTexts = ({ form }: Pick<TaskInfo, 'form'>): boolean => form !== 'pairs';

const examplesOf = (task: TaskInfo): texts.Examples => (isTexts(task) ? 'texts' : 'pairs');

/** Labels of its two sides. */
export const sideNames = (task: TaskInfo): { source: string; target: string } => texts.SIDES[examplesOf(task)];

export const countsOf = (task: TaskInfo): string =>
  texts.taskCounts({
    examples: examplesOf(task),
    train: task.train,
    validation: task.validation,
    test: task.test,
    unit: task.separator ? 'words' : 'characters',
    source: task.sourceWords.length - SPECIAL_TOKENS,
    target: task.targetWords.length - SPECIAL_TOKENS,
  });

export const sizeWords = ({ parameters, stepBytes }: SizeInfo): string =>
  texts.modelSize(Math.ceil(stepBytes / 1e6), parameters);

/** That there are fewer examples to train on than a batch holds; "" if there are enough. */
export const allOfThem = (task: TaskInfo, { batch = 64 }: Config): string =>
  Number(batch) > task.train ? texts.allInEachStep(examplesOf(task), Number(batch), task.train) : '';

/** Start and end in `text` of its line of that number, from 1. */
export function rangeOfLine(number: number, text: string): [start: number, end: number] {
  const lines = text.split('\n');
  const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return [start, start + (lines[number - 1]?.length ?? 0)];
}

/** For each token, whether it is outside the vocabulary `known`. */
export const unknownTokens = (tokens: readonly string[], known: readonly string[]): boolean[] => {
  const words = new Set(known);
  return tokens.map((token) => !words.has(token));
};

const MAX_NAMED = 3;

/** Names the first of those that the model does not know; empty if it knows all. */
export function unknownWords(tokens: readonly string[], known: readonly string[]): string {
  const strange = unknownTokens(tokens, known);
  const names = [...new Set(tokens.filter((_, i) => strange[i]))].map(marked);
  const more = Math.max(0, names.length - MAX_NAMED);
  return names.length ? texts.unknownTokens(names.slice(0, MAX_NAMED), more) : '';
}
