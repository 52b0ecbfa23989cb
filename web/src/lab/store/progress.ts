// The learner's progress, in this browser only: which exercises are solved, and when each lesson was last open.
import { withDatabase, tableIn, orUndefined, updateStored, type Outcome } from './storage';
import { database } from './database';

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

export interface Progress {
  lesson: string;
  /** How many exercises it has, and how many of them are solved. */
  exercises: number;
  solved: number;
  /** When it was last open, in milliseconds since 1970; 0 for never. */
  opened: number;
}

export const isDone = ({ exercises, solved }: Progress): boolean => solved === exercises;
export const isBegun = ({ solved, opened }: Progress): boolean => solved > 0 || opened > 0;

/** Takes lessons, each with its exercise ids; what was solved under other ids is not counted. */
export async function progressIn(lessons: readonly (readonly [string, readonly string[]])[]): Promise<Progress[]> {
  const records = await withDatabase(async (db) => {
    const at = db.transaction(['solved', 'opened']);
    const read = ([lesson]: readonly [string, unknown]) =>
      Promise.all([at.objectStore('solved').get(lesson), at.objectStore('opened').get(lesson)]);
    return Promise.all(lessons.map(read));
  });
  return lessons.map(([lesson, ids], i) => {
    const [solved, opened] = records?.[i] ?? [];
    const known = tableIn(solved);
    const count = ids.filter((id) => known[id] === true).length;
    return { lesson, exercises: ids.length, solved: count, opened: Number.isFinite(opened) ? (opened as number) : 0 };
  });
}

/** Where to continue: from the last opened lesson on, wrapping around, the first not done and not `here`; else null. */
export function whereNext(all: readonly Progress[], here?: string): Progress | null {
  const last = all.reduce((latest, each, i) => (each.opened > all[latest]!.opened ? i : latest), 0);
  const inOrder = [...all.slice(last), ...all.slice(0, last)];
  return inOrder.find((each) => !isDone(each) && each.lesson !== here) ?? null;
}
