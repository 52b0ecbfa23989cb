// How the translator writes when words are hidden from it, or when the reader decides where it looks.
// The build does the same in Node, for what the page shows before it is touched.
import { cellCount, type Trace, type PairInfo, type RunInfo, type ValueEdit } from '../../engine/types';

/** What a reader did to the attention. */
export interface Change {
  /** Positions in the source that get no weight, whatever is written. */
  hidden: readonly number[];
  /** While the word `at` is written, the source word `to` gets all the weight. */
  pulls: readonly Pull[];
}

export interface Pull {
  at: number;
  to: number;
}

export const UNCHANGED: Change = { hidden: [], pulls: [] };

/** The calls of a session that are needed, each with its value or an exception. */
export interface Calls {
  read(source: string, target: string): Promise<PairInfo>;
  setEdits(edits: readonly ValueEdit[]): Promise<RunInfo>;
  trace(run: RunInfo): Promise<Trace>;
  values(id: number): Promise<Float32Array>;
}

/** What the model would write at each position of a target that it is given, and where it looks there. */
export interface Reading {
  next: string[];
  /** (T + 1, S): a row for each word of the target, and one for <eos>. */
  weights: number[][];
}

export type Read = (target: readonly string[], change: Change) => Promise<Reading>;

export interface Written {
  words: string[];
  weights: number[][];
}

/**
 * A change as a lesson writes it: `hide` names words of the source, `pull` a word that is written and one of the source.
 * Of a word that occurs twice, "the2" is the second. Throws an Error of one sentence.
 */
export function changeOf(
  { hide = '', pull = '' }: { hide?: string | undefined; pull?: string | undefined },
  source: readonly string[],
  own: readonly string[],
): Change {
  const [at, to] = pull.split(' ');
  return {
    hidden: hide.split(' ').flatMap((word) => (word ? placeOf(word, source) : [])),
    pulls: at && to ? [{ at: placeOf(at, own), to: placeOf(to, source) }] : [],
  };
}

export function placeOf(named: string, words: readonly string[]): number {
  const [, word, which] = /^(\D+)(\d*)$/.exec(named) ?? [];
  const place = [...words.keys()].filter((each) => words[each] === word)[Number(which || 1) - 1];
  if (place === undefined) throw new Error(`"${named}" is not among the words: use one of ${words.join(', ')}.`);
  return place;
}

const END = '<eos>';
/** A model that goes round in circles is stopped here: twice the words of the longest translation it has learned. */
const MOST_WORDS = 14;

/**
 * What greedy decoding gives under the change. The engine decodes without edits, but reads a whole target with them. So it
 * reads a guess: up to the first position where it would write another word, the guess is what it writes. That word is put
 * right and the guess is read again; each reading settles at least one word. Null if `goOn` says to stop.
 */
export async function write(
  read: Read,
  guess: readonly string[],
  change: Change,
  goOn: () => boolean = () => true,
): Promise<Written | null> {
  let words = [...guess];
  while (goOn()) {
    const { next, weights } = await read(words, change);
    const at = next.findIndex((word, i) => word !== (words[i] ?? END));
    if (at < 0 || at >= MOST_WORDS || next[at] === END) {
      const length = at < 0 ? words.length : at;
      return { words: words.slice(0, length), weights: weights.slice(0, length + 1) };
    }
    words = [...words.slice(0, at), next[at]!, ...words.slice(at + 1)];
  }
  return null;
}

/** Reads targets of this source; `vocabulary` has the words of the target side by their ids. */
export function readerOf(calls: Calls, source: string, vocabulary: readonly string[]): Read {
  return async (target, change) => {
    const pair = await calls.read(source, target.join(' '));
    const positions = target.length + 1;
    const run = await calls.setEdits(editsOf(change, positions, pair.source.length));
    const { nodes } = await calls.trace(run);
    const rowsOf = async (name: string): Promise<number[][]> => {
      const node = nodes.find((each) => each.name === name)!;
      return rows(await calls.values(node.id), cellCount(node.shape) / positions);
    };
    const logits = await rowsOf('logits');
    return { next: logits.map((row) => vocabulary[largest(row)]!), weights: await rowsOf('attention/α') };
  };
}

/** A score of −∞ takes a word's weight away, and softmax shares it among the others. */
export function editsOf({ hidden, pulls }: Change, positions: number, words: number): ValueEdit[] {
  const scores = range(positions).flatMap((t) =>
    hidden.map((index) => ({ name: `decoder.t${t}.attention/e`, index, value: -Infinity })),
  );
  const weights = pulls
    .filter(({ at }) => at < positions)
    .flatMap(({ at, to }) =>
      range(words).map((index) => ({ name: `decoder.t${at}.attention/α`, index, value: index === to ? 1 : 0 })),
    );
  return [...scores, ...weights];
}

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const rows = (values: Float32Array, width: number): number[][] =>
  range(values.length / width).map((row) => [...values.subarray(row * width, (row + 1) * width)]);

export const largest = (row: readonly number[]): number => row.indexOf(Math.max(...row));

/** Where two texts differ: what stood between their common beginning and their common end, and what stands there now. */
export function difference(before: readonly string[], now: readonly string[]): [gone: string[], come: string[]] {
  const most = Math.min(before.length, now.length);
  let first = 0;
  while (first < most && before[first] === now[first]) first++;
  let last = 0;
  while (last < most - first && before.at(-1 - last) === now.at(-1 - last)) last++;
  return [before.slice(first, before.length - last), now.slice(first, now.length - last)];
}

/** The words that are written no longer, or "none". */
export const changedWords = (before: readonly string[], now: readonly string[]): string =>
  difference(before, now)[0].join(' ') || 'none';
