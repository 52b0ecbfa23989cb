// A browser that blocks site data does more than not save it: locks, databases and storage throw on access.
import { expect, expectStep, open, place, press, test } from './pages';
import type { Page } from '@playwright/test';

/** Does what Chromium and Firefox do then, in the page and in its workers. */
async function blockData(page: Page): Promise<void> {
  const refuse = (): void => {
    const refusal = (): DOMException => new DOMException('site data is blocked', 'SecurityError');
    LockManager.prototype.request = () => Promise.reject(refusal());
    IDBFactory.prototype.open = () => {
      throw refusal();
    };
    const thrown = {
      get: () => {
        throw refusal();
      },
    };
    if ('window' in globalThis)
      for (const name of ['localStorage', 'sessionStorage']) Object.defineProperty(window, name, thrown);
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
  const task = page.locator('u-task[id="ratio"]');
  await task.getByRole('textbox').fill('20.0855');
  await task.getByRole('button', { name: 'Check' }).click();
  await expect(task.getByRole('status')).toContainText('Right.');
  await expect(task.locator('h3')).toContainText('solved');
  await expect(page.locator('u-problem')).toContainText(
    'This browser saves nothing for this site: what you solve will be lost when the page closes.',
  );
  await press(page, 'First step');
  await page.locator('body').press('r');
  await expect.poll(async () => (await place(page)).name).toBe('α');
  const { step } = await place(page);
  await press(page, 'Keyboard');
  const letters = page.getByRole('checkbox', { name: 'Single-letter keys' });
  await letters.uncheck();
  await page.keyboard.press('Escape');
  await press(page, 'Step forward');
  await page.locator('body').press('r');
  await expectStep(page, step + 1);
});

test('with site data blocked, a trained model loads and can be trained further', async ({ page }) => {
  await blockData(page);
  await open(page, 'lessons/looking-back/');
  const training = page.locator('u-training').first();
  const train = () => training.getByRole('button', { name: /^Train \d+ steps$/ }).click();
  const trained = () =>
    expect(training.getByRole('status').first()).toContainText(/after \d+ steps/, { timeout: 60_000 });
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
