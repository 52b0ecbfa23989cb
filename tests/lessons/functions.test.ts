// Every function and class that a lesson asks its readers to write or repair: its solutions, its wrong programs with their reasons, its
// start and its hints; natively too for "all", which gives the same bits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gradeCode } from '../../web/src/lesson/code/grade-code';
import type { Code } from '../../web/src/lesson/format/tasks';
import { UnreadableAnswer, type Verdict } from '../../web/src/lesson/task/answer';
import { codeIn, htmlOf, textIn } from './html-of';
import { ENGINES, type Opened } from './sessions';
import { wholeRun } from '../bindings/modules';
import { allLessons } from './read';

/** What does not run is no answer. */
async function graded(session: Opened, task: Code, text: string): Promise<Verdict> {
  try {
    return await gradeCode(session, task, text);
  } catch (error) {
    if (!(error instanceof UnreadableAnswer)) throw error;
    return { right: false, message: error.message };
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

const summary = ({ message }: Verdict): string => textIn(htmlOf(message));

function checkFunction(session: () => Opened, task: Code): void {
  it.each(task.solution.map((text, i) => [i + 1, text] as const))('accepts solution %i', async (_, text) => {
    const verdict = await graded(session(), task, text);
    expect(verdict.right, summary(verdict)).toBe(true);
  });

  it.each(task.wrong.map((each, i) => [i + 1, each] as const))('refuses wrong program %i', async (_, wrong) => {
    const verdict = await graded(session(), task, wrong.try);
    expect(verdict.right).toBe(false);
    const message = htmlOf(verdict.message);
    if (task.target === undefined) expect(message).toBe(wrong.why);
    else expect(message).toMatch(new RegExp(`^[^<].* is .*\\. ${escaped(wrong.why)}$`)); // after what the attention did
  });

  it(`is not solved at the start, which ${task.fails === undefined ? 'runs' : 'fails as the author says'}`, async () => {
    const start = gradeCode(session(), task, task.start);
    if (task.fails === undefined) expect((await start).right).toBe(false);
    else await expect(start).rejects.toThrow(task.fails);
  });

  it('does not give a solution away in its hints', () => {
    const squeezed = (text: string): string => text.replace(/\s/g, '');
    const lines = task.solution.flatMap((text) => text.split('\n').slice(1).map(squeezed));
    for (const hint of task.hints)
      for (const code of codeIn(hint)) expect(lines.filter((line) => line === squeezed(code))).toEqual([]);
  });

  it('has solutions that differ', () => expect(new Set(task.solution).size).toBe(task.solution.length));
}

const functions = (await allLessons()).flatMap(({ slug, found }) =>
  Object.entries(found.tasks).flatMap(([id, task]) =>
    task.kind === 'code' ? [[`${slug}/${id}`, task.function!] as const] : [],
  ),
);

describe.each(ENGINES)('%s', (engine, open) => {
  let session: Opened;
  beforeAll(async () => {
    session = await open();
  });
  afterAll(() => session?.close());

  describe.runIf(wholeRun || engine === 'WASM').each(functions)('%s', (_, task) => checkFunction(() => session, task));
});

it('each can be solved in two ways', async ({ annotate }) => {
  const count = (of: (task: (typeof functions)[number][1]) => number): number =>
    functions.reduce((all, [, task]) => all + of(task), 0);
  const [solutions, wrong] = [count(({ solution }) => solution.length), count((task) => task.wrong.length)];
  const puzzles = count(({ target }) => (target === undefined ? 0 : 1));
  const classes = count(({ target, start }) => (target === undefined && /^class /m.test(start) ? 1 : 0));
  await annotate(
    `${functions.length} texts (${puzzles} of them puzzles, ${classes} with a class), ${solutions} solutions, ${wrong} wrong programs with reasons`,
  );
  expect(puzzles).toBe(10);
  expect(solutions).toBeGreaterThanOrEqual(2 * functions.length);
});
