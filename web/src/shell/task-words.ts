// A task in words, and the place in a text that a refusal names.
import { marked } from '../views/token';
import type { Config, SizeInfo, TaskInfo } from '../types';

const SPECIAL_TOKENS = 4;
const grouped = (n: number): string => n.toLocaleString('en');

/** Texts that go on from an opening; else pairs. */
export const isTexts = (task: TaskInfo): boolean => 'form' in task && task.form !== 'pairs';

/** What its two sides are called. */
export const sideNames = (task: TaskInfo): { source: string; target: string } =>
  isTexts(task) ? { source: 'Opening', target: 'How it goes on' } : { source: 'Source', target: 'Target' };

/** "19,211 pairs to learn from, 2,389 to validate, 2,400 to test; 88 words in the sources, 95 in the targets." */
export function countsOf(task: TaskInfo): string {
  const { train, validation, test, sourceWords, targetWords, separator } = task;
  const kind = separator ? 'words' : 'characters';
  const [source, target] = [sourceWords, targetWords].map((words) => grouped(words.length - SPECIAL_TOKENS));
  const [what, words] = isTexts(task)
    ? ['texts', `${target} ${kind}`]
    : ['pairs', `${source} ${kind} in the sources, ${target} in the targets`];
  return `${grouped(train)} ${what} to learn from, ${grouped(validation)} to validate, ${grouped(test)} to test; ${words}.`;
}

/** "A training step takes about 26 MB, and the model has 312,464 parameters." */
export const sizeWords = ({ parameters, stepBytes }: SizeInfo): string =>
  `A training step takes about ${grouped(Math.ceil(stepBytes / 1e6))} MB, and the model has ${grouped(parameters)} parameters.`;

/** "64 pairs a step are asked for, and there are 3 to learn from: a step takes them all."; empty where there are enough. */
export function allOfThem(task: TaskInfo, { batch = 64 }: Config): string {
  const what = isTexts(task) ? 'texts' : 'pairs';
  if (Number(batch) <= task.train) return '';
  return `${grouped(Number(batch))} ${what} a step are asked for, and there are ${grouped(task.train)} to learn from: a step takes them all.`;
}

/** Where the line that the engine names begins and ends in the text; null if it names none. */
export function lineNamedIn(message: string, text: string): [start: number, end: number] | null {
  const number = /\bline (\d+)/i.exec(message)?.[1];
  if (!number) return null;
  const lines = text.split('\n');
  const start = lines.slice(0, Number(number) - 1).reduce((sum, line) => sum + line.length + 1, 0);
  return [start, start + (lines[Number(number) - 1]?.length ?? 0)];
}

/** Which of the tokens the model has no word for. */
export const strangers = (tokens: readonly string[], known: readonly string[]): boolean[] => {
  const words = new Set(known);
  return tokens.map((token) => !words.has(token));
};

const MOST_NAMED = 3;

/** "The model does not know “pudding”: it reads <unk>."; empty if it knows all. */
export function unknownWords(tokens: readonly string[], known: readonly string[]): string {
  const strange = strangers(tokens, known);
  const names = [...new Set(tokens.filter((_, i) => strange[i]))].map((token) => `“${marked(token)}”`);
  if (!names.length) return '';
  const more = names.length > MOST_NAMED ? ` and ${names.length - MOST_NAMED} more` : '';
  return `The model does not know ${names.slice(0, MOST_NAMED).join(', ')}${more}: it reads <unk>.`;
}
