// What this browser's database holds.
import type { DBSchema, IDBPDatabase } from 'idb';

export const OF_VERSION_1 = ['solved', 'tries', 'checkpoints', 'weights', 'data'] as const;
/** `tries` gave way to `attempts` in version 4. */
export type Store = (typeof OF_VERSION_1)[number] | 'opened' | 'read' | 'attempts';

/** Values are unknown until checked: they may be damaged, or written by another page of this host. */
export type Schema = DBSchema & Record<Store, { key: string; value: unknown }>;
export type Database = IDBPDatabase<Schema>;

/** The entry as a table; anything else, which is damage, counts as an empty one. */
export const tableIn = (entry: unknown): Readonly<Record<string, unknown>> =>
  typeof entry === 'object' && entry !== null && !Array.isArray(entry) ? (entry as Record<string, unknown>) : {};

/** A try at a task; `at` is when, in milliseconds since 1970. */
export interface Attempt {
  /** As typed, the option's index, indices with commas, or "checked" for a goal. */
  answer: string;
  right: boolean;
  at: number;
}

const DIGITS = 15;

/** Keys of a task's tries sort by time. The same try has the same key in every browser, so records can be joined. */
export const attemptKey = (lesson: string, task: string, { at, answer }: Attempt): string =>
  `${lesson}/${task}/${String(at).padStart(DIGITS, '0')} ${answer}`;

/**
 * Until version 3 the tries of a lesson were one entry, the last twenty of each task, without times: of those only the order
 * is known, and they get the first milliseconds of 1970.
 */
export const undatedTries = (lesson: string, entry: unknown): [key: string, attempt: Attempt][] =>
  Object.entries(tableIn(entry)).flatMap(([task, all]) =>
    (Array.isArray(all) ? all : []).map(tableIn).flatMap(({ answer, right }, at) => {
      const attempt = { answer: String(answer), right: right === true, at };
      return typeof answer === 'string' ? [[attemptKey(lesson, task, attempt), attempt] as [string, Attempt]] : [];
    }),
  );
