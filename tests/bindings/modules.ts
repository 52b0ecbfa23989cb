// The built engine, in Node: the WebAssembly modules and the native programs.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withLibrary } from '../../web/plugin/library-files.mjs';
import type { Engine, Answered, Reply } from '../../web/src/engine/types';

export const fromRoot = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** `./lab test all`: checks that otherwise take one build, some pages or some models take all. */
export const wholeRun = process.env.UNROLL_TESTS === 'all';
/** Of the cases of one promise: all for "all", else these. */
export const some = <T>(all: readonly T[], quick: (each: T, i: number) => boolean): T[] =>
  wholeRun ? [...all] : all.filter(quick);

/** A module of build/wasm. It is built for web and worker, so Node passes it the bytes. */
async function instantiate(path: string): Promise<unknown> {
  const { default: factory } = await import(/* @vite-ignore */ fromRoot(path));
  return withLibrary(await factory({ wasmBinary: await readFile(fromRoot(path.replace(/mjs$/, 'wasm'))) }));
}

let whole: Promise<Engine> | undefined;
/** The whole engine, instantiated once per test file. */
export const engine = (): Promise<Engine> => (whole ??= instantiate('build/wasm/engine.mjs') as Promise<Engine>);
/** One of the modules that the page loads. */
export const pageModule = (name: string): Promise<Engine> =>
  instantiate(`build/wasm/engine_${name}.mjs`) as Promise<Engine>;

/** The value of a reply that must not be a refusal. */
export function value<T>(reply: Answered<T> | Reply<T>): T {
  if (!reply.ok) throw new Error(JSON.stringify(reply));
  return reply.value;
}

export interface SameBits {
  _hash_of_run(run: number): bigint;
  _hash_of_program(seed: number): bigint;
  _share_loops(threads: number): void;
}
export const sameBits = (): Promise<SameBits> => instantiate('build/wasm/tests/same_bits.mjs') as Promise<SameBits>;
export const sameBitsOnThreads = (): Promise<SameBits> =>
  instantiate('build/wasm/tests/same_bits_threads.mjs') as Promise<SameBits>;

export interface Ended {
  status: number | null;
  output: string;
  complaints: string;
}

/** Runs a program of a native build to completion. */
export function run(program: string, words: string[] = [], input = ''): Ended {
  const ended = spawnSync(fromRoot(program), words, { input, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (ended.error) throw ended.error;
  return { status: ended.status, output: ended.stdout, complaints: ended.stderr };
}

let folder: string | undefined;
/** The path of a new file of this name and content, outside of the sources. */
export function scratch(name: string, content = '', mode = 0o644): string {
  const path = join((folder ??= mkdtempSync(join(tmpdir(), 'unroll-'))), name);
  writeFileSync(path, content, { mode });
  return path;
}

/** A native program; for "all" also its build with sanitizers, which abort at the first memory error. */
export const builds = (program: string): string[] =>
  (wholeRun ? ['native', 'sanitize'] : ['native']).map((preset) => `build/${preset}/tests/${program}`);

/** Bytes in the native session's notation: two hexadecimal digits each. */
export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
export const fromHex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'));

/** Any reply in the native session's notation: plain arrays, bytes in hex, and texts for numbers that JSON lacks. */
export function plain(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value))
    return String(value).replace('Infinity', 'inf').toLowerCase();
  if (value instanceof Uint8Array) return toHex(value);
  if (value instanceof Float32Array || value instanceof Int32Array) return Array.from(value, plain);
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]));
}
