// The file that a record of progress is exported to, and imported from: JSON, checked in full before anything is taken.
import * as texts from '#messages/progress';
import * as v from 'valibot';
import { isMerged, lessonNow, newName } from '../old-names';
import { type LearnerRecord, lessonIn } from './record';

const KIND = 'progress';
const VERSION = 1;
/** A file that is larger is not read. Two thousand programs of a page each fit in. */
export const MOST_BYTES = 5 * 2 ** 20;
/** Of text, about five hundred lines. */
const LONGEST_ANSWER = 40_000;
/** Of a name. */
const LONGEST = 100;
/** Brackets around a try. */
const DEEPEST = 6;
/** The year 2100. */
const LATEST = 4_102_444_800_000;

const time = v.pipe(v.number(), v.safeInteger(), v.minValue(0), v.maxValue(LATEST));
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(LONGEST), v.excludes('/'));
const attempt = v.strictObject({
  at: time,
  answer: v.pipe(v.string(), v.maxLength(LONGEST_ANSWER)),
  right: v.boolean(),
});
const lesson = v.strictObject({
  opened: time,
  read: time,
  solved: v.array(name),
  tries: v.record(name, v.array(attempt)),
});
const format = v.strictObject({
  unroll: v.literal(KIND),
  version: v.literal(VERSION),
  lessons: v.record(name, lesson),
});

/** A file that is not imported: a sentence that says why. */
export class BadRecord extends Error {}

const refuse = (sentence: string): never => {
  throw new BadRecord(sentence);
};

export function textOf(record: LearnerRecord): string {
  const lessons = [...record].map(([name, { tries, ...rest }]) => [
    name,
    { ...rest, tries: Object.fromEntries([...tries]) },
  ]);
  return `${JSON.stringify({ unroll: KIND, version: VERSION, lessons: Object.fromEntries(lessons) }, null, 1)}\n`;
}

/** `lessons` are the names of those that there are. Throws BadRecord. */
export async function recordFrom(file: Blob, lessons: readonly string[]): Promise<LearnerRecord> {
  if (file.size > MOST_BYTES) refuse(texts.tooLarge(file.size, MOST_BYTES));
  return recordInText(await file.text(), lessons);
}

/** Throws BadRecord. */
export function recordInText(text: string, lessons: readonly string[]): LearnerRecord {
  const json = parsed(text);
  checkNames(text);
  const { unroll, version } = (json ?? {}) as Record<string, unknown>;
  if (unroll !== KIND) refuse(texts.NOT_PROGRESS);
  if (typeof version === 'number' && version > VERSION) refuse(texts.NEWER_FILE);
  const read = v.safeParse(format, json, { abortEarly: true });
  if (!read.success) return refuse(texts.damagedAt(v.getDotPath(read.issues[0]) ?? ''));
  const unknown = Object.keys(read.output.lessons).find((old) => !lessons.includes(newName(old)));
  if (unknown !== undefined) refuse(texts.unknownLesson(unknown));
  return placed(read.output.lessons);
}

/** Each task in the lesson that it is in now, and what was kept of two lessons that are one now joined. */
function placed(lessons: v.InferOutput<typeof format>['lessons']): LearnerRecord {
  const record: LearnerRecord = new Map();
  for (const [old, { opened, read, solved, tries }] of Object.entries(lessons)) {
    const own = lessonIn(record, newName(old));
    own.opened = Math.max(own.opened, opened);
    own.read ||= isMerged(old) ? 0 : read;
    for (const task of solved) lessonIn(record, lessonNow(old, task)).solved.push(task);
    for (const [task, all] of Object.entries(tries)) lessonIn(record, lessonNow(old, task)).tries.set(task, all);
  }
  return record;
}

function parsed(text: string): unknown {
  const whole = text.trim();
  try {
    return JSON.parse(whole) as unknown;
  } catch {
    return refuse(whole.startsWith('{') && !whole.endsWith('}') ? texts.CUT : texts.NOT_PROGRESS);
  }
}

/** Names that stand for something else in a table of JavaScript. */
const RESERVED = ['__proto__', 'constructor', 'prototype'];

/** JSON.parse takes the last of two values with one name: which of them holds is not for it to say. */
function checkNames(json: string): void {
  const open: Set<string>[] = [];
  for (const [part, isName] of partsOf(json)) {
    if (part === '{' || part === '[') open.push(new Set());
    else if (part === '}' || part === ']') open.pop();
    else if (isName) addName(open.at(-1)!, JSON.parse(part) as string);
    if (open.length > DEEPEST) refuse(texts.TOO_DEEP);
  }
}

/** The brackets and the texts of valid JSON, and whether a colon follows. One expression for a whole text overflows. */
function* partsOf(json: string): Generator<[part: string, isName: boolean]> {
  const begin = /["[\]{}]/g;
  const colon = /\s*:/y;
  for (let at = begin.exec(json)?.index; at !== undefined; at = begin.exec(json)?.index) {
    if (json[at] === '"') begin.lastIndex = endOf(json, at);
    colon.lastIndex = begin.lastIndex;
    yield [json.slice(at, begin.lastIndex), colon.test(json)];
  }
}

/** After the closing quote of the text that begins here. */
function endOf(json: string, start: number): number {
  let end = start;
  do end = json.indexOf('"', end + 1);
  while (isEscaped(json, end));
  return end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json[first - 1] === '\\') first--;
  return (at - first) % 2 === 1;
}

function addName(names: Set<string>, name: string): void {
  if (names.has(name)) refuse(texts.twice(name.slice(0, LONGEST)));
  if (RESERVED.includes(name)) refuse(texts.reserved(name));
  names.add(name);
}
