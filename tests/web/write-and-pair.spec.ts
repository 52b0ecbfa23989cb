// What a model with a task reads and writes: the pair on the bench, the directive write, and the learner's own data.
import { showView } from './views-bench';
import type { Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { check, enter, openOwnData, taskOn } from './hands';
import { expect, open, openBench, openReads, press, showStage, test, type WithLab } from './pages';
import { sessionOf, STORIES } from './views-engine';
import { value as granted } from '../bindings/modules';

const CONFIG = { kind: 'seq2seq', task: 'reverse', embedding: 8, hidden: 8, optimiser: 'adam', learning_rate: 0.01 };
const WRITE = '<u-write data-source="abcd" data-method="sample" data-temperature="2" data-choose=""></u-write>';
const DATES = { ...CONFIG, task: 'dates' };

/** The workbench with a small model that has a task, and the write element in place of the settings. */
async function bench(page: Page, config: object = CONFIG, write = WRITE): Promise<void> {
  await openBench(page, { config }, write);
  await openReads(page);
}

const source = (page: Page) => page.locator('u-pair [name=source]');
const target = (page: Page) => page.locator('u-pair [name=target]');

test('the next example is another pair; a typed source is read, a refused one stays as typed', async ({ page }) => {
  await bench(page);
  const first = await source(page).inputValue();
  await press(page, 'Next example');
  await expect(source(page)).not.toHaveValue(first);
  const next = await source(page).inputValue();
  expect(await target(page).inputValue()).toBe([...next].reverse().join(''));

  await enter(source(page), 'abz');
  await expect(page.getByText('The model does not know “z”: it reads <unk> instead.')).toBeVisible();
  await expect(page.locator('.word-box.unk')).toContainText('z');
  await expect(target(page)).toHaveValue('');
  await expect(page.locator('.pair-tokens')).toContainText('writes');

  for (const [text, sentence] of [
    ['q'.repeat(70), 'The text has 70 characters: use at most 63.'],
    [' ', 'The text is empty: write 1 to 63 characters.'],
  ] as const) {
    await enter(source(page), text);
    await expect(page.locator('u-pair [id$=pair-source-remark]')).toHaveText(sentence);
    await expect(source(page)).toHaveValue(text);
    await expect(page.locator('u-problem')).toHaveText('');
  }
});

test('a refusal disappears with the pair it was about', async ({ page }) => {
  await open(page, 'lessons/looking-back/');
  await openReads(page);
  await enter(source(page), 'q'.repeat(70));
  await expect(page.locator('u-pair [id$=pair-source-remark]')).toHaveText(/70 characters/);
  await page.locator('u-try').getByRole('button', { name: 'face' }).click();
  await expect(source(page)).toHaveValue('face');
  await expect(page.locator('.pair-bar [role=alert]')).toHaveCount(0);
});

test('the model writes again after training, with the chosen method', async ({ page }) => {
  await bench(page);
  const writes = page.locator('u-write');
  await writes.scrollIntoViewIfNeeded();
  await expect(writes).toContainText('Sample, temperature 2, before any training');
  const counts = await writes.locator('td:first-child').allTextContents();
  expect(counts.reduce((sum, count) => sum + Number(count), 0)).toBeLessThanOrEqual(20);
  await showStage(page, 'Training');
  await page.locator('u-train input').fill('20');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(writes).toContainText('after 20 steps of training');
  await writes.getByRole('button', { name: 'Beam search' }).click();
  await expect(writes.locator('u-beam-tree')).toBeVisible();
  await enter(writes.getByLabel('Width'), '99');
  await expect(writes.locator('.refused')).toContainText('width is 99');
  await expect(writes.getByLabel('Width')).toHaveValue('99');
});

test('what differs from the rule of the task is underlined, and the bench reads the word if it is asked to', async ({
  page,
}) => {
  await open(page, 'lessons/seq2seq/');
  const writes = page.locator('u-write').first();
  await expect(writes.locator('.written .end')).toBeVisible();
  await expect(writes.locator('.missed')).toHaveCount(0);
  await expect(writes.getByRole('button', { name: 'Show on the bench' })).toHaveCount(0);
  const word = 'abcdefghij';
  await enter(writes.locator('.write-source input'), word);
  await expect(writes.locator('.missed').first()).toBeVisible();
  await expect(writes).toContainText('Right would be jihgfedcba. What differs is underlined.');
  const tokens = await writes
    .locator('.written li')
    .evaluateAll((all) => all.map((each) => each.querySelector('.missed, span:not(:has(.missed))')!.textContent));
  const wanted = [...[...word].reverse(), '<eos>'];
  const wrong = tokens.flatMap((token, i) => (token === wanted[i] ? [] : [wanted[i]!]));
  expect(await writes.locator('.written sup').allTextContents()).toEqual(wrong);
  expect(await writes.locator('.written .vh').allTextContents()).toEqual(wrong.map((each) => ` in place of ${each}`));
  await expectAccessible(page, 'wrong letters');
  await writes.getByRole('button', { name: 'Show on the bench' }).press('Enter');
  const reads = (): Promise<string> =>
    page.locator('u-lab').evaluate((host) => (host as WithLab).lab.pair!.source.join(''));
  await expect.poll(reads).toBe(word);
  await expect(writes.getByRole('button', { name: 'Show on the bench' })).toHaveCount(0);
});

test('the lesson’s own model before training writes beside the trained one', async ({ page }) => {
  await open(page, 'lessons/seq2seq/');
  const task = await taskOn(page, 'untrained');
  await task.getByRole('radio', { name: /goes on to a limit/ }).check();
  await check(task);
  const writes = page.locator('u-write[data-untrained]');
  await writes.scrollIntoViewIfNeeded();
  await expect(writes).toContainText('Greedy, before any training');
  await expect(writes).toContainText('cut off after 16 tokens');
  await expect(page.locator('u-write').first()).toContainText('after 1,000 steps of training');
});

/** In its one layer, the KV cache holds a key and a value of 8 float32 each for every word so far. */
async function expectCosts(page: Page): Promise<void> {
  const session = await sessionOf(STORIES);
  granted(session.read('one day tom', ''));
  granted(session.run([]));
  const slider = page.locator('u-generation').getByRole('slider');
  const written = (count: number): string => count.toLocaleString('en-GB');
  for (const at of [2, 3]) {
    while (Number(await slider.getAttribute('aria-valuenow')) !== at) await slider.press('ArrowRight');
    const { cacheBytes, multiplyAdds, multiplyAddsUncached } = granted(session.generationCost(at + 1));
    expect(cacheBytes).toBe((at + 1) * 2 * 8 * 4);
    await expect(page.locator('u-generation .cost')).toHaveText(
      `KV cache: ${written(cacheBytes)} bytes. Next word: ${written(multiplyAdds)} multiply-adds; without the cache, ${written(multiplyAddsUncached)}`,
    );
  }
}

test('an opening is labelled so, and its words precede what the model writes, marked as given', async ({ page }) => {
  await bench(page, STORIES, '<u-write data-source="one day tom"></u-write>');
  const writes = page.locator('u-write');
  await writes.scrollIntoViewIfNeeded();
  await expect(writes.getByLabel('Prompt')).toHaveValue('one day tom');
  await expect(writes.locator('.written .given span')).toHaveText(['one', 'day', 'tom']);
  expect(await writes.locator('.written li:not(.given)').count()).toBeGreaterThan(2 * 3 + 8);
  await enter(source(page), 'one day tom');
  const drawn = page.locator('u-generation .token-word');
  await expect(drawn.nth(0)).toHaveText('<bos>');
  await expect(page.locator('u-generation .given')).toHaveText(['one', 'day', 'tom', 'word']);
  await expectCosts(page);
  await page.getByRole('button', { name: 'heads', exact: true }).click();
  const last = page.locator('u-heads .token-word.given').last();
  await expect(last).toHaveText('tom');
  await expect(page.locator('u-heads')).toContainText('from the prompt');
});

test('a space among characters has a mark and a name wherever it is shown', async ({ page }) => {
  await bench(page, DATES, '<u-write data-source="12 march 2021"></u-write>');
  await enter(source(page), '12 march 2021');
  const chips = page.locator('.pair-tokens .word-box[title="space"]');
  await expect(chips).toHaveText(['␣', '␣']);
  await showView(page, 'alignment');
  const axis = page.locator('u-alignment .token-word', { hasText: '␣' });
  await expect(axis.first()).toBeVisible();
  expect(await axis.first().locator('title').textContent()).toBe('space');
  await press(page.locator('u-alignment'), 'Show as table');
  await expect(page.locator('u-alignment th[title="space"]')).toHaveText(['␣', '␣']);
});

test('own text is refused if too short; a longer one is learnt, by characters and by words', async ({ page }) => {
  await openOwnData(page, 'transformer_lm');
  const field = page.getByLabel('Your text');
  await field.fill('a short one');
  await press(page, 'Use this text');
  await expect(page.locator('[id$=own-text-refused]')).toHaveText('The text has 11 characters: use at least 100.');
  expect(await field.inputValue()).toBe('a short one');
  await field.fill('the tide comes in and the tide goes out, '.repeat(30));
  await press(page, 'Use this text');
  await expect(page.getByText(/^In use: .* characters\.$/)).toBeVisible();
  await page.locator('select[name=tokens]').selectOption('words');
  await expect(page.getByText(/^In use: .* words\.$/)).toBeVisible();
  await showStage(page, 'Training');
  await page.locator('u-train input').fill('5');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page.locator('u-train')).toContainText(/step\s*5\b/);
  await page.locator('select[name=task]').selectOption('stories');
  await expect(page.locator('select[name=tokens]')).toHaveCount(0);
});

