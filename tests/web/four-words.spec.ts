// Four words by hand, step by step, from the inputs to the twelve results, each step beside its line of C++.
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { TraceNode } from '../../web/src/engine/types';
import { linkTo } from './links';
import { lessonNamed } from './lesson-named';
import { expect, expectStep, open, place, press, test, toOperation } from './pages';
import { numberIn, runOf } from './views-engine';

const LESSON = 'four-words';
const { head, text } = await lessonNamed(LESSON);
const { trace } = await runOf({ ...head.model, seed: head.seed });
const steps = trace.nodes.filter(({ phase }) => phase !== 'leaf');

/** The lesson's operations and their source lines, written by hand because the trace is under test. */
const BY_HAND: [string, string][] = [
  ['attention/Q', 'Q = matmul(X, W_Q_)'],
  ['attention/K', 'K = matmul(X, W_K_)'],
  ['attention/V', 'V = matmul(X, W_V_)'],
  ['attention.scaled_dot_score/matmul', 'matmul(q, k, Transposed::b)'],
  ['attention/e', '/ std::sqrt('],
  ['attention/add', 'e + mask'],
  ['attention.softmax/max', 'max(x, axis'],
  ['attention.softmax/subtract', 'x - safe_max(largest_of('],
  ['attention.softmax/exp', 'exp('],
  ['attention.softmax/sum', 'sum(x, axis'],
  ['attention/α', 'exponentials / nonzero_sum('],
  ['attention/c', 'matmul(weights, v).as("c")'],
];

/** "c[3,2]" → 0.90846923, as the lesson's text gives it, to eight decimals. */
const promised = new Map(
  [...text.matchAll(/:value\[(\d\.\d{1,8})\]\{of="c\[(\d),(\d)\]"\}/g)].map(([, value, row, column]) => [
    3 * Number(row) + Number(column),
    Number(value),
  ]),
);

const figures = (page: Page) => page.locator('table[data-tensor="attention/c"] td[data-index]');

/** Exactly one line is highlighted, and it is this line of the file. */
async function expectLine(page: Page, { file, line }: TraceNode): Promise<string> {
  const source = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').split('\n')[line - 1]!;
  const lit = page.locator('u-code .ln.on');
  await expect(page.locator('u-code .phead')).toHaveText(file);
  await expect(lit).toHaveAttribute('id', new RegExp(`-line-${line}$`));
  await expect(lit).toHaveCount(1);
  await expect(lit.locator('code')).toHaveText(source.trim());
  await expect(lit).toBeInViewport();
  return source;
}

/** Within one unit in the last place of a float32: the lesson's numbers come from exact arithmetic. */
async function expectPromised(page: Page): Promise<void> {
  await expect(figures(page)).toHaveText(Array(12).fill(/^\d\.\d{7,8}$/));
  const shown = (await figures(page).allTextContents()).map(numberIn);
  expect([...promised.keys()]).toEqual(shown.map((_, i) => i));
  for (const [i, value] of promised) expect(Math.abs(shown[i]! - value) / value).toBeLessThanOrEqual(2 ** -23);
}

test('from the inputs to the twelve results and on to the end, with the line that ran', async ({ page }) => {
  await open(page, `lessons/${LESSON}/${linkTo({ lesson: LESSON, stage: 'numbers', pinned: 'code' })}`);
  await press(page, 'Show as table');
  await press(page, 'First step');
  expect((await place(page)).name).toBe('');
  await expect(page.locator('u-code .ln.on')).toHaveCount(0);
  for (const [i, node] of steps.entries()) {
    await toOperation(page, node.name);
    await expectStep(page, i + 1);
    const source = await expectLine(page, node);
    const [name, written] = BY_HAND[i] ?? [node.name, ''];
    expect((await place(page)).name).toBe(name);
    expect(source).toContain(written);
    if (i + 1 < BY_HAND.length) await expect(figures(page)).toHaveText(Array(12).fill(''));
    if (i + 1 === BY_HAND.length) await expectPromised(page);
  }
  await press(page, 'Values');
  await expectPromised(page);
});
