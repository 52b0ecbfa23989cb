// The Vite plugin of the page's faces. Of every font file the page has only the characters that stand on it: cut out of
// the files of the npm packages into build/faces, where faces.css finds them.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import subset from 'subset-font';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { openLibrary, root } from './library';
import { usedRules } from './used-rules';

const modules = join(root, 'web/node_modules');
const folder = join(root, 'build/faces');
const SANS = 'source-sans/VF/SourceSans3VF-Upright.ttf';
const serif = (style: string): string => `source-serif/TTF/SourceSerif4-${style}.ttf`;
const formulaFonts = (): string[] => readdirSync(join(modules, 'katex/dist/fonts')).filter((f) => f.endsWith('.woff2'));

/** On every page from the start, and on one with formulas. */
const PRELOADED = /^(sans|serif|italic-serif)-[\w-]+\.woff2$/;
const FOR_FORMULAS = /^KaTeX_(Main-Regular|Math-Italic)-[\w-]+\.woff2$/;
const LICENCE = 'faces-licence.txt';

const ENTITY = /&#x([\dA-F]+);/g;
const character = (_: string, code: string): string => String.fromCodePoint(Number.parseInt(code, 16));

/** What KaTeX drew, of letters and of all else; the twin for assistive tools is not drawn in its fonts. */
export function drawnFormulas(html: string): { letters: string; other: string } {
  const starts = [...html.matchAll(/<span class="katex-html"[^>]*>/g)].map((tag) => tag.index + tag[0].length);
  const drawn = starts.map((start) => html.slice(start, endOf(html, start))).join('');
  const italic = /<span class="[^"]*\bmathnormal\b[^"]*"[^>]*>([^<]*)/g;
  return {
    letters: [...drawn.matchAll(italic)].map(([, text]) => text).join(''),
    other: drawn
      .replace(italic, '')
      .replace(/<[^>]*>/g, '')
      .replace(ENTITY, character),
  };
}

/** Where the span ends whose inside begins here. */
function endOf(html: string, start: number): number {
  let depth = 1;
  for (const tag of html.slice(start).matchAll(/<(\/?)span\b/g))
    if ((depth += tag[1] ? -1 : 1) === 0) return start + tag.index;
  return html.length;
}

/** All HTML of a lesson: its text, and what its exercises say. */
function htmlIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return value && typeof value === 'object' ? Object.values(value).map(htmlIn).join('\n') : '';
}

/** Under these ids a font has its copyright, trademark and licence, under the others its names. */
const NOTICES = [0, 7, 13];

const SOURCE = /\.(md|yaml|ts|h|cpp)$/;

const COMMENT = /\/\*[^]*?\*\/|(?<!:)\/\/.*/g;
const withoutComments = (text: string, file: string): string =>
  /\.(md|yaml)$/.test(file) ? text : text.replace(COMMENT, '');

/** Every character that stands in the sources of these folders, and so may stand on the page. */
function charactersOf(folders: readonly string[]): string[] {
  const files = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => SOURCE.test(file))
      .map((file) => join(root, name, file)),
  );
  return [...new Set(files.flatMap((file) => [...withoutComments(readFileSync(file, 'utf8'), file)]))];
}

/** What few pages have, in a file that comes where one of them stands (see faces.css): letters with accents, which may be
 *  typed, too, Greek ones but for α, raised and lowered ones, signs. */
const RARE =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03b0\u03b2-\u03ff\u1d00-\u1dff\u2070-\u218f\u2300-\u2bff]/;
const ACCENTED = String.fromCodePoint(...Array.from({ length: 0x180 - 0xc0 }, (_, i) => 0xc0 + i));

interface Cut {
  from: string;
  text: Iterable<string>;
  axes?: Record<string, { min: number; max: number; default: number }>;
}

/** All that is drawn with KaTeX somewhere. */
async function formulaHtml(): Promise<string> {
  const { lessons, world, ending } = await openLibrary();
  return htmlIn([lessons.map(({ html, found }) => [html, found.tasks]), world.glossary, ending]);
}

