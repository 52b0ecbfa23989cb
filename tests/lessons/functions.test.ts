// Every function that a lesson asks its readers to write; natively too for "all", which gives the same bits.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFunction } from './check-function';
import { wholeRun } from '../bindings/modules';
import { allLessons } from './read';
import { ENGINES, type Opened } from './sessions';

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
  await annotate(
    `${functions.length} functions (${puzzles} of them puzzles), ${solutions} solutions, ${wrong} wrong programs with reasons`,
  );
  expect(puzzles).toBe(10);
  expect(solutions).toBeGreaterThanOrEqual(2 * functions.length);
});
