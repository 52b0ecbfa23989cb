// Training that goes on with more threads: how long the model takes to move, and what it takes along.
import { chooseCell, editTo } from './hands';
import { atWork, LONG, test, withCores } from './isolated';
import { expect, press, rested } from './pages';
import { recordCalls, type EngineCall } from './watched';
import { begin, ended } from './trainings';
import type { Page } from '@playwright/test';

/** Training: its steps, and between them what the model writes for unseen pairs. */
const TRAINS = ['train', 'generate'];

/** Milliseconds from the model's last save in one worker to where its training goes on in another. */
function handovers(calls: EngineCall[]): number[] {
  const timeOf = (all: EngineCall[], names: string[]): number => all.find(({ method }) => names.includes(method))!.at;
  return calls.flatMap(({ method }, i) =>
    method === 'restore' ? timeOf(calls.slice(i), TRAINS) - timeOf(calls.slice(0, i).reverse(), ['save']) : [],
  );
}

async function stepForward(page: Page, steps: number): Promise<void> {
  for (let i = 0; i < steps; i++) await press(page, 'Step forward');
}

/** Opens the model anew, with an edit, and trains it until it has moved. */
async function move(page: Page): Promise<void> {
  await page.goto('about:blank');
  await begin(page, { ...LONG, steps: 5_000 });
  await stepForward(page, 3);
  await chooseCell(page);
  await editTo(page, '3');
  await press(page, 'Train');
  await expect(atWork(page, '2 cores')).toBeVisible();
  await press(page, 'Stop');
  await ended(page);
}

test('a model in training moves to a worker with threads in under 300 ms, the median of three, with its edits', async ({
  page,
}) => {
  const calls = await recordCalls(page, 'save', 'restore', ...TRAINS);
  await withCores(page, 2);
  const took: number[] = [];
  for (let i = 0; i < 3; i++) {
    await move(page);
    took.push(handovers(await calls())[0]!);
  }
  test.info().annotations.push({ type: 'moved in (ms)', description: took.map(Math.round).join(' ') });
  expect(took.sort((a, b) => a - b)[1]).toBeLessThan(300);
  await rested(page);
  await press(page, 'First step');
  await stepForward(page, 3);
  await expect(page.getByRole('button', { name: 'Undo change' })).toBeEnabled();
});
