// Invalid input to the workbench's settings is refused in one sentence, and nothing changes.
import type { Locator, Page } from '@playwright/test';
import { enter } from './hands';
import { benchOf, expect, open, openBench, openReads, place, press, settled, some, test, type WithLab } from './pages';
import { recordCalls } from './watched';

/** The setting, the typed text, the sentence. */
type Row = [label: string, typed: string, sentence: string];

/** Texts out of the range of a setting, which the sentence quotes unless they are numbers. */
const outOf = (range: string, label: string, name: string, ...typed: string[]): Row[] =>
  typed.map((text) => {
    const quoted = text && Number.isFinite(Number(text)) ? String(Number(text)) : `"${text}"`;
    return [label, text, `${name} is ${quoted}: use a ${range}.`];
  });

const HEADS = { kind: 'transformer', task: 'reverse', model_size: 64, heads: 2 };

/** What is refused of a model with this config. */
const MODELS: [config: Record<string, string | number>, rows: Row[]][] = [
  [
    { kind: 'seq2seq', task: 'reverse' },
    [
      ['Hidden size', '100000', `hidden is 100000, which takes 640755 MB for the parameters alone: use 1 to 512.`],
      ...outOf('whole number, 1 to 512', 'Hidden size', 'hidden', '0', 'NaN', '2.5', ''),
      ...outOf('number, 1e-06 to 10', 'Learning rate', 'learning_rate', '0', '1e30', 'NaN'),
      ...outOf('whole number, 1 to 256', 'Pairs per step', 'batch', '0', '1e6'),
      ['Seed', 'many', 'seed is NaN: use a number, 0 to 4294967295.'],
      ...outOf('whole number, 0 to 4294967295', 'Seed', 'seed', '0.5'),
    ],
  ],
  [
    HEADS,
    [
      ...outOf('whole number, 1 to 768', 'Model size', 'model_size', '0'),
      ...outOf('whole number, 1 to 32', 'Heads', 'heads', '0'),
      [
        'Heads',
        '3',
        'heads is 3, which does not divide the model size 64 into equal parts: use a divisor of 64, or another model size.',
      ],
      ...outOf('whole number, 1 to 12', 'Layers', 'layers', '13'),
    ],
  ],
  [
    { ...HEADS, positions: 'rotary' },
    [
      [
        'Model size',
        '62',
        'positions is "rotary", which turns pairs of numbers, and a head has 31: use an even head size.',
      ],
    ],
  ],
  [
    { ...HEADS, positions: 'learned' },
    [
      [
        'Longest text',
        '2',
        'longest is 2, and source has 4 positions: use 4 to 64, shorter rows, or other positions than "learned".',
      ],
    ],
  ],
  [{ kind: 'attention_layer' }, outOf('whole number, 1 to 8', 'Heads', 'heads', '0', 'two')],
  [{ kind: 'captioner', task: 'captions' }, outOf('whole number, 4 to 128', 'Channels', 'channels', 'many')],
  [{ kind: 'attention' }, outOf('whole number, 1 to 16', 'Words', 'words', '0', '17', 'four')],
];

const setting = (page: Page, label: string): Locator => page.locator('u-setup').getByLabel(label, { exact: true });

/** Everything that a refusal must leave unchanged. */
const state = async (page: Page): Promise<unknown> => ({
  place: await place(page),
  numbers: await settled(page),
  table: await benchOf(page).evaluate(({ lab }: WithLab) => JSON.stringify(lab.state)),
});

for (const [config, rows] of some(MODELS, (_, i) => i % 3 === 0))
  test(`${Object.values(config).join(' ')}: an invalid setting is refused, and nothing changes`, async ({ page }) => {
    await openBench(page, { config });
    const before = await state(page);
    for (const [label, typed, sentence] of some(rows, (_, i) => i < 3)) {
      const field = setting(page, label);
      const inForce = await field.inputValue();
      await enter(field, typed);
      await expect.soft(page.locator('u-problem .problem p'), `${label} ${typed}`).toHaveText(sentence);
      await expect.soft(field).toHaveValue(inForce);
      expect.soft(await state(page), `${label} ${typed}`).toEqual(before);
      await press(page, 'Dismiss');
    }
  });

test('the memory of a training step is shown while a size is typed, before it takes effect', async ({ page }) => {
  const estimates = await recordCalls(page, 'estimate');
  await open(page, 'workbench/');
  await page.locator('select[name=kind]').selectOption('seq2seq');
  const said = page.locator('u-size p');
  const sentence = /^A training step takes about [\d,]+ MB, and the model has [\d,]+ parameters\.$/;
  await expect(said).toHaveText(sentence);
  const before = await said.textContent();
  const hidden = setting(page, 'Hidden size');
  const inForce = await hidden.inputValue();
  const asked = (await estimates()).length;
  const meanwhile = await hidden.evaluate(async (field: HTMLInputElement) => {
    const heard: string[] = [];
    for (const text of ['4', '40', '400']) {
      field.value = text;
      field.dispatchEvent(new Event('input'));
      await new Promise((rested) => setTimeout(rested, 50));
      heard.push(document.querySelector('u-size p')!.textContent!.trim());
    }
    return heard;
  });
  expect(meanwhile, 'of what is not typed any more').toEqual(['', '', '']);
  await expect(said).toHaveText(sentence);
  expect(await said.textContent()).not.toBe(before);
  expect(await estimates()).toHaveLength(asked + 1);
  await hidden.fill('100000');
  await expect(said).toHaveText(/^hidden is 100000, which takes \d+ MB for the parameters alone: use 1 to 512\.$/);
  await hidden.fill(inForce);
  await expect(said).toHaveText(before!);
});

