// The engine's sources, as the page shows them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { highlight } from './highlight';
import { root } from './library';
import { engineSources, sourceHash } from './source-hash.mjs';
import { MODULES, THREADED } from '../src/engine/kinds';
import type { Lines } from '../src/lab/page';

const MODULE = 'virtual:sources';
const RESOLVED = `\0${MODULE}`;

/**
 * False below the operations, where a trace records nothing, and for the language of programs, which show their own text and
 * that of the library's files.
 */
export const mayBeTraced = (path: string): boolean =>
  path.endsWith('.py') || !/\/(?:program|kernels|tensor|data|io)\//.test(path);

/** The lines of a source as JSON. */
const linesOf = async (path: string): Promise<string> =>
  JSON.stringify(await highlight(readFileSync(join(root, path), 'utf8'), path.endsWith('.py') ? 'python' : 'cpp'));

/**
 * Vite plugin: the engine's sources as highlighted HTML, in one file each, which the code pane fetches by its path. One hash
 * names them all, so that a page need not carry the name of every file.
 */
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
        const path = /\/assets\/source\/(engine\/[\w/]+\.(?:cpp|h|py))\.json$/.exec(request.url ?? '')?.[1];
        if (!path || !engineSources().includes(path)) return next();
        linesOf(path).then((lines) => response.setHeader('Content-Type', 'application/json').end(lines), next);
      });
    },
  };
}

/**
 * Vite plugin: fails the build unless the hash of the engine sources that the page shows is that of the modules it runs.
 * @param fileOf Path of a module's WebAssembly, which contains the hash of its sources as text.
 */
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

// The lines of a file that define a name, with the comment above them.

/** The lines that `show` of a lesson names, "file#name", from 1; the whole file if it does not define the name. */
export function shownLines(show: string, read: (file: string) => string): Lines {
  const [file, name] = show.split('#') as [string, string];
  const lines = read(file).split('\n');
  const [first, last] = regionOf(lines, name) ?? [0, lines.length - 1];
  return { file, first: first + 1, last: last + 1 };
}

/** First and last line, from 0; null if the file does not define the name, like "attend" or "Norm::operator()". */
export function regionOf(lines: readonly string[], name: string): [first: number, last: number] | null {
  const escaped = name.replace('()', '\\(\\)');
  const begins = new RegExp(`^(?!\\s|//|#|}|using )([^={;]*\\b${escaped}\\(|(class|struct|enum) .*\\b${escaped}\\b)`);
  const found = lines.findIndex((line) => begins.test(line));
  if (found < 0) return null;
  let first = found;
  while (first > 0 && lines[first - 1]!.startsWith('//')) first--;
  return [first, lastOf(lines, found)];
}

/** A definition ends at a brace in the first column, a declaration at its semicolon. */
function lastOf(lines: readonly string[], from: number): number {
  for (let at = from; at < lines.length; at++) {
    if (/^}/.test(lines[at]!) || (/;\s*(\/\/.*)?$/.test(lines[at]!) && !/^\s/.test(lines[at]!))) return at;
    if (/^.*\)\s*(const)?\s*{.*}\s*$/.test(lines[at]!)) return at;
  }
  return lines.length - 1;
}
