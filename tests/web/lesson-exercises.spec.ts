// Every exercise of every lesson: wrong answers are explained, right ones are saved, and a keyboard is enough.
import type { Locator } from '@playwright/test';
import type { Task } from '../../web/src/lesson/format/tasks';
import { allLessons } from '../lessons/read';
import { expectAccessible, THEMES } from './axe';
import { byKeys, byMouse, check, checkOf, enter, reach, seeTask, taskOn, type Hands } from './hands';
import { isWhole } from './addresses';
import { expect as briefly, inAll, open, shows, some, test, wholeRun } from './pages';

// Some answers need a model that has yet to be trained.
const expect = briefly.configure({ timeout: 60_000 });

const library = await allLessons();

async function move(task: Locator, order: number[], hands: Hands): Promise<void> {
  for (const [target, step] of order.entries()) {
    const lines = task.locator('.order > li');
    const steps = await lines.evaluateAll((all) => all.map((line) => Number((line as HTMLElement).dataset.step)));
    for (let at = steps.indexOf(step); at > target; at--)
      await hands.press(task.locator(`[data-step="${step}"]`).getByRole('button', { name: /^Move up/ }));
  }
}

/** Puts a text in place of the one in the editor, and leaves it as a keyboard does. */
async function write(task: Locator, text: string): Promise<void> {
  await task.locator('.cm-content').focus();
  const { keyboard } = task.page();
  await keyboard.press('ControlOrMeta+a');
  await keyboard.insertText(text);
  await keyboard.press('Escape'); // closes a list of names
  await keyboard.press('Escape');
  await keyboard.press('Tab');
}

/** Gives the wrong answers first, each with its explanation, then the right one. */
async function answer(task: Task, here: Locator, hands: Hands): Promise<void> {
  const status = here.getByRole('status');
  if (task.kind === 'number' || task.kind === 'write') {
    const field = here.getByRole('textbox');
    await hands.press(checkOf(here));
    await shows(status, task.kind === 'write' ? /type an expression using / : /type a number, like /);
    await hands.type(field, 'what?');
    await shows(status, /Not checked\./);
    for (const { try: wrong } of wholeRun ? task.wrong : task.wrong.slice(0, 1)) {
      await hands.type(field, String(wrong));
      await shows(status, /Not yet\./);
    }
    await hands.type(field, String(task.solution[0]));
  } else if (task.kind === 'order') {
    await hands.press(checkOf(here));
    await shows(status, /Not yet\./);
    await move(here, [...task.steps.keys()], hands);
    await hands.press(checkOf(here));
  } else if (task.kind === 'code') {
    await hands.press(here.getByRole('button', { name: 'Write it' }));
    const { start, fails, wrong, solution } = task.function!;
    for (const text of [start, wrong[0]!.try, solution[0]!]) {
      await write(here, text);
      await hands.press(checkOf(here));
      await shows(status, text === start && fails !== undefined ? /Not checked\./ : /Right\.|Not yet\./);
    }
  } else if (task.kind === 'choose') {
    await hands.press(checkOf(here));
    await shows(status, /No answer selected yet/);
    for (let i = 0; i < task.options.length; i++) {
      await hands.choose(here.getByRole('radio'), i);
      await hands.press(checkOf(here));
      await shows(status, /Right\.|Not yet\./);
      if ((await status.innerText()).startsWith('Right.')) break;
    }
  }
  await shows(status, /Right\./);
}

const counts: Partial<Record<Task['kind'], number>> = {};
/** Each with its number among those of its kind. */
const exercises = library.map(({ slug, found }) => ({
  slug,
  tasks: Object.entries(found.tasks)
    .filter(([, { kind }]) => kind !== 'goal')
    .map(([id, task]) => ({ id, task, nth: (counts[task.kind] = (counts[task.kind] ?? -1) + 1) })),
}));

