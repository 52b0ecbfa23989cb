// What the browser keeps of the learner's work, and what the page says when that is lost or cannot be kept.
import { fingerprint } from '../../web/src/lab/store/fingerprint';
import { copiedLink } from './hands';
import { linkTo } from './links';
import { expect, FIRST_LESSON, forget, open, press, rested, test } from './pages';
import { begin, ended, figure, keptBeyond, panel, SMALL, stored, stepsTrained } from './trainings';
import type { Page } from '@playwright/test';

const said = (page: Page) => page.locator('u-problem').getByRole('status');
const DAMAGED = 'The saved training was damaged, so the model was trained again.';

/** Trains for so many steps, and waits until they are kept. */
async function train(page: Page, steps: number): Promise<void> {
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill(String(steps));
  await press(page, 'Train');
  await ended(page);
  await rested(page);
}

/** How many training steps the page asks its engine for from now on. */
async function countSteps(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    const post = Worker.prototype.postMessage;
    const counted = { steps: 0 };
    Object.assign(globalThis, { counted });
    Worker.prototype.postMessage = function (this: Worker, ...call: Parameters<typeof post>): void {
      const { method, args } = call[0] as { method: string; args: number[] };
      if (method === 'train') counted.steps += args[0]!;
      post.apply(this, call);
    } as typeof post;
  });
  return () => page.evaluate(() => (globalThis as unknown as { counted: { steps: number } }).counted.steps);
}

const resumed = (page: Page, steps: number): Promise<void> => expect.poll(() => stepsTrained(page)).toBe(steps);

