// A host of the site under a sub-path that can be stopped and started again, and what a browser has kept of it.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { fileFor, sendFile, sendNothing } from '../site.mjs';
import { SUB_PATH } from './pages';

/** How hosts answer: what they send beside a file. */
export const HOSTS = [
  ['a plain host', {}],
  ['a host that sends Vary: Origin', { vary: 'Origin' }],
  ['a host that sends Vary: Accept-Encoding, Origin', { vary: 'Accept-Encoding, Origin' }],
] as const;

export class Host {
  private port = 0;
  private readonly server: Server;

  constructor(headers: Record<string, string>) {
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://host');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const file = fileFor(pathname.replace(`/${SUB_PATH}`, '/'));
      return file ? sendFile(response, file) : sendNothing(response);
    });
  }

  /** The same port each time. */
  async start(): Promise<this> {
    await new Promise<void>((listens) => this.server.listen(this.port, '127.0.0.1', listens));
    this.port = (this.server.address() as AddressInfo).port;
    return this;
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}/${SUB_PATH}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((closed) => this.server.close(closed));
  }
}

/** Whether the service worker has kept the page and all that it has fetched. */
export const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = (await Promise.all(caches.map((cache) => cache.keys()))).flat();
    const kept = new Set(requests.map(({ url }) => url));
    const fetched = performance.getEntriesByType('resource').map(({ name }) => name);
    return [location.href, ...fetched]
      .filter((url) => url.startsWith('http'))
      .every((url) => kept.has(url.replace(/[?#].*$/, '')));
  });
