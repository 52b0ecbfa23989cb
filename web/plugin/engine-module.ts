// The engine's WebAssembly modules: where they are, and one of them in Node, for what a page says about the engine.
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Engine } from '../src/engine/session';
import type { Answered } from '../src/engine/types';
import { worded } from '../src/messages/sentence';
import { english } from './english';

export const engineFile =
  process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export const moduleFile = (name: string, type: string): string => engineFile.replace(/\.mjs$/, `_${name}.${type}`);

let loading: Promise<Engine> | undefined;

/** The module with the language of programs; it is built for the web, so Node passes it the bytes. */
export const programModule = (): Promise<Engine> => (loading ??= load());

async function load(): Promise<Engine> {
  const address = pathToFileURL(moduleFile('program', 'mjs')).href;
  const { default: create } = (await import(/* @vite-ignore */ address)) as {
    default: (options: { wasmBinary: Uint8Array }) => Promise<Engine>;
  };
  return create({ wasmBinary: await readFile(moduleFile('program', 'wasm')) });
}

/** The value of a reply. Throws an Error with its sentence if it has none. */
export function valueOf<T>(reply: Answered<T>): T {
  if (!reply.ok) throw new Error(worded(reply, english));
  return reply.value;
}
