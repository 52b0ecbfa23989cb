// Pages that their host isolates from other origins, so that several threads can train: opening and training them.
import { Host } from '../offline-host.mjs';
import { ISOLATION } from '../site.mjs';
import { cold, expect, rested } from './pages';
import { stored } from './storage';
import { begin, ended, panel, REVERSE, stepsTrained } from './trainings';
import type { Locator, Page } from '@playwright/test';

interface Isolated {
  /** The address of the site on a host that isolates its pages. */
  isolated: string;
}

/** Opens pages there, each in a fresh browser. */
export const test = cold.extend<object, Isolated>({
  isolated: [
    async ({}, use) => {
      const host = await new Host({ headers: ISOLATION }).start();
      await use(host.address);
      await host.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: ({ isolated }, use) => use(isolated),
});

/** Its steps take about 5 ms on one core. */
export const LONG = { ...REVERSE, steps: 150 };

/** From now on, opened pages see a machine with so many cores. */
export const withCores = (page: Page, cores: number): Promise<unknown> =>
  page.addInitScript((value) => Object.defineProperty(Navigator.prototype, 'hardwareConcurrency', { value }), cores);

export const isIsolated = (page: Page): Promise<boolean> => page.evaluate(() => crossOriginIsolated);

export const coresIn = (page: Page): Locator =>
  panel(page).getByRole('combobox', { name: 'Cores for steps of over 2 ms' });
export const atWork = (page: Page, cores: string): Locator =>
  panel(page).getByText(`${cores} at work`, { exact: true });

/** Opens a model on a machine with so many cores, and shows the choice of them. */
export async function prepare(page: Page, cores: number, config: object = LONG): Promise<void> {
  await withCores(page, cores);
  await begin(page, config);
}

export interface Outcome {
  steps: number;
  /** Hash of the weights and of the optimiser's state. */
  sum: string;
}

/** What the model has saved at the end of its training. */
export async function outcome(page: Page): Promise<Outcome> {
  await expect.poll(() => stepsTrained(page), { timeout: 60_000 }).toBe(LONG.steps);
  await ended(page);
  await rested(page);
  const kept = await stored<Outcome>(page, 'checkpoints');
  expect(kept).toHaveLength(1);
  const { steps, sum } = kept[0]![1];
  return { steps, sum };
}
