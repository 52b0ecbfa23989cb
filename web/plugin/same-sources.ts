// The text of the engine that the page shows is that of the modules it runs: both are hashed, and must agree.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { MODULES } from '../src/engine/modules';
import { sourceHash } from './source-hash.mjs';

/** @param fileOf Where the WebAssembly of a module is; it holds the hash of its sources as text. */
export function sameSources(fileOf: (module: string) => string): Plugin {
  return {
    name: 'unroll:same-sources',
    buildStart() {
      const others = Object.keys(MODULES)
        .map(fileOf)
        .filter((file) => !readFileSync(file).includes(sourceHash()));
      if (others.length)
        this.error(`Not of the sources in engine/: ${others.join(', ')}. "./lab build" makes them anew.`);
    },
  };
}
