// Hash of the engine's sources, embedded in every WebAssembly module: modules must match the text that the page shows.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');

/** Paths of all engine sources, relative to the root, sorted. */
export function engineSources() {
  return readdirSync(join(root, 'engine'), { recursive: true })
    .map((path) => `engine/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => /\.(h|cpp|py)$/.test(path))
    .sort();
}

/** The first 16 hexadecimal digits of sha256 over "path\0content\0" of every source. */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const path of engineSources()) hash.update(`${path}\0${readFileSync(join(root, path), 'utf8')}\0`);
  return hash.digest('hex').slice(0, 16);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) console.log(sourceHash());