for (const { slug, tasks } of exercises) {
  /** All are graded in Node; here, all of a lesson that was asked for, otherwise two of each kind: by keys, by mouse. */
  const graded = tasks.filter(({ nth }) => isWhole(`lessons/${slug}/`) || nth < 2);
  (graded.length ? test : inAll)(
    `/lessons/${slug}/ every other exercise by keyboard alone, and all are saved`,
    async ({ page }) => {
      test.setTimeout(300_000);
      await open(page, `lessons/${slug}/`);
      for (const { id, task, nth } of graded)
        await test.step(id, async () => {
          await answer(task, await taskOn(page, id), nth % 2 ? byMouse : byKeys(page));
          await expect((await taskOn(page, id)).locator('h3')).toContainText('solved');
        });
      await page.reload();
      for (const { id } of graded) await expect((await taskOn(page, id)).locator('h3'), id).toContainText('solved');
    },
  );
}

test('the learner’s seed decides the order of options; a reload keeps it, another changes it', async ({ page }) => {
  const order = (): Promise<string[]> =>
    page.locator('.opts input').evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
  const reloaded = async (seed?: string): Promise<string[]> => {
    await page.evaluate((kept) => kept && localStorage.setItem('unroll-order', kept), seed);
    await page.reload();
    await expect(checkOf(await seeTask(page.locator('u-task[data-kind=goal]').last()))).toBeVisible();
    return order();
  };
  await open(page, 'lessons/softmax/');
  const own = await order();
  expect(await reloaded(), 'a seed that the page has drawn').toEqual(own);
  const first = await reloaded('1');
  expect(await reloaded('2')).not.toEqual(first);
  expect(await reloaded('1')).toEqual(first);
});

test('a goal is checked on the learner’s own work, and forbidden changes are named', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const halfway = await taskOn(page, 'halfway');
  const status = halfway.getByRole('status');
  await expect(halfway).toContainText('Change temperature in the text above, then check.');
  await check(halfway);
  await expect(status).toContainText('At 1 the largest weight is far above 0.6.');
  const field = page.locator('u-try[data-set="temperature"]').last().getByRole('textbox');
  await enter(field, '2.5');
  await check(halfway);
  await expect(status).toContainText('Right. It holds.');

  const shift = await taskOn(page, 'shift');
  await expect(shift).toContainText('Change e on the workbench, then check.');
  await check(shift);
  await expect(shift.getByRole('status')).toContainText('temperature was changed too, but should stay as it was');
  await shift.getByRole('status').getByRole('button', { name: 'Start again' }).click();
  await expect(checkOf(shift)).toBeFocused();
  await expect(field).toHaveValue('1');
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  for (const [i, score] of [3, 7, 4, 3, 3].entries()) await enter(scores.nth(i), String(score));
  await check(shift);
  await expect(shift.getByRole('status')).toContainText('Right.');
});

test('typing numbers one after another keeps the focus, whatever is being computed', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const scores = page.locator('u-try[data-input="e"]').getByRole('textbox');
  const reset = page.getByRole('button', { name: 'Reset e' });
  await scores.first().focus();
  for (const [i, score] of ['3', '7', '4', '3', '3'].entries()) {
    if (i > 0) await page.keyboard.press('Tab');
    await page.keyboard.press('Control+A');
    await page.keyboard.type(score);
    await page.keyboard.press('Enter');
  }
  await expect(reset).toBeEnabled(); // once the first is in use
  await page.keyboard.press('Tab');
  await expect(reset).toBeFocused();
  const task = await taskOn(page, 'shift');
  await check(task);
  await expect(task.getByRole('status')).toContainText('Right.');
});

test('a verdict stays on screen while a slow disk saves it', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const task = await taskOn(page, 'ratio');
  await task.getByRole('textbox').fill('3');
  await page.evaluate(
    () =>
      new Promise<void>((begun) => {
        const asked = indexedDB.open('unroll-work');
        asked.onsuccess = () => {
          const store = asked.result.transaction('attempts', 'readwrite').objectStore('attempts');
          const until = performance.now() + 1500;
          const hold = (): void => {
            if (performance.now() < until) store.count().onsuccess = hold;
          };
          hold();
          begun();
        };
      }),
  );
  await check(task);
  await expect(task.getByRole('status')).toContainText('Not yet.');
  for (let i = 0; i < 8; i++) {
    await page.waitForTimeout(100); // the disk holds the note back for 1.5 s
    expect(await task.getByRole('status').innerText()).toContain('Not yet.');
  }
});

