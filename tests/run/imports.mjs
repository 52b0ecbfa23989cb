// The import graph of the page and its tests.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { globbed } from './globs.mjs';
import { root } from './parts.mjs';

const IMPORT = /\b(?:from|import)\s*(\()?\s*['"]([.#][^'"]+)['"]/g;
const MESSAGES = 'web/src/messages/en';
const ENDINGS = ['', '.ts', '.mjs', '/index.ts'];

/** The texts of the page, under the name by which it imports them (web/package.json). */
const located = (file, path) => (path[0] === '#' ? path.replace('#messages', MESSAGES) : join(dirname(file), path));

/** The imports of every file, static ones and dynamic ("lazy") ones. */
function graph() {
  const files = ['web/src', 'web/plugin', 'tests/bindings', 'tests/lessons', 'tests/web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => `${folder}/${file}`),
  );
  const edges = new Map();
  for (const file of files.filter((name) => /\.(ts|mjs|css)$/.test(name))) {
    const text = readFileSync(join(root, file), 'utf8');
    const found = [...text.matchAll(IMPORT)].map(([, lazy, path]) => {
      const stem = normalize(located(file, path.split('?')[0]));
      return {
        lazy: Boolean(lazy),
        file: ENDINGS.map((end) => stem + end).find((name) => existsSync(join(root, name))),
      };
    });
    edges.set(file, [...found, ...globbed(file, text, files)]);
  }
  return edges;
}

const edges = graph();

/** A file and everything it imports, directly or indirectly. */
export function closure(file, { lazy = false } = {}, found = new Set()) {
  if (!file || found.has(file)) return found;
  found.add(file);
  for (const edge of edges.get(file) ?? []) if (lazy || !edge.lazy) closure(edge.file, { lazy }, found);
  return found;
}

const ofEveryPage = new Set([...closure('web/src/app/main.ts'), ...closure('web/src/app/elements.ts')]);

const TAG = /customElements\.define\('(u-[\w-]+)'/g;

/** The elements that a change of the file can affect; null if it can affect every page. */
export function elementsWith(file) {
  if (ofEveryPage.has(file)) return null;
  const users = [...edges.keys()].filter((each) => each.startsWith('web/src/') && closure(each).has(file));
  if (users.some((user) => ofEveryPage.has(user))) return null;
  return users.flatMap((user) => [...readFileSync(join(root, user), 'utf8').matchAll(TAG)].map(([, tag]) => tag));
}
