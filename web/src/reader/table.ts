// Reads a text as a table: its separator or JSON lines, the cells of each line, and which two columns are the source and the
// target.
import { kindOfJson, NOT_JSON, notText, noKey, OPEN_JSON } from '#messages/reader';

export interface Row {
  /** From 1; of a row that spans several lines, the first. */
  line: number;
  cells: string[];
}

/** A line of the text that is not used. */
export interface LeftOut {
  line: number;
  why: string;
}

/** Keys that data sets give their two sides, the source first. */
export const NAMED: readonly (readonly [source: string, target: string])[] = [
  ['source', 'target'],
  ['src', 'tgt'],
  ['src', 'trg'],
  ['input', 'output'],
  ['question', 'answer'],
  ['prompt', 'completion'],
  ['instruction', 'output'],
];

type Json = Record<string, unknown>;

interface JsonLine {
  line: number;
  /** Or why it is none. */
  object: Json | string;
}

/** A share of the lines that decides. */
const ENOUGH = 0.5;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Null for a text that is not JSON lines. */
function jsonTable(text: string): { rows: Row[]; leftOut: LeftOut[]; keys: string[] } | null {
  if (!text.trimStart().startsWith('{')) return null;
  const lines = text.split('\n').map((each, i) => ({ line: i + 1, text: each.trim() }));
  const filled = lines.filter((each) => each.text !== '');
  const read = filled.map(({ line, text }): JsonLine => ({ line, object: objectIn(text) }));
  const objects = read.map(({ object }) => object).filter(isObject);
  if (objects.length < ENOUGH * filled.length) return null;
  const keys = keysOf(objects);
  const rows: Row[] = [];
  const leftOut: LeftOut[] = [];
  for (const { line, object } of read) {
    const why = typeof object === 'string' ? object : faultIn(object, keys);
    if (why) leftOut.push({ line, why });
    else rows.push({ line, cells: keys.map((key) => String((object as Json)[key])) });
  }
  return { rows, leftOut, keys };
}

/** Some data sets have both sides in an object of their own: {"translation": {"en": "…", "fr": "…"}}. */
function objectIn(line: string): Json | string {
  try {
    const value: unknown = JSON.parse(line);
    if (!isObject(value)) return NOT_JSON;
    return isObject(value.translation) ? value.translation : value;
  } catch {
    return line.endsWith('}') ? NOT_JSON : OPEN_JSON;
  }
}

/** Those of a known pair that most objects have, else the first two that hold texts. */
function keysOf(objects: readonly Json[]): string[] {
  const named = NAMED.find(
    (keys) => objects.filter((each) => keys.every((key) => key in each)).length * 2 >= objects.length,
  );
  if (named) return [...named];
  const texts = (object: Json): string[] => Object.keys(object).filter((key) => typeof object[key] === 'string');
  return (objects.map(texts).find((keys) => keys.length >= 2) ?? NAMED[0]!).slice(0, 2);
}

function faultIn(object: Json, keys: readonly string[]): string {
  for (const key of keys) {
    if (!Object.hasOwn(object, key)) return noKey(key);
    if (typeof object[key] !== 'string') return notText(key, kindOfJson(object[key]));
  }
  return '';
}

export type Separator = '\t' | ',' | ';' | '|||';
export const SEPARATORS: readonly Separator[] = ['\t', ',', ';', '|||'];

export interface Table {
  rows: Row[];
  leftOut: LeftOut[];
  separator: Separator | 'json' | null;
  /** Keys, if the rows are JSON objects. */
  keys?: string[];
}

/** Of the rows, if they are separated by a comma or semicolon, which running text has too. */
const NEARLY_ALL = 0.8;
/** Characters. */
const SAMPLE = 100_000;

/** Without a separator, the one that the text as a whole suggests. */
export function tableOf(text: string, separator?: Separator): Table {
  const json = separator ? null : jsonTable(text);
  if (json) return { ...json, separator: 'json' };
  const found = separator ?? separatorOf(text);
  if (!found) return { rows: [], leftOut: [], separator: null };
  return { rows: rowsOf(text, found), leftOut: [], separator: found };
}

