// Settings of generation, and what a model generated as plain data for figures and text.
import * as texts from '#messages/lesson/write';
import { EOS, isTexts, marked } from '../../ui/words';
import type { AlignmentData } from '../../figures/alignment/alignment-scene';
import type { Config, PairInfo, TaskInfo, GenerationInfo } from '../../engine/types';

export type Method = 'greedy' | 'beam' | 'sample';
export type Show = 'text' | 'alignment' | 'tree' | 'samples';

/** Settings of each decoding method and their initial values; null leaves the setting out, which keeps all tokens. */
export const SETTINGS: Record<Method, readonly { key: string; label: string; start: number | null }[]> = {
  greedy: [],
  beam: [
    { key: 'width', label: texts.WIDTH, start: 4 },
    { key: 'length_normalisation', label: texts.LENGTH_NORMALISATION, start: 0 },
  ],
  sample: [
    { key: 'temperature', label: texts.TEMPERATURE, start: 1 },
    { key: 'top_k', label: texts.TOP_K, start: null },
    { key: 'top_p', label: texts.TOP_P, start: 1 },
  ],
};

export const optionsOf = (method: Method, settings: Config): Config => ({
  method,
  ...(Object.fromEntries(
    SETTINGS[method].map(({ key, start }) => [key, settings[key] ?? start]).filter(([, value]) => value !== null),
  ) as Config),
});

const MAX_TOKENS = 64;

/**
 * The most tokens to generate: 2 · source length + 8, at most 64, which cuts off a model that has not learnt to stop.
 * For a language model always 64, for the prompt says nothing about the length.
 */
export function maxTokensFor(source: string, task: TaskInfo): number {
  if (isTexts(task)) return MAX_TOKENS;
  const { separator } = task;
  const length = separator ? source.trim().split(/\s+/).length : [...source.trim()].length;
  return Math.min(MAX_TOKENS, 2 * length + 8);
}

/** Its tokens and their probabilities, with <eos> if it ended. */
export const tokenProbabilities = ({ tokens, ended, probabilities }: GenerationInfo): [token: string, p: number][] =>
  [...tokens.map(marked), ...(ended ? [EOS] : [])].map((token, i) => [token, probabilities[i]!]);

/**
 * For each token as written, <eos> too, what it should have been by the task's rule: null where it is right, or where
 * there is no rule; "" for one that should not be there.
 */
export function wantedInstead(info: GenerationInfo): (string | null)[] {
  const wanted = [...info.target.map(marked), EOS];
  return tokenProbabilities(info).map(([token], i) => {
    const right = wanted[i] ?? '';
    return !info.target.length || token === right ? null : right;
  });
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((token, i) => token === b[i]);

/** Whether the bench reads the source that it was written for. */
export const isOnBench = (info: GenerationInfo, pair: PairInfo | null): boolean =>
  !!pair && same(pair.source, info.source);

/** The pair on the bench if it has this source and an alignment, so is the task's own: its target is the reference. */
export const referencePair = (info: GenerationInfo, pair: PairInfo | null): PairInfo | null =>
  pair && pair.alignment.length > 0 && isOnBench(info, pair) ? pair : null;

/** Its attention weights; null without attention. The reference links apply only if it generated the reference. */
export function alignmentOf(info: GenerationInfo, truth: PairInfo | null): AlignmentData | null {
  if (!info.weights.length) return null;
  const links = truth && same(truth.target, info.tokens) ? truth.alignment : [];
  return {
    name: 'α',
    source: info.source.map(marked),
    target: tokenProbabilities(info).map(([token]) => token),
    weights: info.weights,
    truth: Array.from({ length: links.length / 2 }, (_, i) => [links[2 * i]!, links[2 * i + 1]!]),
  };
}

export interface Draws {
  text: string;
  count: number;
  /** Probability under the model, whatever the temperature of the draws. */
  p: number;
}

/** Groups equal texts; the most frequent first, then the most probable. */
export function tally(draws: readonly GenerationInfo[], separator: string): Draws[] {
  const found = new Map<string, Draws>();
  for (const info of draws) {
    const text = info.tokens.join(separator);
    const known = found.get(text);
    if (known) known.count++;
    else found.set(text, { text, count: 1, p: info.probability });
  }
  return [...found.values()].sort((a, b) => b.count - a.count || b.p - a.p);
}
