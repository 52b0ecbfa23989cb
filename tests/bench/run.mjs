// node tests/bench/run.mjs [--json FILE] [--check] [--only TEXT]
// Compares the engine with its peers in Chromium and natively, and whole models in Node as well; the builds of
// unroll_bench and unroll_bench_threads and the site come first. PYTHON is a Python that has PyTorch; without one, or without a
// BLAS made for speed, its columns are left out. A bar that asks for more than this machine's peak is marked and fails nothing.
// --check fails if a bar is missed, --only chooses the cases whose name contains the text.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { cases } from './cases.mjs';
import { inPage } from './in-chromium.mjs';
import { factsOfPyTorch, inPyTorch, peerOf } from './in-pytorch.mjs';
import { inLessons, lessonCases } from './lessons.mjs';
import { measure } from './measure.mjs';
import * as ours from './ours.mjs';
import { entry, lessonEntry, lineOf, machineNow, verdict } from './report.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = resolve(here, '../..');
const modules = join(here, '../node_modules');
const wasm = process.env.UNROLL_BENCH_WASM ?? join(root, 'build/wasm/tests/bench');
const native = process.env.UNROLL_BENCH_NATIVE ?? join(root, 'build/release/tests/bench/unroll_bench');

const { values: options } = parseArgs({
  options: { json: { type: 'string' }, check: { type: 'boolean' }, only: { type: 'string', default: '' } },
});

const folders = {
  bench: wasm,
  tfjs: join(modules, '@tensorflow/tfjs-backend-wasm/wasm-out'),
  ort: join(modules, 'onnxruntime-web/dist'),
};

// The module is built for web and worker, so Node passes it the bytes.
async function engineInNode() {
  const { default: load } = await import(join(wasm, 'bench.mjs'));
  return load({ wasmBinary: readFileSync(join(wasm, 'bench.wasm')) });
}

async function inNode(one) {
  const mine = ours[one.kind](await engineInNode(), one.sizes);
  return { ...(await measure({ ours: mine, ...ours.bound(await engineInNode(), one) })), bytes: mine.bytes() };
}

// Parses the program's answer "name seconds name seconds …" into { name: seconds }.
function runNative({ kind, sizes }) {
  const answer = execFileSync(native, {
    input: [kind, ...Object.values(sizes).map(Number)].join(' ') + '\n',
    encoding: 'utf8',
  });
  return Object.fromEntries([...answer.matchAll(/(\S+) (\S+)/g)].map(([, name, seconds]) => [name, Number(seconds)]));
}

const isNamed = ({ name }) => name.includes(options.only);

function chosenCases() {
  const named = cases.filter(isNamed);
  return cases.filter((one) => named.includes(one) || named.some(({ beside }) => beside === one.name));
}

function needBuilds() {
  for (const built of [join(wasm, 'bench.mjs'), join(wasm, 'bench_threads.mjs'), native])
    if (!existsSync(built)) throw new Error(`${built} is not built yet: ./lab bench builds it`);
}

// → { case's name: { pytorch: seconds, … } }
async function allInPyTorch(chosen) {
  if (!chosen.length) return {};
  const { counts, words } = peerOf(factsOfPyTorch());
  console.log(words);
  if (!counts) return {};
  const all = {};
  for (const one of chosen) all[one.name] = inPyTorch(await engineInNode(), one);
  return all;
}

async function main() {
  const chosen = chosenCases();
  const inPages = lessonCases().filter(isNamed);
  if (!chosen.length && !inPages.length) {
    console.error(`lab bench: no case has "${options.only}" in its name: change --only`);
    process.exit(2);
  }
  needBuilds();
  const models = chosen.filter(({ kind }) => kind === 'train' || kind === 'write');
  const pytorch = await allInPyTorch(models);

  const results = [];
  const add = async (one, where, measured) => {
    const machine = await machineNow();
    results.push(entry(one, where, { ...(await measured()), ...pytorch[one.name] }, machine));
    console.log(lineOf(results.at(-1).row));
  };
  if (chosen.length)
    await inPage(folders, async (run) => {
      for (const one of chosen) await add(one, 'chromium', () => run(one));
    });
  for (const one of models) await add(one, 'node', () => inNode(one));
  for (const one of chosen) await add(one, 'native', () => runNative(one));

  if (inPages.length)
    await inLessons(async (run) => {
      for (const one of inPages) results.push(lessonEntry(one, await run(one)));
    });

  const rows = results.map(({ row }) => row);
  if (options.json) writeFileSync(options.json, JSON.stringify(rows, null, 2) + '\n');
  const missed = results.flatMap(({ missed }) => missed);
  for (const bar of missed) console.log(verdict(bar));
  if (options.check && missed.some(({ isOutOfReach }) => !isOutOfReach)) process.exitCode = 1;
}

await main();
