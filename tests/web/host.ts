// Before all tests: a static host of the site, at the root and under a sub-path, at a free port.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

const TYPES: Record<string, string> = {
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

function fileFor(path: string): string | null {
  const inner = path.startsWith(SUB_PATH) ? path.slice(SUB_PATH.length) : path.slice(1);
  const file = join(site, normalize(`/${decodeURIComponent(inner)}`));
  const page = existsSync(file) && statSync(file).isDirectory() ? join(file, 'index.html') : file;
  return existsSync(page) ? page : null;
}

const SETUP = '<u-setup></u-setup>';

interface Bench {
  data: Record<string, unknown>;
  setup?: string;
}

/** The workbench as a page with other data would have it, and perhaps another element in place of the settings. */
function benchWith(html: string, { data, setup = SETUP }: Bench): string {
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}='${JSON.stringify(value)}'`);
  return html.replace(SETUP, setup).replace(/data-config='[^']*'/, attributes.join(' ') || '$&');
}

const host = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  const file = fileFor(pathname);
  if (!file) return void response.writeHead(404).end('not found');
  response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
  // The name of an asset has its hash in it: as a good host would, for the tests load each a thousand times.
  if (pathname.includes('/assets/')) response.setHeader('cache-control', 'max-age=86400, immutable');
  const bench = searchParams.get('bench');
  if (bench) response.end(benchWith(readFileSync(file, 'utf8'), JSON.parse(bench) as Bench));
  else createReadStream(file).pipe(response);
});

/** The address is for the configuration, which each worker reads again. */
export default async function (): Promise<() => void> {
  await new Promise<void>((listens) => host.listen(0, '127.0.0.1', listens));
  process.env.UNROLL_ADDRESS = `http://127.0.0.1:${(host.address() as AddressInfo).port}/`;
  return () => void host.close();
}
