// A page of Chromium whose workers run the cases; they may share memory.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inChromium } from '../in-chromium.mjs';
import { fileFor } from '../site.mjs';

async function bundle(folder) {
  await build({
    entryPoints: [fileURLToPath(new URL('worker.mjs', import.meta.url))],
    bundle: true,
    format: 'esm',
    external: ['/bench/*'],
    outfile: join(folder, 'worker.mjs'),
    logLevel: 'error',
  });
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
const args = ['--js-flags=--no-liftoff'];

// Calls use(run) with run(case) → { contender: seconds }. `folders`: of the engine's modules and of the peers' ones.
export async function inPage(folders, use) {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-bench-'));
  await bundle(folder);
  const all = { page: folder, ...folders };
  const fileAt = (path) => {
    const [name, file = ''] = path.split('/');
    return name in all ? fileFor(file, all[name]) : null;
  };
  const useThere = async (page, address) => {
    await page.goto(`${address}page/`);
    const run = (message) => page.evaluate(answer, message);
    await use(async (one) => {
      const seconds = await run({ one });
      const shares = one.kind === 'train' && cpus().length > 1;
      return shares ? { ...seconds, ...(await run({ one, tfjsThreads: true })) } : seconds;
    });
  };
  await inChromium(fileAt, useThere, args).finally(() => rmSync(folder, { recursive: true }));
}
