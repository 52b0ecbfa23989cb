// Training that goes on with more threads: how long the model takes to move, and what it takes along.
import { editTo } from './hands';
import { atWork, LONG, test, withCores } from './isolated';
import { expect, press, rested } from './pages';
import { begin, ended } from './trainings';
import type { Page } from '@playwright/test';

/** Records the calls to engines from now on, with the time of each in milliseconds. */
const recordCalls = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const calls: [string, number][] = [];
    Object.assign(globalThis, { calls });
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      calls.push([(call[0] as { method: string }).method, performance.now()]);
      post.apply(this, call);
    } as typeof post;
  });

/** Milliseconds from the model's last save in one worker to its next training step in another. */
const handovers = (page: Page): Promise<number[]> =>
  page.evaluate(() => {
    const { calls } = globalThis as unknown as { calls: [string, number][] };
    const timeOf = (all: typeof calls, name: string): number => all.find(([method]) => method === name)![1];
    return calls.flatMap(([method], i) => {
      if (method !== 'restore') return [];
      return timeOf(calls.slice(i), 'train') - timeOf(calls.slice(0, i).reverse(), 'save');
    });
  });

async function stepForward(page: Page, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) await press(page, 'Step forward');
}

test('a model in training moves to a worker with threads in under 300 ms, with its edits', async ({ page }) => {
  await recordCalls(page);
  await withCores(page, 2);
  await begin(page, { ...LONG, steps: 5_000 });
  await stepForward(page, 3);
  await editTo(page, '3');
  await press(page, 'Curves and samples');
  await press(page, 'Train');
  await expect(atWork(page, '2 cores')).toBeVisible();
  await press(page, 'Stop');
  await ended(page);
  const [took] = await handovers(page);
  test.info().annotations.push({ type: 'moved in (ms)', description: String(Math.round(took!)) });
  expect(took).toBeLessThan(300);
  await rested(page);
  await press(page, 'Less');
  await press(page, 'First step');
  await stepForward(page, 3);
  await expect(page.getByRole('button', { name: 'Undo edit' })).toBeEnabled();
});