test('own pairs: a bad line is named, good ones are learnt, an emptied field stays empty', async ({ page }) => {
  await openOwnData(page);
  const field = page.getByLabel('Your pairs, one per line: source, tab, target');
  await expect(page.getByText(/^In use: the task reverse\. .* Type or paste pairs of your own here/)).toBeVisible();
  const bad = 'a b\tx y\nno tab\nb c\ty z';
  await field.fill(bad);
  await expect(page.locator('u-own-data [data-read]')).toHaveText(/^Read 2 pairs: .*; 1 line is left out\.$/);
  await expect(page.locator('.left-out li')).toHaveText(/Line 2\s+one column only/);
  await press(page, 'Line 2');
  expect(await field.inputValue()).toBe(bad);
  const marked = (area: HTMLTextAreaElement): string => area.value.slice(area.selectionStart, area.selectionEnd);
  expect(await field.evaluate(marked as never)).toBe('no tab');
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: 2 pairs/)).toBeVisible();
  await field.fill('a b\tx y\nc a\tz x\nb c\ty z');
  await press(page, 'Use these pairs');
  await expect(page.getByText(/^In use: 3 pairs/)).toBeVisible();
  await openReads(page);
  await expect(page.locator('.pair-tokens')).toBeVisible();
  await expect(page.locator('u-size p')).toContainText(
    /The batch size is 16 pairs, but there are only \d to train on: each step uses all of them\.$/,
  );
  await enter(page.locator('u-setup').getByLabel('Pairs per step', { exact: true }), '1');
  await expect(page.locator('u-size p')).toHaveText(/parameters\.\s*$/);

  await field.fill('');
  await expect(
    page.getByText(/^Still in use: your previous pairs\. .* Type or paste pairs of your own here/),
  ).toBeVisible();
  await enter(page.getByRole('textbox', { name: 'Seed' }), '5');
  await expect(page.locator('.pair-tokens')).toBeVisible();
  await expect(field).toHaveValue('');
  await press(page, 'Use these pairs');
  await expect(page.locator('[id$=own-pairs-refused]')).toHaveText(
    'There is no pair: give at least two lines of source, tab, target.',
  );
  await expect(field).toHaveValue('');
  await page.locator('select[name=task]').selectOption('copy');
  await expect(source(page)).not.toHaveValue(/ /);
});

