// A change repaints only the elements that show it.
import { benchOf, drawn, expect, open, openNumbers, press, settled, test, type Page, type WithLab } from './pages';
import { recordCalls } from './watched';
import { begin, ended, SMALL, stepsTrained, trainBeyond } from './trainings';

const cells = (page: Page) => page.locator('u-board .cells');

/** Watches every element from now on. What it returns says which were updated since it was last asked, by their tags. */
async function watchUpdates(page: Page): Promise<() => Promise<string[]>> {
  const tags = await page.evaluateHandle(() => {
    const updated = new Set<string>();
    for (const element of document.querySelectorAll<Element & { performUpdate?: () => void }>('*')) {
      const { performUpdate } = element;
      if (!performUpdate) continue;
      element.performUpdate = () => {
        updated.add(element.localName);
        performUpdate.call(element);
      };
    }
    return updated;
  });
  return async () => {
    await drawn(page);
    return tags.evaluate((updated) => {
      const all = [...updated].sort();
      updated.clear();
      return all;
    });
  };
}

test('the cursor, the selection and the pointer repaint only what shows them', async ({ page }) => {
  await openNumbers(page, 'workbench/'); // beside the code, which is pinned there
  await press(page, 'Last step');
  await cells(page).last().click();
  await expect(page.locator('u-inspector')).toBeVisible();
  await settled(page);
  const updated = await watchUpdates(page);
  expect(await updated()).toEqual([]);

  await press(page, 'Step back');
  const stepped = await updated();
  expect(stepped).toEqual(expect.arrayContaining(['u-board', 'u-code', 'u-inspector', 'u-transport']));
  for (const tag of ['u-bench', 'u-own-data', 'u-problem', 'u-setup', 'u-size', 'u-top'])
    expect(stepped).not.toContain(tag);

  await cells(page).first().hover();
  await settled(page);
  await updated();
  await cells(page).first().click();
  const selected = await updated();
  expect(selected).toEqual(expect.arrayContaining(['u-grid', 'u-inspector']));
  for (const tag of ['u-transport', 'u-setup', 'u-code']) expect(selected).not.toContain(tag);

  await page.keyboard.press('Escape'); // the card may stand before the code
  await page.locator('u-code .ln').first().hover();
  await settled(page);
  await updated();
  await cells(page).last().hover();
  const pointed = await updated();
  expect(pointed).toContain('u-board');
  for (const tag of ['u-transport', 'u-inspector', 'u-setup']) expect(pointed).not.toContain(tag);
});

test('training repaints its panel, and nothing that it does not change', async ({ page }) => {
  await begin(page, SMALL);
  await trainBeyond(page, 5);
  const updated = await watchUpdates(page);
  const from = await stepsTrained(page);
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(from + 20);
  const trained = await updated();
  expect(trained).toContain('u-train');
  for (const tag of ['u-bench', 'u-pair', 'u-problem', 'u-setup', 'u-size', 'u-transport'])
    expect(trained).not.toContain(tag);
  await press(page, 'Stop');
  await ended(page);
});

test('an edit draws only the cells of the tensors whose values it changes', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  const drawings = await page.evaluateHandle(() => {
    const drawn: string[] = [];
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      drawn.push(this.canvas.closest<HTMLElement>('u-board [data-tensor]')?.dataset.tensor ?? '');
      clearRect.apply(this, box);
    };
    return drawn;
  });
  const edited = await benchOf(page).evaluate(async ({ lab }: WithLab, drawn) => {
    drawn.length = 0;
    await lab.edit('attention/α', 0, 0.25, true);
    for (let i = 0; i < 10; i++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    return [...new Set(drawn)].filter(Boolean).map((tensor) => tensor.split('/').at(-1)!);
  }, drawings);
  expect(edited).toEqual(expect.arrayContaining(['α', 'c']));
  for (const name of ['X', 'W_Q', 'Q', 'K', 'V', 'e']) expect(edited).not.toContain(name);
});

test('the tensors on a page are fetched in one message', async ({ page }) => {
  const calls = await recordCalls(page, 'batch', 'values', 'probabilities');
  await openNumbers(page, 'workbench/');
  await settled(page);
  const before = (await calls()).length;
  await press(page, 'Last step');
  await settled(page);
  expect(await page.locator('u-board .cells').count()).toBeGreaterThan(3);
  const methods = (await calls()).slice(before).map(({ method }) => method);
  expect(new Set(methods)).toEqual(new Set(['batch']));
  expect(methods.length).toBeLessThanOrEqual(2); // what is shown at once, and what only those values let be drawn
});
