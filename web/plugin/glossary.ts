// lessons/glossary.yaml: the meaning of each term, in one sentence, and what papers and the engine call it.
import * as v from 'valibot';
import { text } from '../src/lesson/format/fields';
import { isInEngine } from './engine-names';
import { ROLES } from './markdown';
import { anyOf, readYaml, TOP } from './problem';

/** The papers of the concordance, in the order of its columns. */
export const PAPERS = ['bahdanau', 'luong', 'vaswani'] as const;
export type Paper = (typeof PAPERS)[number];

const engineName = v.pipe(
  text(60),
  v.check(isInEngine, 'a class, a function or the path of a tensor that occurs in a source under engine/'),
);
const role = v.picklist(ROLES, `one of the roles ${anyOf(ROLES)}`);
const entry = v.strictObject({
  means: v.pipe(text(240), v.regex(/^[^.]+\.$/s, 'one sentence that ends in its only full stop')),
  also: v.optional(v.array(text(60), 'a list of other forms'), []),
  role: v.optional(role),
  papers: v.optional(v.strictObject(v.entriesFromList(PAPERS, v.optional(text(120))))),
  code: v.optional(v.array(engineName, 'a list of names in the engine')),
});
const glossary = v.record(text(60), entry);
export type Term = v.InferOutput<typeof entry> & { name: string };

/** Terms by each of their forms, in lower case. Throws LessonProblem. */
export function readGlossary(yaml: string, file: string): Map<string, Term> {
  const entries = Object.entries(readYaml(yaml, glossary, { file, start: TOP }, 'The glossary'));
  return new Map(
    entries.flatMap(([name, term]) => [name, ...term.also].map((form) => [form.toLowerCase(), { ...term, name }])),
  );
}

/** Each word once. */
export const termsOf = (glossary: ReadonlyMap<string, Term>): Term[] => [
  ...new Map([...glossary.values()].map((term) => [term.name, term])).values(),
];
