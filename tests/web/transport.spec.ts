// The transport: by mouse, by keyboard alone, and with the scrubber.
import { chooseModel, editX } from './hands';
import { FIRST_LESSON } from './addresses';
import { expect, expectStep, notice, open, openNumbers, type Page, place, press, settled, showStage, stepTo, test } from './pages'; // prettier-ignore

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const slider = (page: Page) => page.getByRole('slider', { name: 'Step' });
const says = (page: Page) => page.locator('u-transport .says');

test('each button does what its name says, and says where one is', async ({ page }) => {
  await open(page, 'workbench/');
  const { of } = await place(page);
  await expectStep(page, 0);
  await expect(says(page)).toHaveText('Only the inputs are there yet');
  await expect(button(page, 'Step back')).toHaveAttribute('aria-disabled', 'true');
  await press(page, 'Step forward');
  await expect(says(page)).toHaveText('The queries');
  await press(page, 'Step forward');
  await expect(says(page)).toHaveText('The keys');
  await press(page, 'Step back');
  await expectStep(page, 1);
  await expect(page.locator('u-transport .count')).toHaveText(/^1 of \d$/);
  await press(page, 'Last step');
  await expectStep(page, of);
  await expect(says(page)).toHaveText('The update of the parameters');
  await expect(button(page, 'Step forward')).toHaveAttribute('aria-disabled', 'true');
  await press(page, 'First step');
  await expectStep(page, 0);

  await stepTo(page, 'attention.softmax');
  const whole = await place(page);
  await expect(says(page)).toHaveText('The weights');
  await press(page, 'Step into');
  await expect(says(page)).toHaveText(/The weights: /);
  expect((await place(page)).step).toBeLessThan(whole.step);
  await press(page, 'Step out');
  expect(await place(page)).toEqual(whole);
  await press(page, 'Reset');
  await expectStep(page, 0);

  await press(page, 'Play');
  await expect.poll(async () => (await place(page)).step).toBeGreaterThan(1);
  await press(page, 'Pause');
  const { step: paused } = await place(page);
  await page.waitForTimeout(900); // playing on would go to the next stop in 700 ms
  await expectStep(page, paused);
});

test('the scrubber is a slider of the stops: pressed, dragged and by keys', async ({ page }) => {
  await open(page, 'workbench/');
  const cell = (label: string) => page.locator('.cell', { hasText: new RegExp(`^${label}$`) });
  await cell('scores').click();
  await expect(says(page)).toHaveText('The scores');
  await expect(cell('scores')).toHaveClass(/here/);
  await expect(cell('values')).toHaveClass(/reached/);
  await expect(cell('context')).not.toHaveClass(/reached/);
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '4');
  await expect(slider(page)).toHaveAttribute('aria-valuetext', /^The scores, 4 of \d+$/);
  await cell('scores').hover();
  await page.mouse.down();
  await cell('context').hover();
  await page.mouse.up();
  await expect(says(page)).toHaveText('The context');
  const stops = Number(await slider(page).getAttribute('aria-valuemax'));
  await slider(page).press('PageUp');
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(stops));
  await slider(page).press('ArrowDown');
  await expect(slider(page)).toHaveAttribute('aria-valuenow', String(stops - 1));
  await slider(page).press('PageDown');
  await expect(slider(page)).toHaveAttribute('aria-valuenow', '0');
});

test('the menu is opened and closed by keys, and gives the focus back', async ({ page }) => {
  await open(page, 'workbench/');
  const more = button(page, 'More');
  await more.focus();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Last step')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(button(page, 'Last step')).toBeHidden();
  await expect(more).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(button(page, 'Last step')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button(page, 'Last step')).toBeHidden();
  await expect(more).toBeFocused();
  await expect(says(page)).toHaveText('The update of the parameters');
});

