// Vite plugin that subsets the fonts of the npm packages to the characters that occur on the pages, writes them to
// build/fonts, and adds their faces to page.css.
import { readdirSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PurgeCSS } from 'purgecss';
import subset from 'subset-font';
import type { HtmlTagDescriptor, Plugin } from 'vite';
import { concordance } from './concordance';
import { termsOf } from './glossary';
import { hasBench } from './lesson';
import { openLibrary, root } from './library';

const modules = join(root, 'web/node_modules');
const folder = join(root, 'build/fonts');

/**
 * Characters that few pages have, in a file fetched only where one occurs: accented letters, which may also be typed, Greek
 * ones except α, superscripts and subscripts, quotes of other languages, symbols. As the `unicode-range` of the file's face.
 */
const RARE =
  'U+AB,U+B2-B3,U+B9,U+BB,U+C0-D6,U+D8-24F,U+370-3B0,U+3B2-3FF,U+1D00-1DFF,U+2016-2018,U+201E,U+2070-218F,U+21B5-21E5,U+221A,U+2260-2265,U+2300-2BFF';
/** All but Σ, which formulas of the inspector have, and the signs of code, which has a font of its own. */
const RARE_IN_SERIF = `U+23-24,U+40,U+5B-60,U+7B-7E,${RARE.replace('U+370-3B0', 'U+370-3A2,U+3A4-3B0')}`;
/** All signs that are no part of a sentence as well. */
const RARE_IN_ITALICS =
  'U+22-26,U+2A-2B,U+2F,U+3C-3E,U+40,U+5B-60,U+7B-B6,U+B8-3B0,U+3B2-2012,U+2014-2018,U+201A-2025,U+2027-FFFF';
const ACCENTED = String.fromCodePoint(...Array.from({ length: 0x180 - 0xc0 }, (_, i) => 0xc0 + i));

const isWithin = (range: string, character: string): boolean =>
  range.split(',').some((part) => {
    const [first, last = first] = part
      .slice(2)
      .split('-')
      .map((code) => Number.parseInt(code, 16));
    const code = character.codePointAt(0)!;
    return first! <= code && code <= last!;
  });

interface Font {
  from: string;
  /** Descriptors of its faces. */
  face: string;
  /** The sources whose characters it has, and what is typed besides. */
  folders: string[];
  typed?: string;
  rare: string;
  axes?: Subset['axes'];
}

const serif = (style: string): string => join(modules, `source-serif/TTF/SourceSerif4-${style}.ttf`);

/** By the file of the characters that are not rare, which is preloaded on every page. */
const OWN: Readonly<Record<string, Font>> = {
  sans: {
    from: join(modules, 'source-sans/VF/SourceSans3VF-Upright.ttf'),
    // scaled up by 7 % to match the size of the serif
    face: "font-family:'Unroll Sans';font-weight:400 600;size-adjust:107%",
    folders: ['lessons', 'web/src', 'engine'],
    typed: ACCENTED,
    rare: RARE,
    axes: { wght: { min: 400, max: 600, default: 400 } },
  },
  serif: {
    from: serif('Regular'),
    face: "font-family:'Unroll Serif'",
    folders: ['lessons', 'web/src/messages', 'web/src/lesson', 'web/src/figures'],
    rare: RARE_IN_SERIF,
  },
  'italic-serif': {
    from: serif('It'),
    face: "font-family:'Unroll Serif';font-style:italic",
    folders: ['lessons', 'engine/nn'],
    rare: RARE_IN_ITALICS,
  },
};

/** Ascent and descent of our fonts, in per cent of their size. */
const METRICS = { Sans: [107, 34.88], Serif: [103.6, 33.5] } as const;

/**
 * The system's fonts that stand in until the files have loaded, and if they do not, with our line metrics, so that nothing
 * moves: which of ours, in what, the size in per cent at which they are as wide over the text of all lessons, their names.
 */
