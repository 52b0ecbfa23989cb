// What a page has stored in the browser's database, and how it is spoilt.
import { expect, type Page } from './pages';

/** The entries of a store in the page's database, by key. */
export const stored = <T>(page: Page, store: string): Promise<[string, T][]> =>
  page.evaluate(
    (name) =>
      new Promise<[string, T][]>((done) => {
        const opening = indexedDB.open('unroll-work');
        opening.onupgradeneeded = () => opening.transaction!.abort(); // the page has not created it yet
        opening.onerror = () => done([]);
        opening.onsuccess = () => {
          const store = opening.result.transaction(name).objectStore(name);
          const [keys, values] = [store.getAllKeys(), store.getAll()];
          values.onsuccess = () => {
            opening.result.close();
            done(keys.result.map((key, i) => [String(key), values.result[i] as T]));
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
