// The figure of a recurrent cell on the bench: its gates are set by keys, mouse and finger, and the engine computes.
import type { Locator, Page } from '@playwright/test';
import { benchOf, cold, expect, notice, open, press, rested, some, test, type WithLab } from './pages';
import { bench, expectClean, expectExports } from './views-bench';
import { numberIn, tensorsOf } from './views-engine';

const CELL = { kind: 'recurrent', size: 1, hidden: 2, positions: 5, seed: 7 };

const opened = async (page: Page, cell: string): Promise<Locator> => {
  await bench(page, { ...CELL, cell }, ['cell']);
  return page.locator('u-cell');
};

/** The values of a letter by position, from the table twin. */
async function columnOf(view: Locator, letter: string): Promise<number[]> {
  await press(view, 'Show as table');
  const heads = await view.locator('thead th').allTextContents();
  const at = heads.map((head) => head.trim()).indexOf(letter);
  const texts = await view.locator(`tbody tr td:nth-child(${at + 1})`).allTextContents();
  await press(view, 'Show as figure');
  return texts.map(numberIn);
}

const editsOf = (page: Page): Promise<unknown[]> => benchOf(page).evaluate(({ lab }: WithLab) => lab.state.edits);

for (const [cell, letters] of [
  ['rnn', 'xh'],
  ['gru', 'xrzh'],
  ['lstm', 'xifoch'],
] as const)
  test(`the values of the ${cell} are the engine’s, bit for bit`, async ({ page }) => {
    const view = await opened(page, cell);
    const tensors = await tensorsOf({ ...CELL, cell });
    await view.getByRole('button', { name: '1', exact: true }).click();
    for (const letter of letters) {
      const own = (t: number): number =>
        letter === 'x' ? tensors.get('X')![t]! : tensors.get(`cell.0.t${t}/${letter}`)![1]!;
      expect((await columnOf(view, letter)).map(Math.fround)).toEqual([0, 1, 2, 3, 4].map(own));
    }
  });

test('keys set a gate at one position, which changes it there, and what comes later', async ({ page }) => {
  const view = await opened(page, 'gru');
  const grid = view.getByRole('grid', { name: 'Gates of the cell' });
  const [gates, states] = [await columnOf(view, 'z'), await columnOf(view, 'h')];
  await grid.focus();
  for (const key of ['ArrowDown', 'Home', 'ArrowRight', 'ArrowUp', 'ArrowRight']) await page.keyboard.press(key);
  await expect(view.getByRole('gridcell')).toHaveText(
    /^update gate z at position 1: 0\.\d+\. Plus and minus change it\.$/,
  );
  for (let i = 0; i < 25; i++) await page.keyboard.press('PageUp');
  await rested(page);
  await expect(view.getByRole('gridcell')).toHaveText(/^update gate z at position 1: 1\./);
  expect(await columnOf(view, 'z')).toEqual([gates[0], 1, ...gates.slice(2).map(() => expect.any(Number))]);
  const now = await columnOf(view, 'h');
  expect(now.slice(0, 2)).toEqual([states[0], states[0]]);
  expect(now[4]).not.toBe(states[4]);
  expect(await editsOf(page)).toEqual([{ name: 'cell.0.t1/z', index: 0, value: 1 }]);
  await press(view, 'Undo drags');
  await rested(page);
  expect(await columnOf(view, 'h')).toEqual(states);
});

/** Drags the knob of a letter to a part of its height. */
async function drag(page: Page, view: Locator, letter: string, part: number): Promise<void> {
  const valve = view.locator(`.valve[data-letter="${letter}"][data-rest="false"]`);
  const [knob, posts] = [(await valve.locator('.knob').boundingBox())!, (await valve.locator('.posts').boundingBox())!];
  const x = knob.x + knob.width / 2;
  await page.mouse.move(x, knob.y + knob.height / 2);
  await page.mouse.down();
  await page.mouse.move(x + 60, posts.y + posts.height * (1 - part), { steps: 8 });
  await page.mouse.up();
  await page.mouse.move(0, 0);
  await rested(page);
}

