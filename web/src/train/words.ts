// The words that positions of a run stand for, as they are shown.
import { hasTask } from '../engine/own-data';
import { isTexts } from '../shell/task-words';
import { marked } from '../views/token';
import type { Lab } from '../lab';

export const EOS = '<eos>';
export const BOS = '<bos>';

/** What is read and written after <bos>: a target; of a text first its opening, which was given. */
export interface Written {
  words: string[];
  /** How many of them, from the first. */
  given: number;
}

export function writtenWords({ pair, task }: Pick<Lab, 'pair' | 'task'>): Written {
  const opening = pair && readsTexts({ task }) ? pair.source : [];
  return { words: [...opening, ...(pair?.target ?? [])].map(marked), given: opening.length };
}

export const readsTexts = ({ task }: Pick<Lab, 'task'>): boolean => task !== null && isTexts(task);

/** No target was given for what is read: the model has written it itself. */
export function writesTarget({ state, page, pair }: Pick<Lab, 'state' | 'page' | 'pair'>): boolean {
  const given = state.pair ?? (hasTask(state.config) ? null : page.pair);
  return pair !== null && given !== null && given[1] === '';
}

/** As the encoder reads them, with <eos> where it reads that too; of a text, which has no encoder, all before the next. */
export function sourceColumns(lab: Lab, columns: number): string[] {
  if (readsTexts(lab)) return [BOS, ...writtenWords(lab).words].slice(0, columns);
  const source = (lab.pair?.source ?? []).map(marked);
  const read = lab.config().reverse_source === true ? source.reverse() : source;
  return read.length < columns ? [...read, EOS] : read;
}

/** Indexes of the largest values, the largest first. */
export const topOf = (values: ArrayLike<number>, most: number): number[] =>
  Array.from(values, (_, i) => i)
    .sort((a, b) => values[b]! - values[a]!)
    .slice(0, most);
