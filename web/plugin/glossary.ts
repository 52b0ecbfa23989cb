// lessons/glossary.yaml: the meaning of each term, in one sentence.
import * as v from 'valibot';
import { text } from '../src/lesson/format/fields';
import { ROLES } from './markdown';
import { anyOf, readYaml, TOP } from './problem';

const role = v.picklist(ROLES, `one of the roles ${anyOf(ROLES)}`);
const entry = v.strictObject({
  means: v.pipe(text(240), v.regex(/^[^.]+\.$/s, 'one sentence that ends in its only full stop')),
  also: v.optional(v.array(text(60), 'a list of other forms'), []),
  role: v.optional(role),
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
