// Reads the learner's own data, pairs or a text, with what its report needs; also in a worker, if the text is long.
import { IS_PROSE, NO_SEPARATOR } from '#messages/reader';
import { cleanText, loneSurrogate, replaceSurrogates, type Cleanings } from './clean';
import { readPairs, type PairChoices, type PairsRead, type Tokens } from './pairs';
import { charactersOf, hasPunctuation, hasUnspaced, JOINER, joinedCharacters, wordsOf, type Splitting } from './tokens';

/** A running text for a language model. */
export interface ProseRead {
  /** For the engine. */
  data: string;
  tokens: Tokens;
  count: number;
  different: number;
  lines: number;
  /** Halves of a surrogate pair, which become U+FFFD. */
  damaged: number;
  /** The share of the text that is read, 1 unless it is too long. */
  share: number;
  cleanings: Cleanings;
  hasPunctuation: boolean;
  hasUnspaced: boolean;
}

export interface Job {
  of: 'pairs' | 'text';
  text: string;
  choices: PairChoices;
  /** Of a text; pairs say it themselves. */
  tokens: Tokens | undefined;
}

export type Reading =
  | { of: 'pairs'; read: PairsRead; /** Why no pair can be read at all; "" if some can. */ why: string }
  | { of: 'text'; read: ProseRead };

/** Left-out lines that the report shows; the rest are counted. */
const MOST_LINES = 50;

const PROSE_WORDS = 4;

export function readOwn({ of, text, choices, tokens }: Job): Reading {
  if (of === 'text') return { of, read: readProse(text, tokens ?? 'characters', choices) };
  const read = readPairs(text, choices);
  return { of, read: { ...read, leftOut: read.leftOut.slice(0, MOST_LINES) }, why: whyNone(read, text) };
}

function whyNone(read: PairsRead, text: string): string {
  if (read.separator !== null || !text.trim()) return '';
  const lines = text.split('\n').filter((line) => line.trim());
  const words = lines.reduce((sum, line) => sum + line.trim().split(/\s+/).length, 0);
  return words < PROSE_WORDS * lines.length ? NO_SEPARATOR : `${NO_SEPARATOR} ${IS_PROSE}`;
}

/** As the engine's max_bytes. */
export const MAX_BYTES = 1 << 20;

export function readProse(raw: string, tokens: Tokens, splitting: Splitting): ProseRead {
  const { text, cleanings } = cleanText(raw);
  const damaged = loneSurrogate(text) ? (text.match(/\p{Surrogate}/gu) ?? []).length : 0;
  const whole = damaged ? replaceSurrogates(text) : text;
  const written = tokens === 'words' ? asWords(whole, splitting) : joinedCharacters(whole);
  const data = cutToBytes(written, MAX_BYTES);
  const read = tokens === 'words' ? data.split(/\s+/).filter(Boolean) : charactersOf(data.replaceAll(JOINER, ''));
  return {
    data,
    tokens,
    count: read.length,
    different: new Set(read).size,
    lines: data.split('\n').filter((line) => line.trim()).length,
    damaged,
    share: written.length ? data.length / written.length : 1,
    cleanings,
    hasPunctuation: hasPunctuation(whole),
    hasUnspaced: hasUnspaced(whole),
  };
}

/** Unchanged if nothing is to be split. */
function asWords(text: string, splitting: Splitting): string {
  if (!splitting.punctuation && !(splitting.unspaced && hasUnspaced(text))) return text;
  const lines = text.split('\n').map((line) => wordsOf(line, splitting).join(' '));
  return lines.join('\n');
}

/** Cuts after the last character that ends within the first `most` bytes of UTF-8. */
function cutToBytes(text: string, most: number): string {
  const bytes = new Uint8Array(most + 4);
  const { read } = new TextEncoder().encodeInto(text, bytes.subarray(0, most));
  return read === text.length ? text : text.slice(0, read);
}
