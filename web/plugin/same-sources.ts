// Fails the build unless the hash of the engine sources that the page shows is that of the modules it runs.
import { readFileSync } from 'node:fs';
import type { Plugin } from 'vite';
import { MODULES, THREADED } from '../src/engine/modules';
import { sourceHash } from './source-hash.mjs';

/** @param fileOf Path of a module's WebAssembly, which contains the hash of its sources as text. */
export function sameSources(fileOf: (module: string) => string): Plugin {
  return {
    name: 'unroll:same-sources',
    buildStart() {
      const others = [...MODULES, ...THREADED].map(fileOf).filter((file) => !readFileSync(file).includes(sourceHash()));
      if (others.length)
        this.error(`Not built from the sources in engine/: ${others.join(', ')}. Run "./lab build" to rebuild them.`);
    },
  };
}
