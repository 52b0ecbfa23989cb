// The glossary page: every term in alphabetical order, with the lesson where it is first used.
import type { Term } from './glossary';
import { grouped } from './grouped';
import type { Lesson } from './lesson';
import { anchorOf } from './links';
import { escape } from '../src/ui/escape';
import { htmlPage, titleOf } from './page';

const SUMMARY = 'Every word that the lessons explain, in alphabetical order, with the lesson where it is first used.';

export function glossaryPage(lessons: readonly Lesson[], glossary: ReadonlyMap<string, Term>): string {
  const words = [...new Map([...glossary.values()].map((term) => [term.name, term])).values()];
  const letters = grouped(
    words.sort((a, b) => a.name.localeCompare(b.name, 'en')),
    ({ name }) => name[0]!.toUpperCase(),
  );
  const groups = [...letters].map(
    ([letter, terms]) =>
      `<h2>${letter}</h2>\n<dl class="glossary">${terms.map((term) => entry(term, lessons)).join('\n')}</dl>`,
  );
  const text = `<h1>Glossary</h1>\n<p class="lead">${SUMMARY}</p>\n${groups.join('\n')}`;
  return htmlPage({ title: 'Glossary', summary: SUMMARY, text });
}

function entry({ name, means, also, role }: Term, lessons: readonly Lesson[]): string {
  const forms = also.length ? ` <span class="also">also ${also.map(escape).join(', ')}</span>` : '';
  return `<dt id="${anchorOf(name)}"><dfn${role ? ` class="term ${role}"` : ''}>${escape(name)}</dfn>${forms}</dt><dd>${escape(means)}${firstUse(name, lessons)}</dd>`;
}

function firstUse(name: string, lessons: readonly Lesson[]): string {
  const first = lessons.find(({ found }) => found.terms.has(name));
  if (!first) return '';
  const section = first.found.terms.get(name);
  return ` <a href="../${first.slug}/${section ? `#${section}` : ''}">${escape(titleOf(first))}</a>`;
}
