// What the reader has typed and not run or checked yet. Each tab keeps its own; a new tab finds what was typed last.

/** Beginning of the keys of everything here, which forget.ts removes. */
export const TYPED = 'own-';

/** Storage may be missing, full or blocked: then the text lasts as long as the page. */
const stores = [() => sessionStorage, () => localStorage];

/** Null removes it. */
export function keepTyped(key: string, text: string | null): void {
  for (const store of stores) put(store, key, text);
}

/** In this tab alone. */
export const keepTypedHere = (key: string, text: string): void => put(stores[0]!, key, text);

function put(store: () => Storage, key: string, text: string | null): void {
  try {
    if (text === null) store().removeItem(TYPED + key);
    else store().setItem(TYPED + key, text);
  } catch {
    // see `stores`
  }
}

export function typedAt(key: string): string | null {
  for (const store of stores) {
    try {
      const text = store().getItem(TYPED + key);
      if (text !== null) return text;
    } catch {
      // see `stores`
    }
  }
  return null;
}
