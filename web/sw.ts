// The service worker. What was opened once opens offline; for a page that was not, there is offline.html. An asset never
// changes under its name and comes from the cache first; the rest comes from the network first.
import { clientsClaim, registerQuotaErrorCallback, type WorkboxPlugin } from 'workbox-core';
import { registerRoute } from 'workbox-routing';
import { CacheFirst, NetworkFirst } from 'workbox-strategies';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string }[] };

const ASSETS = 'unroll-assets';
const PAGES = 'unroll-pages';
/** For offline.html alone, which must not be evicted. */
const OFFLINE = 'unroll-offline';
/** Its revision makes this script another one when the page has changed, so that the page is fetched again. */
const FALLBACK = self.__WB_MANIFEST[0]!.url;

/**
 * An address has one content here. A host may send `Vary: Origin`: what the service worker fetched for a first visit was
 * asked for without that header, and the page asks with it.
 */
const matchOptions = { ignoreVary: true };

/** Where the host does not send these headers, the service worker adds them: then workers may share memory. */
const isolated: WorkboxPlugin = {
  handlerWillRespond: async ({ response }) => {
    if (response.type === 'opaque' || response.status === 0) return response;
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    const { status, statusText } = response;
    return new Response(response.body, { status, statusText, headers });
  },
};

/** Room for this many responses: those that were put in first are evicted first. */
const atMost = (most: number): WorkboxPlugin => ({
  cacheDidUpdate: async ({ cacheName }) => {
    const cache = await caches.open(cacheName);
    const all = await cache.keys();
    for (const key of all.slice(0, Math.max(all.length - most, 0))) await cache.delete(key, matchOptions);
  },
});

/** One copy per page, query or not. */
const withoutQuery: WorkboxPlugin = {
  cacheKeyWillBeUsed: async ({ request }) => request.url.replace(/[?#].*$/, ''),
};

const orFallback: WorkboxPlugin = { handlerDidError: () => caches.match(FALLBACK) };

/** After the timeout a hanging network counts as none: the cached copy is shown. */
const pages = (...more: WorkboxPlugin[]): NetworkFirst =>
  new NetworkFirst({
    cacheName: PAGES,
    networkTimeoutSeconds: 3,
    matchOptions,
    plugins: [atMost(100), isolated, withoutQuery, ...more],
  });

// All assets of two builds have room: those of older ones go first.
registerRoute(/\/assets\//, new CacheFirst({ cacheName: ASSETS, matchOptions, plugins: [atMost(800), isolated] }));
registerRoute(({ request }) => request.mode === 'navigate', pages(orFallback));
registerRoute(({ sameOrigin }) => sameOrigin, pages());

registerQuotaErrorCallback(async () => void (await Promise.all([ASSETS, PAGES].map((name) => caches.delete(name)))));

const keepFallback = async (): Promise<void> => (await caches.open(OFFLINE)).add(FALLBACK);
self.addEventListener('install', (event) => event.waitUntil(keepFallback()));
// A new service worker waits until the pages of the build before are closed; the first takes over open pages.
clientsClaim();
