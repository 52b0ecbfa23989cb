// Serves the built site as a static host does.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

export const site = process.env.UNROLL_SITE ?? fileURLToPath(new URL('../build/site', import.meta.url));

/**
 * The names of its lessons, in the order of the front page; none if nothing is built.
 * @returns {string[]}
 */
export function allLessonsOfSite() {
  const page = join(site, 'index.html');
  const rows = existsSync(page) ? readFileSync(page, 'utf8').matchAll(/<li data-slug="([\w-]+)">/g) : [];
  return Array.from(rows, ([, slug]) => slug);
}

/** Those with a bench. */
export const lessonsOfSite = () =>
  allLessonsOfSite().filter((slug) =>
    readFileSync(join(site, 'lessons', slug, 'index.html'), 'utf8').includes('<u-bench>'),
  );

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

/** The file for an address's path, or a folder's page; null if there is none. */
export function fileFor(path, root = site) {
  const file = join(root, normalize(`/${decodeURIComponent(path)}`));
  const page = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
  return existsSync(page) ? page : null;
}

/** With these headers a page is isolated from other origins, and its workers may share memory. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Assets have a hash in their name and can be cached, which also spares the tests thousands of loads. */
export function setHeaders(response, file) {
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  response.setHeader('cache-control', file.includes('/assets/') ? 'max-age=86400, immutable' : 'no-cache');
}

export function sendFile(response, file) {
  setHeaders(response, file);
  createReadStream(file).pipe(response);
}

export const sendNothing = (response) => void response.writeHead(404).end('not found');
