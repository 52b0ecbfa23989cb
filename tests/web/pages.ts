// Shared by the browser tests: a tab, what is done on a page, and what it shows.
import { expect, test as cold, type BrowserContext, type Locator, type Page } from '@playwright/test';
import type { Lab } from '../../web/src/lab/lab';
import { some, wholeRun } from '../bindings/modules';
import { WINDOW } from './playwright.config';
import { complaints, holdable, type Held } from './watched';

interface Worker {
  warm: BrowserContext;
}

interface Manner {
  /** Whether the console may have errors, because the test breaks something. */
  complains: boolean;
  /** Of the pages that the test opens. */
  engine: Held;
}

/**
 * Tests share a browser that has cached the site's files, as a learner's has from the second page on, and a tab in it.
 * What earlier tests stored and changed is gone. A test that needs a fresh browser is a `cold` one.
 */
export const test = cold.extend<Manner, Worker>({
  complains: [false, { option: true }],
  warm: [
    async ({ browser }, use) => {
      const context = await browser.newContext({ ...WINDOW, permissions: ['clipboard-read', 'clipboard-write'] });
      await context.newPage(); // stays empty: what closes all of its pages may close the browser
      await use(context);
      await context.close();
    },
    { scope: 'worker' },
  ],
  engine: async ({ page }, use) => use(await holdable(page)),
  page: async ({ warm, baseURL, complains }, use) => {
    const [empty, kept] = warm.pages();
    const page = kept ?? (await newTab(warm));
    const heard = complaints(page);
    await use(page);
    if (!complains) expect(heard, 'on the console').toEqual([]);
    const [, ...opened] = warm.pages();
    await Promise.all(
      opened.map((each) => (each === page && !scripted.has(page) ? renew(page, baseURL!) : each.close())),
    );
    await forget(empty!, baseURL!);
  },
});

/** Tabs in which a test runs scripts of its own before those of every page, for good. */
const scripted = new WeakSet<Page>();

async function newTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const { addInitScript } = page;
  page.addInitScript = ((...script: Parameters<typeof addInitScript>) => {
    scripted.add(page);
    return addInitScript.apply(page, script);
  }) as typeof addInitScript;
  return page;
}

/** Makes a tab like a new one, for which the browser would have to start a process. */
async function renew(page: Page, host: string): Promise<void> {
  for (const event of ['console', 'dialog', 'pageerror', 'request', 'response'] as const)
    page.removeAllListeners(event);
  await page.unrouteAll();
  await page.goto(`${host}icon.svg`);
  await page.evaluate(() => sessionStorage.clear());
  await page.mouse.move(0, 0);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: null });
  await page.setViewportSize(WINDOW.viewport);
}

/** Deletes everything that this host has stored in the browser, except cached files. */
export async function forget(page: Page, host: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const storageTypes = 'cookies,indexeddb,local_storage,service_workers,cache_storage';
  await session.send('Storage.clearDataForOrigin', { origin: new URL(host).origin, storageTypes });
}

/** The notice under the top bar, empty while there is none. */
export const notice = (page: Page): Locator => page.locator('u-problem').getByRole('status');

/** Opens a page and waits until its model has run. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await shows(page.locator('u-transport .says'), /./);
  await page.mouse.move(1, 1); // the exercises come at the reader's first movement
}

/** Waits for an element's text, and looks more often than Playwright, which does every half second. */
export const shows = (element: Locator, text: RegExp): Promise<void> =>
  expect.poll(() => element.textContent(), { intervals: [20], timeout: 60_000 }).toMatch(text);

/** The bench, or another element of a lab, as the page's own scripts see it. */
export type WithLab = HTMLElement & { lab: Lab };
export const benchOf = (page: Page): Locator => page.locator('u-bench');

/**
 * Waits until the engine has answered every call, and the page shows it. The lab is asked, because the page says only from
 * its next frame on that it is busy: on a loaded machine that is after a test has looked.
 */
export const rested = (page: Page): Promise<void> => {
  const doing = ({ lab, ariaBusy }: WithLab): string | null => lab.busy ?? (ariaBusy === 'false' ? null : 'drawing');
  return expect.poll(() => benchOf(page).evaluate(doing), { intervals: [10] }).toBeNull();
};

/** The workbench with this page data (config, views, pair, labels) and, if given, another element in place of the settings. */
export async function openBench(page: Page, data: Record<string, unknown>, setup?: string): Promise<void> {
  await open(page, `workbench/?${new URLSearchParams({ bench: JSON.stringify({ data, setup }) })}`);
}

/** Waits until the board has drawn its tables, which take turns. */
export const tabled = (page: Page): Promise<void> =>
  page.locator('u-heatmap').evaluateAll(async (all) => {
    await Promise.all(all.map((each) => (each as HTMLElement & { updateComplete: Promise<unknown> }).updateComplete));
  });

/** Where the cursor is: how many operations have run, of how many, and the scope or the tensor it stands on. */
export interface Place {
  step: number;
  of: number;
  name: string;
}

