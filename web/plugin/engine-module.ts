// The engine's WebAssembly modules: where they are, and one of them in Node, for what a page says about the engine.
import * as refusals from '#messages/refusals';
import * as ofPrograms from '#messages/program-refusals';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { withProgram, worded } from '../src/messages/sentence';
import type { Engine, Answered } from '../src/engine/types';
import { complaintOf } from '../src/lesson/expression';
import { language } from '../src/lesson/format/fields';
import { withLibrary } from './library-files.mjs';

export const engineFile =
  process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export const moduleFile = (name: string, type: string): string => engineFile.replace(/\.mjs$/, `_${name}.${type}`);

let loading: Promise<Engine> | undefined;

/** The module with the language of programs. */
export const programModule = (): Promise<Engine> => (loading ??= moduleIn(moduleFile('program', 'mjs')));

/** A module is built for the web, so Node passes it the bytes. */
export async function moduleIn(file: string): Promise<Engine> {
  const { default: create } = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as {
    default: (options: { wasmBinary: Uint8Array }) => Promise<Engine>;
  };
  return withLibrary(await create({ wasmBinary: await readFile(file.replace(/\.mjs$/, '.wasm')) }));
}

/** Every sentence of the engine, for what is built in Node. */
export const english = withProgram(refusals, ofPrograms);

/** The value of a reply. Throws an Error with its sentence if it has none. */
export function valueOf<T>(reply: Answered<T>): T {
  if (!reply.ok) throw new Error(worded(reply, english));
  return reply.value;
}

/** Lessons have expressions in the learner's language, which the engine reads: to be awaited before a lesson is read. */
export async function loadLanguage(): Promise<void> {
  const session = new (await programModule()).Session();
  language.complaint = (text) => complaintOf(text, (program) => session.calculate(program, []), english);
}
