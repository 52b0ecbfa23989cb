// What a learner's text is said to compute while it is typed.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Outline, Reply } from '../../web/src/engine/types';
import { Checker, type Checked } from '../../web/src/editor/checker';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('window', globalThis);
  return () => vi.useRealTimers();
});

/** A checker whose answers take this many milliseconds, and what it shows. */
function checking(ms: number): { checker: Checker; shown: Checked[] } {
  const shown: Checked[] = [];
  const answer: Reply<Outline> = {
    ok: true,
    value: { lines: [], parameters: [], mistake: null } as unknown as Outline,
  };
  const outlineOf = (): Promise<Reply<Outline>> => new Promise((done) => setTimeout(() => done(answer), ms));
  return { checker: new Checker(outlineOf, (checked) => shown.push(checked)), shown };
}

const nothing = (text: string): Checked => ({ text, lines: [], mistake: null });

test('while a text is checked for long, the mistake of an earlier one is taken away', async () => {
  const { checker, shown } = checking(4000);
  checker.check('while True:');
  await vi.advanceTimersByTimeAsync(400);
  expect(shown).toEqual([]);
  await vi.advanceTimersByTimeAsync(200);
  expect(shown).toEqual([nothing('while True:')]);
  await vi.advanceTimersByTimeAsync(4000);
  expect(shown).toHaveLength(2);
});

test('a quick answer is shown once, and after a stop nothing is', async () => {
  const { checker, shown } = checking(20);
  checker.check('x = 1');
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown).toEqual([nothing('x = 1')]);
  checker.check('x = 2');
  checker.stop();
  await vi.advanceTimersByTimeAsync(5000);
  expect(shown).toHaveLength(1);
});
