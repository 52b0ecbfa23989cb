// What can be counted in a lesson: its words and minutes, its tasks, what it downloads, and how many claims it makes.
import type { RootContent } from 'mdast';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { coreOf, wordsIn, type Time } from './core';
import { hasBench, type Lesson } from './lesson';

export interface Measured {
  lesson: string;
  /** `core` is null where no core is marked; `before` stand before the first thing to do. */
  words: { core: number | null; whole: number; before: number };
  minutes: Time;
  /** Number of tasks of each kind, the most frequent kind first. */
  tasks: Record<string, number>;
  /** Trained weights, in bytes. */
  download: number;
  /** Claims about trained models that a command tries. */
  claims: number;
}

/** Directives with which the reader does something. */
const DOING = ['try', 'sing', 'predict', 'quiz', 'exercise', 'compare', 'train', 'write'];
const isDoing = (node: RootContent): boolean => node.type === 'containerDirective' && DOING.includes(node.name);

/** @param folder Where the lessons are. */
export function measured(lesson: Lesson, folder: string): Measured {
  const { slug, time, found } = lesson;
  const { nodes } = found;
  const trained = hasBench(lesson) && lesson.head.trained;
  const core = coreOf(nodes);
  const first = nodes.findIndex(isDoing);
  const kinds = Object.values(found.tasks).map(({ kind }) => kind);
  return {
    lesson: slug,
    words: {
      core: core ? wordsIn(core) : null,
      whole: wordsIn(nodes),
      before: wordsIn(first < 0 ? nodes : nodes.slice(0, first)),
    },
    minutes: time,
    tasks: counted(kinds),
    download: trained ? statSync(join(folder, lesson.folder, trained.weights)).size : 0,
    claims: hasBench(lesson) ? Object.keys(lesson.head.claims).length : 0,
  };
}

function counted(words: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([, a], [, b]) => b - a));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

export const tasksOf = ({ tasks }: Measured): number => sum(Object.values(tasks));

/** Of the tasks, 0 to 1; NaN without tasks. */
export const shareOfChoose = (measured: Measured): number => (measured.tasks.choose ?? 0) / tasksOf(measured);

/** The sum over all lessons; of the core only if each has one. */
export function together(all: readonly Measured[]): Measured {
  const kinds = all.flatMap(({ tasks }) => Object.entries(tasks).flatMap(([kind, n]) => Array<string>(n).fill(kind)));
  const cores = all.map(({ words }) => words.core);
  return {
    lesson: 'all',
    words: {
      core: cores.includes(null) ? null : sum(cores.map(Number)),
      whole: sum(all.map(({ words }) => words.whole)),
      before: sum(all.map(({ words }) => words.before)),
    },
    minutes: { core: sum(all.map(({ minutes }) => minutes.core)), whole: sum(all.map(({ minutes }) => minutes.whole)) },
    tasks: counted(kinds),
    download: sum(all.map(({ download }) => download)),
    claims: sum(all.map(({ claims }) => claims)),
  };
}