/** Waits for the next frame, in which the page shows earlier changes. */
export const drawn = (page: Page): Promise<unknown> =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

export async function place(page: Page): Promise<Place> {
  await drawn(page);
  return placeOf(benchOf(page));
}

export const placeOf = (bench: Locator): Promise<Place> =>
  bench.evaluate((element: WithLab) => {
    const { trace, cursor } = element.lab;
    const steps = (trace?.nodes ?? []).filter(({ phase }) => phase !== 'leaf');
    const name = trace?.scopes[cursor.scope]?.name ?? trace?.nodes[cursor.node]?.name ?? '';
    return { step: steps.filter(({ id }) => id <= cursor.node).length, of: steps.length, name };
  });

/** After so many operations. */
export const expectStep = (page: Page, step: number): Promise<void> =>
  expect.poll(async () => (await placeOf(benchOf(page))).step).toBe(step);

/** Goes to an operation, whatever stop it is in. */
export const toOperation = (page: Page, name: string): Promise<void> =>
  benchOf(page).evaluate((element: WithLab, name) => {
    const node = element.lab.node(name)!;
    element.lab.moveTo({ node: node.id, scope: -1 });
  }, name);

/** Presses Step forward until the cursor is there. */
export async function stepTo(page: Page, name: string): Promise<void> {
  for (let more = 60; more && (await place(page)).name !== name; more--) await press(page, 'Step forward');
  expect((await place(page)).name).toBe(name);
}

/** What the transport has in its menu. */
/** What each figure has in its menu. */
const OF_FIGURE = [
  'Undo drags',
  'Show as table',
  'Show as figure',
  'Show as cells',
  'Export',
  'Show alone',
  'Back to its place',
];
const IN_MENU = ['First step', 'Last step', 'Reset', 'New seed'];

export async function press(around: Page | Locator, name: string): Promise<void> {
  if (OF_FIGURE.includes(name)) await around.getByRole('button', { name: 'More of this figure' }).click();
  if (IN_MENU.includes(name)) await around.getByRole('button', { name: 'More', exact: true }).click();
  if (name === 'Train') await toTraining(around);
  await around.getByRole('button', { name, exact: true }).click();
}

/** Shows every figure in it as a table. */
export async function showTables(around: Page | Locator): Promise<void> {
  for (const menu of await around.getByRole('button', { name: 'More of this figure' }).all()) {
    await menu.click();
    const table = around.getByRole('button', { name: 'Show as table' });
    if (await table.count()) await table.click();
    else await menu.press('Escape');
  }
}

/** The button Train is on a stage of its own; unless `around` is that stage, it has the tabs. */
async function toTraining(around: Page | Locator): Promise<void> {
  const tab = around.getByRole('tab', { name: 'Training' });
  if (await tab.count()) await tab.click();
}

/** Opens the fields for what the model reads, unless they are open. */
export async function openReads(page: Page): Promise<void> {
  const closed = page.getByRole('button', { name: 'Change what the model reads', expanded: false });
  if (await closed.count()) await closed.click();
}

/** Chooses what the bench shows. */
export const showStage = (page: Page, name: 'Picture' | 'Numbers' | 'Code' | 'Training'): Promise<void> =>
  page.getByRole('tab', { name }).click();

/** Opens a page, and among its stages the numbers. */
export async function openNumbers(page: Page, path: string): Promise<void> {
  await open(page, path);
  await showStage(page, 'Numbers');
}

/** All numbers on the page, by tensor: cells carry the engine's data-tensor and data-value. */
export const shownNumbers = (page: Page): Promise<string> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[data-tensor]')]
      .map((cell) => `${cell.getAttribute('data-tensor')} ${cell.textContent}`)
      .join('\n'),
  );

/** How many looks without a change, with the engine at rest, mean that everything has arrived. */
const STILL = 8;

/** Waits until the text of these elements no longer changes. */
export async function still(page: Page, selector: string): Promise<void> {
  await rested(page);
  await page.evaluate(
    ([selector, looks]) =>
      new Promise<void>((done) => {
        const text = (): string => Array.from(document.querySelectorAll(selector), (each) => each.textContent).join();
        const isBusy = (): boolean => document.querySelector('u-bench')?.getAttribute('aria-busy') === 'true';
        let [before, same] = [text(), 0];
        const look = (): void => {
          const now = text();
          const isThere = now !== '' || !document.querySelector(selector);
          same = isThere && now === before && !isBusy() ? same + 1 : 0;
          before = now;
          if (same === looks) done();
          else setTimeout(look, 20);
        };
        look();
      }),
    [selector, STILL] as const,
  );
}

/** The numbers on the page once no new ones arrive. */
export async function settled(page: Page): Promise<string> {
  await still(page, '[data-tensor]');
  return shownNumbers(page);
}

/** A test that only "all" runs: another one checks the same promise in every run. */
export const inAll = wholeRun ? test : test.skip;

export { cold, expect, some, wholeRun };
export type { Page };
