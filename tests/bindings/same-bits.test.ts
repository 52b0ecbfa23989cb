// One hash over values, gradients, losses and weights: the same natively, in Node and in a browser.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from '@playwright/test';
import { expect, it } from 'vitest';
import { executablePath, flags } from '../chromium.mjs';
import { fromRoot, run, sameBits } from './modules';

const program = (preset: string): string => `build/${preset}/tests/unroll_same_bits`;

/** A test of what is not built fails: nothing is left out in silence. */
function need(path: string): string {
  if (existsSync(fromRoot(path))) return path;
  throw new Error(`${path} is not built: ./lab test bindings builds it and runs this test.`);
}

const needModule = (): string => need('build/wasm/tests/same_bits.wasm');

/** The hash as the program of that preset prints it. */
const native = (preset: string): string => run(need(program(preset))).output.trim();
const hexadecimal = (hash: bigint): string => BigInt.asUintN(64, hash).toString(16).padStart(16, '0');

/** Serves the test module and an empty page. */
function serve(): Promise<{ address: string; close: () => void }> {
  const types: Record<string, string> = {
    '.mjs': 'text/javascript',
    asm: 'application/wasm',
  };
  const server = createServer(async ({ url }, response) => {
    if (!/^\/same_bits\.(mjs|wasm)$/.test(url!)) return void response.setHeader('content-type', 'text/html').end('');
    const body = await readFile(fromRoot(`build/wasm/tests${url}`));
    response.setHeader('content-type', types[url!.slice(-4)] ?? types.asm).end(body);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      resolve({
        address: `http://127.0.0.1:${port}/`,
        close: () => server.close(),
      });
    });
  });
}

async function inChromium(): Promise<string> {
  const { address, close } = await serve();
  const browser = await chromium.launch({ executablePath, args: flags });
  try {
    const page = await browser.newPage();
    await page.goto(address);
    return await page.evaluate<string>(`import('/same_bits.mjs')
      .then((module) => module.default())
      .then((module) => BigInt.asUintN(64, module._hash_of_run()).toString(16).padStart(16, '0'))`);
  } finally {
    await browser.close();
    close();
  }
}

it('natively it is a hash, and the same twice', () => {
  expect(native('native')).toMatch(/^[0-9a-f]{16}$/);
  expect(native('native')).toBe(native('native'));
});

it('in Node', async () => {
  needModule();
  expect(hexadecimal((await sameBits())._hash_of_run())).toBe(native('native'));
});

it('in Chromium', { timeout: 60_000 }, async () => {
  needModule();
  expect(await inChromium()).toBe(native('native'));
});

// Other ways to compile the engine: barely optimised with sanitisers, and with every instruction of this machine.
it('sanitised', { timeout: 300_000 }, () => {
  expect(native('sanitize')).toBe(native('native'));
});

it('with -march=native', () => {
  expect(native('release')).toBe(native('native'));
});
