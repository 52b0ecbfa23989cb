// Models trained in the page, the training panel, and stored checkpoints.
import type { Page } from '@playwright/test';
import { linkTo } from './links';
import { expect, open, press, recordCalls, rested } from './pages';

export const REVERSE = {
  ...{ kind: 'seq2seq', task: 'reverse', cell: 'gru', attention: 'bahdanau', bidirectional: true },
  ...{ embedding: 32, hidden: 64, attention_size: 64 },
  ...{ optimiser: 'adam', learning_rate: 0.004, schedule: 'cosine', warmup: 20, batch: 64, steps: 300 },
};
export const SMALL = {
  ...{ ...REVERSE, bidirectional: false, embedding: 8, hidden: 16, attention_size: 16 },
  ...{ batch: 16, steps: 20_000 },
};
/** About 30 steps a second: slow enough to tell retraining from loading. */
export const LARGE = { ...SMALL, embedding: 64, hidden: 128, attention_size: 128, batch: 64 };
/** A model that trains in a moment. */
export const small = (more: object = {}): object => ({ ...SMALL, steps: 300, ...more });

export const panel = (page: Page) => page.getByRole('group', { name: 'Training', exact: true });
export const figure = async (page: Page, name: string): Promise<string> =>
  (await panel(page)
    .locator('.strip .figures div', { has: page.getByText(name, { exact: true }) })
    .locator('dd')
    .textContent()) ?? '';
export const stepsTrained = async (page: Page): Promise<number> =>
  parseInt((await figure(page, 'step')).replaceAll(',', ''), 10);
export const resumed = (page: Page, steps: number): Promise<void> => expect.poll(() => stepsTrained(page)).toBe(steps);

export async function begin(page: Page, config: object, more: object = {}): Promise<void> {
  await open(page, `workbench/${linkTo({ lesson: '', config, ...more })}`);
  await expect(panel(page).getByRole('button', { name: 'Train' })).toBeVisible();
}

export const ended = (page: Page): Promise<void> =>
  expect(panel(page).getByRole('button', { name: 'Train' })).toBeVisible({ timeout: 60_000 });

/** Trains for this many steps, and waits until they are saved. */
export async function train(page: Page, steps: number): Promise<void> {
  const before = await stepsTrained(page);
  await panel(page).getByRole('textbox', { name: 'Steps to train' }).fill(String(steps));
  await press(page, 'Train');
  // Until it begins, the panel says the same as when it has ended.
  await expect.poll(() => stepsTrained(page), { intervals: [20] }).not.toBe(before);
  await ended(page);
  await rested(page);
}

/** Trains beyond this step, and goes on. */
export async function trainBeyond(page: Page, step: number): Promise<void> {
  await press(page, 'Train');
  await expect.poll(() => stepsTrained(page), { timeout: 30_000 }).toBeGreaterThan(step);
}

/** For a page not yet opened: counts the training steps that it asks its engine for. */
export async function countSteps(page: Page): Promise<() => Promise<number>> {
  const calls = await recordCalls(page, 'train');
  return async () => (await calls()).reduce((sum, { args: [steps] }) => sum + Number(steps), 0);
}

/** The entries of a store in the page's database, by key. */
export const stored = <T>(page: Page, store: string): Promise<[string, T][]> =>
  page.evaluate(
    (name) =>
      new Promise<[string, T][]>((done) => {
        const opening = indexedDB.open('unroll-work');
        opening.onupgradeneeded = () => opening.transaction!.abort(); // the page has not created it yet
        opening.onerror = () => done([]);
        opening.onsuccess = () => {
          const found: [string, T][] = [];
          const asking = opening.result.transaction(name).objectStore(name).openCursor();
          asking.onsuccess = () => {
            const { result: at } = asking;
            if (at) found.push([String(at.key), at.value as T]);
            if (at) return at.continue();
            opening.result.close();
            done(found);
          };
        };
      }),
    store,
  );

/** The number of steps of the workbench's latest checkpoint; 0 if there is none. */
export async function stepsKept(page: Page): Promise<number> {
  const kept = await stored<{ lesson: string; at: number; steps: number }>(page, 'checkpoints');
  const last = kept.map(([, note]) => note).sort((a, b) => b.at - a.at);
  return last.find(({ lesson }) => lesson === '')?.steps ?? 0;
}

/** Waits until a checkpoint with more than this many steps is saved. */
export async function keptBeyond(page: Page, steps: number): Promise<number> {
  await expect.poll(() => stepsKept(page), { timeout: 15_000, intervals: [10] }).toBeGreaterThan(steps);
  return stepsKept(page);
}

/** Replaces every entry of a store by `change(entry)`; `change` is source text, as the page's policy forbids eval. */
export const spoil = (page: Page, store: string, change: string): Promise<void> =>
  page.evaluate(`new Promise((done) => {
    const opening = indexedDB.open('unroll-work');
    opening.onsuccess = () => {
      const writing = opening.result.transaction('${store}', 'readwrite');
      writing.objectStore('${store}').openCursor().onsuccess = ({ target: { result: at } }) => {
        if (at) at.update((${change})(at.value));
        if (at) at.continue();
      };
      writing.oncomplete = () => (opening.result.close(), done());
    };
  })`);

/** Runs in the page: from now on there is no room for weights. */
export function fillStorage(): void {
  const put = IDBObjectStore.prototype.put;
  IDBObjectStore.prototype.put = function (this: IDBObjectStore, ...entry: Parameters<typeof put>) {
    if (this.name === 'weights') throw new DOMException('full', 'QuotaExceededError');
    return put.apply(this, entry);
  } as typeof put;
}
