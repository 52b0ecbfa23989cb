// How far what a puzzle's program makes is from what is right, and what the attention did there.
import * as texts from '#messages/lesson/code';
import { significant } from '../../ui/numbers';
import { placeText } from './difference';
import type { Code } from '../format/code';
import type { Outcome } from './trial';

export interface Miss {
  said: string;
  /** Of the result. */
  row: number;
}

/** What softmax leaves of nothing is 0 to a reader. */
const short = (x: number): string => significant(Math.abs(x) < 1e-6 ? 0 : x, 4);

/** A distance that a reader need not know. */
const SMALL = 0.01;

/** Null if every element is nearer than `within`. */
export function missOf(mine: Outcome, right: Outcome, within: number, rows: Code['rows']): Miss | null {
  if (String(mine.shape) !== String(right.shape)) return { said: texts.otherShape(mine.shape, right.shape), row: 0 };
  const at = right.values.findIndex((b, i) => !(Math.abs(mine.values[i]! - b) < within));
  if (at < 0) return null;
  const width = right.shape.at(-1) ?? 1;
  const first = Math.floor(at / (right.values.length / (right.shape[0] ?? 1)));
  if (rows) {
    const row = Math.floor(at / width);
    const of = ({ values }: Outcome): Float32Array => values.slice(row * width, (row + 1) * width);
    return { said: rowOff(rows, row, at % width, of(mine), of(right), within), row: first };
  }
  const [is, should] = [short(mine.values[at]!), short(right.values[at]!)];
  const margin = within < SMALL ? '' : short(within);
  return { said: texts.offTarget(placeText(at, right.shape), is, should, margin), row: first };
}

/** A row in which one place should have all is told by that and the one that has most; another by what is off. */
function rowOff(
  rows: NonNullable<Code['rows']>,
  row: number,
  off: number,
  mine: Float32Array,
  right: Float32Array,
  within: number,
): string {
  const wanted = right.indexOf(1);
  if (wanted < 0) return texts.otherWeight(row, off, short(mine[off]!), short(right[off]!));
  const top = mine.indexOf(Math.max(...mine));
  const [share, least] = [short(mine[top]!), short(1 - within)];
  if (rows === 'guesses') return texts.otherGuess(row, top, share, wanted, least);
  return top === wanted
    ? texts.looksTooLittle(row, wanted, share, least)
    : texts.looksElsewhere(row, top, share, wanted, least);
}