test('keys alone reach every button and do what it does; single letters can be switched off', async ({ page }) => {
  await open(page, 'workbench/');
  const wanted = new Set([
    ...['Theme: auto', 'Keyboard', 'Copy link', 'Step back', 'Play', 'Step forward', 'Step into', 'Step out', 'More'],
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

  await page.locator('u-bench').focus();
  const { of } = await place(page);
  await page.keyboard.press('ArrowRight');
  for (const [key, step] of Object.entries({ ArrowRight: 2, ArrowLeft: 1, End: of, Home: 0 })) {
    await page.keyboard.press(key);
    await expectStep(page, step);
  }
  await page.keyboard.press('ArrowRight');
  await expectStep(page, 1);
  await page.keyboard.press('r');
  await expectStep(page, 0);
  await stepTo(page, 'attention.softmax');
  await page.locator('u-bench').focus();
  for (const [key, sentence] of Object.entries({ i: /The weights: /, u: /The weights\s*$/ })) {
    await page.keyboard.press(key);
    await expect(says(page)).toHaveText(sentence);
  }
  await page.keyboard.press('Space');
  await expect(button(page, 'Pause')).toBeVisible();
  await page.keyboard.press('Space');
  await expect(button(page, 'Play')).toBeVisible();

  await press(page, 'Keyboard');
  await page.getByRole('checkbox', { name: 'Single-letter keys' }).uncheck();
  await page.keyboard.press('Escape');
  await page.locator('u-bench').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('r');
  await page.keyboard.press('ArrowRight');
  await expectStep(page, 1);
});

test('shortcuts do not fire in a text field or where a key has another meaning', async ({ page }) => {
  await open(page, 'lessons/seq2seq/');
  await press(page, 'Step forward');
  const { name } = await place(page);
  const openers = {
    Source: () => press(page, 'Change what the model reads'),
    'Steps to train': () => showStage(page, 'Training'),
  };
  for (const [field, opened] of Object.entries(openers)) {
    await opened();
    await page.locator('u-bench').getByRole('textbox', { name: field, exact: true }).focus();
    for (const key of ['ArrowLeft', 'Home', 'r', 'u', ' ']) await page.keyboard.press(key);
    expect((await place(page)).name).toBe(name);
  }
});

test('a new seed keeps the edits, a reset drops them: both say so, and can be undone', async ({ page }) => {
  const undo = notice(page).getByRole('button', { name: 'Undo' });
  const undoEdit = page.getByRole('button', { name: 'Undo change' });
  await openNumbers(page, 'workbench/');
  const plain = await settled(page);
  await press(page, 'Reset');
  await expect(notice(page)).toBeEmpty();
  await editX(page, '0.25');
  const edited = await settled(page);
  await press(page, 'New seed');
  await expect(notice(page)).toContainText(/New seed \d+: 1 edit kept\./);
  await expect(undoEdit).toBeEnabled();
  await expect(page.locator('.insp-body dd').first()).toHaveText('0.25');
  expect(await settled(page)).not.toBe(edited);
  await undo.click();
  await expect(page.getByRole('textbox', { name: 'Seed' })).toHaveValue('7');
  expect(await settled(page)).toBe(edited);
  await expect(notice(page)).toBeEmpty();

  await press(page, 'Step forward');
  await press(page, 'Reset');
  await expect(notice(page)).toContainText('Reset: 1 edit dropped.');
  await expectStep(page, 0);
  await undo.click();
  await expectStep(page, 1);
  await expect(undoEdit).toBeEnabled();
  expect(await settled(page)).not.toBe(plain);
  for (const reset of ['Reset', 'Reset']) {
    await press(page, reset); // the second keeps the undo of the first
    await expect(notice(page)).toContainText('Reset: 1 edit dropped.');
    await settled(page);
  }
  await undo.click({ timeout: 5_000 });
  await expect(undoEdit).toBeEnabled();
});

test('New seed is offered only to a model that depends on one, whatever model came before', async ({ page }) => {
  const reason = 'Another seed would change nothing: this model has no random parameters or inputs.';
  await open(page, FIRST_LESSON);
  const seed = page.locator('u-transport button.seed');
  await expect(seed).toHaveAttribute('aria-disabled', 'true');
  await expect(seed).toHaveAttribute('title', reason);
  const before = await settled(page);
  await press(page, 'More');
  await seed.click({ force: true });
  await expect(notice(page)).toContainText(reason);
  await press(page, 'Dismiss');
  await expect(notice(page)).toBeEmpty();
  expect(await settled(page)).toBe(before);

  await open(page, 'workbench/');
  await expect(seed).toHaveAttribute('aria-disabled', 'false');
  for (const kind of ['softmax', 'attention', 'softmax', 'seq2seq', 'softmax']) {
    await chooseModel(page, kind);
    await expect(seed).toHaveAttribute('aria-disabled', String(kind === 'softmax'));
  }
});

test('the whole formula can be read above the buttons of the card, wide and on a phone', async ({ page }) => {
  await openNumbers(page, 'workbench/');
  await press(page, 'Last step');
  await press(page, 'Values');
  await page.getByRole('grid', { name: 'Cells of attention/c' }).click({ position: { x: 8, y: 8 } });
  const card = page.locator('u-card');
  const gap = (): Promise<number> =>
    card.evaluate((panel) => {
      panel.scrollTop = panel.scrollHeight;
      const [last, foot] = ['.work', '.foot'].map((part) => panel.querySelector(part)!.getBoundingClientRect());
      return foot!.top - last!.bottom;
    });
  for (const viewport of [null, { width: 360, height: 740 }]) {
    if (viewport) await page.setViewportSize(viewport);
    await expect(card.locator('.work')).toBeVisible();
    await expect.poll(gap).toBeGreaterThanOrEqual(0);
    await expect(card.getByRole('button', { name: 'Check gradient' })).toBeInViewport({ ratio: 1 });
  }
});