const numbered = (from: number): string =>
  Array.from({ length: 20_000 }, (_, i) => from + i)
    .map((i) => `w${i % 97} w${i % 89}\tv${i % 89} v${i % 97}`)
    .join('\n');

test('20,000 pasted pairs are in use within 20 seconds, and so are 20,000 that replace them', async ({ page }) => {
  await openOwnData(page);
  const field = page.getByLabel('Your pairs, one per line: source, tab, target');
  for (const text of [numbered(0), numbered(50_000)]) {
    await page.evaluate((all) => navigator.clipboard.writeText(all), text);
    await field.focus();
    const from = Date.now();
    for (const keys of ['ControlOrMeta+a', 'ControlOrMeta+v']) await page.keyboard.press(keys);
    await expect(page.getByText('Not in use yet.')).toBeVisible();
    await press(page, 'Use these pairs');
    await expect(page.getByText(/^In use: /)).toBeVisible({ timeout: 20_000 });
    expect(Date.now() - from).toBeLessThan(20_000);
  }
});

test('another method gets the room that it needs, not that of the lesson’s method', async ({ page }) => {
  const write = '<u-write data-source="abcd" data-method="beam" data-show="tree" data-choose=""></u-write>';
  await bench(page, CONFIG, write);
  const room = page.locator('.written-room');
  const gap = () =>
    room.evaluate((box) => {
      const [bottom = 0, ...others] = [box, ...box.children].map((each) => each.getBoundingClientRect().bottom);
      return bottom - Math.max(...others);
    });
  await expect(page.locator('u-beam-tree figure')).toBeVisible();
  await page.getByRole('button', { name: 'Greedy' }).click();
  await expect(room).toContainText('Greedy, ');
  expect(await gap()).toBeLessThan(40);
});
