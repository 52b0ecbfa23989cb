// Models trained in the page, and the training panel.
import type { Page } from '@playwright/test';
import { linkTo } from './links';
import { expect, open, press, rested, showStage } from './pages';
import { recordCalls } from './watched';

export const REVERSE = {
  ...{ kind: 'seq2seq', task: 'reverse', cell: 'gru', attention: 'bahdanau', bidirectional: true },
  ...{ embedding: 32, hidden: 64, attention_size: 64 },
  ...{ optimiser: 'adam', learning_rate: 0.004, schedule: 'cosine', warmup: 20, batch: 64, steps: 300 },
};
export const SMALL = {
  ...{ ...REVERSE, bidirectional: false, embedding: 8, hidden: 16, attention_size: 16 },
  ...{ batch: 16, steps: 20_000 },
};
/** About 30 steps a second: slow enough to tell retraining from loading. */
export const LARGE = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
/** A model that trains in a moment. */
export const small = (more: object = {}): object => ({ ...SMALL, steps: 300, ...more });

export const panel = (page: Page) => page.getByRole('group', { name: 'Training', exact: true });
/** One of the numbers over the curve; the stage is shown first if it is not. */
export async function figure(page: Page, name: string): Promise<string> {
  if (!(await panel(page).count())) await showStage(page, 'Training');
  const figure = panel(page).locator('.strip .figures div', { has: page.getByText(name, { exact: true }) });
  return (await figure.locator('dd').textContent()) ?? '';
}
export const stepsTrained = async (page: Page): Promise<number> =>
  parseInt((await figure(page, 'step')).replaceAll(',', ''), 10);
export const resumed = (page: Page, steps: number): Promise<void> => expect.poll(() => stepsTrained(page)).toBe(steps);

export async function begin(page: Page, config: object, more: object = {}): Promise<void> {
  await open(page, `workbench/${linkTo({ lesson: '', config, stage: 'training', ...more })}`);
  await expect(panel(page).getByRole('button', { name: 'Train' })).toBeVisible();
}

export const ended = (page: Page): Promise<void> =>
  expect(panel(page).getByRole('button', { name: 'Train' })).toBeVisible({ timeout: 60_000 });

/** Trains for this many steps, and waits until they are saved. */
export async function train(page: Page, steps: number): Promise<void> {
  const before = await stepsTrained(page);
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill(String(steps));
  await press(page, 'Train');
  // Until it begins, the panel says the same as when it has ended.
  await expect.poll(() => stepsTrained(page), { intervals: [20] }).not.toBe(before);
  await ended(page);
  await rested(page);
}

/** Trains beyond this step, and goes on. */
export async function trainBeyond(page: Page, step: number): Promise<void> {
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(step);
}

/** For a page not yet opened: counts the training steps that it asks its engine for. */
export async function countSteps(page: Page): Promise<() => Promise<number>> {
  const calls = await recordCalls(page, 'train');
  return async () => (await calls()).reduce((sum, { args: [steps] }) => sum + Number(steps), 0);
}
