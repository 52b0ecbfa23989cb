// Navigation filled into every page: the menu, the link to continue, and the footer; and the list of lessons, which the front
// page has, and the menu fetches.
import { LESSONS, placeAmong, WORKBENCH } from '#messages/app';
import { duration, needs, TEACH_WITH_IT } from '#messages/front';
import * as texts from '#messages/pages';
import { PROGRESS } from '#messages/progress';
import type { Lesson } from './lesson';
import type { Library } from './library';
import { escape } from '../src/ui/escape';
import { grouped, titleOf } from './page';

/** Placeholders in a page. */
const PLACES = {
  menu: '<u-top></u-top>',
  continueLink: '<!-- go-on -->',
  contents: '<!-- contents -->',
  foot: '<!-- foot -->',
};

/** @param path Path of the page, like "lessons/softmax/"; "" is the front page. */
export function withNavigation(html: string, library: Library, path: string): string {
  const root = '../'.repeat(path.split('/').length - 1) || './';
  const here = /^lessons\/([^/]*)\/$/.exec(path)?.[1];
  return html
    .replace(PLACES.menu, (top) => `${top}\n${menu(library, root, here)}`)
    .replace(PLACES.continueLink, () => continueLink(library, root) + elsewhere(library, root))
    .replace(
      PLACES.contents,
      () => `<nav class="contents" aria-label="${texts.ALL_LESSONS}">${list(library, root)}</nav>`,
    )
    .replace(PLACES.foot, () => foot(library, root, here));
}

const at = (root: string, path: string, text: string, here = false): string =>
  `<a href="${root}${path}"${here ? ' aria-current="page"' : ''}>${escape(text)}</a>`;

/** Opened by a button in the bar, which the scripts add; they fetch its lessons too, once the reader moves. */
function menu(library: Library, root: string, here?: string): string {
  const { lessons } = library;
  const lesson = lessons.find(({ slug }) => slug === here);
  const place = lesson ? ` data-place="${placeAmong(lesson.number, lessons.at(-1)!.number)}"` : '';
  return `<nav id="lessons-menu" class="menu" aria-label="${LESSONS}"${place} popover>
  ${continueLink(library, root)}
  ${elsewhere(library, root, here)}
  <div class="contents"></div>
</nav>`;
}

/** The lessons of the menu, their addresses relative to the root of the site. */
export const menuRows = (library: Library): string => list(library, '', true);

const elsewhere = (library: Library, root: string, here?: string): string =>
  `<p class="elsewhere">${at(root, 'lessons/progress/', PROGRESS, here === 'progress')} ${at(root, 'workbench/', WORKBENCH)} ${others(library, root, here)}</p>`;

const others = ({ ending }: Library, root: string, here?: string): string =>
  `${at(root, 'lessons/write/', texts.GUIDE, here === 'write')} ${at(root, 'lessons/teach/', TEACH_WITH_IT, here === 'teach')} ${at(root, 'lessons/glossary/', texts.GLOSSARY, here === 'glossary')} ${at(root, 'lessons/ending/', ending.title, here === 'ending')}`;

const foot = (library: Library, root: string, here?: string): string =>
  `<nav class="foot" aria-label="${texts.SITE}">${at(root, '', texts.ALL_LESSONS)} ${at(root, 'workbench/', WORKBENCH)} ${others(library, root, here)} ${at(root, 'lessons/about/', texts.ABOUT, here === 'about')}</nav>`;

/** The scripts point it to where the learner left off. */
function continueLink({ lessons: [first], ending }: Library, root: string): string {
  if (!first) return '';
  const end = ` data-end="${root}lessons/ending/" data-ending="${escape(ending.title)}"`;
  return `<p class="go-on"><a href="${root}lessons/${first.slug}/"${end}><span class="word">${texts.BEGIN}</span> <span class="title">${escape(titleOf(first))}</span></a></p>`;
}

/** `brief`: without what each lesson needs. */
function list({ lessons, broken }: Library, root: string, brief = false): string {
  const parts = grouped(lessons, ({ head }) => head.part);
  const titles = new Map(brief ? [] : lessons.map(({ slug, head }) => [slug, head.title]));
  const row = (lesson: Lesson): string => lessonRow(lesson, titles, root);
  const groups = [...parts].map(([part, all]) => `<h2>${escape(part)}</h2><ol>${all.map(row).join('')}</ol>`);
  return groups.join('') + (broken.size ? brokenRows(broken, root) : '');
}

function lessonRow(lesson: Lesson, titles: ReadonlyMap<string, string>, root: string): string {
  const { slug, number, head, time, found } = lesson;
  const count = Object.keys(found.tasks).length;
  const needed = head.needs.flatMap((need) => titles.get(need) ?? []);
  const needing = needed.length ? ` <span class="needs">${escape(needs(needed))}</span>` : '';
  return `<li data-slug="${slug}">
  <span class="n">${number}</span>
  <div>
    <a href="${root}lessons/${slug}/">${escape(head.title)}</a>
    <p class="summary">${escape(head.summary)}</p>
    <p class="meta"><span>${duration(time)}</span> <span class="done">${texts.exercises(count)}</span>${needing}</p>
  </div>
</li>`;
}

/** For authors: a lesson that cannot be read says why, without blocking the others. */
const brokenRows = (broken: Library['broken'], root: string): string =>
  `<h2>${texts.UNREADABLE_LESSONS}</h2><ol>${[...broken]
    .map(
      ([slug, { message }]) =>
        `<li><span class="n"></span><div>${at(root, `lessons/${slug}/`, slug)}<p class="summary">${escape(message)}</p></div></li>`,
    )
    .join('')}</ol>`;
