// How far the learner has come, in this browser only: which exercises are solved, and when each lesson was last open.
import { fromKept, tableIn, unlessRefused, updateKept, type Outcome } from './kept';
import { database } from './database';

/** By the ids of exercises: true if it is solved. */
export type Solved = Readonly<Record<string, unknown>>;

/** Of the exercises of a lesson; empty if the browser keeps nothing. */
export const solvedIn = async (lesson: string): Promise<Solved> =>
  tableIn(await fromKept((db) => db.get('solved', lesson)));

/** Remembers an exercise as solved. */
export const markSolved = (lesson: string, exercise: string): Promise<Outcome> =>
  updateKept('solved', lesson, (known) => ({ ...known, [exercise]: true }));

/** Remembers that a lesson is open now. */
export const markOpen = (lesson: string): Promise<unknown> =>
  unlessRefused(async () => (await database()).put('opened', Date.now(), lesson));

export interface Progress {
  lesson: string;
  /** How many exercises it has, and how many of them are solved. */
  tasks: number;
  solved: number;
  /** When it was last open; 0 for never. */
  opened: number;
}

export const isDone = ({ tasks, solved }: Progress): boolean => solved === tasks;
export const isBegun = ({ solved, opened }: Progress): boolean => solved > 0 || opened > 0;

/** Of lessons, each with the ids of its exercises: what was solved under other ids is not counted. */
export async function progressIn(lessons: readonly (readonly [string, readonly string[]])[]): Promise<Progress[]> {
  const kept = await fromKept(async (db) => {
    const at = db.transaction(['solved', 'opened']);
    const read = ([lesson]: readonly [string, unknown]) =>
      Promise.all([at.objectStore('solved').get(lesson), at.objectStore('opened').get(lesson)]);
    return Promise.all(lessons.map(read));
  });
  return lessons.map(([lesson, ids], i) => {
    const [solved, opened] = kept?.[i] ?? [];
    const known = tableIn(solved);
    const count = ids.filter((id) => known[id] === true).length;
    return { lesson, tasks: ids.length, solved: count, opened: typeof opened === 'number' ? opened : 0 };
  });
}

/** Where to go on from `here`: the lesson that was last open, or the first after it that is not done; null when all are done. */
export function whereNext(all: readonly Progress[], here?: string): Progress | null {
  const last = all.reduce((latest, each, i) => (each.opened > all[latest]!.opened ? i : latest), 0);
  const inOrder = [...all.slice(last), ...all.slice(0, last)];
  return inOrder.find((each) => !isDone(each) && each.lesson !== here) ?? null;
}
