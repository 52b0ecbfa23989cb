// The glossary page: every term in alphabetical order, with the lesson where it is first used.
import { LANGUAGE } from '#messages/language';
import { also as alsoCalled, GLOSSARY, GLOSSARY_SUMMARY } from '#messages/pages';
import type { Term } from './glossary';
import { grouped } from './grouped';
import type { Lesson } from './lesson';
import { anchorOf } from './links';
import { escape } from '../src/ui/escape';
import { htmlPage, titleOf } from './page';

export function glossaryPage(lessons: readonly Lesson[], glossary: ReadonlyMap<string, Term>): string {
  const words = [...new Map([...glossary.values()].map((term) => [term.name, term])).values()];
  const letters = grouped(
    words.sort((a, b) => a.name.localeCompare(b.name, LANGUAGE)),
    ({ name }) => name[0]!.toUpperCase(),
  );
  const groups = [...letters].map(
    ([letter, terms]) =>
      `<h2>${letter}</h2>\n<dl class="glossary">${terms.map((term) => entry(term, lessons)).join('\n')}</dl>`,
  );
  const text = `<h1>${GLOSSARY}</h1>\n<p class="lead">${GLOSSARY_SUMMARY}</p>\n${groups.join('\n')}`;
  return htmlPage({ title: GLOSSARY, summary: GLOSSARY_SUMMARY, text });
}

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
