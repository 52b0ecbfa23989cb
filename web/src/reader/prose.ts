// Reads a running text for a language model.
import { cleanText, loneSurrogate, replaceSurrogates, type Cleanings } from './clean';
import { charactersOf, hasPunctuation, hasUnspaced, JOINER, joinedCharacters, wordsOf, type Splitting } from './tokens';
import type { Tokens } from './pairs';

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
