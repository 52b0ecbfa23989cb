// A hash over the losses and weights of each training run is the same natively, in Node and in a browser. A quick run
// takes Node on two threads and the browser on one, and resumes runs natively only. So are the hashes of random
// programs.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from '@playwright/test';
import { describe, expect, it, vi } from 'vitest';
import { executablePath, flags } from '../chromium.mjs';
import { builds, fromRoot, run, sameBits, sameBitsOnThreads, some, wholeRun } from './modules';

// Ten training runs on a busy machine.
vi.setConfig({ testTimeout: 120_000 });

/** The runs, in the order of same_bits.cpp. */
const RUNS = [
  'attention with every score function',
  'a GRU with additive attention, on reverse',
  'an LSTM without attention, on addition',
  'the GRU, stopped half-way and resumed',
  'a Transformer with rotary positions, SwiGLU and dropout, on reverse',
  'the Transformer, stopped half-way and resumed',
  'a language model with learned positions, GELU and shared keys and values, on stories',
  'the language model, stopped half-way and resumed',
  'a captioner with attention over the grid, on captions',
  'the captioner, stopped half-way and resumed',
  'decompositions of matrices',
];

/** Pairs of an uninterrupted run and the same run resumed. */
const RESUMED = [
  [1, 3],
  [4, 5],
  [6, 7],
  [8, 9],
] as const;

const program = (preset: string): string => `build/${preset}/tests/unroll_same_bits`;

/** Fails if the file is not built, rather than skipping the test silently. */
function need(path: string): string {
  if (existsSync(fromRoot(path))) return path;
  throw new Error(`${path} is not built: ./lab test bindings builds it and runs this test.`);
}

const needModule = (): string => need('build/wasm/tests/same_bits.wasm');

type Hashes = Record<string, string>;

/** Those that run in WebAssembly. */
const TAKEN = some([...RUNS.keys()], (run) => RESUMED.every(([, resumed]) => run !== resumed));

const byName = (hashes: string[], runs: Iterable<number> = TAKEN): Hashes =>
  Object.fromEntries(Array.from(runs, (run, i) => [RUNS[run]!, hashes[i]!]));

/** Runs the preset's program, which prints the hashes. */
function printed(preset: string, threads = 1): Hashes {
  const { output } = run(need(program(preset)), [String(threads)]);
  return byName(output.trim().split('\n'), RUNS.keys());
}

/** Computed on first use. */
const once = <T>(compute: () => T): (() => T) => {
  let known: { value: T } | null = null;
  return () => (known ??= { value: compute() }).value;
};

const natively = once(() => printed('native'));
const hexadecimal = (hash: bigint): string => BigInt.asUintN(64, hash).toString(16).padStart(16, '0');

/** Serves the test module and an empty page. */
function serve(): Promise<{ address: string; close: () => void }> {
  const types: Record<string, string> = { '.mjs': 'text/javascript' };
  const server = createServer(async ({ url }, response) => {
    if (!/^\/same_bits\.(mjs|wasm)$/.test(url!)) return void response.setHeader('content-type', 'text/html').end('');
    const body = await readFile(fromRoot(`build/wasm/tests${url}`));
    response.setHeader('content-type', types[url!.slice(-4)] ?? 'application/wasm').end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({ address: `http://127.0.0.1:${port}/`, close: () => server.close() });
    });
  });
}

const inNode = once(async () => {
  needModule();
  const module = await sameBits();
  return byName(TAKEN.map((run) => hexadecimal(module._hash_of_run(run))));
});

async function inChromium(): Promise<Hashes> {
  needModule();
  const { address, close } = await serve();
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    const hashes = await page.evaluate<string[]>(`import('/same_bits.mjs')
      .then((module) => module.default())
      .then((module) => ${JSON.stringify(TAKEN)}.map((run) => String(module._hash_of_run(run))))`);
    return byName(hashes.map((hash) => hexadecimal(BigInt(hash))));
  } finally {
    await browser.close();
    close();
  }
}

