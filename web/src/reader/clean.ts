// Cleans a text wherever one enters, from the bytes of a file or by paste: invisible characters must not become tokens.

export interface Decoded {
  text: string;
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
}

const MARKS = [
  { encoding: 'utf-16le', mark: [0xff, 0xfe] },
  { encoding: 'utf-16be', mark: [0xfe, 0xff] },
] as const;

/**
 * UTF-16 has a byte order mark; what is no UTF-8 either is taken for Windows-1252, which any bytes can be. Bytes that
 * are `cut` may end within a character, which is dropped.
 */
export function decode(bytes: Uint8Array, cut = false): Decoded {
  const stream = { stream: cut };
  const marked = MARKS.find(({ mark }) => mark.every((byte, i) => bytes[i] === byte));
  if (marked) return { text: new TextDecoder(marked.encoding).decode(bytes, stream), encoding: marked.encoding };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes, stream), encoding: 'utf-8' };
  } catch {
    return { text: new TextDecoder('windows-1252').decode(bytes), encoding: 'windows-1252' };
  }
}

/** How often each of these was found. */
export interface Cleanings {
  /** Byte order marks, soft hyphens, word joiners and control characters, which are dropped. */
  invisible: number;
  /** Line ends \r\n and \r, which become \n. */
  lineEnds: number;
  /** Unicode's other spaces, no-break spaces among them, which become a space. */
  spaces: number;
  /** Lines with letters whose marks are separate characters: they are composed (Unicode's form NFC). */
  composed: number;
}

// The engine joins the code points of a token by the control character U+001F: it must not come from outside.
const INVISIBLE = /[\0-\x08\x0E-\x1F\x7F\u00AD\u2060\uFEFF]/g;
const LINE_ENDS = /\r\n?/g;
const SPACES = /[\v\f\u0085\u00A0\u1680\u2000-\u200B\u2028\u2029\u202F\u205F\u3000]/g;

const count = (text: string, pattern: RegExp): number => {
  let times = 0;
  for (const _ of text.matchAll(pattern)) times++;
  return times;
};

/** Keeps the number of lines, so that line numbers are those of the field. */
export function cleanText(text: string): { text: string; cleanings: Cleanings } {
  const lineEnds = count(text, LINE_ENDS);
  const unified = text.replace(LINE_ENDS, '\n');
  const invisible = count(unified, INVISIBLE);
  const spaces = count(unified, SPACES);
  const plain = unified.replace(INVISIBLE, '').replace(SPACES, ' ');
  const composed = plain.normalize('NFC');
  const changed = composed === plain ? 0 : differingLines(plain, composed);
  return { text: composed, cleanings: { invisible, lineEnds, spaces, composed: changed } };
}

function differingLines(before: string, after: string): number {
  const lines = after.split('\n');
  return before.split('\n').filter((line, i) => line !== lines[i]).length;
}

// A script that was exported for PyTorch comes back by paste: see engine/program/pytorch.cpp.
const START = /^# ---- program ----\n/m;
const END = /\n# ---- end of program ----$/m;

/**
 * The program in such a script; any other text but for its byte order mark and line ends, since the texts in a program may
 * hold any other character. Two searches: one for both takes time quadratic in the starts.
 */
export function programIn(pasted: string): string {
  const text = pasted.replace(/^\uFEFF/, '').replace(LINE_ENDS, '\n');
  const start = START.exec(text);
  const after = start && text.slice(start.index + start[0].length);
  const end = after === null ? null : END.exec(after);
  return end ? after!.slice(0, end.index) : text;
}

/** The first half of a surrogate pair without the other, or the reverse; "" if there is none. */
export function loneSurrogate(text: string): string {
  const [found] = /\p{Surrogate}/u.exec(text) ?? [];
  return found ? `U+${found.codePointAt(0)!.toString(16).toUpperCase()}` : '';
}

export const replaceSurrogates = (text: string): string => text.replace(/\p{Surrogate}/gu, '\uFFFD');
