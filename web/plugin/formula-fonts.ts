// The fonts of formulas. KaTeX has twenty; a page loads those that it draws, reduced to the characters that occur.
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PurgeCSS } from 'purgecss';
import { openLibrary, root } from './library';

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

const FONTS = join(root, 'web/node_modules/katex/dist/fonts');
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
    const [first = '', ...others] = lessons.map(({ html, found }) => htmlIn([html, found.tasks]));
    const html = htmlIn([first, others, context.glossary, ending]);
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
