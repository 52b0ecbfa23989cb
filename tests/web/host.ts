// Global setup: serves the site statically on a free port, at the root and under a sub-path.
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileFor, sendFile, sendNothing, setHeaders } from '../site.mjs';

const SUB_PATH = '/some/where/';

/** At the root and under a sub-path. */
const fileBelow = (path: string): string | null => fileFor(path.replace(SUB_PATH, '/'));

const SETUP = '<u-setup></u-setup>';

interface Bench {
  data: Record<string, unknown>;
  setup?: string;
}

/** The workbench page with other data and, if given, another element in place of the settings. */
function benchWith(html: string, { data, setup = SETUP }: Bench): string {
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}='${JSON.stringify(value)}'`);
  return html.replace(SETUP, setup).replace(/data-config='[^']*'/, attributes.join(' ') || '$&');
}

const host = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://host');
  const file = fileBelow(pathname);
  if (!file) return sendNothing(response);
  const bench = searchParams.get('bench');
  if (!bench) return sendFile(response, file);
  setHeaders(response, file);
  response.end(benchWith(readFileSync(file, 'utf8'), JSON.parse(bench) as Bench));
});

/** Listens on a free port; returns the address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Sets the address for playwright.config.ts, which every worker loads again. */
export default async function (): Promise<() => void> {
  process.env.UNROLL_ADDRESS = await listen(host);
  return () => void host.close();
}
