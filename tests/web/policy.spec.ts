// One origin, one strict policy, any path, a small first page, and offline use of pages opened before.
import type { BrowserContext, Page, Request, Response } from '@playwright/test';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { MODULES, THREADED } from '../../web/src/engine/kinds';
import { Host } from '../offline-host.mjs';
import { sendNothing } from '../site.mjs';
import { FIRST_LESSON, PAGES, site, SOME, SUB_PATH } from './addresses';
import { cold, expect, notice, open, press, showStage, some, test, wholeRun } from './pages';
import { complaints, requestsBeyond } from './watched';

test('under a sub-path every page keeps to its policy and its origin', async ({ page, baseURL }) => {
  const elsewhere = requestsBeyond(page, baseURL! + SUB_PATH);
  for (const path of some(PAGES, (each) => SOME.includes(each))) {
    await open(page, SUB_PATH + path);
    await press(page, 'Last step');
  }
  expect(elsewhere).toEqual([]);
});

test.describe('what the policy refuses', () => {
  test.use({ complains: true });

  test('new Function is refused in the page and in its worker', async ({ page }) => {
    await open(page, FIRST_LESSON);
    // Code evaluated by a test is exempt from the policy; code that a timer runs later is not.
    const attempt = (): Promise<string> =>
      new Promise((resolve) => {
        setTimeout(() => {
          try {
            resolve(String(new Function('return "made"')()));
          } catch (error) {
            resolve((error as Error).name);
          }
        });
      });
    expect(await page.evaluate(attempt)).toBe('EvalError');
    expect(await page.workers()[0]!.evaluate(attempt)).toBe('EvalError');
  });

  test('HTML and script URLs come only from the policies of Lit and of the page', async ({ page }) => {
    await open(page, FIRST_LESSON);
    const refused = await page.evaluate(
      () =>
        new Promise<boolean[]>((resolve) => {
          const attempts = [
            () => (document.createElement('div').innerHTML = '<b>made</b>'),
            () => new Worker('https://elsewhere.example/script.js'),
            () => (globalThis as any).trustedTypes.createPolicy('another', {}),
          ];
          const throws = (attempt: () => unknown): boolean => {
            try {
              attempt();
              return false;
            } catch (error) {
              return error instanceof TypeError;
            }
          };
          setTimeout(() => resolve(attempts.map(throws)));
        }),
    );
    expect(refused).toEqual([true, true, true]);
  });
});

/** Bytes of a response's body in gzip, which every host sends, and in Brotli; null if the browser had it. */
async function carried(response: Response): Promise<{ gzip: number; brotli: number } | null> {
  const { responseBodySize } = await response.request().sizes();
  if (responseBodySize < 0) return null;
  // What the service worker adds to a cache as it is installed has no body here: the host is asked.
  const seen = await response.body();
  const body = seen.length ? seen : await fetched(response.url());
  return { gzip: gzipSync(body, { level: 9 }).length, brotli: brotliCompressSync(body).length };
}

const fetched = async (url: string): Promise<Buffer> => Buffer.from(await (await fetch(url)).arrayBuffer());

/** Requests of a page or its service worker that are under way. */
const pending = new Set<Request>();

/** Records every response to a page or its service worker from now on. */
function answersTo(context: BrowserContext): Response[] {
  const answers: Response[] = [];
  pending.clear();
  context.on('request', (request) => pending.add(request));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    context.on(end as 'requestfinished', (request) => pending.delete(request));
  context.on('response', (response) => void (response.url().startsWith('http') && answers.push(response)));
  return answers;
}

/** Waits until the service worker has cached every response to the page and its workers. */
async function kept(page: Page, answers: Response[]): Promise<void> {
  const missing = (urls: string[]): Promise<string[]> =>
    page.evaluate(async (all) => {
      const found = await Promise.all(all.map((url) => caches.match(url)));
      return all.filter((_, i) => !found[i]);
    }, urls);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await expect.poll(() => pending.size).toBe(0);
  const asked = (): string[] =>
    answers.filter((answer) => !answer.request().serviceWorker()).map((answer) => answer.url());
  await expect.poll(() => missing(asked())).toEqual([]);
}

