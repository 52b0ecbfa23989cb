// The Vite plugin of the fonts for formulas: of each the page has only the characters that stand on it, cut out of KaTeX's
// files into build/faces.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subset from 'subset-font';
import type { Plugin } from 'vite';
import { openLibrary, root } from './library';

const modules = join(root, 'web/node_modules');
const folder = join(root, 'build/faces');
const formulaFonts = (): string[] => readdirSync(join(modules, 'katex/dist/fonts')).filter((f) => f.endsWith('.woff2'));

/** What KaTeX drew, of letters and of all else; the twin for assistive tools is not drawn in its fonts. */
export function drawnFormulas(html: string): { letters: string; other: string } {
  const starts = [...html.matchAll(/<span class="katex-html"[^>]*>/g)].map((tag) => tag.index + tag[0].length);
  const drawn = starts.map((start) => html.slice(start, endOf(html, start))).join('');
  const italic = /<span class="[^"]*\bmathnormal\b[^"]*"[^>]*>([^<]*)/g;
  return {
    letters: [...drawn.matchAll(italic)].map(([, text]) => text).join(''),
    other: `${drawn.replace(italic, '').replace(/<[^>]*>/g, '')}<>&`,
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

async function cutAll(): Promise<void> {
  const { lessons } = await openLibrary();
  const { letters, other } = drawnFormulas(htmlIn(lessons.map(({ html, found }) => [html, found.tasks])));
  mkdirSync(folder, { recursive: true });
  await Promise.all(formulaFonts().map((file) => cut(file, /_Math-/.test(file) ? letters : other)));
}

/** Without the names inside: their licence keeps them for the whole fonts. */
async function cut(file: string, text: string): Promise<void> {
  const whole = readFileSync(join(modules, 'katex/dist/fonts', file));
  const options = { keepFeatures: [], noHinting: true, dropTables: ['name', 'STAT'] };
  writeFileSync(join(folder, file), await subset(whole, text, { targetFormat: 'woff2', ...options }));
}

export function faces(): Plugin {
  return {
    name: 'unroll:faces',
    enforce: 'pre',
    buildStart: cutAll,
    transform(css, id) {
      if (!/katex\.min\.css/.test(id)) return null;
      const ours = css.replaceAll('url(fonts/', `url(${folder}/`);
      return ours.replace(/,url\([^)]*\.(woff|ttf)\) format\("[^"]*"\)/g, ''); // every browser that runs the page reads woff2
    },
  };
}
