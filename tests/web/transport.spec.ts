// The transport: by mouse, by keyboard alone, and with the scrubber.
import { editTo } from './hands';
import { expect, expectStep, FIRST_LESSON, notice, open, type Page, place, press, settled, test } from './pages';

test('each button does what its name says', async ({ page }) => {
  await open(page, 'workbench/');
  const { of } = await place(page);
  await expectStep(page, 0);
  await press(page, 'Step forward');
  await expectStep(page, 1);
  await press(page, 'Step forward');
  await expectStep(page, 2);
  await press(page, 'Step back');
  await expectStep(page, 1);
  await press(page, 'Last step');
  await expectStep(page, of);
  await press(page, 'First step');
  await expectStep(page, 0);
  await expect(page.getByText(`step 0 of ${of}`, { exact: true })).toBeVisible();
  expect((await place(page)).name).toBe('inputs only');
  await press(page, 'Step forward');
  await press(page, 'Reset');
  await expectStep(page, 0);
});

test('over runs the composite, into opens it, out finishes it', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Step over');
  const whole = await place(page);
  expect(whole.name).toBe('attention');
  expect(whole.step).toBeGreaterThan(3);
  await press(page, 'Step into');
  expect((await place(page)).name).toBe('attention/Q');
  await press(page, 'Step out');
  expect(await place(page)).toEqual(whole);
});

test('play runs to the end and can be paused', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Play');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(1);
  await press(page, 'Pause');
  const { step } = await place(page);
  await page.waitForTimeout(900);
  await expectStep(page, step);
});

test('the keyboard alone does everything the buttons do', async ({ page }) => {
  await open(page, 'workbench/');
  await page.locator('u-bench').focus();
  const { of } = await place(page);
  const keys: [string, number][] = [
    ['ArrowRight', 1],
    ['ArrowRight', 2],
    ['ArrowLeft', 1],
    ['End', of],
    ['Home', 0],
    ['ArrowRight', 1],
    ['r', 0],
  ];
  for (const [key, step] of keys) {
    await page.keyboard.press(key);
    await expectStep(page, step);
  }
  for (const [key, name] of [
    ['o', 'attention'],
    ['i', 'attention/Q'],
    ['u', 'attention'],
  ] as const) {
    await page.keyboard.press(key);
    expect((await place(page)).name).toBe(name);
  }
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Play', exact: true })).toBeVisible();
});

test('every button is reached with Tab and shows its focus', async ({ page }) => {
  await open(page, 'workbench/');
  const wanted = new Set([
    'Theme: auto',
    'Keyboard',
    'Copy link',
    'First step',
    'Step back',
    'Play',
    'Step forward',
    'Last step',
    'Step into',
    'Step over',
    'Step out',
    'Reset',
    'New seed',
  ]);
  for (let i = 0; i < 120 && wanted.size; i++) {
    await page.keyboard.press('Tab');
    const name = await page.evaluate(() => {
      const at = document.activeElement;
      const visible = at !== null && getComputedStyle(at).outlineStyle !== 'none';
      return visible ? (at.getAttribute('aria-label') ?? at.textContent?.trim()) : null;
    });
    if (name) wanted.delete(name);
  }
  expect([...wanted]).toEqual([]);
});

test('shortcuts do not fire in a text field or where a key has another meaning', async ({ page }) => {
  await open(page, 'lessons/seq2seq/');
  await press(page, 'Step forward');
  const { step } = await place(page);
  for (const field of ['Source', 'Steps to train']) {
    await page.locator('u-bench').getByRole('textbox', { name: field, exact: true }).focus();
    for (const key of ['ArrowLeft', 'Home', 'r', 'o', ' ']) await page.keyboard.press(key);
    await expectStep(page, step);
  }
});

test('single-letter shortcuts can be switched off', async ({ page }) => {
  await open(page, 'workbench/');
  await press(page, 'Keyboard');
  await page.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck();
  await page.keyboard.press('Escape');
  await page.locator('u-bench').focus();
  await page.keyboard.press('o');
  await page.keyboard.press('ArrowRight');
  await expectStep(page, 1);
});

test('the scrubber is a slider: by pointer and by keys', async ({ page }) => {
  await open(page, 'workbench/');
  const slider = page.getByRole('slider', { name: 'Step' });
  const { of } = await place(page);
  const box = (await slider.boundingBox())!;
  await page.mouse.click(box.x + box.width / 2, box.y + 10);
  expect(Math.abs((await place(page)).step - of / 2)).toBeLessThanOrEqual(1);
  const { step } = await place(page);
  await slider.press('PageUp');
  await expectStep(page, Math.min(of, step + 10));
  await slider.press('ArrowDown');
  await expectStep(page, Math.min(of, step + 10) - 1);
});

