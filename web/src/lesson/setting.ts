// Values of settings as lessons write them.
import { parseNumber } from '../ui/numbers';

/** Parses a boolean or a number, else returns the text: true, 0.5 or "additive". */
export function toSetting(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return parseNumber(text) ?? text;
}
