// What a reader sets by a button or types into a field.
import { parseNumber } from '../views/numbers';

/** The value of a setting as a lesson writes it: true, 0.5 or "additive". */
export function toSetting(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return parseNumber(text) ?? text;
}
