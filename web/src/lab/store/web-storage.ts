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

// What the reader has typed and not run or checked yet. Each tab keeps its own; a new tab finds what was typed last.

/** Beginning of the keys of everything here, which forget.ts removes. */
export const TYPED = 'own-';

/** Null removes it. Without storage the text lasts as long as the page. */
export function keepTyped(key: string, text: string | null): void {
  keepTypedHere(key, text);
  keepTypedInBrowser(key, text);
}

/** In this tab alone. */
export const keepTypedHere = (key: string, text: string | null): void => putText('tab', TYPED + key, text);

/** For every tab that opens later. */
export const keepTypedInBrowser = (key: string, text: string | null): void => putText('browser', TYPED + key, text);

export const typedAt = (key: string): string | null => textIn('tab', TYPED + key) ?? typedInBrowser(key);

/** What a new tab finds. */
export const typedInBrowser = (key: string): string | null => textIn('browser', TYPED + key);
