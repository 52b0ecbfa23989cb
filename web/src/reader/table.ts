// Reads a text as a table: its separator, and the cells of each line.
import { jsonTable } from './json';
import type { LeftOut, Row } from './rows';

export type Separator = '\t' | ',' | ';' | '|||';
export const SEPARATORS: readonly Separator[] = ['\t', ',', ';', '|||'];

export interface Table {
  rows: Row[];
  leftOut: LeftOut[];
  separator: Separator | 'json' | null;
  /** Keys, if the rows are JSON objects. */
  keys?: string[];
}

const ENOUGH = 0.5;
/** Of the rows, if they are separated by a comma or semicolon, which running text has too. */
const NEARLY_ALL = 0.8;
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

export function separatorOf(text: string): Separator | null {
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
export function usualColumns(rows: readonly Row[]): number {
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