test('dragging at every position sets the bias, so that the GRU keeps the zero', async ({ page }) => {
  const view = await opened(page, 'gru');
  await view.getByRole('button', { name: 'every position' }).click();
  await drag(page, view, 'z', 1.2);
  expect(await editsOf(page)).toEqual([{ name: 'cell.0.b', index: 2, value: expect.any(Number) }]);
  expect((await columnOf(view, 'z')).every((value) => value > 0.999)).toBe(true);
  expect((await columnOf(view, 'h')).every((value) => Math.abs(value) < 1e-6)).toBe(true);
});

test('dragging a gate half open gives it that value here, however the pointer strays', async ({ page }) => {
  const view = await opened(page, 'lstm');
  await drag(page, view, 'f', 0.5);
  const [edit] = (await editsOf(page)) as { name: string; value: number }[];
  expect(edit).toMatchObject({ name: 'cell.0.t0/f', index: 0, value: expect.closeTo(0.5, 1) });
  expect((await columnOf(view, 'f'))[0]).toBeCloseTo(edit!.value, 6);
});

test('a second drag follows the pointer as the first did', async ({ page }) => {
  const view = await opened(page, 'gru');
  for (const part of [0.9, 0.2, 0.8]) {
    await drag(page, view, 'z', part);
    const [edit] = (await editsOf(page)) as { value: number }[];
    expect(Math.abs(edit!.value - part)).toBeLessThan(0.15);
  }
  expect(await page.evaluate(() => String(getSelection()))).toBe('');
});

test('the weights of the plain cell are dragged, and its gradient stands below the state', async ({ page }) => {
  const view = await opened(page, 'rnn');
  await drag(page, view, 'u', 0.75);
  const [edit] = (await editsOf(page)) as { name: string; value: number }[];
  expect(edit).toMatchObject({ name: 'cell.0.U', index: 0, value: expect.closeTo(2, 0) });
  expect((await columnOf(view, '∂h')).every(Number.isFinite)).toBe(true); // the last step is past the backward pass
});

const NARROW = { width: 360, height: 740 };

for (const viewport of [null, NARROW])
  test(`the notice of a reset moves no knob from under the hand${viewport ? ', on a phone' : ''}`, async ({ page }) => {
    if (viewport) await page.setViewportSize(viewport);
    await open(page, 'lessons/recurrent-cell/#can-a-recurrent-cell-hold-a-bit');
    const knob = page.locator('u-cell .valve[data-letter="u"] .knob');
    await knob.waitFor();
    const [before] = [await knob.boundingBox(), await setWeight(page, 3)];
    await page.locator('#latch').getByRole('button', { name: 'Start again' }).click();
    await expect(notice(page)).toContainText('1 edit dropped');
    await rested(page);
    expect(await knob.boundingBox()).toEqual(before);
    await expect(notice(page).getByRole('button', { name: 'Undo' })).toBeInViewport();
    const x = before!.x + before!.width / 2;
    const y = before!.y + before!.height / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - (viewport ? 8 : 30), { steps: 5 });
    await page.mouse.up();
    await rested(page);
    const [edit] = (await editsOf(page)) as { value: number }[];
    expect(edit!.value).toBeGreaterThan(1.5);
    await expect(notice(page)).toHaveText('');
  });

const setWeight = async (page: Page, u: number): Promise<void> => {
  await benchOf(page).evaluate(({ lab }: WithLab, value) => lab.edit('cell.0.U', 0, value), u);
  await rested(page);
};

/** Of an element of the drawing, in its own pixels. */
const spanOf = (element: Locator): Promise<{ left: number; right: number; top: number; bottom: number }> =>
  element.evaluate((each) => each.getBoundingClientRect().toJSON() as DOMRect);

