// Values typed into a setting, of the model or of generation.
import { parseNumber, parseNumbers } from './numbers';
import type { Config } from '../engine/types';

type Value = Config[string];

const MAX_QUOTED = 30;

export const written = (value: Value): string => (Array.isArray(value) ? value.join(' ') : String(value));

/**
 * Parses `text` as the type of `like`, the current value. If that fails, returns the text (at most 30 characters) for
 * the engine to refuse, which alone knows the range of a setting.
 */
export function typed(text: string, like: Value): Value {
  const read = Array.isArray(like) ? parseNumbers(text) : typeof like === 'number' ? parseNumber(text) : text;
  return read ?? text.trim().slice(0, MAX_QUOTED);
}