async function cutAll(html: string): Promise<void> {
  const read = charactersOf(['lessons', 'web/src/lesson', 'web/src/views']);
  const named = charactersOf(['lessons', 'engine/nn']);
  const operated = charactersOf(['lessons', 'web/src', 'engine']);
  const axes = { wght: { min: 400, max: 600, default: 400 } };
  const formulas = drawnFormulas(html);
  const cuts: Record<string, Cut> = {
    sans: { from: SANS, text: operated.filter((c) => !RARE.test(c)), axes },
    'rare-sans': { from: SANS, text: [...operated.filter((c) => RARE.test(c)), ...ACCENTED], axes },
    serif: { from: serif('Regular'), text: read },
    'italic-serif': { from: serif('It'), text: named },
  };
  for (const file of formulaFonts())
    cuts[basename(file, '.woff2')] = {
      from: `katex/dist/fonts/${file}`,
      text: /_Math-/.test(file) ? formulas.letters : formulas.other,
    };
  mkdirSync(folder, { recursive: true });
  await Promise.all(Object.entries(cuts).map(([name, cut]) => write(join(folder, `${name}.woff2`), cut)));
}

/** Tables of features that are not kept. */
const UNUSED = ['STAT', 'BASE', 'GDEF', 'GPOS', 'GSUB', 'gasp'];

async function write(file: string, { from, text, axes }: Cut): Promise<void> {
  const whole = renamed(readFileSync(join(modules, from)));
  const options = { keepFeatures: [], variationAxes: axes, noHinting: true, dropTables: UNUSED };
  writeFileSync(file, await subset(whole, [...text].join(''), { targetFormat: 'woff2', ...options }));
}

/** What is cut out of a font of Adobe's may not bear its name, says the licence; the notice of copyright stays. */
export function renamed(font: Buffer): Buffer {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'name');
  if (!record) return font; // of KaTeX, packed: its names are free
  const table = font.readUInt32BE(record + 8);
  const strings = table + font.readUInt16BE(table + 4);
  for (let i = 0, at = table + 6; i < font.readUInt16BE(table + 2); i++, at += 12) {
    if (NOTICES.includes(font.readUInt16BE(at + 6))) continue;
    const start = strings + font.readUInt16BE(at + 10);
    const name = font.subarray(start, start + font.readUInt16BE(at + 8));
    name.write(name.toString('latin1').replaceAll(/S(\0?)o\1u\1r\1c\1e/g, 'U$1n$1r$1o$1l$1l'), 'latin1');
  }
  return font;
}

const licence = (): string =>
  ['source-sans', 'source-serif']
    .map((name) => `Cut out of ${name}:\n\n${readFileSync(join(modules, name, 'LICENSE.md'), 'utf8')}`)
    .join('\n\n');

export function faces(): Plugin {
  let html = '';
  return {
    name: 'unroll:faces',
    enforce: 'pre',
    async buildStart() {
      await cutAll((html = await formulaHtml()));
    },
    transform(css, id) {
      if (!/katex\.min\.css/.test(id)) return null;
      const ours = usedRules(css, html).replaceAll('url(fonts/', `url(${folder}/`);
      return ours.replace(/,url\([^)]*\.(woff|ttf)\) format\("[^"]*"\)/g, ''); // every browser that runs the page reads woff2
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: LICENCE, source: licence() });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {}, path }) => {
        const up = '../'.repeat(path.split('/').length - 2);
        const names = Object.keys(bundle).filter(
          (name) =>
            PRELOADED.test(basename(name)) || (page.includes('katex-html') && FOR_FORMULAS.test(basename(name))),
        );
        return names.map((name): HtmlTagDescriptor => preload(`${up || './'}${name}`));
      },
    },
  };
}

const preload = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true },
  injectTo: 'head', // behind the character set, which a browser looks for in the first kilobyte
});