test('hidden cases expose a coincidence, by keyboard alone', async ({ page }) => {
  await open(page, 'lessons/four-words/');
  const task = await taskOn(page, 'only-itself');
  const keys = byKeys(page);
  const undo = page.getByRole('button', { name: 'Undo change' });
  const edit = async (tensor: string, row: number, column: number, value: string): Promise<void> => {
    const cells = page.getByRole('grid', { name: new RegExp(`^Cells of ${tensor.replace(/[.+*]/g, '\\$&')}(,|$)`) });
    await reach(page, cells);
    const ways = [...Array(row).fill('ArrowDown'), ...Array(column).fill('ArrowRight')] as string[];
    for (const key of ['ControlOrMeta+Home', ...ways, 'Enter']) await page.keyboard.press(key);
    await expect(page.getByRole('textbox', { name: /^New value/ })).toBeFocused(); // its card has loaded
    await keys.type(page.getByRole('textbox', { name: /^New value/ }), value);
    await expect(undo).toBeEnabled();
  };
  for (const name of ['More', 'Last step']) await keys.press(page.getByRole('button', { name, exact: true }));
  await keys.press(page.getByRole('button', { name: 'Values', exact: true }));
  await edit('attention/e', 1, 1, '91'); // here the others are too small for a float
  await keys.press(checkOf(task));
  await expect(task.getByRole('status')).toContainText(
    'Not yet. For the four words as they are it holds, for others it does not.',
  );
  await keys.press(undo);
  await page.keyboard.press('Escape');
  for (const column of [0, 2, 3]) await edit('mask', 1, column, '-inf');
  await keys.press(checkOf(task));
  await expect(task.getByRole('status')).toContainText('Right. It holds here, and for other inputs too.');
});

test('after two wrong tries a solution can be shown; no try is lost', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const task = await taskOn(page, 'ratio');
  const field = task.getByRole('textbox');
  for (const answer of ['3', '7,4']) {
    await expect(task.getByRole('button', { name: 'Show a solution' })).toHaveCount(0);
    await enter(field, answer);
    await expect(task.getByRole('status')).toContainText('Not yet.');
    await field.fill('');
  }
  await task.getByRole('button', { name: 'Show a solution' }).click();
  await expect(task.getByRole('status')).toContainText('A solution. 20.0855.');
  await page.reload();
  await expect(task).toContainText('Your tries: 3 · 7,4');
  await expect(field).toHaveValue('7,4');
});

test('a goal is reached by keyboard alone: a number typed in the text, then checked with Space', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  await byKeys(page).type(page.locator('u-try[data-input="e"]').getByRole('textbox').nth(1), '2.75');
  const oneBit = await taskOn(page, 'one-bit');
  await reach(page, checkOf(oneBit));
  await page.keyboard.press('Space');
  await expect(oneBit.getByRole('status')).toContainText('Right.');
});

test('two hints are shown one after the other', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const task = await taskOn(page, 'write-it');
  await task.getByRole('button', { name: 'Hint' }).click();
  await expect(task.locator('.hint-text')).toHaveCount(1);
  await task.getByRole('button', { name: 'Another hint' }).click();
  await expect(task.locator('.hint-text')).toHaveCount(2);
  await expect(task.getByRole('button', { name: /hint/i })).toHaveCount(0);
});

test('answered exercises have no axe violations, in both themes, wide and narrow', async ({ page }) => {
  await open(page, 'lessons/softmax/');
  const ratio = await taskOn(page, 'ratio');
  await enter(ratio.getByRole('textbox'), '3');
  await ratio.getByRole('button', { name: 'Hint' }).click();
  await check(await taskOn(page, 'misprint'));
  await expect(ratio.getByRole('status')).toContainText('Not yet.');
  await expect(page.locator('.comparison')).toBeAttached();
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.evaluate(() => scrollTo(0, 0)); // nothing is half under the bar
    await expectAccessible(page, `${width} px`, { colours: false });
    for (const theme of some(THEMES, (each) => (each === 'dark') === (width === 360))) {
      await page.emulateMedia({ colorScheme: theme });
      await expectAccessible(page, `${theme}, ${width} px`, { structure: false });
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});
