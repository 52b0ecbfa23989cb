// A page that may do less: in a frame whose sandbox gives it no origin, it says what to add, and with an origin, the
// lab runs; and in a browser that blocks site data.
import type { Frame, Page } from '@playwright/test';
import { Host } from '../offline-host.mjs';
import { ISOLATION } from '../site.mjs';
import { check, taskOn } from './hands';
import { FIRST_LESSON } from './addresses';
import { cold, expect, expectStep, open, place, press, test } from './pages';

const FOR_FRAMES = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** On a host that sends these headers, a page that shows the lesson in a frame. */
async function framed(page: Page, headers: Record<string, string>, sandbox: string): Promise<Frame> {
  const host = await new Host({ headers }).start();
  page.on('close', () => void host.stop());
  const body = `<iframe sandbox="${sandbox}" src="/${FIRST_LESSON}" width="1200" height="700"></iframe>`;
  await page.route('**/frame', (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(`${host.address}frame`);
  return page.frames()[1]!;
}

const said = (frame: Frame) => frame.getByText('add allow-same-origin to the sandbox');
const runs = async (frame: Frame): Promise<void> => {
  await expect(frame.locator('u-board [data-tensor]').first()).toBeVisible({ timeout: 20_000 });
  await expect(said(frame)).toBeHidden();
};

for (const [what, headers] of [
  ['a plain host', {}],
  ['a host that isolates its pages', ISOLATION],
  ['a host that lets any origin load its files', FOR_FRAMES],
] as const)
  cold(`without an origin, a page of ${what} says what to add`, async ({ page }) => {
    const frame = await framed(page, headers, 'allow-scripts');
    await expect(said(frame)).toBeVisible();
    await expect(frame.getByRole('heading', { level: 1 })).toBeVisible();
  });

cold('with an origin, the lab runs in a frame of any host', async ({ page }) => {
  await runs(await framed(page, {}, 'allow-scripts allow-same-origin'));
});

/** Blocking site data is more than not saving it: locks, databases and storage throw on access, as Chromium and Firefox
 *  do then, in the page and in its workers. */
async function blockData(page: Page): Promise<void> {
  const refuse = (): void => {
    const refusal = (): DOMException => new DOMException('site data is blocked', 'SecurityError');
    LockManager.prototype.request = () => Promise.reject(refusal());
    const refused = (): never => {
      throw refusal();
    };
    IDBFactory.prototype.open = refused;
    if ('window' in globalThis)
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, { get: refused });
  };
  await page.addInitScript(refuse);
  await page.route(/(core|seq2seq|transformer|captioner)-[\w-]+\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `(${refuse.toString()})();\n${await response.text()}` });
  });
}

test('with site data blocked, a lesson works as usual', async ({ page }) => {
  await blockData(page);
  await open(page, 'lessons/softmax/');
  const task = await taskOn(page, 'ratio');
  await task.getByRole('textbox').fill('20.0855');
  await check(task);
  await expect(task.getByRole('status')).toContainText('Right.');
  await expect(task.locator('h3')).toContainText('solved');
  await expect(page.locator('.unkept')).toContainText(
    'This browser saves nothing for this site: what you answer will be lost when the page closes.',
  );
  await press(page, 'First step');
  await page.locator('body').press('r');
  await expect.poll(async () => (await place(page)).name).toBe('α');
  const { step } = await place(page);
  await press(page, 'Keyboard');
  await page.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck();
  await page.keyboard.press('Escape');
  await press(page, 'Step forward');
  const { step: next } = await place(page);
  expect(next).toBeGreaterThan(step);
  await page.locator('body').press('r');
  await expectStep(page, next);
});

test('with site data blocked, a trained model loads and can be trained further', async ({ page }) => {
  await blockData(page);
  await open(page, 'lessons/looking-back/');
  const training = page.locator('u-training').first();
  const train = () => training.getByRole('button', { name: /^Train \d+ steps$/ }).click();
  const trained = () =>
    expect(training.getByRole('status').first()).toContainText(/after [\d,]+ steps/, { timeout: 60_000 });
  await train();
  await trained();
  await expect(page.locator('u-problem')).toContainText('This browser saves nothing for this site: what you train');
  await press(page, 'Dismiss');
  await train();
  await trained();
  await expect(page.locator('u-problem')).toHaveText('');
});

test('without a clipboard, the page says that the link is in the address bar', async ({ page }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await open(page, 'workbench/');
  await press(page, 'Step forward');
  await press(page, 'Copy link');
  await expect(page.locator('u-top').getByRole('status')).toHaveText('The link is in the address bar');
  expect(new URL(page.url()).hash).toContain('#v1.');
});
