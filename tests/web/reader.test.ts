// The reader's other entrances: a running text, a typed sentence, a program, the bytes of a file.
import { expect, it } from 'vitest';
import { programIn } from '../../web/src/editor/pasted';
import { decode } from '../../web/src/reader/decode';
import { MAX_BYTES, readProse } from '../../web/src/reader/prose';
import { cleanSentence } from '../../web/src/reader/tokens';

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

it('a pasted program keeps its text but for a byte order mark and line ends', () => {
  expect(programIn('\uFEFFa = 1\r\nb = "\u00a0"\rc')).toBe('a = 1\nb = "\u00a0"\nc');
  const script = ['import torch', '# ---- program ----', 'a = 1', 'b = 2', '# ---- end of program ----', 'run()'];
  for (const end of ['\n', '\r\n', '\r']) expect(programIn(`\uFEFF${script.join(end)}`)).toBe('a = 1\nb = 2');
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
