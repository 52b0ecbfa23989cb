// Texts that the tab or the browser keeps by their keys. Storage may be missing, full or blocked: then nothing is kept.
const STORES = { tab: () => sessionStorage, browser: () => localStorage };
type Store = keyof typeof STORES;

export function textIn(store: Store, key: string): string | null {
  try {
    return STORES[store]().getItem(key);
  } catch {
    return null;
  }
}

/** Null removes it. */
export function putText(store: Store, key: string, text: string | null): void {
  try {
    if (text === null) STORES[store]().removeItem(key);
    else STORES[store]().setItem(key, text);
  } catch {
    // not kept
  }
}
