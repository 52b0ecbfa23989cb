// What a model has written, as plain data for figures and words.
import { isTexts } from '../shell/task-words';
import { marked } from '../views/token';
import type { AlignmentData } from '../views/alignment-layout';
import type { Config, PairInfo, TaskInfo, WriteInfo } from '../types';

export type Method = 'greedy' | 'beam' | 'sample';
export type Show = 'text' | 'alignment' | 'tree' | 'samples';

/** What a way of writing can be told, with where it starts; null leaves it out, which takes all tokens. */
export const SETTINGS: Record<Method, readonly { key: string; label: string; start: number | null }[]> = {
  greedy: [],
  beam: [
    { key: 'width', label: 'Width', start: 4 },
    { key: 'length_normalisation', label: 'Length normalisation', start: 0 },
  ],
  sample: [
    { key: 'temperature', label: 'Temperature', start: 1 },
    { key: 'top_k', label: 'Top k', start: null },
    { key: 'top_p', label: 'Top p', start: 1 },
  ],
};

export const optionsOf = (method: Method, settings: Config): Config => ({
  method,
  ...(Object.fromEntries(
    SETTINGS[method].map(({ key, start }) => [key, settings[key] ?? start]).filter(([, value]) => value !== null),
  ) as Config),
});

const MOST_WRITTEN = 64;

/**
 * Room for an answer twice as long as the source: what has not learnt to stop is cut off there. A text goes on as long as
 * it will, for nothing about its length is in its opening.
 */
export function roomFor(source: string, task: TaskInfo): number {
  if (isTexts(task)) return MOST_WRITTEN;
  const { separator } = task;
  const length = separator ? source.trim().split(/\s+/).length : [...source.trim()].length;
  return Math.min(MOST_WRITTEN, 2 * length + 8);
}

/** Its tokens and how likely each was; <eos> is one where it ended. */
export const likelihoods = ({ tokens, ended, probabilities }: WriteInfo): [token: string, p: number][] =>
  [...tokens.map(marked), ...(ended ? ['<eos>'] : [])].map((token, i) => [token, probabilities[i]!]);

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((token, i) => token === b[i]);

/** The pair on the bench, if it has this source and the task itself has it: then its target is the true one. */
export const trueFor = (info: WriteInfo, pair: PairInfo | null): PairInfo | null =>
  pair && pair.alignment.length > 0 && same(pair.source, info.source) ? pair : null;

/** Where it looked; null without attention. The true links belong to the true target only. */
export function alignmentOf(info: WriteInfo, truth: PairInfo | null): AlignmentData | null {
  if (!info.weights.length) return null;
  const links = truth && same(truth.target, info.tokens) ? truth.alignment : [];
  return {
    name: 'α',
    source: info.source.map(marked),
    target: likelihoods(info).map(([token]) => token),
    weights: info.weights,
    truth: Array.from({ length: links.length / 2 }, (_, i) => [links[2 * i]!, links[2 * i + 1]!]),
  };
}

export interface Draws {
  text: string;
  count: number;
  /** By the model, whatever the temperature of the draws. */
  p: number;
}

/** Equal texts together, the most frequent first, of equally frequent ones the more likely. */
export function tally(draws: readonly WriteInfo[], separator: string): Draws[] {
  const found = new Map<string, Draws>();
  for (const info of draws) {
    const text = info.tokens.join(separator);
    const known = found.get(text);
    if (known) known.count++;
    else found.set(text, { text, count: 1, p: info.probability });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || b.p - a.p);
}

/** "after 1,200 steps of training". */
export const trained = (steps: number): string =>
  steps ? `after ${steps.toLocaleString('en')} step${steps === 1 ? '' : 's'} of training` : 'before any training';

/** What is written comes from the model as it was trained, not from the run on the bench. */
export const editsAside = (edits: number): string =>
  edits
    ? `The ${edits === 1 ? 'number' : 'numbers'} that you changed on the bench ${edits === 1 ? 'counts' : 'count'} there only, not here.`
    : '';
