// node tests/bench/run.mjs [--json FILE] [--check] [--only TEXT]
// Compares the engine with its peers in Chromium and natively, and training in Node as well; the two builds of
// unroll_bench come first. PYTHON is a Python that has PyTorch.
// --check fails if a bar is missed, --only chooses the cases whose name contains the text.
import { execFileSync } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright';
import { executablePath, flags } from '../chromium.mjs';
import { cases, units } from './cases.mjs';
import { compare, measure } from './measure.mjs';
import * as ours from './ours.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const modules = join(here, '../node_modules');
const wasm = process.env.UNROLL_BENCH_WASM ?? join(root, 'build/wasm/tests/bench');
const native = process.env.UNROLL_BENCH_NATIVE ?? join(root, 'build/release/tests/bench/unroll_bench');

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, check: { type: 'boolean' }, only: { type: 'string', default: '' } },
});

const types = {
  '.mjs': 'text/javascript',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.html': 'text/html',
};

// Serves these folders under their names, on this machine only.
function serve(folders) {
  const server = createServer(({ url }, response) => {
    const [, folder, name = ''] = new URL(url, 'http://localhost').pathname.split('/');
    const file = folders[folder] && join(folders[folder], name);
    if (!file || !existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  return new Promise((done) => server.listen(0, '127.0.0.1', () => done(server)));
}

async function bundle(folder) {
  await build({
    entryPoints: [join(here, 'page.mjs')],
    bundle: true,
    format: 'esm',
    external: ['/bench/*'],
    outfile: join(folder, 'page.mjs'),
    logLevel: 'error',
  });
  writeFileSync(join(folder, 'index.html'), '<!doctype html><script type="module" src="page.mjs"></script>');
}

// Skips the slow baseline compiler of WebAssembly: on a busy machine, it could still be in use while we measure.
const args = ['--js-flags=--no-liftoff', ...flags];

// Calls use(run) with run(case) → { contender: seconds }.
async function inChromium(use) {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-bench-'));
  await bundle(folder);
  const server = await serve({
    page: folder,
    bench: wasm,
    tfjs: join(modules, '@tensorflow/tfjs-backend-wasm/wasm-out'),
    ort: join(modules, 'onnxruntime-web/dist'),
  });
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    page.on('pageerror', (error) => console.error(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/page/index.html`);
    await page.waitForFunction(() => globalThis.bench);
    await page.evaluate(() => globalThis.bench.start());
    await use((one) => page.evaluate((one) => globalThis.bench.runCase(one), one));
  } finally {
    await browser.close();
    server.close();
    rmSync(folder, { recursive: true });
  }
}

// The module is built for web and worker, so Node passes it the bytes.
async function engineInNode() {
  const { default: load } = await import(join(wasm, 'bench.mjs'));
  return load({ wasmBinary: readFileSync(join(wasm, 'bench.wasm')) });
}

async function inNode({ kind, sizes }) {
  const engine = await engineInNode();
  const one = ours[kind](engine, sizes);
  return { ...(await measure({ ours: one, floor: ours.floor(engine, sizes) })), bytes: one.bytes?.() };
}

// Seconds per training step in PyTorch, natively and on one thread, from the same values and so with the same losses.
async function inPyTorch({ name, sizes }) {
  const engine = await engineInNode();
  const values = ours.trainValues(engine, sizes.workload);
  const { seconds, losses } = JSON.parse(
    execFileSync(process.env.PYTHON ?? 'python3', [join(here, 'pytorch.py'), sizes.workload], {
      input: Buffer.concat(values.map(({ buffer }) => Buffer.from(buffer))),
      env: { ...process.env, OMP_NUM_THREADS: '1', OPENBLAS_NUM_THREADS: '1', MKL_NUM_THREADS: '1' },
      encoding: 'utf8',
    }),
  );
  compare(name, { ours: ours.train(engine, sizes).result(), pytorch: losses });
  return seconds;
}

// Parses the program's answer "name seconds name seconds …" into { name: seconds }.
function runNative({ kind, sizes }) {
  const answer = execFileSync(native, {
    input: [kind, ...Object.values(sizes).map(Number)].join(' ') + '\n',
    encoding: 'utf8',
  });
  return Object.fromEntries([...answer.matchAll(/(\S+) (\S+)/g)].map(([, name, seconds]) => [name, Number(seconds)]));
}

function entry({ name, kind, sizes, bars }, where, seconds) {
  const { unit, value } = units[kind];
  const { ours, bytes, ...peers } = seconds;
  const map = (f) => Object.fromEntries(Object.entries(peers).map(([peer, time]) => [peer, f(time)]));
  const row = {
    case: name,
    where,
    unit,
    ours: value(sizes, ours),
    megabytes: bytes && bytes / 1e6,
    peers: map((time) => value(sizes, time)),
    ratio: map((time) => time / ours),
  };
  const missed = Object.entries(bars[where] ?? {})
    .filter(([peer, bar]) => !(row.ratio[peer] >= bar))
    .map(([peer, bar]) => `${name} in ${where}: ${row.ratio[peer].toFixed(2)} × ${peer}, wanted ${bar.toFixed(2)}`);
  return { row, missed };
}

const figure = (x) => x.toPrecision(3).padStart(7);
function print({ case: name, where, unit, ours, megabytes, peers, ratio }) {
  const memory = megabytes ? `, ${figure(megabytes).trim()} MB at most` : '';
  const others = Object.keys(peers).map((peer) => `${peer} ${figure(peers[peer])} (× ${ratio[peer].toFixed(2)})`);
  console.log(`${where.padEnd(9)} ${name.padEnd(48)} ours ${figure(ours)}  ${others.join('  ')}  ${unit}${memory}`);
}

async function main() {
  const named = cases.filter(({ name }) => name.includes(options.only));
  if (!named.length) {
    console.error(`lab bench: no case has "${options.only}" in its name: change --only`);
    process.exit(2);
  }
  for (const built of [join(wasm, 'bench.mjs'), native])
    if (!existsSync(built)) throw new Error(`${built} is not built yet: ./lab bench builds it`);
  const chosen = cases.filter((one) => named.includes(one) || named.some(({ beside }) => beside === one.name));
  const trainings = chosen.filter(({ kind }) => kind === 'train');
  const pytorch = {};
  for (const one of trainings) pytorch[one.name] = await inPyTorch(one);

  const results = [];
  const add = (one, where, seconds) => {
    const peers = pytorch[one.name] && { pytorch: pytorch[one.name] };
    results.push(entry(one, where, { ...seconds, ...peers }));
    print(results.at(-1).row);
  };
  await inChromium(async (run) => {
    for (const one of chosen) add(one, 'chromium', await run(one));
  });
  for (const one of trainings) add(one, 'node', await inNode(one));
  for (const one of chosen) add(one, 'native', runNative(one));

  if (options.json)
    writeFileSync(
      options.json,
      JSON.stringify(
        results.map(({ row }) => row),
        null,
        2,
      ) + '\n',
    );
  const missed = results.flatMap(({ missed }) => missed);
  for (const line of missed) console.log(`missed: ${line}`);
  if (options.check && missed.length) process.exitCode = 1;
}

await main();