test('a button that cannot act says so and keeps the focus', async ({ page }) => {
  await open(page, 'workbench/');
  const back = page.getByRole('button', { name: 'Step back', exact: true });
  await expect(back).toHaveAttribute('aria-disabled', 'true');
  const last = page.getByRole('button', { name: 'Last step', exact: true });
  await last.click();
  await expect(last).toHaveAttribute('aria-disabled', 'true');
  await expect(last).toBeFocused();
});

async function editFirst(page: Page, value: string): Promise<void> {
  await page.getByRole('grid', { name: 'Cells of X' }).click({ position: { x: 8, y: 8 } });
  await editTo(page, value);
}

test('a new seed keeps the edits, says so, and can be undone', async ({ page }) => {
  await open(page, 'workbench/');
  await editFirst(page, '0.25');
  const before = await settled(page);
  const seed = page.getByRole('textbox', { name: 'Seed' });
  await press(page, 'New seed');
  await expect(notice(page)).toContainText(/New seed \d+: 1 edit kept\./);
  await expect(page.getByRole('button', { name: 'Undo edit' })).toBeEnabled();
  await expect(page.locator('.insp-body dd').first()).toHaveText('0.25');
  expect(await settled(page)).not.toBe(before);
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await expect(seed).toHaveValue('7');
  expect(await settled(page)).toBe(before);
  await expect(notice(page)).toBeEmpty();
});

test('a reset says what it dropped, and can be undone', async ({ page }) => {
  await open(page, 'workbench/');
  const plain = await settled(page);
  await press(page, 'Reset');
  await expect(notice(page)).toBeEmpty();
  await editFirst(page, '0.25');
  await press(page, 'Step forward');
  await press(page, 'Reset');
  await expect(notice(page)).toContainText('Reset: 1 edit dropped.');
  await expectStep(page, 0);
  await notice(page).getByRole('button', { name: 'Undo' }).click();
  await expectStep(page, 1);
  await expect(page.getByRole('button', { name: 'Undo edit' })).toBeEnabled();
  expect(await settled(page)).not.toBe(plain);
});

test('if the model does not depend on a seed, New seed is unavailable and says why', async ({ page }) => {
  const reason = 'Another seed would change nothing: this model has no random parameters or inputs.';
  await open(page, FIRST_LESSON);
  const button = page.getByRole('button', { name: 'New seed', exact: true });
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await expect(button).toHaveAttribute('title', reason);
  const before = await settled(page);
  await button.click({ force: true });
  await expect(notice(page)).toContainText(reason);
  await press(page, 'Dismiss');
  await expect(notice(page)).toBeEmpty();
  expect(await settled(page)).toBe(before);

  await open(page, 'workbench/');
  await expect(button).toHaveAttribute('aria-disabled', 'false');
  await page.getByRole('combobox', { name: 'Model' }).selectOption('softmax');
  await expect(button).toHaveAttribute('aria-disabled', 'true');
  await page.getByRole('combobox', { name: 'Model' }).selectOption('attention');
  await expect(button).toHaveAttribute('aria-disabled', 'false');
});

test('the button in the text of the front page goes to the end and starts again', async ({ page }) => {
  await open(page, '');
  const text = page.getByRole('article');
  await text.getByRole('button', { name: 'Next operation' }).click();
  await expectStep(page, 1);
  await press(page, 'Last step');
  await expect(text.getByRole('button', { name: 'Next operation' })).toHaveCount(0);
  await text.getByRole('button', { name: 'Start again' }).click();
  await expectStep(page, 0);
  await text.getByRole('button', { name: 'Next operation' }).click();
  await expectStep(page, 1);
});

test('the whole formula can be read above the buttons of the inspector', async ({ page }) => {
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
  ] as const) {
    await page.setViewportSize({ width, height });
    await open(page, 'workbench/');
    await press(page, 'Last step');
    if (width < 900) await page.getByRole('tab', { name: 'Inspect' }).click();
    await expect(page.locator('[data-panel=insp] .work')).toBeVisible();
    const gap = await page.locator('[data-panel=insp]').evaluate((panel) => {
      panel.scrollTop = panel.scrollHeight;
      const [last, foot] = ['.work', '.foot'].map((part) => panel.querySelector(part)!.getBoundingClientRect());
      return foot!.top - last!.bottom;
    });
    expect(gap).toBeGreaterThanOrEqual(0);
  }
});
