// Training on several cores, where the pages are isolated: the same bits, and one thread where that fails.
import { createServer } from 'node:http';
import { isKept } from '../offline-host.mjs';
import { listen } from './host';
import { atWork, coresIn, isIsolated, LONG, outcome, prepare, test, withCores, type Outcome } from './isolated';
import { linkTo } from './links';
import { PAGES } from './addresses';
import { benchOf, expect, notice, open, press, rested, some, wholeRun, type WithLab } from './pages';
import { complaints, modulesOf } from './watched';
import { WINDOW } from './playwright.config';
import { SMALL, stepsTrained } from './trainings';
import type { Browser, Page, Worker } from '@playwright/test';

/** The threads of the worker that has the model. */
const threadsOf = (page: Page): Promise<number> =>
  benchOf(page).evaluate(({ lab }: WithLab) => lab.trainer.threads.atWork);

const inAll = wholeRun ? test : test.skip;

const ON_ONE_THREAD = 'Training continues with one thread';

/** Runs this in workers with threads before their own script. */
const inThreadedWorkers = (page: Page, source: string): Promise<unknown> =>
  page.route(/_threads-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${source};${await response.text()}` });
  });

let onOneCore: Promise<Outcome> | undefined;
/** The outcome of the same training on a page that is not isolated. */
async function trainOnOneCore(browser: Browser): Promise<Outcome> {
  const context = await browser.newContext(WINDOW);
  const page = await context.newPage();
  await prepare(page, 2);
  expect(await isIsolated(page)).toBe(false);
  await expect(coresIn(page)).toHaveCount(0);
  await press(page, 'Train');
  const found = await outcome(page);
  await context.close();
  return found;
}

/** Expects the end of training, with the same bits as on one core. */
async function expectSameBits(page: Page, browser: Browser): Promise<void> {
  expect(await outcome(page)).toEqual(await (onOneCore ??= trainOnOneCore(browser)));
}

for (const cores of some([2, 3, 4, 7], (count) => count === 2))
  test(`${cores} cores train to the same bits as one; no page loads their module before`, async ({ page, browser }) => {
    const heard = complaints(page);
    const modules = modulesOf(page);
    await prepare(page, cores);
    await rested(page);
    expect(modules).not.toContain('seq2seq_threads');
    await press(page, 'Train');
    await expectSameBits(page, browser);
    expect(modules).toContain('seq2seq_threads');
    expect(await threadsOf(page)).toBe(cores);
    expect(heard).toEqual([]);
  });

test('the reader can choose fewer cores, and a hidden page takes one', async ({ page }) => {
  await prepare(page, 3, { ...LONG, steps: 5_000 });
  await press(page, 'Train');
  await expect(atWork(page, '3 cores')).toBeVisible();
  await coresIn(page).selectOption('2');
  await expect(atWork(page, '2 cores')).toBeVisible();
  const hide = (hidden: boolean): Promise<unknown> =>
    page.evaluate((value) => Object.defineProperty(document, 'hidden', { value, configurable: true }), hidden);
  await hide(true);
  await expect(atWork(page, '1 core')).toBeVisible();
  await hide(false);
  await expect(atWork(page, '2 cores')).toBeVisible();
});

test('short steps stay on one core', async ({ page }) => {
  const modules = modulesOf(page);
  await prepare(page, 4, { ...SMALL, embedding: 4, hidden: 4, attention_size: 4, batch: 2 });
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(1_000);
  await expect(atWork(page, '1 core')).toBeVisible();
  expect(modules).not.toContain('seq2seq_threads');
});

for (const [cores, offered] of Object.entries({ 64: 16, 1: 0 }))
  test(`a machine with ${cores} cores offers ${offered}`, async ({ page }) => {
    await prepare(page, Number(cores));
    await expect(coresIn(page).getByRole('option')).toHaveCount(offered);
  });

const NOT_SHARED = (megabytes: number): string => `{
  const { Memory } = WebAssembly;
  WebAssembly.Memory = function (limits) {
    if (limits.maximum * 65536 > ${megabytes} * 2 ** 20) throw new RangeError('could not allocate memory');
    return new Memory(limits);
  };
}`;

inAll('where the browser can share 256 MB and no more, cores share them', async ({ page, browser }) => {
  await inThreadedWorkers(page, NOT_SHARED(256));
  await prepare(page, 2);
  await press(page, 'Train');
  await expectSameBits(page, browser);
  expect(await threadsOf(page)).toBe(2);
});

for (const [what, source] of [
  ['no memory can be shared', NOT_SHARED(0)],
  ['no thread starts', 'self.Worker = function () { throw new Error("no more workers"); }'],
] as const)
  (what === 'no thread starts' ? test : inAll)(
    `where ${what}, one core trains to the same bits, and a sentence says so`,
    async ({ page, browser }) => {
      await inThreadedWorkers(page, source);
      await prepare(page, 2);
      await press(page, 'Train');
      await expect(notice(page)).toContainText(ON_ONE_THREAD);
      await expectSameBits(page, browser);
      expect(await threadsOf(page)).toBe(1);
    },
  );

/** The engine's, once it has threads. A thread is a worker too, which only waits for work and answers no call. */
const engineWorker = (page: Page): Worker => page.workers()[0]!;

test('a worker killed in training is replaced by one without threads, which goes on', async ({ page, browser }) => {
  await prepare(page, 2);
  await press(page, 'Train');
  await expect(atWork(page, '2 cores')).toBeVisible();
  await engineWorker(page)
    .evaluate(() => self.close())
    .catch(() => undefined);
  await expect(notice(page)).toContainText(ON_ONE_THREAD);
  await expectSameBits(page, browser);
});

/** Workers that a worker has started, in a list that tests can reach. */
const LISTED = `self.started = [];
self.Worker = class extends Worker {
  constructor(...how) {
    super(...how);
    self.started.push(this);
  }
}`;

test('where a thread dies in the middle of a step, one goes on from the last checkpoint', async ({ page, browser }) => {
  await inThreadedWorkers(page, LISTED);
  await prepare(page, 2);
  await press(page, 'Train');
  await expect(atWork(page, '2 cores')).toBeVisible();
  const ended = await engineWorker(page).evaluate(() => {
    const { started } = self as unknown as { started: { terminate(): void }[] };
    for (const thread of started) thread.terminate();
    return started.length;
  });
  expect(ended).toBe(1);
  await expectSameBits(page, browser);
});

test('two labs on a page share their threads', async ({ page }) => {
  const modules = modulesOf(page);
  await withCores(page, 3);
  await open(page, `lessons/01-softmax/`);
  const config = JSON.stringify({ ...LONG, steps: 5_000 });
  await page.evaluate((config) => {
    for (let i = 0; i < 2; i++) {
      const lab = document.createElement('u-lab');
      lab.append(Object.assign(document.createElement('u-bench'), { ariaLabel: `Added ${i}` }));
      Object.assign(lab.dataset, { config, seed: '7' });
      document.querySelector('main')!.append(lab);
    }
  }, config);
  const labs = page.locator('u-lab:not([linked])');
  for (const lab of await labs.all()) {
    await lab.getByRole('tab', { name: 'Training' }).click();
    await lab.getByRole('button', { name: 'Train', exact: true }).click();
  }
  for (const lab of await labs.all()) await expect(lab.getByText('3 cores at work')).toBeVisible();
  expect(modules.filter((name) => name === 'seq2seq_threads')).toHaveLength(1);
});

test('in a frame of another site a page trains on one core', async ({ page, isolated }) => {
  await withCores(page, 4);
  const lab = `${isolated}workbench/${linkTo({ lesson: '', config: LONG })}`;
  const body = `<!doctype html><iframe src="${lab}" width="1200" height="900"></iframe>`;
  const framing = createServer((_, response) => void response.setHeader('content-type', 'text/html').end(body));
  await page.goto((await listen(framing)).replace('127.0.0.1', 'localhost'));
  const frame = page.frameLocator('iframe');
  await frame.getByRole('tab', { name: 'Training' }).click();
  const train = frame.getByRole('group', { name: 'Training', exact: true });
  await train.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(train.getByText(/^1\d\d$|^150$/).first()).toBeVisible({ timeout: 30_000 });
  await expect(train.getByRole('combobox')).toHaveCount(0);
  framing.close();
});

test.describe('on a host that sends no such headers', () => {
  test.use({ baseURL: process.env.UNROLL_ADDRESS!, serviceWorkers: 'allow' });

  test('the service worker adds them from the second visit on, offline too', async ({ page, context }) => {
    await withCores(page, 2);
    await open(page, 'workbench/');
    expect(await isIsolated(page)).toBe(false);
    await expect.poll(() => page.evaluate(isKept, [])).toBe(true);
    await page.goto('about:blank');
    await prepare(page, 2);
    expect(await isIsolated(page)).toBe(true);
    await press(page, 'Train');
    await expect(atWork(page, '2 cores')).toBeVisible();
    await context.setOffline(true);
    await page.goto('about:blank');
    await open(page, 'workbench/');
    expect(await isIsolated(page)).toBe(true);
  });
});

inAll('every page opens isolated, with nothing on the console', async ({ page }) => {
  const heard = complaints(page);
  for (const path of PAGES) {
    await open(page, path);
    expect(await isIsolated(page), path).toBe(true);
    await press(page, 'Step forward');
    expect(heard, path).toEqual([]);
  }
});
