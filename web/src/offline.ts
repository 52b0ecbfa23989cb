// What was opened once opens without a network: the service worker keeps all that passes through it (vite.config.ts).
import { onFetched } from './fetched';
import type { Lab } from './lab';
import { root } from './root';

const supported = import.meta.env.PROD && 'serviceWorker' in navigator;
const uncontrolled = supported && !navigator.serviceWorker.controller;

export function keepOffline(): void {
  if (!supported) return;
  addEventListener('load', () => void navigator.serviceWorker.register(new URL('sw.js', root)).catch(() => undefined));
  void keepFetched([location.href]);
  onFetched((urls) => void keepFetched(urls));
}

/** A first visit begins without the worker, which then takes what the browser has just fetched from its own cache. */
export async function keepFetched(urls: string[]): Promise<void> {
  if (!uncontrolled) return;
  const { active } = await navigator.serviceWorker.ready;
  const urlsToCache = urls.filter((url) => url.startsWith('http')).map((url) => [url, { cache: 'force-cache' }]);
  active?.postMessage({ type: 'CACHE_URLS', payload: { urlsToCache } });
}

const MISSING =
  'Something of this page was never opened here, and cannot be fetched now: connect, then reload the page.';

/** Says it once: each time the lab is drawn again the same part may be asked for. */
export function missPart(lab: Lab, { message }: Error): void {
  if (lab.problem?.message !== MISSING) lab.complain({ code: 'E_WORKER', message: MISSING, detail: message });
}