/** Puts something else in place of every entry of a store; `change` is the text of a function, which the page's policy would not run. */
const spoil = (page: Page, store: string, change: string): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    const opening = indexedDB.open('unroll-work');
    opening.onsuccess = () => {
      const writing = opening.result.transaction('${store}', 'readwrite');
      writing.objectStore('${store}').openCursor().onsuccess = ({ target: { result: at } }) => {
        if (at) at.update((${change})(at.value));
        if (at) at.continue();
      };
      writing.oncomplete = () => (opening.result.close(), done());
    };
  })`);

const small = (more: object = {}): object => ({ ...SMALL, steps: 300, ...more });

test('what was trained is there although another experiment was trained after it', async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small());
  await train(page, 40);
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

/** A hundred zeros are no weights, even where the checksum is theirs. */
const ZEROS = fingerprint(new Uint8Array(100));

const DAMAGES: [what: string, ...changes: [store: string, change: string][]][] = [
  ['weights cut short', ['weights', 'bytes => bytes.slice(0, 100)']],
  ['weights with one bit turned', ['weights', 'bytes => (bytes[bytes.length - 2] ^= 64, bytes)']],
  ['weights of NaN', ['weights', 'bytes => bytes.fill(255)']],
  ['no bytes for weights', ['weights', '() => ({ a: 1 })']],
  ['empty weights', ['weights', '() => new Uint8Array()']],
  ['another checksum', ['checkpoints', 'note => ({ ...note, sum: "0" })']],
  ['nothing that is known', ['checkpoints', '() => ({ a: 1 })']],
  ['no number of steps', ['checkpoints', 'note => ({ ...note, steps: NaN })']],
  ['no time', ['checkpoints', 'note => ({ ...note, at: "yesterday" })']],
  ['no curve', ['checkpoints', 'note => ({ ...note, curve: [1] })']],
  ['a state that is none', ['checkpoints', 'note => ({ ...note, state: { config: {}, edits: 5 } })']],
  ['another number of steps', ['checkpoints', 'note => ({ ...note, steps: note.steps - 10 })']],
  [
    'zeros with their checksum',
    ['weights', '() => new Uint8Array(100)'],
    ['checkpoints', `note => ({ ...note, sum: "${ZEROS}" })`],
  ],
];

test('thirteen kinds of damage: the model is trained again, with the same bits, and the page says so', async ({
  page,
}) => {
  const asked = await countSteps(page);
  await begin(page, small());
  await train(page, 40);
  const loss = await figure(page, 'loss');
  for (const [what, ...changes] of DAMAGES) {
    await rested(page);
    for (const [store, change] of changes) await spoil(page, store, change);
    await page.reload();
    await expect(said(page), what).toContainText(DAMAGED);
    await resumed(page, 40);
    expect(await asked(), what).toBe(40);
    expect(await figure(page, 'loss'), what).toBe(loss);
    await begin(page, small({ hidden: 8 })); // it is not kept again until it is trained
    await begin(page, small());
    await train(page, 40);
  }
});

test('weights of another version of the engine are made again', async ({ page }) => {
  await begin(page, small());
  await train(page, 40);
  await spoil(page, 'checkpoints', 'note => ({ ...note, engine: "before" })');
  await page.goto('about:blank');
  await page.goto(`workbench/${linkTo({ lesson: '', engine: 'before', config: small(), steps: 40 })}`);
  await expect(said(page)).toContainText(
    'The engine has changed since this model was trained, so it was trained again. This link was made with another version of the engine',
  );
  await resumed(page, 40);
});

test('what cannot be understood is not offered', async ({ page }) => {
  await begin(page, small());
  await train(page, 40);
  await spoil(page, 'checkpoints', 'note => ({ ...note, steps: NaN })');
  await page.goto('about:blank');
  await open(page, 'workbench/');
  await rested(page);
  await expect(page.locator('u-problem')).toHaveText('');
});

const PAIRS = Array.from({ length: 40 }, (_, i) => `${i}\t${String(i).split('').reverse().join('')}`).join('\n');

async function bringPairs(page: Page): Promise<void> {
  await open(page, 'workbench/');
  await page.getByRole('combobox', { name: 'Model' }).selectOption('seq2seq');
  await rested(page);
  await page.getByRole('combobox', { name: 'Task' }).selectOption({ label: 'own pairs' });
  await page.getByLabel('Your pairs').fill(PAIRS);
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: /)).toBeVisible();
  await train(page, 20);
}

test('own pairs, their settings and their weights come back after a reload', async ({ page }) => {
  const asked = await countSteps(page);
  await bringPairs(page);
  const [loss, hidden] = [await figure(page, 'loss'), page.locator('u-setup [name="hidden"]')];
  const width = await hidden.inputValue();
  await expect.poll(() => page.url()).toContain('#v1.');
  await page.waitForTimeout(600);
  await page.reload();
  await resumed(page, 20);
  expect(await asked()).toBe(0);
  expect(await figure(page, 'loss')).toBe(loss);
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('seq2seq');
  await expect(hidden).toHaveValue(width);
  await expect(page.getByText(/^In use: /)).toBeVisible();
});

test('weights on own pairs that another version of the engine made still open, and are marked', async ({ page }) => {
  const asked = await countSteps(page);
  await bringPairs(page);
  const loss = await figure(page, 'loss');
  await expect.poll(() => page.url()).toContain('#v1.');
  await spoil(page, 'checkpoints', 'note => ({ ...note, engine: "before" })');
  await page.waitForTimeout(600);
  await page.reload();
  await expect(said(page)).toContainText('These weights were made by an earlier version of the engine');
  await resumed(page, 20);
  expect(await asked()).toBe(0);
  expect(await figure(page, 'loss')).toBe(loss);
});

test('a link to own pairs says when it is made, and elsewhere, that it does not hold them', async ({ page }) => {
  await bringPairs(page);
  const link = await copiedLink(page);
  await expect(said(page)).toContainText('this link opens the page without your data and your model');
  await page.goto('about:blank');
  await forget(page, link);
  await open(page, link);
  await expect(said(page)).toContainText('The link needs pairs or a text that only the browser it was made in has');
  await expect(page.getByRole('combobox', { name: 'Model' })).toHaveValue('attention');
});

test('a browser without room says once that training is not kept', async ({ page }) => {
  await page.addInitScript(() => {
    const put = IDBObjectStore.prototype.put;
    IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...entry: Parameters<typeof put>) {
      if (this.name === 'weights') throw new DOMException('full', 'QuotaExceededError');
      return put.apply(this, entry);
    } as typeof put;
  });
  await begin(page, small());
  await train(page, 20);
  await expect(said(page)).toContainText('This browser has no space left to save what you train');
  await press(page, 'Dismiss');
  await train(page, 20);
  await expect(said(page)).toHaveText('');
});

test('two tabs with the same experiment keep apart', async ({ page }) => {
  await begin(page, small());
  await train(page, 30);
  const other = await page.context().newPage();
  await begin(other, small());
  await train(other, 50);
  await train(page, 10);
  const kept = await stored<{ steps: number }>(page, 'checkpoints');
  expect(kept.map(([, { steps }]) => steps).sort()).toEqual([40, 50]);
});

/** Of before there was one database, and of its first version. */
for (const [database, store, stores] of [
  ['unroll', 'progress', ['progress']],
  ['unroll-work', 'solved', ['solved', 'tries', 'checkpoints', 'weights', 'data']],
] as const)
  test(`what stood in the database ${database} of before is taken over`, async ({ page }) => {
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
    await expect(page.locator('u-task#shift h3 small')).toHaveText(/^solved · /);
    await page.goto('');
    await expect(page.locator('article').getByText(/^2 of \d+ solved$/)).toBeVisible();
  });

test('a link that would train for long trains for a moment, and asks before the rest', async ({ page }) => {
  const config = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
  await page.goto(`workbench/${linkTo({ lesson: '', config, steps: 100_000 })}`);
  const words = /^Training is at step [\d,]+ of 100,000: the rest will take about [\d,]+ minutes on this device\.$/;
  await expect(said(page).locator('p')).toHaveText(words, { timeout: 20_000 });
  await rested(page);
  const before = await stepsTrained(page);
  await press(page, 'Continue training');
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(before);
  await press(page, 'Stop');
});

test('a training that a link began can be stopped at once', async ({ page }) => {
  await page.addInitScript(() => {
    const look = (): void => {
      const stop = [...document.querySelectorAll('button')].find((button) => button.textContent === 'Stop');
      if (stop) stop.click();
      else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  const config = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
  await page.goto(`workbench/${linkTo({ lesson: '', config, steps: 300 })}`);
  await expect(said(page)).not.toHaveText('');
  await rested(page);
  const words = await said(page).locator('p').textContent();
  const [, step] = /^Training is at step (\d+) of 300/.exec(words!)!;
  expect(await stepsTrained(page)).toBe(Number(step));
  expect(Number(step)).toBeLessThan(300);
});

test('a model is trained to the steps that a link can hold, and no further', async ({ page }) => {
  const asked = await countSteps(page);
  await begin(page, small({ steps: 100_000 }));
  const stand = (step: number): Promise<void> =>
    page.evaluate((step) => {
      const { trainer } = (document.querySelector('u-bench') as unknown as { lab: { trainer: { progress: object } } })
        .lab;
      trainer.progress = { ...trainer.progress, step, target: step };
    }, step);
  await stand(99_990);
  await train(page, 300);
  expect(await asked()).toBe(10);
  await stand(100_000);
  await press(page, 'Train');
  await expect(said(page)).toContainText('This model has been trained for 100,000 steps, the most a link can hold');
  expect(await asked()).toBe(10);
});

test('behind the end of its schedule a model learns on, and the page says how', async ({ page }) => {
  const words = 'The schedule of 30 steps has ended: further training restarts it.';
  await begin(page, small({ steps: 30, warmup: 5, learning_rate: 0.01 }));
  await expect(page.getByText(words)).toHaveCount(0);
  await press(page, 'Train');
  await ended(page);
  await expect(page.getByText(words)).toBeVisible();
  const loss = parseFloat(await figure(page, 'loss'));
  await train(page, 150);
  expect(parseFloat(await figure(page, 'loss'))).toBeLessThan(0.9 * loss);
});
