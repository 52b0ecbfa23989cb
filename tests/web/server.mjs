// A static server as dumb as any host: files of one folder, at the root and under a sub-path, no special headers.
import { createReadStream, existsSync, statSync } from 'node:fs';
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

createServer((request, response) => {
  const file = fileFor(new URL(request.url ?? '/', 'http://host').pathname);
  if (!file) return void response.writeHead(404).end('not found');
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}).listen(port, '127.0.0.1');