/** The next release: its scripts have other names, and the old ones are gone. */
const nextRelease = (response: ServerResponse, file: string): void =>
  file.includes('/assets/')
    ? sendNothing(response)
    : void response.setHeader('content-type', 'text/html').end('<script src="another.js"></script>');

/** The addresses of the pages that the service worker has cached. */
const keptPages = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const requests = await (await caches.open('unroll-pages')).keys();
    return requests.map(({ url }) => url).filter((url) => new URL(url).pathname.endsWith('/'));
  });

/** The stages, and what each of them shows when all that it needs has arrived. */
const STAGES = {
  Numbers: '.pane u-grid canvas',
  Training: '.pane p, u-train .strip button',
  Picture: '.pane svg.drawn',
  Code: 'u-code .src',
};

cold.describe('with a service worker', () => {
  cold.use({ serviceWorkers: 'allow' });

  cold('the first lesson takes at most 220 KB as it opens, and 320 with all stages', async ({ page, context }) => {
    const answers = answersTo(context);
    const network = async (): Promise<{ url: string; gzip: number; brotli: number }[]> => {
      await page.waitForLoadState('networkidle');
      await kept(page, answers);
      const sizes = await Promise.all(answers.map(async (each) => ({ url: each.url(), size: await carried(each) })));
      return sizes.flatMap(({ url, size }) => (size === null ? [] : [{ url, ...size }]));
    };
    type Sizes = Awaited<ReturnType<typeof network>>;
    const sum = (of: Sizes, end: RegExp, by: 'gzip' | 'brotli' = 'gzip'): number =>
      of.filter(({ url }) => end.test(url)).reduce((all, each) => all + each[by], 0);
    await page.goto(FIRST_LESSON);
    await expect(page.locator('u-transport .says')).toHaveText(/./);
    const opened = await network();
    await page.mouse.move(1, 1);
    await expect(page.locator('u-task .btn').first()).toBeAttached();
    const read = await network();
    for (const stage of ['Picture', 'Code', 'Training', 'Numbers'] as const)
      if (await page.getByRole('tab', { name: stage }).count()) await showStage(page, stage);
    await page
      .locator('u-grid canvas')
      .first()
      .click({ position: { x: 10, y: 10 } });
    await expect(page.locator('u-card')).toBeVisible();
    const all = await network();
    const said = [opened, read, all].map(
      (each) => `${sum(each, /./)} bytes in gzip, ${sum(each, /./, 'brotli')} in Brotli`,
    );
    cold
      .info()
      .annotations.push({ type: 'size', description: `opened: ${said[0]}; read: ${said[1]}; all: ${said[2]}` });
    const parts = [/\/$/, /\.css$/, /\/initial-[\w-]+\.js$/, /\/sw\.js$/, /\/engine_softmax-[\w-]+\.wasm$/, /\.woff2$/];
    for (const part of parts) expect(sum(opened, part), String(part)).toBeGreaterThan(0);
    expect(sum(opened, /./)).toBeLessThanOrEqual(220 * 1024);
    expect(sum(read, /./, 'brotli')).toBeLessThanOrEqual(220 * 1024);
    expect(sum(all, /./)).toBeLessThanOrEqual(320 * 1024);
  });

  cold('pages opened before work offline, and the page says when one was not', async ({ page, context }) => {
    cold.slow();
    const heard = complaints(page);
    const answers = answersTo(context);
    const some = ['lessons/softmax/', 'workbench/', 'lessons/pictures/'];
    const [unopened, ...opened] = wholeRun ? PAGES.toReversed() : some;
    const visit = async (path: string): Promise<void> => {
      await open(page, SUB_PATH + path);
      await press(page, 'Last step');
      for (const [stage, shown] of Object.entries(STAGES)) {
        await page.getByRole('tab', { name: stage }).click();
        await expect(page.locator(shown).first()).toBeVisible();
      }
    };
    for (const path of opened) {
      await visit(path);
      await kept(page, answers.splice(0));
    }
    await context.setOffline(true);
    for (const path of opened) await visit(path);
    expect(heard).toEqual([]);
    await page.goto(SUB_PATH + unopened);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('has not been opened here before');
    await page.goBack();
    await expect(page.locator('u-transport .says')).toBeVisible();
  });

  cold('offline, the page says when a part of it was never opened', async ({ page, context }) => {
    const answers = answersTo(context);
    await open(page, FIRST_LESSON);
    await kept(page, answers);
    await context.setOffline(true);
    await press(page, 'Last step');
    await expect(page.locator('u-problem')).toContainText('has not been opened here before');
  });

  cold('an exercise that was reached before can be checked offline', async ({ page, context }) => {
    const answers = answersTo(context);
    await open(page, FIRST_LESSON);
    const task = page.locator('u-task').first();
    await task.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    // The task's check starts a worker with the language of its goals.
    await expect.poll(() => answers.some((answer) => /\/engine_program-[\w-]+\.wasm$/.test(answer.url()))).toBe(true);
    await kept(page, answers);
    await context.setOffline(true);
    await task.getByRole('radio').first().check();
    await task.getByRole('button', { name: 'Check' }).click();
    await expect(task.getByRole('status')).not.toBeEmpty();
    await expect(page.locator('u-problem')).toBeHidden();
  });

  cold(
    'a hanging network counts as offline, and a page is cached once, whatever its query',
    async ({ page, context }) => {
      const host = await new Host().start();
      const [lesson, answers] = [host.address + FIRST_LESSON, answersTo(context)];
      await open(page, lesson);
      await kept(page, answers);
      for (const query of ['?a', '?a=1', '?b=2', '?utm_source=mail', '?c=3#softmax']) await page.goto(lesson + query);
      expect(await keptPages(page)).toEqual([lesson]);
      host.send = () => undefined;
      await page.goto(lesson, { timeout: 20_000 });
      await expect(page.locator('u-transport .says')).toBeVisible({ timeout: 20_000 });
      await host.stop();
    },
  );

  cold('a page that was open when a new release came out asks for a reload', async ({ page, context }) => {
    const host = await new Host().start();
    const [address, answers] = [`${host.address}workbench/`, answersTo(context)];
    await open(page, address);
    await kept(page, answers);
    host.send = nextRelease;
    await page.getByRole('combobox', { name: 'Model', exact: true }).selectOption({ label: 'Sequence to sequence' });
    await expect(notice(page)).toContainText('Unroll has been updated since this page was opened: reload it.');
    await expect(page.locator('u-transport .says')).toBeVisible();
    await host.stop();
  });
});

