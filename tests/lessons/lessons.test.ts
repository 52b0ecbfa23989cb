// Requirements for every lesson that need no engine, and every lesson on the native one.
import { describe, expect, it } from 'vitest';
import { hasBench } from '../../web/plugin/lesson';
import { LessonProblem } from '../../web/plugin/problem';
import { checkLibrary, library } from './library';
import { wholeRun } from '../bindings/modules';

it('there are lessons', () => expect(library.length).toBeGreaterThanOrEqual(2));

describe.each(library)('/lessons/%s/', (_, lesson) => {
  it('can be read', () => expect(lesson instanceof LessonProblem ? lesson.message : '').toBe(''));
  if (lesson instanceof LessonProblem || !hasBench(lesson)) return;

  it('has at least three exercises, of more than one kind', () => {
    const tasks = Object.values(lesson.found.tasks);
    expect(tasks.filter(({ name }) => name === 'exercise').length).toBeGreaterThanOrEqual(3);
    expect(new Set(tasks.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(2);
  });
});

/** Its bits equal WebAssembly's, so it runs only in `./lab test all`. */
describe.runIf(wholeRun)('natively', () => checkLibrary('native'));
