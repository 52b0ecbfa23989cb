// What is typed into a setting of the model.
import { parseNumber, parseNumbers } from '../views/numbers';
import type { Config } from '../types';

type Value = Config[string];

export const written = (value: Value): string => (Array.isArray(value) ? value.join(' ') : String(value));

/** Of the same type as what is in force; null if it cannot be read as that. */
export function typed(text: string, like: Value): Value | null {
  if (Array.isArray(like)) return parseNumbers(text);
  return typeof like === 'number' ? parseNumber(text) : text;
}

/** "Seed cannot be “many”: type a number, such as 1." */
export function unreadable(label: string, text: string, now: Value): string {
  const wanted = Array.isArray(now) ? 'numbers with spaces between them' : 'a number';
  const said = text.trim() ? `cannot be “${text.trim().slice(0, 30)}”` : 'is empty';
  return `${label} ${said}: type ${wanted}, such as ${written(now)}.`;
}
