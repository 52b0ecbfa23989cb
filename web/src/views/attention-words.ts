// The words that the rows and columns of an attention matrix stand for.
import type { Lab } from '../lab';
import { BOS, EOS, readsTexts, writtenWords } from '../train/words';
import type { TraceNode } from '../types';
import { namesOf } from './labels';
import { marked } from './token';

type Reading = Pick<Lab, 'trace' | 'pair' | 'config' | 'task'>;

export interface Words {
  rows: string[];
  columns: string[];
  /** Of a text, the rows and columns of its opening: words that the model was given. */
  given?: readonly [from: number, to: number];
}

/** As the lesson says, else the words of the pair that is read, where they are as many; else positions from 0. */
export function wordsOf(lab: Reading, weights: TraceNode): Words {
  const named = lab.trace ? namesOf(lab.trace, weights) : {};
  const [T, S] = [weights.shape.at(-2) ?? 1, weights.shape.at(-1) ?? 1];
  const decoder = /^decoder/.test(weights.name);
  const cross = /cross/.test(weights.name);
  const fitting = (named: readonly string[] | undefined, others: string[][], count: number): string[] =>
    [named ?? [], ...others].find((list) => list.length === count)?.slice() ?? counted(count);
  const { given } = writtenWords(lab);
  return {
    rows: fitting(named.rows, texts(lab, decoder, cross), T),
    columns: fitting(named.columns, texts(lab, decoder && !cross), S),
    ...(given && { given: [1, given + 1] }),
  };
}

const counted = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

/** What may stand there: of a decoder the words that it reads, or, where it looks at the source, those it then writes. */
function texts(lab: Reading, decoder: boolean, written = false): string[][] {
  const { pair } = lab;
  if (!pair) return [];
  const { words } = writtenWords(lab);
  const read = [BOS, ...words];
  if (readsTexts(lab)) return [read, read.slice(0, -1)];
  const source = pair.source.map(marked);
  if (lab.config().reverse_source === true) source.reverse();
  const after = [...words, EOS];
  const target = written ? [after, words, read] : [read, words, after];
  const sources = [[...source, EOS], source];
  return decoder || !source.length ? target : [...sources, ...target];
}
