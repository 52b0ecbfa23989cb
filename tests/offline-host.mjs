// A host of the built site that can be stopped and started again, and what a browser has kept of it.
import { createServer } from 'node:http';
import { fileFor, ISOLATION, sendFile, sendNothing } from './site.mjs';

/** How hosts differ: the headers they send beside a file, and the path that the site stands under. */
export const HOSTS = [
  { what: 'a plain host', headers: {}, under: '/' },
  { what: 'a host that sends Vary: Origin and isolates', headers: { vary: 'Origin', ...ISOLATION }, under: '/' },
  { what: 'a host under a sub-path', headers: {}, under: '/some/where/' },
  {
    what: 'a host under a sub-path that sends Vary: Accept-Encoding, Origin',
    headers: { vary: 'Accept-Encoding, Origin' },
    under: '/some/where/',
  },
];

export class Host {
  port = 0;
  /** Paths of the files it has sent. */
  sent = new Set();
  /** Requested paths that do not exist. */
  missing = [];

  /** @param {{ headers?: object, under?: string }} how */
  constructor({ headers = {}, under = '/' } = {}) {
    this.under = under;
    this.server = createServer((request, response) => {
      const { pathname } = new URL(request.url, 'http://host');
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
      const file = pathname.startsWith(under) ? this.fileAt(pathname.slice(under.length)) : null;
      if (file) {
        this.sent.add(pathname);
        return this.send(response, file);
      }
      this.missing.push(pathname);
      sendNothing(response);
    });
  }

  /** The file for a path below the site's own; null if there is none. */
  fileAt(path) {
    return fileFor(path);
  }

  send(response, file) {
    sendFile(response, file);
  }

  /** The same port each time. */
  async start() {
    await new Promise((listens) => this.server.listen(this.port, '127.0.0.1', listens));
    this.port = this.server.address().port;
    return this;
  }

  get address() {
    return `http://127.0.0.1:${this.port}${this.under}`;
  }

  /** Takes the network away from the browsers. */
  async stop() {
    const closed = new Promise((done) => this.server.close(done));
    this.server.closeAllConnections();
    await closed;
  }

  /** Paths that a browser must have kept; it does not ask its service worker for that worker's own script. */
  get toKeep() {
    return [...this.sent].filter((path) => path !== `${this.under}sw.js`);
  }
}

/** Runs in the page: whether it fetches nothing more, and its service worker has kept the page, what it fetched, and these. */
export async function isKept(paths = []) {
  if (!navigator.serviceWorker?.controller) return false;
  const fetched = () => performance.getEntriesByType('resource').map(({ name }) => name);
  const before = fetched();
  await new Promise((later) => setTimeout(later, 500));
  if (fetched().length > before.length) return false;
  const names = await caches.keys();
  const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  const plain = (url) => new URL(url, location.href).href.replace(/[?#].*$/, '');
  const kept = new Set(requests.flat().map(({ url }) => plain(url)));
  return [location.href, ...before, ...paths].map(plain).every((url) => !url.startsWith('http') || kept.has(url));
}
