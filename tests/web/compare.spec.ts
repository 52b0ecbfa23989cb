// The comparisons of the last lesson: what they show is what the engine computes of the same settings.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from '@playwright/test';
import { readLesson } from '../../web/plugin/lesson';
import { lessonsFolder, readWorld } from '../../web/plugin/library';
import { marksOf, runningMean } from '../../web/src/lesson/compare-layout';
import { variantOf } from '../../web/src/lesson/variant';
import { significant } from '../../web/src/views/numbers';
import type { ComparisonOf } from '../../web/plugin/comparisons';
import type { Config } from '../../web/src/types';
import { expect, open, press, test } from './pages';
import { granted, wholeEngine, type EngineSession } from './whole-engine';

const LESSON = '23-attention-today';
const text = readFileSync(join(lessonsFolder, LESSON, 'lesson.md'), 'utf8');
const { head, found } = await readLesson(LESSON, text, readWorld());
const own = { ...head.model, seed: head.seed } as Config;

/** A session of the engine with the lesson's model under other settings. */
async function sessionOf(settings: object): Promise<EngineSession> {
  const { Session } = await wholeEngine();
  const session = new Session();
  granted(session.load(variantOf(own, settings as Config)));
  return session;
}

async function rowOf(settings: object, { of, row, digits }: ComparisonOf<'values'>): Promise<string[]> {
  const session = await sessionOf(settings);
  granted(session.run([]));
  const { id, shape } = granted(session.trace()).nodes.find(({ name }) => name === of)!;
  const columns = shape.at(-1)!;
  const values = granted(session.values(id)).slice(row! * columns, (row! + 1) * columns);
  return Array.from(values, (value) => value.toFixed(digits).replace('-', '−'));
}

for (const id of ['forms', 'linear'])
  test(`${id}: the numbers of every form`, async ({ page }) => {
    const comparison = found.comparisons[id] as ComparisonOf<'values'>;
    await open(page, `lessons/${LESSON}/`);
    const lines = page.locator(`u-compare[id="${id}"] tbody tr`);
    await expect(lines).toHaveCount(comparison.runs.length);
    for (const [i, run] of comparison.runs.entries())
      expect(await lines.nth(i).locator('td').allTextContents()).toEqual(await rowOf(run.with, comparison));
  });

/** The mean loss that a training of so many steps has come to, from the same seed. */
async function lossAfter(steps: number, settings: object, { steps: all }: ComparisonOf<'training'>): Promise<number> {
  const session = await sessionOf(settings);
  const marks = [...new Set([...marksOf(all, 150).filter((mark) => mark < steps), steps])];
  const points = marks.map((mark, i): [number, number] => [
    mark,
    granted(session.train(mark - (marks[i - 1] ?? 0))).loss,
  ]);
  return runningMean(points, Math.ceil(all / 20)).at(-1)![1];
}

/** Of a table with a heading for each column. */
async function column(table: Locator, name: string): Promise<string[]> {
  const at = (await table.locator('thead th').allTextContents()).indexOf(name);
  return table.locator(`tbody tr > :nth-child(${at + 1})`).allTextContents();
}

test('blocks: three blocks are trained side by side, stopped, and looked at', async ({ page }) => {
  const comparison = found.comparisons['blocks'] as ComparisonOf<'training'>;
  await open(page, `lessons/${LESSON}/`);
  const compare = page.locator('u-compare[id="blocks"]');
  await compare.getByRole('button', { name: 'Train all three' }).click();
  await expect(compare.getByText(/^step ([6-9]|\d\d+) of 300$/)).toBeVisible();
  await press(page, 'Stop');
  await expect(compare.getByRole('status')).toContainText(/^Stopped: step \d+ of 300/);
  const table = compare.getByRole('region', { name: /What the runs came to: Loss/ }).locator('table');
  const [steps, losses] = [await column(table, 'steps'), await column(table, 'loss')];
  expect(losses).toHaveLength(3);
  for (const [i, run] of comparison.runs.entries())
    expect(losses[i]).toBe(significant(await lossAfter(Number(steps[i]), run.with, comparison), 4));
  await compare.getByRole('button', { name: 'accuracy' }).click();
  await expect(compare.getByRole('region', { name: /What the runs came to: Accuracy/ })).toBeVisible();
  await expect(compare.locator('u-curves svg').first()).toBeVisible();
});
