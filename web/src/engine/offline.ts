// A page opened once opens without a network: the service worker caches all that passes through it (sw.ts).
import { NOT_LOADED, NOT_OPENED_BEFORE, UPDATED } from '#messages/engine';
import { onFetched } from './protocol';
import { scriptAddress, serviceWorker } from './addresses';

/** Undefined where there is none; in a frame with a sandbox even asking throws. */
function containerHere(): ServiceWorkerContainer | undefined {
  try {
    return import.meta.env.PROD ? navigator.serviceWorker : undefined;
  } catch {
    return undefined;
  }
}
const container = containerHere();
const uncontrolled = container && !container.controller;

export function keepOffline(): void {
  if (!container) return;
  addEventListener('load', () => void container.register(scriptAddress(serviceWorker)).catch(() => undefined));
  void keepFetched([location.href]);
  onFetched((urls) => void keepFetched(urls));
}

/** A first visit starts before the service worker: it then caches these URLs, which it reads from the HTTP cache. */
export async function keepFetched(urls: string[]): Promise<void> {
  if (!uncontrolled) return;
  const { active } = await container.ready;
  const urlsToCache = urls.filter((url) => url.startsWith('http')).map((url) => [url, { cache: 'force-cache' }]);
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } });
}

/** Why a part of this build could not be fetched: no network, the host has another build by now, or else `fallback`. */
export async function whyMissing(fallback: string = NOT_LOADED): Promise<string> {
  // HEAD, because the service worker would answer a GET from its cache.
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return NOT_OPENED_BEFORE;
  const now = await fetch(location.href, { cache: 'no-store' }).then((page) => page.text());
  return ownScripts().every((name) => now.includes(name)) ? fallback : UPDATED;
}

/** Names of the page's scripts, which contain hashes of their content. */
const ownScripts = (): string[] =>
  [...document.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')!);
