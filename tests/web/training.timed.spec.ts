// Timed: the page responds while it trains, and Stop stops.
import { benchOf, expect, press, test, wholeRun, type WithLab } from './pages';
import { begin, ended, REVERSE, SMALL, trainBeyond } from './trainings';

const TRIES = wholeRun ? 100 : 25;

test('the page responds during training: no task of the main thread takes more than 50 ms', async ({ page }) => {
  await begin(page, REVERSE);
  const tasks = await page.evaluateHandle(() => {
    const long: number[] = [];
    const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
    observer.observe({ type: 'longtask' });
    return long;
  });
  await trainBeyond(page, 100);
  await press(page, 'Step forward');
  await press(page, 'Pause');
  await ended(page);
  const long = await tasks.jsonValue();
  test.info().annotations.push({ type: 'long tasks', description: long.join(' ') || 'none' });
  expect(long).toEqual([]);
});

test(`Stop takes effect within 100 ms, not counting the slowest of ${TRIES} tries`, async ({ page }) => {
  await begin(page, SMALL);
  const took = await benchOf(page).evaluate(async ({ lab }: WithLab, tries) => {
    const wait = (ms: number): Promise<void> => new Promise((later) => setTimeout(later, ms));
    const button = async (name: string): Promise<HTMLButtonElement> => {
      for (;;) {
        const found = [...document.querySelectorAll<HTMLButtonElement>('u-train button')].find(
          (b) => b.textContent!.trim() === name && !b.disabled,
        );
        if (found) return found;
        await wait(1);
      }
    };
    const ended = async (): Promise<void> => {
      while (!/done|paused/.test(lab.training.status)) await wait(1);
    };
    const times: number[] = [];
    for (let i = 0; i < tries; i++) {
      (await button('Train')).click();
      const stop = await button('Stop');
      await wait(40 + ((i * 37) % 60));
      const from = performance.now();
      stop.click();
      await ended();
      times.push(performance.now() - from);
    }
    return times.sort((a, b) => a - b);
  }, TRIES);
  test.info().annotations.push({ type: 'stopped after (ms)', description: took.map(Math.round).join(' ') });
  expect(took.at(-2)).toBeLessThan(100);
});
