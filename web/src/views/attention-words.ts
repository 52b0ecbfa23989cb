// The words that the rows and columns of an attention matrix stand for.
import type { Lab } from '../lab';
import type { TraceNode } from '../types';
import { namesOf } from './labels';

const EOS = '<eos>';
const BOS = '<bos>';

export interface Words {
  rows: string[];
  columns: string[];
}

/** As the lesson says, else the words of the pair that is read, where they are as many; else positions from 0. */
export function wordsOf(lab: Pick<Lab, 'trace' | 'pair' | 'config'>, weights: TraceNode): Words {
  const named = lab.trace ? namesOf(lab.trace, weights) : {};
  const [T, S] = [weights.shape.at(-2) ?? 1, weights.shape.at(-1) ?? 1];
  const decoder = /^decoder/.test(weights.name);
  const cross = /cross/.test(weights.name);
  const fitting = (named: readonly string[] | undefined, others: string[][], count: number): string[] =>
    [named ?? [], ...others].find((list) => list.length === count)?.slice() ?? counted(count);
  return {
    rows: fitting(named.rows, texts(lab, decoder, cross), T),
    columns: fitting(named.columns, texts(lab, decoder && !cross), S),
  };
}

const counted = (count: number): string[] => Array.from({ length: count }, (_, i) => `${i}`);

/** What may stand there: of a decoder the words that it reads, or, where it looks at the source, those it then writes. */
function texts(lab: Pick<Lab, 'pair' | 'config'>, decoder: boolean, written = false): string[][] {
  const { pair } = lab;
  if (!pair) return [];
  const source = lab.config().reverse_source === true ? [...pair.source].reverse() : pair.source;
  const read = [BOS, ...pair.target];
  const after = [...pair.target, EOS];
  const target = written ? [after, pair.target, read] : [read, pair.target, after];
  const sources = [[...source, EOS], source];
  return decoder || !source.length ? target : [...sources, ...target];
}