// Hosts may use either. gzip compresses less, so only the first page's module is held to it.
// That of programs has their language; that of parts has it, too, beside the models that take a part from one.
// That of transformers has two kinds of model, each with a cache. All but the first have Eigen's decompositions, about 12 KB,
// and those with tasks the steps of writing and of its measures, about 6.
const LIMITS: Record<string, number> = {
  ...{ softmax: 80, transformer: 175, transformer_threads: 187 },
  ...{ program: 369, program_threads: 383, parts: 399, parts_threads: 412 },
};
test('every engine module is at most 172 KB in Brotli, that of transformers 175, those that run programs 369 and 399, with threads 182, 187, 383 and 412; the first 80 in gzip', () => {
  const files = readdirSync(`${site}/assets`).filter((file) => file.endsWith('.wasm'));
  const modules = new Map(
    files.map((file) => [/^engine_(\w+)-/.exec(file)?.[1], readFileSync(`${site}/assets/${file}`)]),
  );
  expect([...modules.keys()].sort()).toEqual([...MODULES, ...THREADED].sort());
  // With threads each has the same code and a little more.
  for (const [name, bytes] of some([...modules], ([each]) => !THREADED.some((threaded) => threaded === each))) {
    const brotli = brotliCompressSync(bytes).length;
    const gzip = gzipSync(bytes, { level: 9 }).length;
    test.info().annotations.push({ type: 'size', description: `${name} ${brotli} bytes in Brotli, ${gzip} in gzip` });
    const limit = LIMITS[name!] ?? (name!.endsWith('_threads') ? 182 : 172);
    expect(name === 'softmax' ? gzip : brotli, name).toBeLessThanOrEqual(limit * 1024);
  }
});