it('native hashes differ between runs, and repeat', () => {
  const hashes = Object.values(natively());
  expect(hashes).toHaveLength(RUNS.length);
  for (const hash of hashes) expect(hash).toMatch(/^[0-9a-f]{16}$/);
  expect(new Set(hashes).size).toBe(RUNS.length - RESUMED.length);
  if (wholeRun) expect(printed('native')).toEqual(natively()); // else they repeat on two threads, below
});

it.each(
  some(
    [
      ['natively', natively],
      ['in Node', inNode],
    ] as const,
    ([where]) => where === 'natively',
  ),
)('a run resumed from a checkpoint is the run that never stopped, %s', async (_, hashes) => {
  const all = Object.values(await hashes());
  for (const [straight, resumed] of RESUMED) expect(all[resumed]).toBe(all[straight]);
});

it.each(wholeRun ? [2, 3, 4, 7] : [2])('natively on %i threads', (threads) => {
  expect(printed('native', threads)).toEqual(natively());
});

it.runIf(wholeRun)('in Node', async () => expect(await inNode()).toEqual(natively()));

/** The threads join in as soon as they have started, which takes until the test next waits. */
async function inNodeOn(threads: number): Promise<Hashes> {
  need('build/wasm/tests/same_bits_threads.wasm');
  const module = await sameBitsOnThreads();
  module._share_loops(threads);
  const hashes: string[] = [];
  for (const run of TAKEN) {
    await sleep(50);
    hashes.push(hexadecimal(module._hash_of_run(run)));
  }
  return byName(hashes);
}

it.each(wholeRun ? [1, 2, 3, 4, 7] : [2])('in Node on %i threads', async (threads) => {
  expect(natively()).toMatchObject(await inNodeOn(threads));
});

it('in Chromium', async () => expect(natively()).toMatchObject(await inChromium()));

// Other builds of the engine: barely optimised with sanitisers, and with every instruction of this machine.
it.runIf(wholeRun).each([
  ['sanitised', 'sanitize'],
  ['with -march=native', 'release'],
])('%s', { timeout: 300_000 }, (_, preset) => {
  expect(printed(preset)).toEqual(natively());
});

/** Their values and gradients, natively and in WebAssembly, on one thread and on several. */
describe('random programs', () => {
  /** Their seeds are 1, 2, … in random_program() of tests/engine/support/random_programs.h. */
  const PROGRAMS = 200;

  const bySeed = (hashOf: (seed: number) => string): Hashes =>
    Object.fromEntries(Array.from({ length: PROGRAMS }, (_, i) => [`program ${i + 1}`, hashOf(i + 1)]));

  function printed(program: string, threads = 1): Hashes {
    const { output, complaints } = run(program, [String(threads), String(PROGRAMS)]);
    expect(complaints).toBe('');
    const hashes = output.trim().split('\n');
    expect(hashes).toHaveLength(PROGRAMS);
    return bySeed((seed) => hashes[seed - 1]!);
  }

  const [NATIVE] = builds('unroll_same_bits') as [string];

  it('natively each has its own hash', () => expect(new Set(Object.values(printed(NATIVE))).size).toBe(PROGRAMS));

  it('natively on 2 threads', () => expect(printed(NATIVE, 2)).toEqual(printed(NATIVE)));

  it('in Node', async () => {
    const module = await sameBits();
    expect(bySeed((seed) => hexadecimal(module._hash_of_program(seed)))).toEqual(printed(NATIVE));
  });

  it('in Node on 2 threads', async () => {
    const module = await sameBitsOnThreads();
    module._share_loops(2);
    await sleep(50); // until the second thread has started
    expect(bySeed((seed) => hexadecimal(module._hash_of_program(seed)))).toEqual(printed(NATIVE));
  });

  it.each(builds('unroll_same_bits').slice(1))('natively, sanitised: %s', (program) => {
    expect(printed(program)).toEqual(printed(NATIVE));
  });
});
