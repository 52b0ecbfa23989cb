// One origin, one strict policy, any path, a small first page, and no network at all the second time.
import { readdirSync, readFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { complaints, expect, FIRST_LESSON, open, PAGES, press, site, SUB_PATH, test } from './pages';

const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'";

for (const path of PAGES) {
  test(`/${path} keeps its policy and its origin, at the root and under a sub-path`, async ({ page, baseURL }) => {
    const heard = complaints(page);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(baseURL!) && !/^(blob|data):/.test(request.url())) elsewhere.push(request.url());
    });
    for (const prefix of ['', SUB_PATH]) {
      await open(page, prefix + path);
      await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveAttribute('content', POLICY);
      expect(await page.locator('script:not([src]), [onclick], style').count()).toBe(0);
      await press(page, 'Last step');
    }
    expect(elsewhere).toEqual([]);
    expect(heard).toEqual([]);
  });
}

test('new Function is refused in the page and in its worker', async ({ page }) => {
  await open(page, FIRST_LESSON);
  // What a test evaluates is exempt from the policy; what a timer runs afterwards is not.
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

test('the first lesson is at most 300 KB compressed in all', async ({ page }) => {
  const sizes = new Map<string, number>();
  page.on('response', async (response) => {
    if (response.url().startsWith('http'))
      sizes.set(response.url(), gzipSync(await response.body(), { level: 9 }).length);
  });
  await open(page, FIRST_LESSON);
  await page.waitForLoadState('networkidle');
  const total = [...sizes.values()].reduce((a, b) => a + b, 0);
  const scripts = [...sizes].filter(([url]) => url.endsWith('.js')).reduce((sum, [, size]) => sum + size, 0);
  test.info().annotations.push({ type: 'size', description: `${total} bytes in all, ${scripts} of JavaScript` });
  expect(sizes.size).toBeGreaterThan(4);
  expect(total).toBeLessThanOrEqual(300 * 1024);
  expect(scripts).toBeLessThanOrEqual(86 * 1024);
});

/** The bytes of the one module of the site with this name. */
function wasm(name: RegExp): Buffer {
  const files = readdirSync(`${site}/assets`).filter((file) => name.test(file));
  expect(files).toHaveLength(1);
  return readFileSync(`${site}/assets/${files[0]}`);
}

// Hosts compress with either; a limit in gzip is the harder one to keep. The whole engine is fetched where a model has a
// task or is a Transformer.
test('the engine of the first lesson is at most 150 KB in gzip, the whole one 190 KB in Brotli', () => {
  const core = gzipSync(wasm(/^engine_core-.*\.wasm$/), { level: 9 }).length;
  const whole = brotliCompressSync(wasm(/^engine-.*\.wasm$/)).length;
  test.info().annotations.push({ type: 'size', description: `core ${core} bytes, whole ${whole} bytes` });
  expect(core).toBeLessThanOrEqual(150 * 1024);
  expect(whole).toBeLessThanOrEqual(190 * 1024);
});

for (const [path, module] of [
  ['', 'engine_core'],
  [FIRST_LESSON, 'engine_core'],
  ['workbench/', 'engine'],
] as const) {
  test(`/${path} loads ${module} and no other module`, async ({ page }) => {
    const loaded: string[] = [];
    page.on('request', (request) => {
      const name = /(\w+)-[\w-]+\.wasm$/.exec(request.url())?.[1];
      if (name) loaded.push(name);
    });
    await open(page, path);
    expect(loaded).toEqual([module]);
  });
}

test.describe('offline', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a second visit needs no network', async ({ page, context }) => {
    await open(page, SUB_PATH + FIRST_LESSON);
    await page.evaluate(async () => {
      const { active, installing, waiting } = await navigator.serviceWorker.ready;
      const worker = active ?? waiting ?? installing;
      if (worker?.state !== 'activated') await new Promise((done) => worker?.addEventListener('statechange', done));
    });
    await context.setOffline(true);
    for (const path of PAGES) {
      await open(page, SUB_PATH + path);
      await press(page, 'Last step');
    }
  });
});
