// Numbers and lists as the page's language writes them.
import { LANGUAGE } from '#messages/language';

const numbers = new Intl.NumberFormat(LANGUAGE);
const both = new Intl.ListFormat(LANGUAGE, { type: 'conjunction' });
const either = new Intl.ListFormat(LANGUAGE, { type: 'disjunction' });
const plurals = new Intl.PluralRules(LANGUAGE);

/** "312,464": a count, its thousands separated. */
export const grouped = (count: number): string => numbers.format(count);

/** The forms of a word that go with a count: English has one and other, Polish few and many too. */
export type Forms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

/** The form that goes with `count`: "step" for 1, "steps" for 2. */
export const plural = (count: number, forms: Forms): string => forms[plurals.select(count)] ?? forms.other;

/** "1 step", "1,200 steps". */
export const counted = (count: number, forms: Forms): string => `${grouped(count)} ${plural(count, forms)}`;

/** "a, b and c". */
export const listed = (names: readonly string[]): string => both.format(names);

/** "a, b and c" in parts: the language decides what is between the items. */
export const allOf = <T>(items: readonly T[]): (T | string)[] =>
  both
    .formatToParts(items.map((_, i) => String(i)))
    .map(({ type, value }) => (type === 'element' ? items[+value]! : value));

/** "a, b or c" in parts, each name as `show` has it. */
export const anyOf = <T>(names: readonly string[], show: (name: string) => T): (T | string)[] =>
  either.formatToParts(names).map(({ type, value }) => (type === 'element' ? show(value) : value));

/** "5 Jan 2026": the day of a time in milliseconds since 1970. */
export const dayOf = (at: number): string => new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' }).format(at);
