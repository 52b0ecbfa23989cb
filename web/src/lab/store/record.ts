// The record of progress: for each lesson when it was open and read, what is solved, and every try. Read to be shown and
// exported; an imported one is joined to it. Loaded on demand.
import { attemptIn, unkept } from './attempts';
import { database } from './database';
import { timeIn } from './progress';
import { attemptKey, tableIn, type Attempt, type Database } from './schema';
import { orUndefined, outcomeOf, withDatabase, type Outcome } from './storage';

export interface LessonRecord {
  /** When it was last open, and when the end of its text was first reached: milliseconds since 1970, 0 for never. */
  opened: number;
  read: number;
  /** Names of tasks. */
  solved: string[];
  /** By task, the last one last. */
  tries: Map<string, Attempt[]>;
}

export type LearnerRecord = Map<string, LessonRecord>;

const STORES = ['opened', 'read', 'solved', 'attempts'] as const;

/** Undefined if the browser keeps nothing. */
export const keptRecord = (): Promise<LearnerRecord | undefined> => withDatabase(recordIn);

/** What the browser keeps, and what it refused since the page was opened. */
export async function wholeRecord(): Promise<LearnerRecord> {
  const record: LearnerRecord = (await keptRecord()) ?? new Map();
  for (const { lesson, task, attempt } of unkept) addTry(lessonIn(record, lesson), lesson, task, attempt);
  return record;
}

async function recordIn(db: Database): Promise<LearnerRecord> {
  const [opened, read, solved, attempts] = await Promise.all(STORES.map((store) => entriesOf(db, store)));
  const record: LearnerRecord = new Map();
  for (const [lesson, at] of opened!) lessonIn(record, lesson).opened = timeIn(at);
  for (const [lesson, at] of read!) lessonIn(record, lesson).read = timeIn(at);
  for (const [lesson, entry] of solved!) lessonIn(record, lesson).solved = solvedIn(entry);
  for (const [key, entry] of attempts!) {
    const [lesson, task] = key.split('/');
    const attempt = attemptIn(entry);
    if (lesson && task && attempt) addTry(lessonIn(record, lesson), lesson, task, attempt);
  }
  return record;
}

async function entriesOf(db: Database, name: (typeof STORES)[number]): Promise<[string, unknown][]> {
  const { store } = db.transaction(name);
  const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
  return keys.map((key, i) => [key, values[i]]);
}

const solvedIn = (entry: unknown): string[] =>
  Object.entries(tableIn(entry)).flatMap(([task, solved]) => (solved === true ? [task] : []));

export function lessonIn(record: LearnerRecord, lesson: string): LessonRecord {
  const own = record.get(lesson) ?? { opened: 0, read: 0, solved: [], tries: new Map() };
  record.set(lesson, own);
  return own;
}

/** A right answer solves its task. Nothing is added twice. */
function addTry(to: LessonRecord, lesson: string, task: string, attempt: Attempt): void {
  const tries = to.tries.get(task) ?? [];
  const key = attemptKey(lesson, task, attempt);
  if (tries.some((each) => attemptKey(lesson, task, each) === key)) return;
  to.tries.set(
    task,
    [...tries, attempt].sort((a, b) => a.at - b.at),
  );
  if (attempt.right) to.solved = [...new Set([...to.solved, task])];
}

/** All of it is kept, or nothing; what is there stays. */
export const addRecord = (more: LearnerRecord): Promise<Outcome> =>
  outcomeOf(async () => addTo(await database(), more));

async function addTo(db: Database, more: LearnerRecord): Promise<void> {
  const writing = db.transaction(STORES, 'readwrite');
  const change = async (
    name: (typeof STORES)[number],
    key: string,
    joined: (before: unknown) => unknown,
  ): Promise<void> => {
    const store = writing.objectStore(name);
    await store.put(joined(await store.get(key)), key);
  };
  const changes = [...more].flatMap(([lesson, { opened, read, solved, tries }]) => [
    ...(opened ? [change('opened', lesson, (before) => latest(timeIn(before), opened))] : []),
    ...(read ? [change('read', lesson, (before) => earliest(timeIn(before), read))] : []),
    ...(solved.length ? [change('solved', lesson, (before) => ({ ...tableIn(before), ...allTrue(solved) }))] : []),
    ...[...tries].flatMap(([task, all]) =>
      all.map((attempt) =>
        change('attempts', attemptKey(lesson, task, attempt), (before) => attemptIn(before) ?? attempt),
      ),
    ),
  ]);
  await Promise.all([...changes, writing.done]).catch((error: unknown) => {
    void orUndefined(() => writing.abort()); // it may have been aborted already
    throw error;
  });
}

/** 0 stands for never. */
const earliest = (one: number, other: number): number => (one && other ? Math.min(one, other) : one || other);
/** A clock that is fast must not name a lesson as the last for ever. */
const latest = (one: number, other: number): number => Math.max(one, Math.min(other, Date.now()));

const allTrue = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, true]));
