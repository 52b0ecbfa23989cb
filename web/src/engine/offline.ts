// A page opened once opens without a network: the service worker caches all that passes through it (vite.config.ts).
import { onFetched } from './fetched';
import { root } from './root';

const supported = import.meta.env.PROD && 'serviceWorker' in navigator;
const uncontrolled = supported && !navigator.serviceWorker.controller;

export function keepOffline(): void {
  if (!supported) return;
  addEventListener('load', () => void navigator.serviceWorker.register(new URL('sw.js', root)).catch(() => undefined));
  void keepFetched([location.href]);
  onFetched((urls) => void keepFetched(urls));
}

/** A first visit starts before the service worker: it then caches these URLs, which it reads from the HTTP cache. */
export async function keepFetched(urls: string[]): Promise<void> {
  if (!uncontrolled) return;
  const { active } = await navigator.serviceWorker.ready;
  const urlsToCache = urls.filter((url) => url.startsWith('http')).map((url) => [url, { cache: 'force-cache' }]);
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } });
}

const MISSING =
  'Part of this page has not been opened here before and cannot be loaded offline: go online, then reload the page.';
const UPDATED = 'Unroll has been updated since this page was opened: reload it.';
const TRY_AGAIN = 'Part of this page could not be loaded: try again.';

/** Why a part of this build could not be fetched: no network, the host has another build by now, or else `otherwise`. */
export async function whyMissing(otherwise = TRY_AGAIN): Promise<string> {
  // HEAD, because the service worker would answer a GET from its cache.
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return MISSING;
  const now = await fetch(location.href, { cache: 'no-store' }).then((page) => page.text());
  return ownScripts().every((name) => now.includes(name)) ? otherwise : UPDATED;
}

/** Names of the page's scripts, which contain hashes of their content. */
const ownScripts = (): string[] =>
  [...document.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')!);
