// Random actions of a learner on the workbench, and what the page shows after them.
import type { Locator, Page } from '@playwright/test';
import { editor, run, writeAbove } from './editor';
import { copiedLink, enter, typeOver } from './hands';
import { benchOf, expect, open, press, rested, showStage, still, type WithLab } from './pages';
import { below, pick, type Random } from './states';

/** A random one of the elements that are present and enabled; undefined if there is none. */
async function anyOf(random: Random, all: Locator): Promise<Locator | undefined> {
  const count = await all.count();
  return count ? all.nth(below(random, count)) : undefined;
}

/** Not "own", which only opens a text field: see the act `own`. */
async function chooseIn(random: Random, field: Locator): Promise<void> {
  const values = await field
    .locator('option:not([disabled]):not([value="own"])')
    .evaluateAll((all) => all.map((each) => (each as HTMLOptionElement).value));
  await field.selectOption(values[below(random, values.length)]!);
}

const pressAny = async (random: Random, buttons: Locator): Promise<void> => (await anyOf(random, buttons))?.click();

/** Opens the menu of the transport, and presses the button if it can be pressed. */
async function fromMenu(page: Page, random: Random, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await pressAny(random, page.locator(`.more-menu button[aria-label="${name}"]:not([aria-disabled="true"])`));
  await page.keyboard.press('Escape');
}

const setup = (page: Page): Locator => page.locator('u-setup');

/** The address holds the state. It follows by itself a moment later, and on a busy machine after seconds. */
export async function addressed(page: Page): Promise<void> {
  await rested(page);
  await benchOf(page).evaluate(async ({ lab }: WithLab) => {
    for (let i = 0; i < 2; i++) await lab.trainer.saveState(); // the page's own write may take the place of the first
  });
}

/** Reloads the page once its address holds its state. */
export async function reload(page: Page): Promise<void> {
  await addressed(page);
  await page.reload();
}

/** Own data to train on: the field's label, its button, and how to make a line. */
const BROUGHT = [
  ['Your pairs', 'Use these pairs', (i: number) => `${i} ${i * i}\t${i * i} ${i}`],
  ['Your text', 'Use this text', (i: number) => `line ${i} of ${i * i} is what it is.`],
] as const;

/** Chooses the learner's own data, if the model can learn from it; whether it can. */
export async function chooseOwn(page: Page): Promise<boolean> {
  const task = setup(page).locator('select[name="task"]');
  if (!(await task.locator('option[value="own"]').count())) return false;
  await task.selectOption('own');
  await settle(page);
  return true;
}

/** Trains a model that learns for a few steps; for how many. */
export async function train(page: Page, random: Random): Promise<number> {
  await showStage(page, 'Training');
  const field = page.getByRole('textbox', { name: 'Steps to train' });
  if (!(await field.count())) return 0;
  const steps = 1 + below(random, 4);
  await field.fill(String(steps));
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(field).toBeVisible({ timeout: 60_000 });
  return steps;
}

/** Each leaves the page at rest. An action that is not on offer does nothing. */
export const ACTS: Record<string, (page: Page, random: Random) => Promise<unknown>> = {
  kind: (page, random) => chooseIn(random, page.getByRole('combobox', { name: 'Model', exact: true })),
  task: async (page, random) => {
    const task = setup(page).locator('select[name="task"]');
    if (await task.count()) await chooseIn(random, task);
  },
  setting: async (page, random) => {
    const field = await anyOf(random, setup(page).locator('select[name]:visible:not([name="task"])'));
    if (field) await chooseIn(random, field);
  },
  size: async (page, random) => {
    const fields = setup(page).locator('input[name][inputmode="numeric"]:visible:not([name="seed"])');
    const field = await anyOf(random, fields);
    if (field) await enter(field, String(1 + below(random, 12)));
  },
  pair: async (page, random) => {
    await pressAny(random, page.getByRole('button', { name: 'Change what the model reads', expanded: false }));
    const source = page.locator('u-pair [name=source]');
    if (!(await source.isVisible())) return;
    if (random() < 0.5) return press(page, 'Next example');
    const words = (await source.inputValue()) || 'a';
    await enter(source, words.slice(0, 1 + below(random, words.length)));
  },
  own: async (page, random) => {
    if (!(await chooseOwn(page))) return;
    for (const [label, use, line] of BROUGHT) {
      const field = page.getByLabel(label);
      if (!(await field.isVisible())) continue;
      const from = below(random, 50);
      await field.fill(Array.from({ length: 30 }, (_, i) => line(from + i)).join('\n'));
      await press(page, use);
    }
  },
  program: async (page, random) => {
    if (!(await editor(page).isVisible())) return;
    await writeAbove(page, `# ${below(random, 9)}`);
    if (random() < 0.5) await run(page);
  },
  link: async (page) => {
    const link = await copiedLink(page);
    await page.goto('about:blank');
    await open(page, link);
  },
  back: async (page, random) => {
    await addressed(page);
    const here = page.url();
    await page.evaluate((seed) => (location.hash = seed), `#${below(random, 9)}`);
    await settle(page);
    await page.goBack();
    await expect.poll(() => page.url()).toBe(here);
  },
  seed: (page, random) => fromMenu(page, random, 'New seed'),
  reset: (page, random) => fromMenu(page, random, 'Reset'),
  end: (page, random) => fromMenu(page, random, pick(random, ['First step', 'Last step'])),
  undo: (page, random) => pressAny(random, page.locator('u-problem button:not([aria-label="Dismiss"])')),
  view: (page, random) => pressAny(random, page.locator('.view-choice button')),
  step: (page, random) =>
    pressAny(
      random,
      page.locator(
        '.tr-row > button[aria-label*="tep"]:not([aria-disabled="true"]), .depth button:not([aria-disabled="true"])',
      ),
    ),
  stage: (page, random) => pressAny(random, page.getByRole('tab')),
  pin: (page, random) => pressAny(random, page.locator('u-bench .tools button[aria-pressed]').first()),
  cell: async (page, random) => {
    await showStage(page, 'Numbers');
    const grid = await anyOf(random, page.locator('u-board [role=grid]:visible'));
    await grid?.click({ position: { x: 8, y: 8 } });
  },
  edit: async (page, random) => {
    const button = page.getByRole('button', { name: 'Change', exact: true });
    if (!(await button.count()) || !(await button.isEnabled())) return;
    await button.click();
    await typeOver(page, String(below(random, 9) / 4));
  },
  unedit: async (page) => {
    const button = page.getByRole('button', { name: 'Undo change', exact: true });
    if ((await button.count()) && (await button.isEnabled())) await button.click();
  },
  train,
  choice: async (page, random) => {
    const field = await anyOf(random, page.locator('u-bench-views select:visible'));
    if (field) await chooseIn(random, field);
  },
  reload: async (page) => {
    await reload(page);
    await open(page, page.url());
  },
};

