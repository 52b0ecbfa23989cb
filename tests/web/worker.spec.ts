// The worker: whatever kills it, the learner is where they were within half a second.
import { expect, expectStep, open, place, press, settled, test } from './pages';
import type { Page, Worker } from '@playwright/test';

// One after the other: what is timed here must not share the machine with a test that fills its memory.
test.describe.configure({ mode: 'default' });

const notice = (page: Page) => page.getByText(/engine stopped and was replaced/);

async function work(page: Page): Promise<string> {
  await open(page, 'workbench/');
  await page.getByRole('textbox', { name: 'Seed' }).fill('21');
  await page.keyboard.press('Enter');
  await press(page, 'Last step');
  return settled(page);
}

/** Milliseconds until the page says this and its bench is at rest, looked at in every frame. */
const timeUntil = (page: Page, said: string): Promise<number> =>
  page.evaluate(
    (text) =>
      new Promise<number>((done) => {
        const from = performance.now();
        const rest = (): boolean => document.querySelector('u-bench')!.getAttribute('aria-busy') === 'false';
        const look = (): void => {
          if (document.body.innerText.includes(text) && rest()) done(performance.now() - from);
          else requestAnimationFrame(look);
        };
        look();
      }),
    said,
  );

test('a killed worker is replaced in under 500 ms, and nothing is lost', async ({ page }) => {
  const numbers = await work(page);
  const where = await place(page);
  const [worker] = page.workers();
  const took = timeUntil(page, 'engine stopped and was replaced');
  await worker!.evaluate(() => self.close()).catch(() => undefined);
  expect(await took).toBeLessThan(500);
  expect(await place(page)).toEqual(where);
  expect(await settled(page)).toBe(numbers);
  await press(page, 'Step back');
  await expectStep(page, where.step - 1);
});

test('it can be killed again and again', async ({ page }) => {
  const numbers = await work(page);
  for (let i = 0; i < 3; i++) {
    const successor = page.waitForEvent('worker');
    await page
      .workers()
      .at(-1)!
      .evaluate(() => self.close())
      .catch(() => undefined);
    await successor;
    await page.waitForTimeout(300);
  }
  expect(await settled(page)).toBe(numbers);
});

test('a worker that traps is replaced', async ({ page }) => {
  const numbers = await work(page);
  const successor = page.waitForEvent('worker');
  await page.workers()[0]!.evaluate(() => {
    Map.prototype.get = () => {
      throw new WebAssembly.RuntimeError('memory access out of bounds');
    };
  });
  await press(page, 'New seed');
  await successor;
  await expect(notice(page)).toBeVisible();
  await expect(page.locator('u-bench')).toHaveAttribute('aria-busy', 'false');
  expect(await settled(page)).toBe(numbers);
});

/** Fills the module's memory with sessions of the largest size, until the engine has none left. */
async function exhaust(worker: Worker): Promise<string> {
  return worker.evaluate(() => {
    const scope = self as unknown as DedicatedWorkerGlobalScope & { onmessage: (event: { data: unknown }) => void };
    const say = scope.postMessage.bind(scope);
    let code = '';
    scope.postMessage = ((answer: { reply?: { ok: boolean; code?: string } }) => {
      if (answer.reply?.ok === false) code = answer.reply.code ?? '';
    }) as typeof scope.postMessage;
    const config = { kind: 'attention', words: 16, size: 16, key_size: 16, value_size: 16 };
    for (let session = 1_000; !code && session < 100_000; session++) {
      scope.onmessage({ data: { id: -1, session, method: 'load', args: [config] } });
      scope.onmessage({ data: { id: -1, session, method: 'run', args: [[]] } });
    }
    scope.postMessage = say;
    return code;
  });
}

test('a worker that runs out of memory is replaced in under 500 ms, and nothing is lost', async ({ page }) => {
  test.slow();
  const numbers = await work(page);
  const where = await place(page);
  expect(await exhaust(page.workers()[0]!)).toBe('E_OOM');
  const successor = page.waitForEvent('worker');
  await page.getByRole('textbox', { name: 'Words' }).fill('16');
  const took = timeUntil(page, 'There is not enough memory: use smaller sizes.');
  await page.keyboard.press('Enter');
  await successor;
  expect(await took).toBeLessThan(500);
  expect(await place(page)).toEqual(where);
  expect(await settled(page)).toBe(numbers);
  await press(page, 'Step back');
  await expectStep(page, where.step - 1);
});

test('without an engine the page says so and stays readable', async ({ page }) => {
  await page.route('**/*.wasm', (route) => route.abort());
  await page.goto('workbench/');
  await expect(page.locator('u-problem')).toContainText('The engine could not be started: reload the page');
  await expect(page.getByRole('heading', { name: 'Workbench', level: 1 })).toBeVisible();
});

test('a looping worker is replaced after its deadline', async ({ page }) => {
  test.slow();
  const numbers = await work(page);
  const successor = page.waitForEvent('worker', { timeout: 15_000 });
  void page
    .workers()[0]!
    .evaluate(() => {
      for (;;);
    })
    .catch(() => undefined);
  await page.waitForTimeout(100);
  await press(page, 'New seed');
  await successor;
  const from = Date.now();
  await expect(notice(page)).toBeVisible();
  await expect(page.locator('u-bench')).toHaveAttribute('aria-busy', 'false');
  expect(Date.now() - from).toBeLessThan(500);
  expect(await settled(page)).toBe(numbers);
});
