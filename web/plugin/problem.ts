// A mistake in a lesson: where it is, and one sentence that says what is wrong, what is allowed and how to fix it. Its YAML
// is checked against a schema, and a mistake is reported at its own line and column.
import * as v from 'valibot';
import { LineCounter, parseDocument, isMap, isScalar, type Document, type Scalar } from 'yaml';

export interface Place {
  line: number;
  column: number;
}

/** Of a file as a whole. */
export const TOP: Place = { line: 1, column: 1 };

export class LessonProblem extends Error {
  constructor(
    readonly file: string,
    readonly place: Place,
    readonly sentence: string,
  ) {
    super(`${file}:${place.line}:${place.column}: ${sentence}`);
    this.name = 'LessonProblem';
    // The author needs the place in the lesson, not the place in the parser.
    this.stack = this.message;
  }
}

const MAX_LENGTH = 40;

/** A value as JSON for a message, cut to MAX_LENGTH characters. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text;
}

/** "a, b or c". */
export const anyOf = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;

/** Where the YAML text begins in its file. */
export interface Source {
  file: string;
  start: Place;
}

/** Throws LessonProblem. `what` names the block in messages: "The front matter". */
export function readYaml<S extends v.GenericSchema>(
  text: string,
  schema: S,
  source: Source,
  what: string,
): v.InferOutput<S> {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const fail = (offset: number, sentence: string): never => {
    throw new LessonProblem(source.file, placed(lines, offset, source.start), sentence);
  };
  const broken = document.errors[0];
  if (broken)
    fail(broken.pos[0], `${what} is not YAML: ${firstSentence(broken.message)}; write one "name: value" a line.`);
  const result = v.safeParse(schema, document.toJS() as unknown);
  if (result.success) return result.output;
  const issue = result.issues[0]!;
  return fail(offsetOf(document, issue), sentenceOf(issue, what));
}

const firstSentence = (text: string): string => text.split(/[.\n]/)[0]!.trim();

function placed(lines: LineCounter, offset: number, start: Place): Place {
  const { line, col } = lines.linePos(offset);
  return { line: start.line + line - 1, column: start.column + col - 1 };
}

const keysOf = (issue: v.BaseIssue<unknown>): (string | number)[] =>
  (issue.path ?? []).map((item) => item.key as string | number);

/** Offset of the issue's value; of the parent for a missing field, of the name for an unknown one. */
function offsetOf(document: Document, issue: v.BaseIssue<unknown>): number {
  const keys = keysOf(issue);
  const parent = parentOf(document, keys);
  const name = nameOf(document, keys);
  const value = keys.length ? document.getIn(keys, true) : document.contents;
  const found = (isUnknownKey(issue) ? name : value) ?? name ?? parent ?? document.contents;
  return (found as { range?: [number, number, number] } | null)?.range?.[0] ?? 0;
}

type Keys = readonly (string | number)[];

const parentOf = (document: Document, keys: Keys): unknown =>
  keys.length > 1 ? document.getIn(keys.slice(0, -1), true) : document.contents;

/** The node of a field's name, if it is a field of a map. */
function nameOf(document: Document, keys: Keys): unknown {
  const parent = parentOf(document, keys);
  return isMap(parent) ? parent.items.find(({ key }) => isScalar(key) && key.value === keys.at(-1))?.key : undefined;
}

/** Where the name of a field stands, in YAML that can be read. */
export function placeOfField(text: string, keys: Keys, start: Place): Place {
  const lines = new LineCounter();
  const name = nameOf(parseDocument(text, { lineCounter: lines }), keys) as Scalar;
  return placed(lines, name.range![0], start);
}

/** valibot reports an unknown key as expected "never". */
const isUnknownKey = (issue: v.BaseIssue<unknown>): boolean =>
  issue.type === 'strict_object' && issue.expected === 'never';

/** An issue as one sentence; also used for the attributes of directives. */
export function sentenceOf(issue: v.BaseIssue<unknown>, what: string, fields?: readonly string[]): string {
  const keys = keysOf(issue);
  if (isUnknownKey(issue))
    return `${what} has no "${keys.at(-1)}"${fields ? `: use ${anyOf(fields) || 'no attributes'}` : ''}; remove it or correct its name.`;
  if (!keys.length) return `${what} is ${shown(issue.input)}: use ${issue.message}.`;
  const field = keys.join('.');
  const { value } = issue.path!.at(-1)!; // as written: the input of a check over several fields is the whole object
  const missing = value === undefined;
  return missing
    ? `${what} lacks "${field}": add it, ${wanted(issue)}.`
    : `${what}: ${field} is ${shown(value)}; use ${wanted(issue)}.`;
}

/** The issue of a missing field is the object's, which does not know the field's schema: it refers to the README. */
const wanted = (issue: v.BaseIssue<unknown>): string =>
  issue.type === 'strict_object' ? 'as lessons/README.md describes' : issue.message;
