// Numbers and lists as the page's language writes them.
import { LANGUAGE } from '#messages/language';

const numbers = new Intl.NumberFormat(LANGUAGE);
const both = new Intl.ListFormat(LANGUAGE, { type: 'conjunction' });
const either = new Intl.ListFormat(LANGUAGE, { type: 'disjunction' });

/** "312,464": a count, its thousands separated. */
export const grouped = (count: number): string => numbers.format(count);

/** "a, b and c". */
export const listed = (names: readonly string[]): string => both.format(names);

/** "a, b or c" in parts, each name as `show` has it. */
export const anyOf = <T>(names: readonly string[], show: (name: string) => T): (T | string)[] =>
  either.formatToParts(names).map(({ type, value }) => (type === 'element' ? show(value) : value));