for (const viewport of [null, NARROW])
  test(`a number of any size fits its box${viewport ? ', on a phone' : ''}`, async ({ page }) => {
    if (viewport) await page.setViewportSize(viewport);
    await open(page, 'lessons/recurrent-cell/');
    const view = page.locator('u-cell');
    await benchOf(page).evaluate(({ lab }: WithLab) => lab.configure({ cell: 'rnn_relu' }));
    for (const [u, number] of [
      [2.32, /^\d\.\d × 10¹⁷$/],
      [0.65, /^0\.00$/],
    ] as const) {
      await setWeight(page, u);
      for (const box of await view.locator('.value:has(.letter)').all()) {
        const [outer, inner] = [await spanOf(box.locator('rect')), await spanOf(box.locator('.number'))];
        expect(inner.left).toBeGreaterThanOrEqual(outer.left);
        expect(inner.right).toBeLessThanOrEqual(outer.right);
      }
      await expect(view.locator('.value .number').last()).toHaveText(number);
    }
  });

test('the frame of the knob at the cursor leaves the numbers above and below it free', async ({ page }) => {
  const view = await opened(page, 'rnn');
  await view.getByRole('grid').focus();
  await page.keyboard.press('ArrowRight');
  const frame = await spanOf(view.locator('.here'));
  expect((await spanOf(view.locator('[data-letter="u"] .number'))).bottom).toBeLessThan(frame.top + 4); // room for descenders
  expect((await spanOf(view.locator('[data-letter="w"] .number'))).top).toBeGreaterThan(frame.bottom - 4);
});

test('keys and the mouse reach a whole weight exactly', async ({ page }) => {
  const view = await opened(page, 'rnn');
  await setWeight(page, 0.6483);
  await view.getByRole('grid').focus();
  const weight = async (): Promise<number> => ((await editsOf(page)) as { value: number }[])[0]!.value;
  for (let presses = 0; (await weight()) < 2 && presses < 20; presses++) {
    await page.keyboard.press('+');
    await rested(page);
  }
  expect(await weight()).toBe(2);
  await setWeight(page, 0.6483);
  const { x, y, width } = (await view.locator('.valve[data-letter="u"] .knob').boundingBox())!;
  await page.mouse.move(x + width / 2, y + width / 2);
  await page.mouse.down();
  const passed: number[] = [];
  for (let up = 1; up < 40 && !passed.includes(2); up++) {
    await page.mouse.move(x + width / 2, y + width / 2 - up);
    await rested(page);
    passed.push(await weight());
  }
  await page.mouse.up();
  expect(passed).toContain(2);
});

test('a position is chosen below, in a link and after a reload', async ({ page }) => {
  const view = await opened(page, 'gru');
  const track = (await view.locator('.track[data-letter="h"] .base').boundingBox())!;
  await page.mouse.click(track.x + track.width * 0.5, track.y);
  await expect(view.locator('figcaption')).toContainText('position 2 of 0 to 4');
  await expect(view.locator('.value .index').first()).toHaveText('1');
});

test('drawings can be exported in three formats; axe finds no violations, and nothing overflows', async ({ page }) => {
  for (const cell of some(['rnn', 'gru', 'lstm'], (each) => each === 'gru')) {
    const view = await opened(page, cell);
    await expectExports(page, view, 5);
    await expectClean(page, 'u-bench-views');
  }
});

cold.describe('by touch', () => {
  cold.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } });

  cold('a finger drags a gate', async ({ page }) => {
    const view = await opened(page, 'gru');
    const knob = view.locator('.valve[data-letter="z"][data-rest="false"] .knob');
    await knob.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    const box = (await knob.boundingBox())!;
    const [x, y] = [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
    const finger = await page.context().newCDPSession(page);
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints });
    await touch('touchStart', [{ x, y }]);
    for (let up = 4; up <= 40; up += 4) await touch('touchMove', [{ x, y: y - up }]);
    await touch('touchEnd', []);
    await rested(page);
    const [edit] = (await editsOf(page)) as { name: string; value: number }[];
    expect(edit!.name).toBe('cell.0.t0/z');
    expect(edit!.value).toBeGreaterThan(0.9);
  });
});
