// Whatever happened before, the page shows what a fresh page with the same state shows. For more and other actions:
// UNROLL_ACTS=2000 UNROLL_SEED=5 ./lab test tests/web/fresh.spec.ts
import type { Page } from '@playwright/test';
import { isLink } from '../../web/src/lab/link/fragment';
import { decodeLink } from '../../web/src/lab/link/link';
import { ACTS, addressed, openViews, settle, shownBy } from './acts';
import { expect, notice, open, some, test, wholeRun } from './pages';
import { seeded } from './states';

const [acts, between] = [Number(process.env.UNROLL_ACTS ?? (wholeRun ? 100 : 12)), 6];

if (process.env.UNROLL_ACTS) test.describe.configure({ retries: 0 });

/** A state that needs this browser's stored data is opened in it, any other in an empty browser. */
async function isOwn(page: Page): Promise<boolean> {
  const { hash } = new URL(page.url());
  return isLink(hash) && (await decodeLink(hash)).own !== undefined;
}

async function openSame(fresh: Page, page: Page): Promise<void> {
  await addressed(page);
  await fresh.goto('about:blank');
  await open(fresh, page.url());
  await settle(fresh);
}

/** Megabytes held by the page's scripts. */
async function heapOf(page: Page): Promise<string> {
  const { usedSize } = await (await page.context().newCDPSession(page)).send('Runtime.getHeapUsage');
  return (usedSize / 2 ** 20).toFixed(1);
}

test(`after ${acts} random actions`, async ({ page, browser }) => {
  test.setTimeout(60_000 + acts * 10_000);
  const seed = Number(process.env.UNROLL_SEED ?? 1);
  const random = seeded(seed);
  const other = await browser.newContext();
  const [elsewhere, here] = [await other.newPage(), await page.context().newPage()];
  const done: string[] = [];
  await open(page, 'workbench/');
  const heap = [await heapOf(page)];
  for (let i = 1; i <= acts; i++) {
    const names = Object.keys(ACTS);
    const name = names[Math.floor(random() * names.length)]!;
    done.push(name);
    await ACTS[name]!(page, random);
    await settle(page);
    await expect(notice(page), `seed ${seed}, after ${done.join(', ')}`).not.toContainText('The engine stopped');
    if (i === Math.floor(acts / 2) || i === acts) heap.push(await heapOf(page));
    if (i % between && i < acts) continue;
    const shown = await shownBy(page);
    await addressed(page);
    const fresh = (await isOwn(page)) ? here : elsewhere;
    await openSame(fresh, page);
    expect.soft(shown, `seed ${seed}, after ${done.join(', ')}: ${page.url()}`).toEqual(await shownBy(fresh));
    if (test.info().errors.length) break;
  }
  const description = `${heap.join(', ')} MB at the start, half-way, at the end`;
  test.info().annotations.push({ type: 'heap', description });
  await other.close();
});

// Not language_model: only one lesson has it. The workbench does not offer it, and its links open the lesson, so no page
// changes from it to another kind.
const FROM = wholeRun ? 'every kind of model to every other' : 'some kinds of model to another';
test(`from ${FROM}, with every view open`, async ({ page, browser }) => {
  test.setTimeout(600_000);
  const other = await browser.newContext();
  const fresh = await other.newPage();
  await open(page, 'workbench/');
  const model = page.getByRole('combobox', { name: 'Model', exact: true });
  const options = model.locator('option');
  const all = await options.evaluateAll((each) => each.map((option) => (option as HTMLOptionElement).value));
  const kinds = some(all, (_, i) => i % 4 === 0);
  const ofFresh = new Map<string, Record<string, string>[]>();
  for (const kind of kinds) {
    await model.selectOption(kind);
    await settle(page);
    await openSame(fresh, page);
    ofFresh.set(kind, await openViews(fresh));
  }
  let compared = 0;
  for (const kind of wholeRun ? everyStep(kinds) : kinds) {
    await model.selectOption(kind);
    await settle(page);
    expect(await openViews(page), kind).toEqual(ofFresh.get(kind));
    compared++;
  }
  expect(compared).toBe(wholeRun ? kinds.length * (kinds.length - 1) + 1 : kinds.length);
  await other.close();
});

/** A sequence in which every kind comes once after every other. */
function everyStep(kinds: string[]): string[] {
  const left = new Map(kinds.map((kind) => [kind, kinds.filter((each) => each !== kind)]));
  const way: string[] = [];
  const walk = (kind: string): void => {
    for (let next = left.get(kind)!.pop(); next; next = left.get(kind)!.pop()) walk(next);
    way.unshift(kind);
  };
  walk(kinds[0]!);
  return way;
}
