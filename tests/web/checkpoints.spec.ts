// Work is saved in the browser, and training as it runs: a reload in the middle goes on from what was saved, and the
// page says what is lost or cannot be saved.
import type { Page } from '@playwright/test';
import { fingerprint } from '../../web/src/lab/store/fingerprint';
import { addressed } from './acts';
import { linkTo } from './links';
import { FIRST_LESSON } from './addresses';
import { taskOn } from './hands';
import { expect, notice, open, press, rested, some, test } from './pages';
import { fillStorage, keptBeyond, spoil, stepsKept, stored } from './storage';
import {
  begin,
  countSteps,
  ended,
  figure,
  LARGE,
  resumed,
  SMALL,
  small,
  stepsTrained,
  train,
  trainBeyond,
} from './trainings';

/** Milliseconds of training. */
const MOST_LOST = 5_000;

/** The first step of training that is shown, before its panel has opened. */
const resumedAt = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    type Shown = { lab?: { training: { step: number } } } | null;
    const step = (): number => (document.querySelector('u-bench') as unknown as Shown)?.lab?.training.step ?? 0;
    while (!step()) await new Promise((later) => setTimeout(later, 1));
    return step();
  });

test('a reload during training restores the checkpoint at once, and offers the rest', async ({ page }) => {
  await begin(page, LARGE, { steps: 0 });
  await press(page, 'Train');
  const first = await keptBeyond(page, 0);
  const before = await stepsTrained(page);
  const kept = await keptBeyond(page, first);
  await page.reload();
  expect(await resumedAt(page)).toBeGreaterThanOrEqual(kept);
  await ended(page);
  const after = await stepsTrained(page);
  expect(after).toBeGreaterThanOrEqual(before);
  await expect(page.locator('u-problem')).toContainText(`Training is at step ${after.toLocaleString('en')} of 20,000`);
  await press(page, 'Continue training');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(after);
  expect(await figure(page, 'step')).toMatch(/ of 20,000$/);
});

test('after a reload, training can continue and ends with the same bits', async ({ page }) => {
  await begin(page, SMALL, { steps: 0 });
  await trainBeyond(page, 40);
  const before = await stepsTrained(page);
  await keptBeyond(page, before - 1);
  await page.reload();
  await ended(page);
  const after = await stepsTrained(page);
  expect(after).toBeGreaterThanOrEqual(before);
  const resumed = await figure(page, 'loss');
  await begin(page, SMALL, { steps: after });
  await expect.poll(() => figure(page, 'loss')).toBe(resumed);
});

test('a returning learner is offered the trained model', async ({ page }) => {
  await begin(page, SMALL);
  await trainBeyond(page, 40);
  await press(page, 'Stop');
  await ended(page);
  await rested(page); // saved
  const steps = await stepsTrained(page);
  await page.goto('about:blank');
  await open(page, 'workbench/');
  await expect(
    page.getByText(`You trained a model here for ${steps.toLocaleString('en')} steps, a minute ago.`),
  ).toBeVisible();
  await press(page, 'Continue from there');
  await ended(page);
  expect(await stepsTrained(page)).toBe(steps);
});

test('closing the tab during training loses at most five seconds of it', async ({ page }) => {
  await begin(page, SMALL);
  await press(page, 'Train');
  const first = await keptBeyond(page, 0);
  // The step shown may be up to a fifth of a second older than the stored one.
  await expect.poll(() => stepsTrained(page)).toBeGreaterThanOrEqual(first);
  const before = await stepsTrained(page);
  await expect.poll(() => stepsKept(page), { message: 'saved again', timeout: MOST_LOST }).toBeGreaterThan(first);
  await page.close();
  const later = await page.context().newPage();
  await open(later, 'workbench/');
  const offer = later.getByText(/^You trained a model here for [\d,]+ steps, a minute ago\.$/);
  const steps = parseInt(/[\d,]+/.exec((await offer.textContent())!)![0].replace(',', ''), 10);
  expect(steps).toBeGreaterThanOrEqual(before);
  await press(later, 'Continue from there');
  await expect.poll(() => stepsTrained(later)).toBe(steps);
  await press(later, 'Train');
  await expect.poll(() => stepsTrained(later)).toBeGreaterThan(steps);
});

const DAMAGED = 'The saved training was damaged, so the model was trained again.';

test('a trained model is still there after another experiment was trained', async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small());
  await train(page, 40);
  await expect.poll(() => stepsKept(page)).toBe(40);
  const loss = await figure(page, 'loss');
  await expect.poll(() => page.url()).toContain('#v1.');
  const first = page.url();
  await begin(page, small({ hidden: 8 }));
  await train(page, 30);
  await page.goto('about:blank');
  await page.goto(first);
  await resumed(page, 40);
  expect(await asked()).toBe(0);
  expect(await figure(page, 'loss')).toBe(loss);
});

/** A hundred zeros are no weights, even with the right checksum. */
const ZEROS = fingerprint(new Uint8Array(100));