/** Waits for the scripts of the views, which come when they are needed, and then for what they show. */
export async function settle(page: Page): Promise<void> {
  await expect(page.locator('u-bench-views > :not(:defined)')).toHaveCount(0);
  await still(page, 'u-bench');
}

/** What each view says in its current state: heading, text, and everything for screen readers. */
export const wordsOfViews = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => {
    const views = [...document.querySelectorAll('u-bench-views > *')].filter(({ localName }) => localName !== 'u-why');
    const wordsOf = (view: Element): string =>
      [...view.querySelectorAll('.thead, figcaption, .sum')].map(({ textContent }) => textContent).join(' ');
    return Object.fromEntries(views.map((view) => [view.localName, wordsOf(view).replace(/\s+/g, ' ')]));
  });

/** Shows the views of the stage *Picture* one by one, and asks of each. */
async function ofEachView<T>(page: Page, ask: () => Promise<T>): Promise<T[]> {
  await showStage(page, 'Picture');
  await settle(page);
  const buttons = page.locator('.view-choice button');
  const answers: T[] = [];
  for (let i = 0; i < Math.max(1, await buttons.count()); i++) {
    if (await buttons.count()) await buttons.nth(i).click();
    await settle(page);
    answers.push(await ask());
  }
  return answers;
}

/** What the views say, one after another. */
export const openViews = (page: Page): Promise<Record<string, string>[]> => ofEachView(page, () => wordsOfViews(page));

const VIEWS = 'u-bench-views > :not(.view-choice)';

const asTables = (page: Page, table: boolean): Promise<void> =>
  page.locator(VIEWS).evaluateAll((views, given) => {
    for (const view of views) Object.assign(view, { table: given });
  }, table);

/** The view on show, as a table. */
async function tableOfView(page: Page): Promise<string> {
  await asTables(page, true);
  await settle(page);
  const tables = await page
    .locator(VIEWS)
    .evaluateAll((views) =>
      views.map((view) =>
        [view.localName, ...[...view.querySelectorAll('.thead, .twin')].map((part) => part.textContent)]
          .join(' ')
          .replace(/\s+/g, ' '),
      ),
    );
  await asTables(page, false);
  return tables.join('\n');
}

/** All views of the model as tables, the board, the card, the settings and the position in the trace. */
export async function shownBy(page: Page): Promise<Record<string, string>> {
  const views = await ofEachView(page, () => tableOfView(page));
  await showStage(page, 'Numbers');
  await settle(page);
  const shown = await page.evaluate(() => {
    const text = (element: Element | null | undefined): string =>
      (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
    const values = [...document.querySelectorAll<HTMLInputElement>('u-setup [name]')];
    const slider = document.querySelector('u-transport [role=slider]');
    return {
      settings: values
        .map((field) => `${field.name}=${field.type === 'checkbox' ? field.checked : field.value}`)
        .join(' '),
      board: [...document.querySelectorAll('u-board u-heatmap')].map(text).join('\n'),
      inspector: text(document.querySelector('u-inspector')),
      step: slider ? `${slider.getAttribute('aria-valuenow')} of ${slider.getAttribute('aria-valuemax')}` : '',
    };
  });
  return { ...shown, views: views.join('\n') };
}
