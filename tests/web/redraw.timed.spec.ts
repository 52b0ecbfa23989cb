// Timed: a chart with as many points as a training run has.
import { expect, openBench, test } from './pages';

test('a curve of 2,000 points is redrawn in less than 4 ms', async ({ page }) => {
  await openBench(page, {}, '<u-curves></u-curves>');
  await page.waitForFunction(() => customElements.get('u-curves'));
  const times = await page.locator('u-curves').evaluate(async (element) => {
    const view = element as HTMLElement & { data: object; updateComplete: Promise<boolean> };
    const taken: number[] = [];
    for (let round = 0; round < 40; round++) {
      const points = Array.from({ length: 2000 }, (_, i) => [i, Math.sin(i / 20 + round) + 2]);
      const start = performance.now();
      view.data = { title: '', x: { label: 'step' }, y: { label: 'loss' }, curves: [{ name: 'loss', points }] };
      await view.updateComplete;
      taken.push(performance.now() - start);
    }
    return taken.sort((a, b) => a - b);
  });
  expect(times[20]).toBeLessThan(4);
});
