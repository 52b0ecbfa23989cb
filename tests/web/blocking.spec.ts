// No view and no table of the largest traces blocks the page. Limits are in processor time, which a busy machine hardly changes.
import type { StepAction } from '../../web/src/engine/types';
import { benchOf, expect, inAll, openBench, rested, test, type Page, type WithLab, showTables } from './pages';

/**
 * Milliseconds of processor time. The aim is 100; opening 20,000 operations and steps with all tables open take up to 180
 * on two quiet cores, and up to 363 on slow machines. What grows with the square of a trace takes many seconds.
 */
const MOST = 600;

/** The names of the marks between what is measured begin so. */
const MARK = 'measured: ';

const STEPS = ['first', 'forward', 'last', 'back'] as const;

interface Event {
  name: string;
  tid: number;
  pid: number;
  ts: number;
  tdur?: number;
  dur?: number;
  args?: { name?: string };
}

/** What `act` marks in the page, each with the longest task of the main thread that began before the mark and after the
 *  one before it, in milliseconds of processor time. */
async function longestTasks(page: Page, act: () => Promise<void>): Promise<Record<string, number>> {
  const browser = page.context().browser()!;
  await browser.startTracing(page, { categories: ['toplevel', '__metadata', 'blink.user_timing'] });
  await act();
  const { traceEvents } = JSON.parse(String(await browser.stopTracing())) as { traceEvents: Event[] };
  const main = traceEvents.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const isMain = ({ tid, pid }: Event): boolean => main.some((each) => each.tid === tid && each.pid === pid);
  const tasks = traceEvents.filter((each) => /RunTask/.test(each.name) && isMain(each));
  const marks = traceEvents.filter(({ name }) => name.startsWith(MARK)).sort((a, b) => a.ts - b.ts);
  const longest = (from: number, to: number): number =>
    Math.max(...tasks.filter(({ ts }) => ts > from && ts <= to).map(({ tdur, dur }) => (tdur ?? dur ?? 0) / 1000));
  return Object.fromEntries(
    marks.map(({ name, ts }, i) => [name.slice(MARK.length), Math.round(longest(marks[i - 1]?.ts ?? 0, ts))]),
  );
}
const step = (page: Page, action: StepAction): Promise<void> =>
  benchOf(page).evaluate(({ lab }: WithLab, name) => lab.step(name), action);

async function blocks(page: Page, view: string, begin: () => Promise<void>): Promise<void> {
  const measure = async (name: string, act: () => Promise<void>): Promise<void> => {
    await act();
    await rested(page);
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 100))));
    await page.evaluate((mark) => void performance.mark(mark), MARK + name);
  };
  const took = await longestTasks(page, async () => {
    await measure('open', begin);
    for (const name of STEPS) await measure(name, () => step(page, name));
    await measure('tables', () => showTables(page.locator('u-bench')));
    for (const name of STEPS) await measure(`tables, ${name}`, () => step(page, name));
  });
  expect(Object.keys(took).length).toBeGreaterThan(2 * STEPS.length);
  test.info().annotations.push({ type: 'time', description: JSON.stringify(took) });
  expect.soft(Math.max(...Object.values(took)), view).toBeLessThan(MOST);
}

const LAYERS = { kind: 'transformer', task: 'reverse', layers: 12, model_size: 8, heads: 2, feed_forward: 8, seed: 7 };
const LM = { kind: 'transformer_lm', task: 'stories', layers: 12, model_size: 8, heads: 2, feed_forward: 8, seed: 7 };
const letters = (length: number): string => Array.from({ length }, (_, i) => 'abcdefgh'[i % 8]).join('');
const LONG = { kind: 'seq2seq', task: 'reverse', attention: 'bahdanau', embedding: 4, hidden: 6, seed: 7 };
const WORDS = { kind: 'attention_layer', words: 16, size: 32, heads: 8, seed: 7 };

const CASES: [string, object, string[], string[]?][] = [
  ['12 layers', LAYERS, ['blocks', 'dataflow', 'generation', 'heads', 'positions']],
  ['12 layers of a language model', LM, ['blocks', 'dataflow', 'generation', 'heads', 'positions']],
  ['50 and 50 positions', LONG, ['unrolled', 'alignment', 'generation', 'blocks'], [letters(50), letters(50)]],
  ['12 layers, 100 positions', LAYERS, ['blocks', 'dataflow', 'generation', 'heads'], [letters(50), letters(50)]],
  ['16 words', WORDS, ['dataflow', 'heads', 'mask', 'permute', 'positions', 'blocks']],
];

/** A quick run takes each view in the last case that has it, which asks the most of it. */
const isLast = (view: string, name: string): boolean =>
  CASES.findLast(([, , views]) => views.includes(view))![0] === name;

for (const [name, config, views, pair] of CASES)
  for (const view of views)
    (isLast(view, name) ? test : inAll)(`${name}: ${view}`, async ({ page }) => {
      test.setTimeout(240_000);
      await blocks(page, `${name}: ${view}`, () => openBench(page, { config, views: [view], ...(pair && { pair }) }));
    });

for (const loops of [5000, 20_000])
  (loops === 20_000 ? test : inAll)(`${loops} operations of a program: blocks`, async ({ page }) => {
    test.setTimeout(400_000);
    const program = `def f(x=ones(2)):\n    for i in range(${loops}):\n        x = x + 1\n    return x\n`;
    await blocks(page, `${loops} operations: blocks`, () =>
      openBench(page, { config: { kind: 'program', program }, views: ['blocks'] }),
    );
  });
