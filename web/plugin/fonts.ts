// Vite plugin that subsets the fonts of the npm packages to the characters that occur on the pages, and writes them to
// build/fonts, where fonts.css finds them.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subset from 'subset-font';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { FormulaFonts } from './formula-fonts';
import { root } from './library';

const modules = join(root, 'web/node_modules');
const folder = join(root, 'build/fonts');
const SANS = join(modules, 'source-sans/VF/SourceSans3VF-Upright.ttf');
const serif = (style: string): string => join(modules, `source-serif/TTF/SourceSerif4-${style}.ttf`);

/** Preloaded on every page. */
const PRELOADED = ['sans', 'serif', 'italic-serif'];

/** OpenType name ids of copyright, trademark and licence; the others hold the font's names. */
const NOTICES = [0, 7, 13];

const SOURCE = /\.(md|yaml|ts|h|cpp)$/;

const COMMENT = /\/\*[^]*?\*\/|(?<!:)\/\/.*/g;
const withoutComments = (text: string, file: string): string =>
  /\.(md|yaml)$/.test(file) ? text : text.replace(COMMENT, '');

/** Every character in the sources of these folders, without comments: these may occur on a page. */
function charactersOf(folders: readonly string[]): string[] {
  const files = folders.flatMap((name) =>
    readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
      .filter((file) => SOURCE.test(file))
      .map((file) => join(root, name, file)),
  );
  return [...new Set(files.flatMap((file) => [...withoutComments(readFileSync(file, 'utf8'), file)]))];
}

/**
 * Characters that few pages have, in a file fetched only where one occurs (see fonts.css): accented letters, which may
 * also be typed, Greek ones except α, superscripts and subscripts, symbols. In italics, all signs that are no part of a
 * sentence as well.
 */
const RARE =
  /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0370-\u03b0\u03b2-\u03ff\u1d00-\u1dff\u2070-\u218f\u2300-\u2bff]/;
const RARE_IN_ITALICS = /[^\w\s'(),.:;!?·α’–…-]|_/;
const ACCENTED = String.fromCodePoint(...Array.from({ length: 0x180 - 0xc0 }, (_, i) => 0xc0 + i));

interface Subset {
  from: string;
  text: Iterable<string>;
  axes?: Record<string, { min: number; max: number; default: number }>;
}

async function subsetAll(formulas: FormulaFonts): Promise<void> {
  const read = charactersOf(['lessons', 'web/src/messages', 'web/src/lesson', 'web/src/figures']);
  const named = charactersOf(['lessons', 'engine/nn']);
  const operated = charactersOf(['lessons', 'web/src', 'engine']);
  const axes = { wght: { min: 400, max: 600, default: 400 } };
  const subsets: Record<string, Subset> = {
    sans: { from: SANS, text: operated.filter((c) => !RARE.test(c)), axes },
    'rare-sans': { from: SANS, text: [...operated.filter((c) => RARE.test(c)), ...ACCENTED], axes },
    serif: { from: serif('Regular'), text: read.filter((c) => !RARE.test(c) || c === 'Σ') },
    'rare-serif': { from: serif('Regular'), text: read.filter((c) => RARE.test(c) && c !== 'Σ') },
    'italic-serif': { from: serif('It'), text: named.filter((c) => !RARE_IN_ITALICS.test(c)) },
    'rare-italic-serif': { from: serif('It'), text: named.filter((c) => RARE_IN_ITALICS.test(c)) },
  };
  for (const [file, text] of formulas.files) subsets[file] = { from: formulas.source(file), text };
  mkdirSync(folder, { recursive: true });
  await Promise.all(Object.entries(subsets).map(([name, options]) => write(join(folder, `${name}.woff2`), options)));
}

/** Font tables to drop, such as those of layout features. */
const UNUSED = ['STAT', 'BASE', 'GDEF', 'GPOS', 'GSUB', 'gasp'];

async function write(file: string, { from, text, axes }: Subset): Promise<void> {
  const whole = renamed(readFileSync(from));
  const options = { keepFeatures: [], variationAxes: axes, noHinting: true, dropTables: UNUSED };
  writeFileSync(file, await subset(whole, [...text].join(''), { targetFormat: 'woff2', ...options }));
}

/** Renames a font: the licence reserves Adobe's font names for unmodified fonts. The copyright notices stay. */
export function renamed(font: Buffer): Buffer {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'name');
  if (!record) return font; // KaTeX's woff2 is compressed, and its names are not reserved
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

export function fonts(): Plugin {
  let formulas: FormulaFonts;
  return {
    name: 'unroll:fonts',
    enforce: 'pre',
    async buildStart() {
      await subsetAll((formulas = await FormulaFonts.ofLibrary()));
    },
    transform: (css, id) => (/katex\.min\.css/.test(id) ? formulas.style(css, folder) : null),
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {}, path }) => {
        if (!page.includes('rel="stylesheet"')) return [];
        const up = '../'.repeat(path.split('/').length - 2);
        const needed = [...PRELOADED, ...formulas.filesFor(page)];
        return Object.keys(bundle)
          .filter((file) => needed.includes(file.replace(/^.*\/|-[\w-]{8}\.woff2$/g, '')))
          .map((file): HtmlTagDescriptor => preload(`${up || './'}${file}`));
      },
    },
  };
}

const preload = (href: string): HtmlTagDescriptor => ({
  tag: 'link',
  attrs: { rel: 'preload', href, as: 'font', type: 'font/woff2', crossorigin: true },
  injectTo: 'head', // after the charset, which browsers look for in the first kilobyte
});
