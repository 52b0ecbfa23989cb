// Reads pairs in whatever form people have them, into lines of source, tab, target for the engine.
import * as texts from '#messages/reader';
import { cleanText, loneSurrogate, type Cleanings } from './clean';
import { columnsOf, type Columns, tableOf, type Separator, type Table, type LeftOut, type Row } from './table';
import { charactersOf, hasPunctuation, hasUnspaced, joinedCharacters, wordsOf, type Splitting } from './tokens';

export type Tokens = 'words' | 'characters';

/** What the learner chose; without a choice, what the text suggests. */
export interface PairChoices extends Splitting {
  separator?: Separator;
  columns?: readonly [source: number, target: number];
  tokens?: Tokens;
}

export interface Lengths {
  mean: number;
  most: number;
}

export interface PairsRead {
  /** For the engine: lines of source, tab, target. */
  data: string;
  /** For each of those, its line in the text. */
  lines: number[];
  tokens: Tokens;
  separator: Table['separator'];
  columns: Columns;
  /** The names of the two columns, if the text has any. */
  names: readonly string[];
  leftOut: LeftOut[];
  leftOutCount: number;
  cleanings: Cleanings;
  source: Lengths;
  target: Lengths;
  /** The text has what `PairChoices` could split. */
  hasPunctuation: boolean;
  hasUnspaced: boolean;
}

export const MAX_TOKENS = 63;
const MAX_PAIRS = 20_000;
export const MAX_CHARACTERS = 1 << 20;
const RESERVED = ['<pad>', '<bos>', '<eos>'];

interface Sides {
  line: number;
  sides: readonly [source: string, target: string];
}

export function readPairs(raw: string, choices: PairChoices): PairsRead {
  const { text, cleanings } = cleanText(raw);
  const table = tableOf(text, choices.separator);
  const columns = columnsOf(table.rows, table.keys ? [0, 1] : choices.columns);
  const leftOut = [...table.leftOut];
  const named = columns.header ?? (table.keys && { line: 0, cells: table.keys });
  const rows = columns.header ? table.rows.slice(1) : table.rows;
  const found = sidesOf(rows, columns, leftOut);
  const words = found.some(({ sides }) => sides.some((side) => side.includes(' ')));
  const tokens = choices.tokens ?? (words ? 'words' : 'characters');
  const all = found.flatMap(({ sides }) => sides);
  const accepted = tokenised(found, tokens, choices, leftOut);
  return {
    ...accepted,
    tokens,
    separator: table.separator,
    columns,
    names: named ? [named.cells[columns.source]!, named.cells[columns.target]!] : [],
    leftOut: leftOut.sort((a, b) => a.line - b.line),
    leftOutCount: leftOut.length,
    cleanings,
    hasPunctuation: all.some(hasPunctuation),
    hasUnspaced: all.some(hasUnspaced),
  };
}

/** The rows that have a source and a target; the others are noted in `leftOut`. */
function sidesOf(rows: readonly Row[], { source, target }: Columns, leftOut: LeftOut[]): Sides[] {
  const found: Sides[] = [];
  for (const { line, cells } of rows) {
    const why = missingIn(cells, source, target);
    if (why) leftOut.push({ line, why });
    else found.push({ line, sides: [sideIn(cells[source]!), sideIn(cells[target]!)] });
  }
  return found;
}

const sideIn = (cell: string): string => cell.replace(/[\t\n]/g, ' ').trim();

function missingIn(cells: readonly string[], source: number, target: number): string {
  if (cells.length === 1) return texts.ONE_COLUMN;
  const missing = [source, target].find((column) => column >= cells.length);
  if (missing !== undefined) return texts.noColumn(missing + 1);
  const [left, right] = [sideIn(cells[source]!), sideIn(cells[target]!)];
  if (!left && !right) return texts.BOTH_BLANK;
  if (!left) return texts.emptySide('source');
  if (!right) return texts.emptySide('target');
  const lone = loneSurrogate(left) || loneSurrogate(right);
  return lone && texts.damagedCharacter(lone);
}

type Tokenised = Pick<PairsRead, 'data' | 'lines' | 'source' | 'target'>;

/** Of equal sources the first counts. */
function tokenised(found: readonly Sides[], as: Tokens, splitting: Splitting, leftOut: LeftOut[]): Tokenised {
  const accepted: { line: number; written: string; counts: number[] }[] = [];
  /** The remark on another pair with the same source. */
  const again = new Map<string, string>();
  let length = 0;
  for (const { line, sides } of found) {
    const tokens = sides.map((side) => (as === 'words' ? wordsOf(side, splitting) : charactersOf(side)));
    const row = tokens.map((side) => (as === 'words' ? side.join(' ') : joinedCharacters(side.join(''))));
    const why = faultIn(sides, tokens, as) || again.get(row[0]!);
    if (why) {
      leftOut.push({ line, why });
      continue;
    }
    const written = row.join('\t');
    length += written.length + 1;
    const full = noRoomFor(accepted.length + 1, length);
    if (full) {
      leftOut.push({ line, why: full });
      break;
    }
    again.set(row[0]!, texts.sameSource(line));
    accepted.push({ line, written, counts: tokens.map((side) => side.length) });
  }
  return {
    data: accepted.map(({ written }) => written).join('\n'),
    lines: accepted.map(({ line }) => line),
    source: lengthsOf(accepted.map(({ counts }) => counts[0]!)),
    target: lengthsOf(accepted.map(({ counts }) => counts[1]!)),
  };
}

const noRoomFor = (pairs: number, characters: number): string =>
  pairs > MAX_PAIRS ? texts.noRoom(MAX_PAIRS, true) : characters > MAX_CHARACTERS ? texts.noRoom(MAX_CHARACTERS, false) : ''; // prettier-ignore

function faultIn(sides: readonly string[], tokens: readonly string[][], as: Tokens): string {
  for (const [i, side] of (['source', 'target'] as const).entries()) {
    const reserved = as === 'words' && tokens[i]!.find((word) => RESERVED.includes(word));
    if (reserved) return texts.reservedWord(side, reserved);
    const [count, characters] = [tokens[i]!.length, sides[i]!.length];
    if (count > MAX_TOKENS) return texts.longSide(side, characters, as === 'words' ? count : null, MAX_TOKENS);
  }
  return '';
}

const lengthsOf = (counts: readonly number[]): Lengths => ({
  mean: counts.reduce((sum, count) => sum + count, 0) / Math.max(counts.length, 1),
  most: counts.reduce((most, count) => Math.max(most, count), 0),
});
