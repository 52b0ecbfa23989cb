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
const UPDATED = 'Unroll was updated since this page was opened: reload it.';
const HICCUP = 'A part of this page could not be loaded: try again.';

/** Why a part of this build could not be fetched: there is no network, or the host has another build by now. */
export async function whyMissing(hiccup = HICCUP): Promise<string> {
  // Not GET, which the service worker would answer from what it keeps.
  const answer = await fetch(location.href, { method: 'HEAD', cache: 'no-store' }).catch(() => null);
  if (!answer?.ok) return MISSING;
  const now = await fetch(location.href, { cache: 'no-store' }).then((page) => page.text());
  return ownScripts().every((name) => now.includes(name)) ? hiccup : UPDATED;
}

/** Their names hold hashes of what is in them. */
const ownScripts = (): string[] =>
  [...document.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')!);

/** Says it once: each time the lab is drawn again the same part may be asked for. */
export async function missPart(lab: Lab, { message: detail }: Error): Promise<void> {
  const message = await whyMissing();
  if (lab.problem?.message !== message) lab.complain({ code: 'E_WORKER', message, detail });
}
