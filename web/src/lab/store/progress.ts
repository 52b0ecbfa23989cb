// The learner's progress, in this browser only: which exercises are solved, when each lesson was last open, and when it was
// read to its end.
import { tableIn } from './schema';
import { withDatabase, orUndefined, updateStored, type Outcome } from './storage';
import { database } from './database';

/** The key, in this tab, of the lesson that the reader pressed to continue. */
export const CONTINUED = 'continued';

/** By exercise id: true if solved. */
export type Solved = Readonly<Record<string, unknown>>;

/** The solved exercises of a lesson; empty if the browser keeps nothing. */
export const solvedIn = async (lesson: string): Promise<Solved> =>
  tableIn(await withDatabase((db) => db.get('solved', lesson)));

/** Records an exercise as solved. */
export const markSolved = (lesson: string, exercise: string): Promise<Outcome> =>
  updateStored('solved', lesson, (known) => ({ ...known, [exercise]: true }));

/** Records that a lesson is open now. */
export const markOpen = (lesson: string): Promise<unknown> =>
  orUndefined(async () => (await database()).put('opened', Date.now(), lesson));

/** Records that the end of a lesson's text was reached; the first time counts. */
export const markRead = (lesson: string): Promise<unknown> =>
  orUndefined(async () => {
    const db = await database();
    if (!timeIn(await db.get('read', lesson))) await db.put('read', Date.now(), lesson);
  });

/** 0 for what is no time. */
export const timeIn = (entry: unknown): number => (Number.isFinite(entry) ? (entry as number) : 0);

export interface Progress {
  lesson: string;
  /** How many exercises it has, and how many of them are solved. */
  exercises: number;
  solved: number;
  /** When it was last open, in milliseconds since 1970; 0 for never. */
  opened: number;
  /** Whether the end of its text was reached. */
  read: boolean;
}

export const isDone = ({ exercises, solved }: Progress): boolean => solved === exercises;
export const isBegun = ({ solved, opened }: Progress): boolean => solved > 0 || opened > 0;

/** Takes lessons, each with its exercise ids; what was solved under other ids is not counted. */
export async function progressIn(lessons: readonly (readonly [string, readonly string[]])[]): Promise<Progress[]> {
  const records = await withDatabase(async (db) => {
    const at = db.transaction(['solved', 'opened', 'read']);
    const read = ([lesson]: readonly [string, unknown]) =>
      Promise.all((['solved', 'opened', 'read'] as const).map((store) => at.objectStore(store).get(lesson)));
    return Promise.all(lessons.map(read));
  });
  return lessons.map(([lesson, ids], i) => {
    const [solved, opened, read] = records?.[i] ?? [];
    const known = tableIn(solved);
    const count = ids.filter((id) => known[id] === true).length;
    return { lesson, exercises: ids.length, solved: count, opened: timeIn(opened), read: timeIn(read) > 0 };
  });
}

/** Where to continue: from the last opened lesson on, wrapping around, the first not done and not `here`; else null. */
export function whereNext(all: readonly Progress[], here?: string): Progress | null {
  const last = all.reduce((latest, each, i) => (each.opened > all[latest]!.opened ? i : latest), 0);
  const inOrder = [...all.slice(last), ...all.slice(0, last)];
  return inOrder.find((each) => !isDone(each) && each.lesson !== here) ?? null;
}
