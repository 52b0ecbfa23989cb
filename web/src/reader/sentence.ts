// Cleans a sentence that is typed for a model: what its task already knows stays as it is.
import { cleanText } from './clean';
import { wordsOf } from './tokens';

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
