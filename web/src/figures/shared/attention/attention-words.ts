// The words that the rows and columns of an attention matrix stand for.
import type { Lab } from '../../../lab/lab';
import { BOS, EOS, readsTexts, targetWords, marked } from '../../../ui/words';
import type { TraceNode } from '../../../engine/types';
import { namesOf } from '../labels';

type Reading = Pick<Lab, 'page' | 'trace' | 'pair' | 'config' | 'task'>;

export interface Words {
  rows: string[];
  columns: string[];
  /** For a text: the rows and columns of the prompt, words that the model was given. */
  promptRange?: readonly [from: number, to: number];
}

/** The lesson's names, else the words of the current pair if their count fits, else positions from 0. */
export function wordsOf(lab: Reading, weights: TraceNode): Words {
  const named = namesOf(lab, weights);
  const [T, S] = [weights.shape.at(-2) ?? 1, weights.shape.at(-1) ?? 1];
  const decoder = /^decoder/.test(weights.name);
  const cross = /cross/.test(weights.name);
  const fitting = (named: readonly string[] | undefined, others: string[][], count: number): string[] =>
    [named ?? [], ...others].find((list) => list.length === count)?.slice() ?? counted(count);
  const { promptLength } = targetWords(lab);
  return {
    rows: fitting(named.rows, texts(lab, decoder, cross), T),
    columns: fitting(named.columns, texts(lab, decoder && !cross), S),
    ...(promptLength && { promptRange: [1, promptLength + 1] }),
  };
}

export const counted = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

/** Candidate word lists, preferred first: for a decoder the words it reads, or if `written` those it generates next. */
function texts(lab: Reading, decoder: boolean, generated = false): string[][] {
  const { pair } = lab;
  if (!pair) return [];
  const { words } = targetWords(lab);
  const read = [BOS, ...words];
  if (readsTexts(lab)) return [read, read.slice(0, -1)];
  const source = pair.source.map(marked);
  if (lab.config().reverse_source === true) source.reverse();
  const after = [...words, EOS];
  const target = generated ? [after, words, read] : [read, words, after];
  const sources = [[...source, EOS], source];
  return decoder || !source.length ? target : [...sources, ...target];
}
