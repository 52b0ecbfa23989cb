// The words that positions of a run stand for.
import type { Lab } from '../lab';

export const EOS = '<eos>';

/** As the encoder reads them; with <eos> where it reads that too. */
export function sourceColumns(lab: Lab, columns: number): string[] {
  const source = lab.pair?.source ?? [];
  const read = lab.config().reverse_source === true ? [...source].reverse() : [...source];
  return read.length < columns ? [...read, EOS] : read;
}

/** Indexes of the largest values, the largest first. */
export const topOf = (values: ArrayLike<number>, most: number): number[] =>
  Array.from(values, (_, i) => i)
    .sort((a, b) => values[b]! - values[a]!)
    .slice(0, most);
