// A static server: files of one folder, at the root and under a sub-path.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const SUB_PATH = '/some/where/';
const site = process.env.UNROLL_SITE ?? fileURLToPath(new URL('../../build/site', import.meta.url));
const port = Number(process.argv[2] ?? 4180);

function fileFor(path) {
  const inner = path.startsWith(SUB_PATH) ? path.slice(SUB_PATH.length) : path.slice(1);
  const file = join(site, normalize(`/${decodeURIComponent(inner)}`));
  const page = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
  return existsSync(page) ? page : null;
}

const SETUP = '<u-setup></u-setup>';

/** The workbench as a page with other data would have it, and perhaps another element in place of the settings. */
function benchWith(html, { data, setup = SETUP }) {
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}='${JSON.stringify(value)}'`);
  return html.replace(SETUP, setup).replace(/data-config='[^']*'/, attributes.join(' ') || '$&');
}

createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  const file = fileFor(pathname);
  if (!file) return void response.writeHead(404).end('not found');
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  // The name of an asset has its hash in it: as a good host would, for the tests load each a thousand times.
  if (pathname.includes('/assets/')) response.setHeader('cache-control', 'max-age=86400, immutable');
  const bench = searchParams.get('bench');
  if (bench) response.end(benchWith(readFileSync(file, 'utf8'), JSON.parse(bench)));
  else createReadStream(file).pipe(response);
}).listen(port, '127.0.0.1');
