// The reader's other entrances: a running text, a typed sentence, a program, the bytes of a file; and whole files.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decode, programIn } from '../../web/src/reader/clean';
import { MAX_BYTES, readProse } from '../../web/src/reader/own';
import { fromRoot } from '../bindings/modules';
import { cleanSentence } from '../../web/src/reader/tokens';
import { readPairs, type PairsRead } from '../../web/src/reader/pairs';

const WHOLE = { punctuation: false, unspaced: true };

it('a running text has no carriage returns, marks or strange spaces among its characters', () => {
  const read = readProse('\uFEFFUn jour\u00a0!\r\ne\u0301te\u0301\r', 'characters', WHOLE);
  expect(read.data).toBe('Un jour !\nété\n');
  expect(read).toMatchObject({ count: 14, different: 11, lines: 2, damaged: 0, share: 1 });
});

it('an emoji of a text is one character, half of one is replaced', () => {
  const read = readProse('a👩‍🚀b\ud83d', 'characters', WHOLE);
  expect(read.data).toBe('a👩\x1f\u200d\x1f🚀b\ufffd');
  expect(read).toMatchObject({ count: 4, damaged: 1 });
});

it('words of a text are separated by every space, and from punctuation if that is chosen', () => {
  const text = 'un\u00a0jour, un\u2009an.\nfin';
  expect(readProse(text, 'words', WHOLE)).toMatchObject({ data: 'un jour, un an.\nfin', count: 5 });
  expect(readProse(text, 'words', { punctuation: true, unspaced: true }).data).toBe('un jour , un an .\nfin');
  expect(readProse('我喜欢 tea', 'words', WHOLE).data).toBe('我 喜 欢 tea');
});

it('a text that is too long is cut at a character, and the share is known', () => {
  const read = readProse('茶'.repeat(MAX_BYTES / 2), 'characters', WHOLE);
  expect(new TextEncoder().encode(read.data).length).toBe(Math.floor(MAX_BYTES / 3) * 3);
  expect(read.share).toBeCloseTo(2 / 3, 3);
});

it('a typed sentence is split where the task knows the pieces, and stays otherwise', () => {
  const known = ['one', 'day', '.', 'été', '我', '喜', 'don’t'];
  const typed = (text: string): string => cleanSentence(text, known, ' ');
  expect(typed('One day.')).toBe('One day .');
  expect(typed('one\u00a0day')).toBe('one day');
  expect(typed('e\u0301te\u0301')).toBe('été');
  expect(typed('我喜')).toBe('我 喜');
  expect(typed('don’t stop...')).toBe('don’t stop...');
  expect(typed('')).toBe('');
  expect(cleanSentence('\uFEFFe\u0301', ['é'], '')).toBe('é');
  expect(cleanSentence('e\u0301', ['e', '\u0301'], '')).toBe('e\u0301'); // a task of before: its own spelling
});

it('bytes are UTF-8, UTF-16 with a mark, or else Windows-1252', () => {
  const utf16 = (text: string, little: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(2 * text.length));
    [...text].forEach((_, i) => view.setUint16(2 * i, text.charCodeAt(i), little));
    return new Uint8Array(view.buffer);
  };
  expect(decode(new TextEncoder().encode('été'))).toEqual({ text: 'été', encoding: 'utf-8' });
  expect(decode(utf16('\uFEFFété', true))).toEqual({ text: 'été', encoding: 'utf-16le' });
  expect(decode(utf16('\uFEFFété', false))).toEqual({ text: 'été', encoding: 'utf-16be' });
  expect(decode(new Uint8Array([0xe9, 0x74, 0xe9]))).toEqual({ text: 'été', encoding: 'windows-1252' });
});

const START = '# ---- program ----';
const END = '# ---- end of program ----';

it('the program between the marks is taken, and any other text as it is, but for a byte order mark and line ends', () => {
  expect(programIn('\uFEFFa = 1\r\nb = "\u00a0"\rc')).toBe('a = 1\nb = "\u00a0"\nc');
  const script = ['import torch', START, 'def f(x):', '    return x', END, 'print(1)'];
  for (const end of ['\n', '\r\n', '\r'])
    expect(programIn(`\uFEFF${script.join(end)}`)).toBe('def f(x):\n    return x');
  expect(programIn(`${START}\r\na = 1\r\n${END}\r\n`)).toBe('a = 1');
  for (const other of ['def f(x): return x', `${START}\na = 1`, `a = 1\n${END}\n`])
    expect(programIn(other)).toBe(other);
});

it('a megabyte of start marks takes no time', () => {
  const pasted = `${START}\n`.repeat(55_000);
  const began = performance.now();
  expect(programIn(pasted)).toBe(pasted);
  expect(performance.now() - began).toBeLessThan(500);
});

// Files as people have them, each beside a statement of what reading it must give. They are not part of the repository:
// UNROLL_DATA names their folder, and without them these tests are skipped.

interface Expected {
  read_as: { separator?: string; encoding: string; pair?: (string | number)[]; keys?: string[] };
  rows: number;
  first: string[];
  last: string[];
  /** `row` counts from 1 below the header: where rows span several lines, it says which one is meant. */
  refused: { row?: number; line: number; why: string }[];
}

const folder = process.env.UNROLL_DATA ?? fromRoot('../shared/models/data');
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
