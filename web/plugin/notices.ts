// Vite plugin that writes licences.txt: the notices of all parts of the site that others have made. It names the npm
// packages of which the build reads a module or a file, and what is linked into the WebAssembly modules.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { grouped } from './page';
import { root } from './library';

export const NOTICES = 'licences.txt';

/** Parts that are in no module of the page: fonts, the service worker, what the bundler adds to each script. */
const OTHERWISE_BUNDLED = [
  ...['source-sans', 'source-serif', 'katex'],
  ...['core', 'routing', 'strategies'].map((name) => `workbox-${name}`),
  ...['vite', 'rolldown'],
];

/** "a/node_modules/@lit/reactive-element/css-tag.js" is of the package at "a/node_modules/@lit/reactive-element". */
const packageOf = (id: string): string | undefined => /^[^\0]*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0];

interface Notice {
  /** Like "lit 3.3.3 (BSD-3-Clause)". */
  name: string;
  text: string;
}

/** Throws if a package has no licence text: it must not be bundled before one is found. */
export function noticeOf(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >;
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  if (!file) throw new Error(`The site contains ${name}, which has no licence file in ${folder}.`);
  return { name: `${name} ${version} (${license})`, text: ownPart(readFileSync(join(folder, file), 'utf8')) };
}

/** Without the licences of what the published package of a build tool contains: the site does not. */
const ownPart = (text: string): string => text.split('\n# Licenses of bundled dependencies')[0]!.trim();

/** The packages with the same text stand above it. */
function npmNotices(folders: readonly string[]): string[] {
  const all = folders.map(noticeOf).sort((a, b) => a.name.localeCompare(b.name, 'en'));
  return [...grouped(all, ({ text }) => text)].map(
    ([text, of]) => `${of.map(({ name }) => name).join('\n')}\n\n${text}`,
  );
}

const RULE = `\n\n${'-'.repeat(80)}\n\n`;

export function noticesText(ids: Iterable<string>): string {
  const modules = join(root, 'web/node_modules');
  const read = [...ids].flatMap((id) => packageOf(id) ?? []);
  const folders = new Set([...read, ...OTHERWISE_BUNDLED.map((name) => join(modules, name))]);
  const runtime = readFileSync(join(root, 'bindings/runtime-notices.txt'), 'utf8').trim();
  const licence = readFileSync(join(root, 'LICENSE'), 'utf8').trim();
  const heads = [`Unroll\n\n${licence}`, 'Unroll contains the following parts, which others have made.'];
  return [...heads, runtime, ...npmNotices([...folders])].join(RULE) + '\n';
}

/** `page` writes the file. `worker` is for the bundles of workers, which come before it. */
export function notices(): { page: Plugin; worker: () => Plugin[] } {
  const ids = new Set<string>();
  const collect = (more: Iterable<string>): void => [...more].forEach((id) => ids.add(id));
  return {
    worker: () => [
      {
        name: 'unroll:notices-of-worker',
        generateBundle() {
          collect(this.getModuleIds());
        },
      },
    ],
    page: {
      name: 'unroll:notices',
      apply: 'build',
      generateBundle() {
        collect(this.getModuleIds());
        this.emitFile({ type: 'asset', fileName: NOTICES, source: noticesText(ids) });
      },
    },
  };
}
