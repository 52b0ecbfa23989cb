// Numbers and lists as the page's language writes them.
import { LANGUAGE } from '#messages/language';

const numbers = new Intl.NumberFormat(LANGUAGE);
const lists = {
  and: new Intl.ListFormat(LANGUAGE, { type: 'conjunction' }),
  or: new Intl.ListFormat(LANGUAGE, { type: 'disjunction' }),
};

/** "312,464": a count, its thousands separated. */
export const grouped = (count: number): string => numbers.format(count);

/** "a, b and c". */
export const listed = (names: readonly string[], joint: 'and' | 'or' = 'and'): string => lists[joint].format(names);