const DAMAGES: [what: string, ...changes: [store: string, change: string][]][] = [
  ['weights cut short', ['weights', 'bytes => bytes.slice(0, 100)']],
  ['weights with one bit flipped', ['weights', 'bytes => (bytes[bytes.length - 2] ^= 64, bytes)']],
  ['weights of NaN', ['weights', 'bytes => bytes.fill(255)']],
  ['no bytes for weights', ['weights', '() => ({ a: 1 })']],
  ['empty weights', ['weights', '() => new Uint8Array()']],
  ['another checksum', ['checkpoints', 'note => ({ ...note, sum: "0" })']],
  ['no known field', ['checkpoints', '() => ({ a: 1 })']],
  ['no number of steps', ['checkpoints', 'note => ({ ...note, steps: NaN })']],
  ['no time', ['checkpoints', 'note => ({ ...note, at: "yesterday" })']],
  ['no curve', ['checkpoints', 'note => ({ ...note, curve: [1] })']],
  ['an invalid state', ['checkpoints', 'note => ({ ...note, state: { config: {}, edits: 5 } })']],
  ['another number of steps', ['checkpoints', 'note => ({ ...note, steps: note.steps - 10 })']],
  [
    'zeros with their checksum',
    ['weights', '() => new Uint8Array(100)'],
    ['checkpoints', `note => ({ ...note, sum: "${ZEROS}" })`],
  ],
];

/** A quick run has one of each store, and one of both. */
const DAMAGED_NOW = some(DAMAGES, ([what]) => /one bit|no known field|zeros/.test(what));

test(`${DAMAGED_NOW.length} kinds of damage: trained again to the same bits, and it is said`, async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small());
  await train(page, 40);
  const loss = await figure(page, 'loss');
  for (const [what, ...changes] of DAMAGED_NOW) {
    await expect.poll(() => stepsKept(page), what).toBe(40);
    await addressed(page);
    for (const [store, change] of changes) await spoil(page, store, change);
    await page.reload();
    await expect(notice(page), what).toContainText(DAMAGED);
    await resumed(page, 40);
    expect(await asked(), what).toBe(40);
    expect(await figure(page, 'loss'), what).toBe(loss);
    await begin(page, small({ hidden: 8 })); // it is not saved again until it is trained
    await resumed(page, 0);
    await begin(page, small());
    await resumed(page, 0);
    await train(page, 40);
  }
});

test('weights from another engine version are trained again', async ({ page }) => {
  await begin(page, small());
  await train(page, 40);
  await expect.poll(() => stepsKept(page)).toBe(40);
  await spoil(page, 'checkpoints', 'note => ({ ...note, engine: "before" })');
  await page.goto('about:blank');
  await page.goto(
    `workbench/${linkTo({ lesson: '', engine: 'before', config: small(), steps: 40, stage: 'training' })}`,
  );
  await expect(notice(page)).toContainText(
    'The engine has changed since this model was trained, so it was trained again. This link was made with another version of the engine',
  );
  await resumed(page, 40);
});

test('an unreadable checkpoint is not offered', async ({ page }) => {
  await begin(page, small());
  await train(page, 40);
  await expect.poll(() => stepsKept(page)).toBe(40);
  await spoil(page, 'checkpoints', 'note => ({ ...note, steps: NaN })');
  await page.goto('about:blank');
  await open(page, 'workbench/');
  await rested(page);
  await expect(page.locator('u-problem')).toHaveText('');
});

test('with browser storage full, the page says once that training is not saved', async ({ page }) => {
  await page.addInitScript(fillStorage);
  await begin(page, small());
  await train(page, 20);
  await expect(notice(page)).toContainText('This browser has no space left to save what you train');
  await press(page, 'Dismiss');
  await train(page, 20);
  await expect(notice(page)).toHaveText('');
});

test('two tabs with the same experiment save separate checkpoints', async ({ page }) => {
  await begin(page, small());
  await train(page, 30);
  const other = await page.context().newPage();
  await begin(other, small());
  await train(other, 50);
  await train(page, 10);
  const kept = await stored<{ steps: number }>(page, 'checkpoints');
  expect(kept.map(([, { steps }]) => steps).sort()).toEqual([40, 50]);
});

/** Data from before there was one database, and from its first version. */
for (const [database, store, stores] of [
  ['unroll', 'progress', ['progress']],
  ['unroll-work', 'solved', ['solved', 'tries', 'checkpoints', 'weights', 'data']],
] as const)
  test(`data of the old database ${database} is migrated`, async ({ page }) => {
    await page.goto('offline.html');
    await page.evaluate(
      ([lesson, database, store, stores]) =>
        new Promise<void>((done) => {
          const opening = indexedDB.open(database, 1);
          opening.onupgradeneeded = () => stores.forEach((name) => opening.result.createObjectStore(name));
          opening.onsuccess = () => {
            const writing = opening.result.transaction(store, 'readwrite');
            writing.objectStore(store).put({ ratio: true, shift: true, gone: true }, lesson);
            writing.oncomplete = () => (opening.result.close(), done());
          };
        }),
      ['01-softmax', database, store, stores] as const,
    );
    await open(page, FIRST_LESSON);
    await expect((await taskOn(page, 'shift')).locator('h3 small')).toHaveText(/^solved · /);
    await page.goto('');
    await page.getByText('As a list').click();
    await expect(page.locator('main').getByText(/^2 of \d+ solved$/)).toBeVisible();
  });
