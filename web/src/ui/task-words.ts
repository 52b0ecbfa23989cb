// Tasks in words, and the line of a text that a refusal names.
import { grouped, listed } from '../messages/intl';
import { marked } from './token';
import type { Config, SizeInfo, TaskInfo } from '../engine/types';

const SPECIAL_TOKENS = 4;

/** True for texts, which continue a prompt; false for pairs. */
export const isTexts = ({ form }: Pick<TaskInfo, 'form'>): boolean => form !== 'pairs';

/** Labels of its two sides. */
export const sideNames = (task: TaskInfo): { source: string; target: string } =>
  isTexts(task) ? { source: 'Prompt', target: 'Continuation' } : { source: 'Source', target: 'Target' };

/** "19,211 pairs for training, 2,389 for validation, 2,400 for testing; 88 words in the sources, 95 in the targets." */
export function countsOf(task: TaskInfo): string {
  const { train, validation, test, sourceWords, targetWords, separator } = task;
  const kind = separator ? 'words' : 'characters';
  const [source, target] = [sourceWords, targetWords].map((words) => grouped(words.length - SPECIAL_TOKENS));
  const [what, words] = isTexts(task)
    ? ['texts', `${target} ${kind}`]
    : ['pairs', `${source} ${kind} in the sources, ${target} in the targets`];
  return `${grouped(train)} ${what} for training, ${grouped(validation)} for validation, ${grouped(test)} for testing; ${words}.`;
}

/** "A training step takes about 26 MB, and the model has 312,464 parameters." */
export const sizeWords = ({ parameters, stepBytes }: SizeInfo): string =>
  `A training step takes about ${grouped(Math.ceil(stepBytes / 1e6))} MB, and the model has ${grouped(parameters)} parameters.`;

/** "The batch size is 64 pairs, but there are only 3 to train on: each step uses all of them."; "" if there are more. */
export function allOfThem(task: TaskInfo, { batch = 64 }: Config): string {
  const what = isTexts(task) ? 'texts' : 'pairs';
  if (Number(batch) <= task.train) return '';
  const only = `${task.train === 1 ? 'is' : 'are'} only ${grouped(task.train)}`;
  return `The batch size is ${grouped(Number(batch))} ${what}, but there ${only} to train on: each step uses all of them.`;
}

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

const MOST_NAMED = 3;

/** "The model does not know “pudding”: it reads <unk> instead."; empty if all are known. */
export function unknownWords(tokens: readonly string[], known: readonly string[]): string {
  const strange = unknownTokens(tokens, known);
  const names = [...new Set(tokens.filter((_, i) => strange[i]))].map((token) => `“${marked(token)}”`);
  if (!names.length) return '';
  const more = names.length > MOST_NAMED ? [`${names.length - MOST_NAMED} more`] : [];
  return `The model does not know ${listed([...names.slice(0, MOST_NAMED), ...more])}: it reads <unk> instead.`;
}
