// Chromium, with a page whose workers run the cases, cross-origin isolated so that they may share memory.
import { createReadStream, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { executablePath, flags } from '../chromium.mjs';

const types = {
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
};

const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

// Serves these folders under their names, on this machine only.
function serve(folders) {
  const server = createServer(({ url }, response) => {
    const [, folder, name = ''] = new URL(url, 'http://localhost').pathname.split('/');
    const file = folders[folder] && join(folders[folder], name);
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { ...isolation, 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function bundle(folder) {
  await build({
    entryPoints: [fileURLToPath(new URL('worker.mjs', import.meta.url))],
    bundle: true,
    format: 'esm',
    external: ['/bench/*'],
    outfile: join(folder, 'worker.mjs'),
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>bench</title>');
}

// In the page: a new worker's answer.
const answer = (message) =>
  new Promise((done, fail) => {
    const worker = new Worker('worker.mjs', { type: 'module' });
    worker.onerror = ({ message }) => fail(new Error(message));
    worker.onmessage = ({ data: { seconds, error } }) => {
      worker.terminate();
      if (error) fail(new Error(error));
      else done(seconds);
    };
    worker.postMessage(message);
  });

// Skips the slow baseline compiler of WebAssembly: on a busy machine, it could still be in use while we measure.
const args = ['--js-flags=--no-liftoff', ...flags];

// Calls use(run) with run(case) → { contender: seconds }. `folders`: of the engine's modules and of the peers' ones.
export async function inChromium(folders, use) {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-bench-'));
  await bundle(folder);
  const server = await serve({ page: folder, ...folders });
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
    const run = (message) => page.evaluate(answer, message);
    await use(async (one) => {
      const seconds = await run({ one });
      const shares = one.kind === 'train' && cpus().length > 1;
      return shares ? { ...seconds, ...(await run({ one, tfjsThreads: true })) } : seconds;
    });
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  }
}
