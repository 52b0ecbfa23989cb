// Files as people have them, each beside a statement of what reading it must give. They are not part of the repository:
// UNROLL_DATA names their folder, and without them these tests are skipped.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { decode } from '../../web/src/reader/decode';
import { readPairs, type PairsRead } from '../../web/src/reader/pairs';

interface Expected {
  read_as: { separator?: string; encoding: string; pair?: (string | number)[]; keys?: string[] };
  rows: number;
  first: string[];
  last: string[];
  /** `row` counts from 1 below the header: where rows span several lines, it says which one is meant. */
  refused: { row?: number; line: number; why: string }[];
}

const folder = process.env.UNROLL_DATA ?? fileURLToPath(new URL('../../../shared/models/data', import.meta.url));
const ENDING = '.expected.json';
const names = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
  : [];

/** The words of a side, in the composed form that the reader writes. */
const sides = (line: string): string[] => line.split('\t').map((side) => side.replaceAll('\x1f', ''));
const written = (pair: string[]): string[] => pair.map((side) => side.normalize('NFC').trim().split(/\s+/u).join(' '));

it.skipIf(names.length)(`the files are not in ${'$UNROLL_DATA'}: nothing is read`, () => expect(names).toEqual([]));

it.each(names)('%s is read as its statement says', (name) => {
  const bytes = readFileSync(`${folder}/${name}`);
  const expected = JSON.parse(readFileSync(`${folder}/${name}${ENDING}`, 'utf8')) as Expected;
  const { text, encoding } = decode(bytes);
  const read: PairsRead = readPairs(text, { punctuation: false, unspaced: false });
  expect(expected.read_as.encoding).toContain(encoding);
  const { separator, pair, keys } = expected.read_as;
  expect(read.separator).toBe(keys ? 'json' : separator === 'tab' ? '\t' : separator);
  if (keys ?? typeof pair?.[0] === 'string') expect(read.names).toEqual(keys ?? pair);
  const lines = read.data.split('\n');
  expect(lines).toHaveLength(expected.rows);
  expect([lines[0]!, lines.at(-1)!].map(sides)).toEqual([expected.first, expected.last].map(written));
  expect(read.leftOut).toHaveLength(expected.refused.length);
  for (const [i, { row, line, why }] of expected.refused.entries()) {
    const found = read.leftOut[i]!.line;
    if (row) expect(read.lines.filter((before) => before < found).length + i + 1).toBe(row);
    else expect(found).toBe(line);
    expect(read.leftOut[i]!.why).toContain(why);
  }
});
