// What is wrong with an expression, besides what the engine says: read by learners who write one, and by authors of lessons.
import { grouped } from '../../intl';

/** What the number is that a name takes. */
const TAKEN = { length: 'the length of the source', positions: 'a number of positions', width: 'the width of a beam' };

export const takes = (name: string, what: keyof typeof TAKEN, most: number, example: number): string =>
  `${name} takes ${TAKEN[what]}, a whole number from 1 to ${grouped(most)}, like ${name}(${example}).`;
export const noTensor = (name: string): string => `There is no tensor "${name}" in this run.`;
export const needsTask = (name: string): string => `"${name}" needs a model with a task.`;

export const notOneNumber = (expression: string): string =>
  `"${expression}" is not a single number; pick one element with an index.`;
export const notTrueOrFalse = (expression: string): string =>
  `"${expression}" is not true or false; compare it with something.`;