const FALLBACKS: readonly [ours: keyof typeof METRICS, system: string, size: number, names: string, face?: string][] = [
  ['Sans', 'Arial', 98.5, 'Arial, Liberation Sans, Helvetica, Arimo'],
  ['Sans', 'Arial', 95.3, 'Arial Bold, Liberation Sans Bold, Helvetica Bold, Arimo Bold', 'font-weight:600'],
  ['Sans', 'Roboto', 98.7, 'Roboto'],
  ['Sans', 'DejaVu', 87, 'DejaVu Sans'],
  ['Sans', 'DejaVu', 79.5, 'DejaVu Sans Bold', 'font-weight:600'],
  ['Serif', 'Times', 109.3, 'Times New Roman, Liberation Serif, Times, Tinos'],
  [
    'Serif',
    'Times',
    102.1,
    'Times New Roman Italic, Liberation Serif Italic, Times Italic, Tinos Italic',
    'font-style:italic',
  ],
  ['Serif', 'Noto', 92.3, 'Noto Serif'],
  ['Serif', 'DejaVu', 85.7, 'DejaVu Serif'],
];

/** The style sheet of our fonts. */
function faces(): string {
  const own = Object.entries(OWN).flatMap(([file, { face, rare }]) => [
    `${face};font-display:swap;src:url(${folder}/${file}.woff2) format('woff2')`,
    `${face};font-display:swap;unicode-range:${rare};src:url(${folder}/rare-${file}.woff2) format('woff2')`,
  ]);
  const fallbacks = FALLBACKS.map(([ours, system, size, names, face = '']) => {
    const local = names.split(', ').map((name) => `local('${name}')`);
    const [ascent, descent] = METRICS[ours].map((metric) => `${((metric / size) * 100).toFixed(1)}%`);
    const metrics = `ascent-override:${ascent};descent-override:${descent};line-gap-override:0%`;
    return `font-family:'As ${ours} in ${system}';${face};src:${local.join()};size-adjust:${size}%;${metrics}`;
  });
  return [...own, ...fallbacks].map((face) => `@font-face{${face}}`).join('\n');
}

interface Subset {
  from: string;
  text: Iterable<string>;
  axes?: Record<string, { min: number; max: number; default: number }>;
}

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

async function subsetAll(formulas: FormulaFonts): Promise<void> {
  const subsets: Record<string, Subset> = {};
  for (const [file, { from, folders, typed = '', rare, axes }] of Object.entries(OWN)) {
    const characters = charactersOf(folders);
    subsets[file] = { from, text: characters.filter((each) => !isWithin(rare, each)), axes };
    subsets[`rare-${file}`] = { from, text: [...characters.filter((each) => isWithin(rare, each)), ...typed], axes };
  }
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
    transform(css, id) {
      if (/katex\.min\.css/.test(id)) return formulas.style(css, folder);
      return /styles\/page\.css/.test(id) ? `${css}\n${faces()}` : null;
    },
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {}, path }) => {
        if (!page.includes('rel="stylesheet"')) return [];
        const up = '../'.repeat(path.split('/').length - 2);
        const needed = [...Object.keys(OWN), ...formulas.filesFor(page)];
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

// The fonts of formulas. KaTeX has twenty; a page loads those that it draws, reduced to the characters that occur.

/** The characters that formulas draw: italic letters, and all others. */
export interface Drawn {
  letters: string;
  other: string;
}

const ENTITY = /&#x([\dA-F]+);/g;
const character = (_: string, code: string): string => String.fromCodePoint(Number.parseInt(code, 16));

/** What KaTeX draws in this HTML. Its MathML, which is for assistive tools, does not use its fonts. */
export function drawnFormulas(html: string): Drawn {
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

/** End of the content of the span whose content begins at `start`. */
function endOf(html: string, start: number): number {
  let depth = 1;
  for (const tag of html.slice(start).matchAll(/<(\/?)span\b/g))
    if ((depth += tag[1] ? -1 : 1) === 0) return start + tag.index;
  return html.length;
}

/** All strings in a value, joined: the HTML of lessons and their exercises. */
function htmlIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return value && typeof value === 'object' ? Object.values(value).map(htmlIn).join('\n') : '';
}

/**
 * The two fonts of nearly every formula are in two files each: the characters of the first lesson, where most readers
 * begin, and the others, fetched by the pages that draw one.
 */
const DIVIDED = ['KaTeX_Main-Regular', 'KaTeX_Math-Italic'];
const OTHERS = '-others';

const FACE = /@font-face\s*\{[^}]*\/([\w-]+)\.woff2[^}]*\}/g;
const OTHER_FORMATS = /,\s*url\([^)]*\.(woff|ttf)\) format\("[^"]*"\)/g; // all supported browsers read woff2

