// Splits a text into tokens: characters as people see them, or words. Of a sentence that is typed for a model, what its task
// already knows stays as it is.
import { cleanText } from './clean';

/** What may be more than one code point in a character. */
const COMPOUND = /[\p{M}\p{Extended_Pictographic}\p{Regional_Indicator}\u0E33\u0EB3\u1100-\u11FF\u200C\u200D]/u;
/** Scripts that put no spaces between words, and their punctuation. */
const UNSPACED =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const MARKS = /(\p{P})\1*/gu;
/** Marks that belong to a word between two letters or digits, as in "don't", "3.5" and "e-mail". */
const WITHIN = new Set("'’-‐‑.,:·_@/");
const LETTER = /[\p{L}\p{M}\p{N}]/u;

/** Between code points that the engine takes for one token: token_joiner in engine/data/tasks/task.h. */
export const JOINER = '\x1f';

const segmenter =
  typeof Intl.Segmenter === 'function' ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : null;

/** Characters as people see them: an emoji, a flag, a letter with its marks is one. */
export const charactersOf = (text: string): string[] =>
  segmenter && COMPOUND.test(text) ? Array.from(segmenter.segment(text), ({ segment }) => segment) : [...text];

/** The text with the code points of each character joined. */
export const joinedCharacters = (text: string): string =>
  COMPOUND.test(text)
    ? charactersOf(text)
        .map((each) => [...each].join(JOINER))
        .join('')
    : text;

export interface Splitting {
  /** Punctuation is split from words. */
  punctuation: boolean;
  /** Each character of a script without spaces is a token. */
  unspaced: boolean;
}

export const hasUnspaced = (text: string): boolean => UNSPACED.test(text);

/** True if splitting punctuation would change the words. */
export const hasPunctuation = (text: string): boolean => spreadMarks(text).trim() !== text.trim();

export function wordsOf(text: string, { punctuation, unspaced }: Splitting): string[] {
  const spread = punctuation ? spreadMarks(text) : text;
  const words = spread.split(/\s+/u).filter(Boolean);
  return unspaced && hasUnspaced(spread) ? words.flatMap(charactersIfUnspaced) : words;
}

const spreadMarks = (text: string): string =>
  text.replace(MARKS, (marks: string, mark: string, at: number) => {
    const [before, after] = [text.slice(0, at), text.slice(at + marks.length, at + marks.length + 2)];
    const within = WITHIN.has(mark) && marks === mark && LETTER.test(lastOf(before)) && LETTER.test(firstOf(after));
    return within ? marks : ` ${marks} `;
  });

const lastOf = (text: string): string => [...text.slice(-2)].at(-1) ?? '';
const firstOf = (text: string): string => [...text][0] ?? '';

/** "我有iPhone" → 我, 有, iPhone. */
function charactersIfUnspaced(word: string): string[] {
  if (!hasUnspaced(word)) return [word];
  const tokens: string[] = [];
  let open = false;
  for (const each of charactersOf(word)) {
    const alone = UNSPACED.test(each);
    if (open && !alone) tokens[tokens.length - 1] += each;
    else tokens.push(each);
    open = !alone;
  }
  return tokens;
}

/** `separator` as in the task: " " for words, "" for characters. */
export function cleanSentence(typed: string, known: readonly string[], separator: string): string {
  const tokens = new Set(known);
  const isKnown = (token: string): boolean => tokens.has(token) || tokens.has(token.toLowerCase());
  if (!separator) return [...typed].every(isKnown) ? typed : cleanText(typed).text;
  const words = cleanText(typed).text.split(/\s+/u).filter(Boolean);
  return words.flatMap((word) => (isKnown(word) ? [word] : piecesOf(word, isKnown))).join(separator);
}

/** "day." → day and a full stop, if the model knows any of the pieces. */
function piecesOf(word: string, isKnown: (token: string) => boolean): string[] {
  const pieces = wordsOf(word, { punctuation: true, unspaced: true });
  return pieces.some(isKnown) ? pieces : [word];
}
