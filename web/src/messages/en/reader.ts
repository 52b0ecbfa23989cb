// What was read of a text that the learner brought, and why a line of it is left out.
import { counted, grouped } from '../intl';

type Side = 'source' | 'target';

export const ONE_COLUMN = 'one column only';
export const noColumn = (column: number): string => `no column ${column}`;
export const BOTH_BLANK = 'both sides are blank';
export const emptySide = (side: Side): string => `the ${side} side is empty`;
/** `code` is like U+D83D. */
export const damagedCharacter = (code: string): string => `half a character, ${code}: copy the line again`;
export const sameSource = (line: number): string => `the same source as line ${grouped(line)}`;
export const reservedWord = (side: Side, word: string): string =>
  `the ${side} has the word ${word}, which the model uses itself`;
export const longSide = (side: Side, characters: number, words: number | null, most: number): string =>
  `the ${side} side is ${counted(characters, { one: 'character', other: 'characters' })}${words === null ? '' : ` (${counted(words, { one: 'word', other: 'words' })})`} long: at most ${grouped(most)} ${words === null ? 'characters' : 'words'} are read`;
/** Of this line and all after it. */
export const noRoom = (most: number, pairs: boolean): string =>
  `this line and those after it: at most ${grouped(most)} ${pairs ? 'pairs' : 'characters'} are read`;

// JSON lines
export const NOT_JSON = 'not a JSON object';
export const OPEN_JSON = 'not JSON: it ends within the object';
export const noKey = (key: string): string => `no "${key}"`;
export const notText = (key: string, kind: string): string => `"${key}" is ${kind}, not text`;
const KINDS: Readonly<Record<string, string>> = { number: 'a number', boolean: 'true or false', object: 'an object' };
export const kindOfJson = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : KINDS[typeof value]!;

// The report under the field.
export const READING = 'Reading your text…';
const PAIRS = { one: 'pair', other: 'pairs' };
const LINES = { one: 'line', other: 'lines' };
const UNITS = { words: { one: 'word', other: 'words' }, characters: { one: 'character', other: 'characters' } };
type Unit = keyof typeof UNITS;

export const SEPARATED = { '\t': 'tabs', ',': 'commas', ';': 'semicolons', '|||': '|||' };
export const SEPARATOR = 'Separated by';
export const SOURCE = 'Source';
export const TARGET = 'Target';
export const READ_AS = 'Read as';
export const UNIT_NAMES = { words: 'words', characters: 'characters' };
export const SPLIT_PUNCTUATION = 'Punctuation marks are tokens of their own';
export const SPLIT_UNSPACED = 'Each character of Chinese, Japanese or Thai is a token';
export const OPEN_FILE = 'Open a file';

/** "column 2 (french)" */
export const columnName = (column: number, name: string): string => `column ${column}${name ? ` (${name})` : ''}`;

export const NO_SEPARATOR = 'No line has a tab between a source and a target.';
export const IS_PROSE =
  'A running text belongs to another model: choose “Transformer language model”, which learns to continue it.';

export interface PairsCount {
  pairs: number;
  source: string;
  target: string;
  columns: number;
  /** Null for JSON lines. */
  separator: string | null;
  header: boolean;
  leftOut: number;
}

/** "Read 1,240 pairs: column 1 and column 2 of 3, separated by tabs; 3 lines are left out." */
export function pairsRead({ pairs, source, target, columns, separator, header, leftOut }: PairsCount): string {
  const where = separator === null ? `${source} and ${target}, from JSON lines` : `${source} and ${target} of ${grouped(columns)}, separated by ${separator}`; // prettier-ignore
  const first = header ? '; the first line names the columns' : '';
  const rest = leftOut ? `; ${counted(leftOut, LINES)} ${leftOut === 1 ? 'is' : 'are'} left out` : '';
  return `Read ${counted(pairs, PAIRS)}: ${where}${first}${rest}.`;
}

interface Lengths {
  mean: number;
  most: number;
}

const mean = (x: number): string => grouped(Math.round(10 * x) / 10);

/** "As words: 4.2 in a source on average, at most 9; 4.6 in a target, at most 12." */
export const pairLengths = (unit: Unit, source: Lengths, target: Lengths): string =>
  `As ${UNITS[unit].other}: ${mean(source.mean)} in a source on average, at most ${grouped(source.most)}; ${mean(target.mean)} in a target, at most ${grouped(target.most)}.`;
/** If nearly every text of a side is one word, each is one token, and the model cannot see into it. */
export const ONE_WORD = 'Most of one side is a single word, which is one token: should it be read as characters?';

/** "Read 1,240 words in 31 lines, 210 of them different." */
export const proseRead = (unit: Unit, count: number, lines: number, different: number): string =>
  `Read ${counted(count, UNITS[unit])} in ${counted(lines, LINES)}, ${grouped(different)} of them different.`;
export const partRead = (share: number): string =>
  `The text is too long: the first ${mean(100 * share)} % of it is read.`;

export const leftOutLines = (count: number): string => `What is left out, and why (${counted(count, LINES)})`;
export const lineName = (line: number): string => `Line ${grouped(line)}`;
export const moreLines = (count: number): string => `and ${grouped(count)} more`;

export interface Cleaned {
  invisible: number;
  spaces: number;
  composed: number;
  damaged: number;
}

/** "Cleaned: 1 invisible character dropped, 3 unusual spaces made ordinary." "" if nothing was. */
export function cleaned({ invisible, spaces, composed, damaged }: Cleaned): string {
  const parts = [
    invisible && `${counted(invisible, { one: 'invisible character', other: 'invisible characters' })} dropped`,
    spaces && `${counted(spaces, { one: 'unusual space', other: 'unusual spaces' })} made ordinary`,
    composed && `letters joined with their accents (NFC) in ${counted(composed, LINES)}`,
    damaged && `${counted(damaged, { one: 'half character', other: 'half characters' })} replaced by \uFFFD`,
  ].filter(Boolean);
  return parts.length ? `Cleaned: ${parts.join('; ')}.` : '';
}

export const fileRead = (name: string): string => `Opened ${name}.`;
export const fileCut = (megabytes: number, most: number): string =>
  `The file has ${grouped(megabytes)} MB: the first ${grouped(most)} MB are in the field.`;
export const READ_AS_LATIN = 'The file is not UTF-8: it is read as Windows-1252, so look at its accents.';
export const NOT_OPENED = 'This file could not be opened: paste its text.';
