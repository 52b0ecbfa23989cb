// A change repaints only the elements that show it.
import { benchOf, drawn, expect, open, press, recordCalls, settled, test, type Page, type WithLab } from './pages';
import { begin, ended, SMALL, stepsTrained, trainBeyond } from './trainings';

const cells = (page: Page) => page.locator('u-board .cells');

/** Starts counting the updates of every element, by tag. */
const countUpdates = (page: Page): Promise<void> =>
  page.evaluate(() => {
    interface Updating extends Element {
      performUpdate?: () => void;
    }
    const updates: Record<string, number> = {};
    for (const element of document.querySelectorAll<Updating>('*')) {
      const { performUpdate } = element;
      if (!performUpdate) continue;
      element.performUpdate = function () {
        updates[element.localName] = (updates[element.localName] ?? 0) + 1;
        performUpdate.call(element);
      };
    }
    Object.assign(globalThis, { updates });
  });

/** The elements updated since the last call. */
async function updated(page: Page): Promise<string[]> {
  await drawn(page);
  return page.evaluate(() => {
    const { updates } = globalThis as unknown as { updates: Record<string, number> };
    const tags = Object.keys(updates).sort();
    for (const tag of tags) delete updates[tag];
    return tags;
  });
}

test('the cursor, the selection and the pointer repaint only what shows them', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Last step');
  await settled(page);
  await countUpdates(page);
  expect(await updated(page)).toEqual([]);

  await press(page, 'Step back');
  const stepped = await updated(page);
  expect(stepped).toEqual(expect.arrayContaining(['u-board', 'u-code', 'u-inspector', 'u-transport']));
  for (const tag of ['u-bench', 'u-own-data', 'u-problem', 'u-setup', 'u-size', 'u-top'])
    expect(stepped).not.toContain(tag);

  await cells(page).first().click();
  const selected = await updated(page);
  expect(selected).toEqual(expect.arrayContaining(['u-grid', 'u-inspector']));
  for (const tag of ['u-transport', 'u-setup', 'u-bench']) expect(selected).not.toContain(tag);

  await page.locator('u-code .ln').first().hover();
  await settled(page);
  await updated(page);
  await cells(page).last().hover();
  const pointed = await updated(page);
  expect(pointed).toContain('u-board');
  for (const tag of ['u-transport', 'u-inspector', 'u-setup']) expect(pointed).not.toContain(tag);
});

test('training repaints its panel, and nothing that it does not change', async ({ page }) => {
  await begin(page, SMALL);
  await trainBeyond(page, 5);
  await countUpdates(page);
  const from = await stepsTrained(page);
  await expect.poll(() => stepsTrained(page)).toBeGreaterThan(from + 20);
  const trained = await updated(page);
  expect(trained).toContain('u-train');
  for (const tag of ['u-bench', 'u-pair', 'u-problem', 'u-setup', 'u-size', 'u-transport'])
    expect(trained).not.toContain(tag);
  await press(page, 'Stop');
  await ended(page);
});

test('an edit draws only the cells of the tensors whose values it changes', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  await page.evaluate(() => {
    const drawn: string[] = [];
    const { clearRect } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.clearRect = function (...box) {
      drawn.push(this.canvas.closest<HTMLElement>('u-board [data-tensor]')?.dataset.tensor ?? '');
      clearRect.apply(this, box);
    };
    Object.assign(globalThis, { drawn });
  });
  const edited = (name: string, index: number, value: number): Promise<string[]> =>
    benchOf(page).evaluate(
      async ({ lab }: WithLab, [at, place, number]) => {
        const { drawn } = globalThis as unknown as { drawn: string[] };
        drawn.length = 0;
        await lab.edit(at, place, number, true);
        for (let i = 0; i < 10; i++) await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
        return [...new Set(drawn)].filter(Boolean).map((tensor) => tensor.split('/').at(-1)!);
      },
      [name, index, value] as const,
    );
  const first = await edited('attention/α', 0, 0.25);
  expect(first).toEqual(expect.arrayContaining(['α', 'c']));
  for (const name of ['X', 'W_Q', 'Q', 'K', 'V', 'e']) expect(first).not.toContain(name);
});

test('the tensors on a page are fetched in one message', async ({ page }) => {
  const calls = await recordCalls(page, 'each', 'values', 'probabilities');
  await open(page, 'workbench/');
  await settled(page);
  const before = (await calls()).length;
  await press(page, 'Last step');
  await settled(page);
  expect(await page.locator('u-board .cells').count()).toBeGreaterThan(3);
  const methods = (await calls()).slice(before).map(({ method }) => method);
  expect(new Set(methods)).toEqual(new Set(['each']));
  expect(methods.length).toBeLessThanOrEqual(2); // what is shown at once, and what only those values let be drawn
});
