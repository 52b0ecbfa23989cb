// Tasks in words, and the line of a text that a refusal names.
import * as texts from '#messages/ui';
import { marked } from './words';
import type { Config, SizeInfo, TaskInfo } from '../engine/types';

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