const rowsOf = (text: string, separator: Separator): Row[] =>
  separator === ',' || separator === ';' ? quotedRows(text, separator) : plainRows(text, separator);

/** A quote is a letter like any other. */
function plainRows(text: string, separator: Separator): Row[] {
  const rows = text.split('\n').map((line, i) => ({ line: i + 1, cells: line.split(separator) }));
  return rows.filter(({ cells }) => !isEmpty(cells));
}

/** A line of spaces alone is no row. */
const isEmpty = (cells: readonly string[]): boolean => cells.length === 1 && cells[0]!.trim() === '';

function separatorOf(text: string): Separator | null {
  const sample = text.length > SAMPLE ? text.slice(0, text.lastIndexOf('\n', SAMPLE) + 1 || SAMPLE) : text;
  const lines = sample.split('\n').filter((line) => line.trim() !== '');
  const share = (separator: string): number =>
    lines.filter((line) => line.includes(separator)).length / Math.max(lines.length, 1);
  if (share('\t') >= ENOUGH) return '\t';
  if (share('|||') >= ENOUGH) return '|||';
  const [comma, semicolon] = ([',', ';'] as const).map((each) => evenness(quotedRows(sample, each)));
  if (Math.max(comma!, semicolon!) >= NEARLY_ALL) return semicolon! > comma! ? ';' : ',';
  return share('\t') > 0 ? '\t' : null;
}

/** The share of rows with the usual number of columns; 0 if that is one. */
function evenness(rows: readonly Row[]): number {
  const usual = usualColumns(rows);
  return usual < 2 ? 0 : rows.filter(({ cells }) => cells.length === usual).length / rows.length;
}

/** The most frequent number of cells in a row, 1 if there are no rows. */
function usualColumns(rows: readonly Row[]): number {
  const times = new Map<number, number>();
  for (const { cells } of rows) times.set(cells.length, (times.get(cells.length) ?? 0) + 1);
  return [...times].reduce((best, each) => (each[1] > best[1] ? each : best), [1, 0])[0];
}

/** As spreadsheets write it: "a, b" is one cell, and "" within it a quote. A quote that never closes is a letter. */
function quotedRows(text: string, separator: ',' | ';'): Row[] {
  const rows: Row[] = [];
  let [at, line] = [0, 1];
  while (at < text.length) {
    const row: Row = { line, cells: [] };
    for (;;) {
      const { cell, end } = cellAt(text, at, separator);
      row.cells.push(cell);
      at = end + 1;
      if (text[end] !== separator) break;
    }
    line += 1 + row.cells.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
    if (!isEmpty(row.cells)) rows.push(row);
  }
  return rows;
}

function cellAt(text: string, at: number, separator: string): { cell: string; end: number } {
  const quoted = text[at] === '"' ? quotedCell(text, at, separator) : null;
  if (quoted) return quoted;
  const newline = text.indexOf('\n', at);
  const rest = text.slice(at, newline < 0 ? text.length : newline);
  const length = rest.indexOf(separator);
  const cell = length < 0 ? rest : rest.slice(0, length);
  return { cell, end: at + cell.length };
}

/** A cell of more lines than this has lost its closing quote. */
const MOST_LINES = 50;

/** Null unless a quote closes the cell before the next separator or line end. */
function quotedCell(text: string, at: number, separator: string): { cell: string; end: number } | null {
  let lines = 0;
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\n' && ++lines > MOST_LINES) return null;
    if (text[i] !== '"') continue;
    const next = text[i + 1];
    if (next === '"') i++;
    else if (next === undefined || next === separator || next === '\n')
      return { cell: text.slice(at + 1, i).replaceAll('""', '"'), end: i + 1 };
    else return null;
  }
  return null;
}

export interface Columns {
  source: number;
  target: number;
  /** In most rows. */
  count: number;
  /** The first row, if it names the columns. */
  header: Row | null;
}

const SAMPLE_ROWS = 300;
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
  const sample = rows.slice(0, SAMPLE_ROWS);
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