/** Of the field for own data, and of its button. */
const NAMES = { seq2seq: ['Your pairs', 'Use these pairs'], transformer_lm: ['Your text', 'Use this text'] } as const;
const TOO_LONG = 'ten bytes '.repeat(1e6);
const OWN: [kind: keyof typeof NAMES, typed: string, sentence: string][] = [
  ['seq2seq', 'a b\tb a', 'There is one pair only: give at least two lines of source, tab, target.'],
  ['seq2seq', 'a\ta\naa\taa', 'All sources together hold one token: give pairs with at least two different ones.'],
  ['transformer_lm', 'x', 'The text has 1 characters: use at least 100.'],
  ['transformer_lm', TOO_LONG, 'The text has 10,000,000 characters: the limit is 8,388,608.'],
];

test('own pairs and texts that cannot be learnt are refused, and stay in the field', async ({ page }) => {
  await open(page, 'workbench/');
  for (const [kind, typed, sentence] of some(OWN, (_, i) => i % 3 === 0)) {
    const [label, button] = NAMES[kind];
    const choice = page.locator('select[name=kind]');
    if ((await choice.inputValue()) !== kind) await choice.selectOption(kind);
    await page.locator('select[name=task]').selectOption('own');
    const field = page.getByLabel(label);
    await expect(field).toBeVisible();
    const before = await state(page);
    await field.evaluate((area: HTMLTextAreaElement, text) => {
      area.value = text;
      area.dispatchEvent(new Event('input'));
    }, typed);
    await press(page, button);
    await expect.soft(page.locator('u-own-data .refused')).toHaveText(sentence);
    expect.soft(await field.evaluate((area: HTMLTextAreaElement) => area.value.length)).toBe(typed.length);
    expect.soft(await state(page)).toEqual(before);
  }
});

const READ: [config: Record<string, unknown>, source: string, sentence: string][] = [
  [
    { kind: 'captioner', task: 'captions', channels: 8, embedding: 8, hidden: 8 },
    Array(15).fill('.').join(' '),
    'source is (1, 15): a scene has 16 cells, 4 rows of 4, so give each row of source 16 tokens, "." for an empty cell.',
  ],
  [
    { kind: 'transformer', task: 'reverse', model_size: 16, positions: 'learned', longest: 12 },
    'abcdefghijabc',
    'longest is 12, and source has 13 positions: use 13 to 64, shorter rows, or other positions than "learned".',
  ],
];

for (const [config, source, sentence] of READ)
  test(`a source that a ${config.kind} cannot read is refused, and the previous one stays`, async ({ page }) => {
    await openBench(page, { config });
    await openReads(page);
    const tokens = page.locator('.pair-tokens');
    const before = [await tokens.textContent(), await state(page)];
    await enter(page.locator('u-pair [name=source]'), source);
    await expect(page.locator('u-pair [id$=pair-source-remark]')).toHaveText(sentence);
    expect([await tokens.textContent(), await state(page)]).toEqual(before);
  });

const WARM = 'use a number, 0.001 to 100, or method "greedy" for the likeliest token.';
const FIRST = 'use a whole number, 1 to 32768, or leave it out for all tokens.';
const WRITING: Row[] = [
  ['Temperature', '-1', `temperature is -1: ${WARM}`],
  ['Temperature', '0', `temperature is 0: ${WARM}`],
  ['Temperature', 'NaN', `temperature is "NaN": ${WARM}`],
  ['Top k', '0', `top_k is 0: ${FIRST}`],
  ['Top k', '-1', `top_k is -1: ${FIRST}`],
  ['Top k', '1.5', `top_k is 1.5: ${FIRST}`],
];

test('an invalid decoding option is refused beside its field, and the written text stays', async ({ page }) => {
  const config = { kind: 'seq2seq', task: 'reverse', embedding: 8, hidden: 8 };
  await openBench(page, { config }, '<u-write data-source="abcd" data-method="sample" data-choose=""></u-write>');
  const writes = page.locator('u-write');
  await writes.scrollIntoViewIfNeeded();
  const room = writes.locator('.written-room');
  await expect(room).toContainText('Sample, temperature 1');
  const before = [await room.textContent(), await state(page)];
  for (const [label, typed, sentence] of WRITING) {
    const field = writes.getByLabel(label);
    const inForce = await field.inputValue();
    await enter(field, typed);
    await expect.soft(writes.locator('.refused')).toHaveText(sentence);
    expect.soft([await room.textContent(), await state(page)]).toEqual(before);
    await enter(field, inForce);
    await expect(writes.locator('.refused')).toHaveText('');
  }
  await expect(writes.getByLabel('Top k')).toHaveAttribute('placeholder', 'all');
});