const FONTS = join(modules, 'katex/dist/fonts');
const names = (): string[] =>
  readdirSync(FONTS).flatMap((file) => (file.endsWith('.woff2') ? basename(file, '.woff2') : []));
const charactersIn = (name: string, { letters, other }: Drawn): string => (/_Math-/.test(name) ? letters : other);

export class FormulaFonts {
  private constructor(
    /** All HTML that may have formulas. */
    private readonly html: string,
    /** The characters of every file. */
    readonly files: ReadonlyMap<string, string>,
  ) {}

  static async ofLibrary(): Promise<FormulaFonts> {
    const { lessons, context, ending } = await openLibrary();
    const withBench = lessons.filter(hasBench);
    const [first = '', ...others] = withBench.map(({ html, found }) => htmlIn([html, found.tasks]));
    const html = htmlIn([first, others, concordance(termsOf(context.glossary)), ending]);
    const [all, begun] = [drawnFormulas(html), drawnFormulas(first)];
    const files = names().flatMap((name): [string, string][] => {
      const drawn = charactersIn(name, all);
      if (!DIVIDED.includes(name)) return [[name, drawn]];
      const early = charactersIn(name, begun);
      return [
        [name, early],
        [name + OTHERS, [...drawn].filter((each) => !early.includes(each)).join('')],
      ];
    });
    return new FormulaFonts(html, new Map(files));
  }

  /** The font that a file is part of. */
  source = (file: string): string => join(FONTS, `${file.replace(OTHERS, '')}.woff2`);

  /** The files of the divided fonts that a page needs. */
  filesFor(page: string): string[] {
    const drawn = drawnFormulas(page);
    const needs = (file: string): boolean =>
      [...charactersIn(file, drawn)].some((each) => this.files.get(file)?.includes(each));
    return DIVIDED.flatMap((name) => [name, name + OTHERS]).filter(needs);
  }

  /** KaTeX's style sheet, in a layer below ours, with the rules and faces that the pages use; their files are in `folder`. */
  async style(css: string, folder: string): Promise<string> {
    const content = [{ raw: this.html, extension: 'html' }];
    const [used] = await new PurgeCSS().purge({ content, css: [{ raw: css }] });
    const rules = used!.css.replace(FACE, '');
    const names = (face: string): boolean => rules.includes(face.slice(0, face.indexOf('-')));
    const faces = [...used!.css.matchAll(FACE)].flatMap(([face, name]) =>
      names(name!) ? this.divide(face, name!) : [],
    );
    const all = [...faces, rules].join('').replaceAll('url(fonts/', `url(${folder}/`);
    return `@layer vendor{${all.replace(OTHER_FORMATS, '')}}`;
  }

  /** The range is the shorter one: a character that both faces could draw is drawn by the later. */
  private divide(face: string, name: string): string {
    if (!DIVIDED.includes(name)) return face;
    const codes = [...new Set(this.files.get(name))].sort().map((each) => `U+${each.codePointAt(0)!.toString(16)}`);
    const early = face.replace(/;?\s*\}$/, `;unicode-range:${codes.join(',')}}`);
    return face.replace(name, name + OTHERS) + early;
  }
}
