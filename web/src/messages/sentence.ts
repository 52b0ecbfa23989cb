// The sentence of an error: the engine says which one, about what and where; the page's language has the words. They are
// fetched when something is first refused.
import type { Failure, MessageArgument } from '../../../bindings/engine';
import { plural } from './intl';

/** Which sentence of the catalogue, and what it is about. */
export type EngineError = Pick<Failure, 'id' | 'arguments' | 'place'>;

export interface Words {
  /** By id: {0} is the place of the first argument; see engine/tensor/error.h. */
  SENTENCES: Readonly<Record<string, string>>;
  /** What the page calls a field, where it has another name for it. */
  FIELDS: Readonly<Record<string, string>>;
  number: (number: number) => string;
  placed: (line: number, column: number, sentence: string) => string;
}

/** Those that are not about a learner's program. */
export const fetchSentences = (): Promise<Words> => import('#messages/refusals');

export async function sentence(failure: EngineError): Promise<string> {
  const words = await fetchSentences();
  if (idsIn(failure).every((id) => id in words.SENTENCES)) return worded(failure, words);
  return worded(failure, (all ??= withProgram(words, await ofPrograms())));
}

/** Once both parts are here. */
let all: Words | null = null;

/** Most errors are not about a learner's program: the words for those are fetched with the module that reads programs. */
export const ofPrograms = (): Promise<Pick<Words, 'SENTENCES'>> => import('#messages/program-refusals');

export const withProgram = (words: Words, { SENTENCES }: Pick<Words, 'SENTENCES'>): Words => ({
  ...words,
  SENTENCES: { ...words.SENTENCES, ...SENTENCES },
});

const idsIn = ({ id, arguments: args }: Pick<EngineError, 'id' | 'arguments'>): string[] => [
  id,
  ...args.flatMap((each) => (typeof each === 'object' && 'id' in each ? idsIn(each) : [])),
];

/** Without its place: what it is part of says where. */
export const unplaced = ({ id = '', arguments: args = [] }: Partial<EngineError>): Promise<string> =>
  sentence({ id, arguments: args, place: { line: 0, column: 0 } });

export function worded(failure: EngineError, words: Words): string {
  const { line, column } = failure.place;
  const text = filled(failure, words);
  return column ? words.placed(line, column, text) : text;
}

const filled = ({ id, arguments: args }: Omit<EngineError, 'place'>, words: Words): string =>
  (words.SENTENCES[id] ?? id).replace(/\{(\d)(?::([^}]*))?\}/g, (_, place: string, form?: string) =>
    shown(args[Number(place)]!, form, words),
  );

function shown(argument: MessageArgument, form: string | undefined, words: Words): string {
  if (typeof argument === 'string') return argument;
  if (Array.isArray(argument)) return argument.join(form ?? ', ');
  if (typeof argument === 'number') return form ? formOf(argument, form) : words.number(argument);
  if ('shape' in argument) return `(${argument.shape.join(', ')})`;
  if ('field' in argument) return words.FIELDS[argument.field] ?? argument.field;
  return filled(argument, words);
}

function formOf(count: number, forms: string): string {
  const [one, other] = forms.split('|');
  return plural(count, { one, other: other! });
}

/** The field or argument that is refused; undefined if it is none. */
export const fieldOf = ({ arguments: args = [] }: Partial<EngineError>): string | undefined =>
  args.flatMap((each) => (typeof each === 'object' && 'field' in each ? [each.field] : []))[0];
