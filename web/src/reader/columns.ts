// Which two columns of a table are the source and the target, and whether its first row names them.
import { NAMED } from './json';
import { usualColumns } from './table';
import type { Row } from './rows';

export interface Columns {
  source: number;
  target: number;
  /** In most rows. */
  count: number;
  /** The first row, if it names the columns. */
  header: Row | null;
}

const SAMPLE = 300;
const NUMBER = /^[\d\s.,:/-]*$/;
/** The licence and authors of a sentence, third in the files of Tatoeba and ManyThings. */
const LICENCE = /\bcc[- ]?(by|0)\b|tatoeba/i;
/** In lower case. */
const NAMES = new Set([
  ...NAMED.flat(),
  ...'translation,sentence,original,text,en,fr,de,ru,zh,ja,ko,ar,tr,pl,nl,pt,uk'.split(','),
  ...'english,french,german,spanish,italian,portuguese,dutch,russian,ukrainian,chinese,japanese,korean'.split(','),
  ...'arabic,hebrew,turkish,polish,swedish,danish,norwegian,finnish,greek,hindi,latin'.split(','),
]);

const nameIn = (cell: string | undefined): string => (cell ?? '').trim().toLowerCase();

export function columnsOf(rows: readonly Row[], chosen?: readonly [number, number]): Columns {
  const sample = rows.slice(0, SAMPLE);
  const count = Math.max(usualColumns(sample), 1);
  const names = (rows[0]?.cells ?? []).map(nameIn);
  const [source, target] = chosen ?? namedIn(names) ?? textual(sample.slice(1), count);
  const isHeader = rows.length > 1 && [source, target].every((column) => NAMES.has(names[column] ?? ''));
  return { source, target, count, header: isHeader ? rows[0]! : null };
}

function namedIn(names: readonly string[]): [number, number] | undefined {
  const pair = NAMED.find((pair) => pair.every((name) => names.includes(name)));
  return pair && [names.indexOf(pair[0]), names.indexOf(pair[1])];
}

/** The first two columns of texts: numbers, licences and what is the same in every row are no side of a pair. */
function textual(rows: readonly Row[], count: number): [number, number] {
  const isText = (column: number): boolean => {
    const cells = rows.map(({ cells }) => (cells[column] ?? '').trim());
    const most = (pattern: RegExp): boolean => cells.filter((cell) => pattern.test(cell)).length * 2 > cells.length;
    return !most(NUMBER) && !most(LICENCE) && (cells.length < 3 || new Set(cells).size > 1);
  };
  const texts = count > 2 ? Array.from({ length: count }, (_, i) => i).filter(isText) : [];
  return texts.length < 2 ? [0, 1] : [texts[0]!, texts[1]!];
}
