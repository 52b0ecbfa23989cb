// Vite plugin: the engine's sources as highlighted HTML, in one file each, which the code pane fetches by its path. One
// hash names them all, so that a page need not carry the name of every file.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { highlight } from './highlight';
import { root } from './library';
import { engineSources } from './source-hash.mjs';

const MODULE = 'virtual:sources';
const RESOLVED = `\0${MODULE}`;

/** False below the operations, where a trace records nothing, and for the language of programs, which show their own text. */
export const mayBeTraced = (path: string): boolean => !/\/(?:program|kernels|tensor|data|io)\//.test(path);

/** The lines of a source as JSON. */
const linesOf = async (path: string): Promise<string> =>
  JSON.stringify(await highlight(readFileSync(join(root, path), 'utf8')));

export function sources(): Plugin {
  const files = new Map<string, string>();
  let folder = 'source';
  return {
    name: 'unroll:sources',
    async buildStart() {
      if (this.meta.watchMode) return;
      for (const path of engineSources().filter(mayBeTraced)) files.set(path, await linesOf(path));
      const hash = createHash('sha256').update(JSON.stringify([...files]));
      folder = `source-${hash.digest('hex').slice(0, 7)}`;
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : null),
    load: (id) => (id === RESOLVED ? `export const folder = ${JSON.stringify(folder)};` : null),
    generateBundle() {
      for (const [path, source] of files)
        this.emitFile({ type: 'asset', fileName: `assets/${folder}/${path}.json`, source });
    },
    configureServer({ middlewares }) {
      middlewares.use((request, response, next) => {
        const path = /\/assets\/source\/(engine\/[\w/]+\.(?:cpp|h))\.json$/.exec(request.url ?? '')?.[1];
        if (!path || !engineSources().includes(path)) return next();
        linesOf(path).then((lines) => response.setHeader('Content-Type', 'application/json').end(lines), next);
      });
    },
  };
}
