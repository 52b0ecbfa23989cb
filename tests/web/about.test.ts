// What the built site says of the project: who makes it, its version, how to cite it, and the licences of its parts;
// and its fonts, which are subsets.
import { existsSync, mkdtempSync, readFileSync, readdirSync, writeFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aboutPage, readYaml, version } from '../../web/plugin/about-page';
import { noticeOf } from '../../web/plugin/notices';
import { site } from '../site.mjs';
import { fromRoot } from '../bindings/modules';
import { filesIn, read } from './sources';
import { renamed, drawnFormulas } from '../../web/plugin/fonts';
import { parseMarkdown, toHtml } from '../../web/plugin/markdown';

const licences = readFileSync(`${site}/licences.txt`, 'utf8');
const about = readFileSync(`${site}/lessons/about/index.html`, 'utf8');
const LICENCE_NAMES = ['MIT', 'ISC', 'BSD-3-Clause', 'OFL-1.1'];

interface Locked {
  packages: Record<string, { dependencies?: Record<string, string> }>;
}
const { packages } = JSON.parse(read('web/package-lock.json')) as Locked;

/** The npm packages that the sources of the page import, and what these depend on. */
function imported(): Set<string> {
  const sources = filesIn(['web/src'], /\.ts$/).map(read).join('\n');
  const found = new Set<string>();
  const add = (name: string): void => {
    if (found.has(name) || name.startsWith('@types/')) return;
    found.add(name);
    Object.keys(packages[`node_modules/${name}`]?.dependencies ?? {}).forEach(add);
  };
  for (const [, name] of sources.matchAll(/(?:from|import) '((?:@[\w-]+\/)?[\w-]+)(?:\/[\w./-]+)?'/g))
    if (packages[`node_modules/${name}`]) add(name!);
  return found;
}

/** Dependencies of dependencies: for servers; and for functions of d3-array that the page does not import. */
const NOT_BUNDLED = ['@lit-labs/ssr-dom-shim', 'internmap'];
/** Fails unless the parts are named, each with its version and licence. */
function expectNamed(parts: readonly string[]): void {
  const of = (part: string): RegExp =>
    new RegExp(`^${part} \\d+\\.\\d+\\.\\d+ \\((${LICENCE_NAMES.join('|')})\\)$`, 'm');
  expect(parts.filter((part) => !of(part).test(licences))).toEqual([]);
}

it('every npm package that the page imports is named, with its version and licence', () => {
  const all = [...imported()].filter((name) => !NOT_BUNDLED.includes(name));
  expect(all.length).toBeGreaterThan(15);
  expectNamed(all);
});

it('so is every part of the service worker, and each font', () => {
  const parts = [...readFileSync(`${site}/sw.js`, 'utf8').matchAll(/workbox:([a-z-]+):/g)].map(([, name]) => name!);
  expect(new Set(parts).size).toBeGreaterThan(2);
  expectNamed(parts.map((part) => `workbox-${part}`));
  const fonts = readdirSync(`${site}/assets`).filter((file) => file.endsWith('.woff2'));
  const family = (file: string): string =>
    file.startsWith('KaTeX') ? 'katex' : /serif/.test(file) && !/sans/.test(file) ? 'source-serif' : 'source-sans';
  expectNamed(fonts.map(family));
});

it('and what is linked into the WebAssembly modules', () => {
  for (const part of ['Eigen', 'Emscripten', 'musl', 'libc\\+\\+, libc\\+\\+abi, libunwind and compiler-rt'])
    expect(licences).toMatch(new RegExp(`^${part}.*\\((MPL-2\\.0|MIT|Apache-2\\.0)`, 'm'));
  expect(licences).toContain('The source form of Eigen\nis available');
  const linked = new Set(
    filesIn(['engine', 'bindings'], /\.(cpp|h)$/).flatMap((file) => read(file).match(/<\w+\/\w+>/g) ?? []),
  );
  expect([...linked].filter((header) => !/^<(Eigen|emscripten|sys)\//.test(header))).toEqual([]);
});

it('a package without a licence file stops the build', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unroll-'));
  writeFileSync(join(folder, 'package.json'), '{"name": "unlicensed", "version": "1.0.0"}');
  expect(() => noticeOf(folder)).toThrow('The site contains unlicensed, which has no licence file');
});

it('the foot of every page leads to About', () => {
  const pages = readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('index.html'));
  const whole = pages.map((file) => [file, readFileSync(`${site}/${file}`, 'utf8')] as const);
  const moved = whole.filter(([, page]) => page.includes('moved.js'));
  expect(whole.length - moved.length).toBeGreaterThan(25);
  for (const [file, page] of whole.filter((each) => !moved.includes(each))) {
    const [, href] = /<nav class="foot".*<a href="([^"]*lessons\/about\/)"[^>]*>About<\/a><\/nav>/.exec(page) ?? [];
    expect(existsSync(join(site, file, '..', href ?? 'none', 'index.html')), file).toBe(true);
  }
});

it('one version everywhere: the page, the changelog, CMake', () => {
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(about).toContain(`This is version ${version}.`);
  expect(about).toContain(`version = {${version}}`);
  expect(read('.github/CHANGELOG.md')).toMatch(
    new RegExp(`^## ${version.replaceAll('.', '\\.')} \\(\\d{4}-\\d\\d-\\d\\d\\)$`, 'm'),
  );
  expect(read('build/wasm/CMakeCache.txt')).toContain(`CMAKE_PROJECT_VERSION:STATIC=${version}\n`);
});

it('every file that GitHub reads is valid YAML', () => {
  const files = filesIn(['.github'], /\.(yml|cff)$/);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) expect(() => readYaml(file), file).not.toThrow();
});

it('the address of the source is linked if it is known, and nothing stands in its place if not', () => {
  const address = 'https://example.org/unroll';
  expect(aboutPage(address)).toContain(`Its source is at <a href="${address}">${address}</a>.`);
  expect(aboutPage(address)).toContain(`url = {${address}}`);
  expect(aboutPage('')).not.toMatch(/source is at|url =|https?:/);
});

it('the page’s fonts take at most 80 KB together', () => {
  const assets = `${site}/assets/`;
  const fonts = readdirSync(assets).filter((file) => /^(rare-)?(sans|italic-serif|serif)-[\w-]+\.woff2$/.test(file));
  expect(fonts).toHaveLength(6);
  expect(fonts.reduce((sum, file) => sum + statSync(assets + file).size, 0)).toBeLessThanOrEqual(80 * 1024);
});

it('the characters that formulas draw are kept', () => {
  const html = toHtml(parseMarkdown('x $a < \\text{bc}$ y').children, 'lesson.md');
  const { letters, other } = drawnFormulas(html);
  expect(letters).toBe('a');
  expect(other).toBe('<bc');
});

it('a subset has a name of its own and keeps the copyright notice', () => {
  for (const [name, file] of [
    ['SourceSans3', 'source-sans/VF/SourceSans3VF-Upright.ttf'],
    ['SourceSerif4', 'source-serif/TTF/SourceSerif4-Regular.ttf'],
  ] as const) {
    const text = renamed(readFileSync(fromRoot(`web/node_modules/${file}`)))
      .toString('latin1')
      .replaceAll('\0', '');
    expect(text.includes(name)).toBe(false);
    expect(text.includes(name.replace('Source', 'Unroll'))).toBe(true);
    expect(text.includes('Source is a trademark of Adobe')).toBe(true);
  }
});
