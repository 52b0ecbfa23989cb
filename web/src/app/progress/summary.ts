// What the record says of a lesson, in a row of the table.
import type { Sum } from '#messages/progress';
import type { LessonRecord } from '../../lab/store/record';

export interface Summary {
  lesson: string;
  /** When it was read to its end; 0 for never. */
  read: number;
  solved: number;
  exercises: number;
  /** How many exercises were tried. */
  answered: number;
  tries: number;
  /** When it was last open or answered; 0 for never, or where no time was recorded. */
  last: number;
}

/** Earlier times are no dates: tries once had none. */
const FIRST_DATE = Date.UTC(2001);
const dated = (at: number): number => (at >= FIRST_DATE ? at : 0);

/** Of a lesson with these tasks; of others in the record, which it once had, nothing is counted. */
export function summaryOf(lesson: string, tasks: readonly string[], record?: LessonRecord): Summary {
  const tried = tasks.map((task) => record?.tries.get(task) ?? []);
  const times = tried.flat().map(({ at }) => at);
  return {
    lesson,
    read: dated(record?.read ?? 0),
    solved: tasks.filter((task) => record?.solved.includes(task)).length,
    exercises: tasks.length,
    answered: tried.filter(({ length }) => length > 0).length,
    tries: times.length,
    last: dated(times.reduce((latest, at) => Math.max(latest, at), record?.opened ?? 0)),
  };
}

const total = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

export const sumOf = (all: readonly Summary[]): Sum => ({
  read: all.filter(({ read }) => read > 0).length,
  lessons: all.length,
  solved: total(all.map(({ solved }) => solved)),
  exercises: total(all.map(({ exercises }) => exercises)),
  tries: total(all.map(({ tries }) => tries)),
});
