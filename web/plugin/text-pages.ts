// Pages of the site without a lab: the page after the last lesson (lessons/ending.md), the glossary, and the page at an old
// address of a lesson, which leads to where the lesson is now.
import { LANGUAGE } from '#messages/language';
import { also as alsoCalled, GLOSSARY, GLOSSARY_SUMMARY, moved, NAMES, pageTitle } from '#messages/pages';
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import { text } from '../src/lesson/format/fields';
import { escape } from '../src/ui/escape';
import type { Directive } from './directives';
import { expandWith } from './expand';
import { concordance, NAMES_ID } from './concordance';
import { termsOf, type Term } from './glossary';
import { checkLinks, headIn, type Lesson } from './lesson';
import { LessonRecord, type LessonContext } from './lesson-record';
import { anchorOf } from './links';
import { parseMarkdown, toHtml } from './markdown';
import { grouped, htmlPage, titleOf } from './page';

const head = v.strictObject({ title: text(90), summary: text(300) });

export interface Ending extends v.InferOutput<typeof head> {
  html: string;
}

/** Throws LessonProblem. */
export const readEnding = (source: string, context: LessonContext): Promise<Ending> =>
  readText(source, context, 'lessons/ending.md');

/** Throws LessonProblem. */
export async function readText(
  source: string,
  context: LessonContext,
  file: string,
  directives?: Readonly<Record<string, Directive>>,
): Promise<Ending> {
  const tree = parseMarkdown(source);
  const { title, summary } = headIn(tree, file, head);
  const found = new LessonRecord(file, context, tree.children, expandWith(directives));
  const html = toHtml(found.inside<RootContent>(tree.children.slice(1)), file);
  for (const { place } of [...found.anchors, ...found.figures, ...found.offers, ...found.claimed])
    found.fail('This page has no model: remove what needs one.', place);
  await checkLinks(found);
  return { title, summary, html };
}

export const textPage = ({ title, summary, html }: Ending): string =>
  htmlPage({ title, summary, text: `<h1>${escape(title)}</h1>\n<p class="lead">${escape(summary)}</p>\n${html}` });

export function glossaryPage(lessons: readonly Lesson[], glossary: ReadonlyMap<string, Term>): string {
  const words = termsOf(glossary).sort((a, b) => a.name.localeCompare(b.name, LANGUAGE, { ignorePunctuation: true }));
  const letters = grouped(words, ({ name }) => /[\p{L}\p{N}]/u.exec(name)![0].toUpperCase());
  const groups = [...letters].map(
    ([letter, terms]) =>
      `<h2>${letter}</h2>\n<dl class="glossary">${terms.map((term) => entry(term, lessons)).join('\n')}</dl>`,
  );
  const text = `<h1>${GLOSSARY}</h1>\n<p class="lead">${GLOSSARY_SUMMARY}</p>\n${seeNames(words)}${groups.join('\n')}\n${concordance(words)}`;
  return htmlPage({ title: GLOSSARY, summary: GLOSSARY_SUMMARY, text, sheet: '/src/lesson/glossary.css' });
}

const seeNames = (words: readonly Term[]): string =>
  concordance(words) && `<p><a href="#${NAMES_ID}">${NAMES}</a></p>\n`;

function entry({ name, means, also, role }: Term, lessons: readonly Lesson[]): string {
  const forms = also.length ? ` <span class="also">${alsoCalled(also.map(escape))}</span>` : '';
  return `<dt id="${anchorOf(name)}"><dfn${role ? ` class="term ${role}"` : ''}>${escape(name)}</dfn>${forms}</dt><dd>${escape(means)}${firstUse(name, lessons)}</dd>`;
}

function firstUse(name: string, lessons: readonly Lesson[]): string {
  const first = lessons.find(({ found }) => found.terms.has(name));
  if (!first) return '';
  const section = first.found.terms.get(name);
  return ` <a href="../${first.slug}/${section ? `#${section}` : ''}">${escape(titleOf(first))}</a>`;
}

/** Leads to the lesson, or to its section. */
export function movedPage(slug: string, lessons: readonly Lesson[], section = ''): string {
  const to = `../${slug}/${section && `#${section}`}`;
  const title = lessons.find((lesson) => lesson.slug === slug)?.head.title ?? slug;
  return `<!doctype html>
<html lang="${LANGUAGE}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${pageTitle(escape(title))}</title>
    <link rel="canonical" href="${to}" />
    <script src="/moved.js"></script>
  </head>
  <body>
    <p>${moved(`<a href="${to}">${escape(title)}</a>`)}</p>
  </body>
</html>
`;
}
