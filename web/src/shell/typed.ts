// What is typed into a setting, of the model or of its writing.
import { parseNumber, parseNumbers } from '../views/numbers';
import type { Config } from '../types';

type Value = Config[string];

const MOST_QUOTED = 30;

export const written = (value: Value): string => (Array.isArray(value) ? value.join(' ') : String(value));

/**
 * Of the same type as what is in force; else the text itself, for the engine to refuse it: the engine alone knows which
 * range a setting has.
 */
export function typed(text: string, like: Value): Value {
  const read = Array.isArray(like) ? parseNumbers(text) : typeof like === 'number' ? parseNumber(text) : text;
  return read ?? text.trim().slice(0, MOST_QUOTED);
}
