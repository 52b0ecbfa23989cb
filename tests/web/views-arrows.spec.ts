// The arrows on the bench: dragged by mouse, finger and keys, and computed by the engine.
import type { Locator, Page } from '@playwright/test';
import { benchOf, drawn, expect, press, rested, test, type WithLab } from './pages';
import { bench, expectClean, expectExports, openViews, showView } from './views-bench';
import { numberIn, runOf, type Run } from './views-engine';

const LOOK = {
  kind: 'lookup',
  Q: [0.8, 0.5],
  K: [1.8, 0.4, -0.8, 1.6, -0.6, -1.7],
  V: [1.6, -1, -1.2, -0.6, 0.2, 1.6],
};

const view = (page: Page): Locator => page.locator('u-arrows');
const tip = (page: Page, of: string, at = 0): Locator => view(page).locator(`.arrow.${of} .handle`).nth(at);

async function middle(handle: Locator): Promise<[number, number]> {
  const box = (await handle.boundingBox())!;
  return [box.x + box.width / 2, box.y + box.height / 2];
}

const inputOf = (page: Page, name: string): Promise<number[]> =>
  benchOf(page).evaluate(({ lab }: WithLab, name) => [...lab.values(lab.node(name)!)!], name);

/** Every number of the table that has a place in a tensor, against the engine's. */
async function expectTable(page: Page, run: Run): Promise<void> {
  await press(view(page), 'Show as table');
  const cells = await view(page)
    .locator('tr[data-tensor] td[data-index]')
    .evaluateAll((all) =>
      all.map((cell) => ({
        name: cell.closest('tr')!.dataset.tensor!,
        index: Number((cell as HTMLElement).dataset.index),
        text: cell.textContent!,
      })),
    );
  expect(cells.length).toBeGreaterThan(8);
  for (const { name, index, text } of cells) {
    const values = run.values.get(run.trace.nodes.find((node) => node.name === name)!.id)!;
    expect(numberIn(text), `${name}[${index}]`).toBeCloseTo(values[index]!, 4);
  }
  await press(view(page), 'Show as figure');
}

test('a dragged query is an input of the model, and what follows is the engine’s', async ({ page }) => {
  await bench(page, LOOK, ['arrows']);
  await expectTable(page, await runOf(LOOK));
  await drawn(page); // the figure again
  const [x, y] = await middle(tip(page, 'query'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 120, y - 30, { steps: 10 });
  await page.mouse.up();
  await expect.poll(async () => (await inputOf(page, 'Q'))[0]).toBeLessThan(0.2);
  await rested(page);
  const Q = await inputOf(page, 'Q');
  await expectTable(page, await runOf({ ...LOOK, Q }));
  await press(view(page), 'Undo drags');
  await expect.poll(() => inputOf(page, 'Q')).toEqual([Math.fround(0.8), 0.5]);
});

test('an arrow is picked up with Space and moved by arrow keys; others are chosen without', async ({ page }) => {
  await bench(page, LOOK, ['arrows']);
  const list = view(page).getByRole('listbox');
  await list.focus();
  await expect(view(page).getByRole('option')).toHaveText(/^The query \(0\.80, 0\.50\) has length 0\.94/);
  for (const key of ['ArrowRight', ' ', 'ArrowRight', 'ArrowUp', ' ', 'ArrowRight']) await page.keyboard.press(key);
  await expect(view(page).getByRole('option')).toHaveText(/^Key b /);
  await rested(page);
  const K = await inputOf(page, 'K');
  expect(K.slice(2)).toEqual(LOOK.K.slice(2).map(Math.fround));
  expect([K[0]! > 1.8, K[1]! > 0.4]).toEqual([true, true]);
});

test('a query that the model computes is edited, in one change', async ({ page }) => {
  const config = { kind: 'attention', key_size: 2, value_size: 2, seed: 3 };
  await bench(page, config, ['arrows']);
  const [x, y] = await middle(tip(page, 'query'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 40, y + 25, { steps: 4 });
  await page.mouse.up();
  await rested(page);
  const edits = await benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits);
  expect(edits.map(({ name, index }) => `${name}[${index}]`)).toEqual(['attention/Q[0]', 'attention/Q[1]']);
  await press(view(page), 'Undo drags');
  await expect.poll(() => benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits.length)).toBe(0);
});

test('the context stays in the triangle of the values, wherever the query is dragged', async ({ page }) => {
  await bench(page, LOOK, ['arrows']);
  const [x, y] = await middle(tip(page, 'query'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (const [dx, dy] of [
    [300, 0],
    [-300, 40],
    [0, -300],
  ] as const) {
    await page.mouse.move(x + dx, y + dy, { steps: 3 });
    await rested(page);
    await drawn(page);
    const inside = await view(page).evaluate((figure) => {
      const [hull, dot] = [figure.querySelector<SVGPathElement>('.hull')!, figure.querySelector('.context')!];
      const at = new DOMPoint(Number(dot.getAttribute('cx')), Number(dot.getAttribute('cy')));
      return hull.isPointInFill(at) || hull.isPointInStroke(at);
    });
    expect(inside).toBe(true);
  }
  await page.mouse.up();
});

test('a drag runs the model at most once a frame', async ({ page }) => {
  await bench(page, LOOK, ['arrows']);
  await page.evaluate(() => {
    const counts = { frames: 0, runs: 0 };
    Object.assign(window, { counts });
    const lab = document.querySelector<HTMLElement & WithLab>('u-lab')!.lab;
    lab.addEventListener('run', () => counts.runs++);
    const frame = (): void => void (counts.frames++, requestAnimationFrame(frame));
    frame();
  });
  const [x, y] = await middle(tip(page, 'query'));
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 60, y - 60, { steps: 200 });
  await page.mouse.up();
  await rested(page);
  const { frames, runs } = await page.evaluate(() => (window as never as { counts: Record<string, number> }).counts);
  expect(runs).toBeGreaterThan(1);
  expect(runs).toBeLessThanOrEqual(frames!);
});

test('it is exported, and clean in both themes, wide and narrow', async ({ page }) => {
  await bench(page, LOOK, ['arrows']);
  await expectExports(page, view(page), 8);
  await expectClean(page, 'u-arrows');
});

test('it waits for the cursor to reach the query, and shows each word of a sentence', async ({ page }) => {
  await openViews(page, { kind: 'attention', key_size: 2, seed: 3 }, ['blocks']);
  await press(page, 'Last step');
  await showView(page, 'arrows');
  await view(page).getByRole('group', { name: 'Query' }).getByRole('button', { name: '2', exact: true }).click();
  await expect(view(page).locator('figcaption')).toContainText('The query (');
});
