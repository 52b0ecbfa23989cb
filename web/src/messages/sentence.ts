// Refusals of the engine in the page's language: a translation is found by the pattern of the English sentence, and
// says where the arguments go: 'score is {text}: use one of {list}.' → 'nur {1}, nicht {0}.'.
import { LANGUAGE } from '#messages/language';
import { FIELDS, REFUSALS } from '#messages/refusals';

/** One sentence for the learner: the field, its value, the range, the fix. */
export interface Refusal {
  message: string;
  /** The engine's sentence without its arguments, "id is {number}: use …", by which its translation is found. */
  pattern?: string;
  /** The texts in the places of the pattern. */
  arguments?: string[];
}

export interface Language {
  tag: string;
  refusals: Readonly<Record<string, string>>;
  fields: Readonly<Record<string, string>>;
}

type Kind = 'text' | 'number' | 'shape' | 'list' | 'line' | 'field';

const PLACE = /\{(text|number|shape|list|line|field)\}/g;
const PAGE: Language = { tag: LANGUAGE, refusals: REFUSALS, fields: FIELDS };

const kindsOf = (pattern: string): Kind[] => Array.from(pattern.matchAll(PLACE), ([, kind]) => kind as Kind);

/** A sentence without a translation is passed through in English. */
export function sentence({ message, pattern = '', arguments: given = [] }: Refusal, language = PAGE): string {
  const kinds = kindsOf(pattern);
  const shown = (_: string, place: number): string => inLanguage(language, kinds[place]!, given[place]!);
  return language.refusals[pattern]?.replace(/\{(\d+)\}/g, shown) ?? message;
}

function inLanguage({ tag, fields }: Language, kind: Kind, argument: string): string {
  switch (kind) {
    case 'number':
    case 'line':
      return numberText(tag, argument);
    case 'list':
      return new Intl.ListFormat(tag, { type: 'disjunction' }).format(argument.split(', '));
    case 'field':
      return fields[argument] ?? argument;
    default:
      return argument;
  }
}

/** ±∞ and NaN are the same in every language; other numbers have the digits that the engine gave them, 15 at most. */
function numberText(tag: string, argument: string): string {
  const number = Number(argument);
  return Number.isNaN(number) ? argument : number.toLocaleString(tag, { maximumSignificantDigits: 15 });
}

/** The line, from 1, of the learner's text that is refused; undefined if it is none. */
export function lineOf(problem: Refusal): number | undefined {
  const line = argumentOf(problem, 'line');
  return line === undefined ? line : Number(line);
}

/** The field or argument that is refused; undefined if it is none. */
export const fieldOf = (problem: Refusal): string | undefined => argumentOf(problem, 'field');

const argumentOf = ({ pattern = '', arguments: given = [] }: Refusal, kind: Kind): string | undefined =>
  given[kindsOf(pattern).indexOf(kind)];
