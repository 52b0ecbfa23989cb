// The files of the learner's language that are written in it, for a WebAssembly module in Node: the page fetches them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engineSources, root } from './source-hash.mjs';

const folder = 'engine/program/library/';

/** Gives them to a module that runs programs. */
export function withLibrary(engine) {
  for (const path of engineSources().filter((path) => path.startsWith(folder)))
    engine.addToLibrary?.(path.slice(folder.length), readFileSync(join(root, path), 'utf8'));
  return engine;
}
