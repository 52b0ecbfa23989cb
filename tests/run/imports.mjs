// The import graph of the page and its tests.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { root } from './parts.mjs';

const IMPORT = /\b(?:from|import)\s*(\()?\s*['"]([.#][^'"]+)['"]/g;
const MESSAGES = 'web/src/messages/en';
const ENDINGS = ['', '.ts', '.mts', '.mjs', '/index.ts'];

/** The texts of the page, under the name by which it imports them (web/package.json). */
const located = (file, path) => (path[0] === '#' ? path.replace('#messages', MESSAGES) : join(dirname(file), path));

const CALL = /\bimport\.meta\.glob(?:<\w+>)?\(\s*(\[[^\]]*\]|'[^']*')([^)]*)/g;
const PATTERN = /'(!?)([^']*)'/g;

/** Of a pattern's signs: * is anything within a folder, {a,b} is either. */
const formOf = (pattern) =>
  pattern
    .replaceAll('.', '\\.')
    .replaceAll('*', '[^/]*')
    .replace(/\{(.*?)\}/g, (_, either) => `(${either.replaceAll(',', '|')})`);

/** Of `files` those that the text of one of them names by patterns in an import.meta.glob of Vite's. */
function globbed(file, text, files) {
  return [...text.matchAll(CALL)].flatMap(([, argument, options]) => {
    const patterns = [...argument.matchAll(PATTERN)].map(([, not, path]) => ({
      not,
      form: new RegExp(`^${formOf(normalize(join(dirname(file), path)))}$`),
    }));
    const named = (each, kind) => patterns.some(({ not, form }) => not === kind && form.test(each));
    const lazy = !options.includes('eager: true');
    return files.filter((each) => named(each, '') && !named(each, '!')).map((each) => ({ file: each, lazy }));
  });
}

/**
 * Those of `files` that one of them imports, statically or dynamically ("lazy"), types included; all are paths from the
 * root.
 * @param {string} file
 * @param {string} text
 * @param {Set<string>} files
 * @returns {{ file: string, lazy: boolean }[]}
 */
export function importsIn(file, text, files) {
  const found = [...text.matchAll(IMPORT)].flatMap(([, lazy, path]) => {
    const stem = normalize(located(file, path.split('?')[0]));
    const target = ENDINGS.map((end) => stem + end).find((name) => files.has(name));
    return target ? [{ lazy: Boolean(lazy), file: target }] : [];
  });
  return [...found, ...globbed(file, text, [...files])];
}

let graph;
/** The imports of every file of the page and its tests. */
function edges() {
  if (graph) return graph;
  const files = ['web/src', 'web/plugin', 'tests/bindings', 'tests/lessons', 'tests/web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  const all = new Set(files);
  const read = (file) => readFileSync(join(root, file), 'utf8');
  return (graph = new Map(
    files.filter((name) => /\.(ts|mjs|css)$/.test(name)).map((file) => [file, importsIn(file, read(file), all)]),
  ));
}

/** A file and everything it imports, directly or indirectly. */
export function closure(file, { lazy = false } = {}, found = new Set()) {
  if (!file || found.has(file)) return found;
  found.add(file);
  for (const edge of edges().get(file) ?? []) if (lazy || !edge.lazy) closure(edge.file, { lazy }, found);
  return found;
}

const TAG = /customElements\.define\('(u-[\w-]+)'/g;

/** The elements that a change of the file can affect; null if it can affect every page. */
export function elementsWith(file) {
  const ofEveryPage = new Set(['main', 'elements'].flatMap((name) => [...closure(`web/src/app/${name}.ts`)]));
  if (ofEveryPage.has(file)) return null;
  const users = [...edges().keys()].filter((each) => each.startsWith('web/src/') && closure(each).has(file));
  if (users.some((user) => ofEveryPage.has(user))) return null;
  return users.flatMap((user) => [...readFileSync(join(root, user), 'utf8').matchAll(TAG)].map(([, tag]) => tag));
}
