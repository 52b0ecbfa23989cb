// lessons/paths.yaml: ways through the lessons, for readers with little time or with one interest.
import * as v from 'valibot';
import { list, stage, text } from '../src/lesson/format/fields';
import type { Stage } from '../src/engine/types';
import type { Time } from './core';
import type { Lesson } from './lesson';
import { anyOf, readYaml, TOP } from './problem';

const MOST_PATHS = 6;

const path = (lessons: readonly string[]) =>
  v.strictObject({
    name: text(30),
    about: text(200),
    pinned: v.optional(stage),
    lessons: v.optional(list(v.picklist(lessons, `the name of a lesson: ${anyOf(lessons)}`), 1, lessons.length || 1)),
  });

export interface Path {
  name: string;
  /** One sentence. */
  about: string;
  /** The stage that stands beside the lesson's own. */
  pinned?: Stage | undefined;
  /** The names of its lessons, in its order. */
  lessons: readonly string[];
}

/** A path without lessons has all of them. Throws LessonProblem. */
export function readPaths(yaml: string, lessons: readonly string[], file = 'lessons/paths.yaml'): Path[] {
  const paths = readYaml(yaml, list(path(lessons), 1, MOST_PATHS), { file, start: TOP }, 'The list of paths');
  return paths.map((each) => ({ ...each, lessons: each.lessons ?? lessons }));
}

export const timeOf = (lessons: readonly Pick<Lesson, 'time'>[]): Time => ({
  core: total(lessons.map(({ time }) => time.core)),
  whole: total(lessons.map(({ time }) => time.whole)),
});

const total = (minutes: readonly number[]): number => minutes.reduce((sum, each) => sum + each, 0);

export const lessonsOn = ({ lessons }: Path, all: readonly Lesson[]): Lesson[] =>
  lessons.flatMap((slug) => all.find((each) => each.slug === slug) ?? []);

/** What is added to the address of its lessons. */
export const queryOf = ({ pinned }: Path): string => (pinned ? `?pinned=${pinned}` : '');
