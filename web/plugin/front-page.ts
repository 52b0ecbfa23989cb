// What the build fills into the front page: the facts, the way in, the translator, the doors and the map of the course.
import * as texts from '#messages/front';
import { BEGIN, GUIDE } from '#messages/pages';
import { escape } from '../src/ui/escape';
import type { Library } from './library';
import { courseMap } from './course-map';
import { titleOf } from './page';
import { timeOf, lessonsOn } from './paths';
import { hasBench } from './lesson';
import { translatorOf, TRANSLATING } from './translator';

/** @param root The way from the page to the root of the site. */
export async function withFront(html: string, library: Library, root: string): Promise<string> {
  if (!html.includes(PLACES.doors)) return html;
  const translator = await translatorOf(library.lessons, root);
  return html
    .replace(PLACES.facts, () => facts(library))
    .replace(PLACES.start, () => start(library, root))
    .replace(PLACES.translator, () => translator && translator + explained(library, root))
    .replace(PLACES.doors, () => doors(library, root))
    .replace(PLACES.map, () => courseMap(library, root));
}

/** The lessons that explain what the translator shows. */
const EXPLAINED = { 'looking-back': texts.HOW_IT_WORKS, [TRANSLATING]: texts.HOW_IT_LEARNED };

function explained({ lessons }: Library, root: string): string {
  const links = Object.entries(EXPLAINED).flatMap(([name, words]) => {
    const lesson = lessons.find(({ slug }) => slug === name);
    return lesson ? `<a href="${root}lessons/${name}/">${words} <small>${escape(titleOf(lesson))}</small></a>` : [];
  });
  return `<p class="explained">${links.join(' ')}</p>`;
}

const PLACES = {
  facts: '<!-- facts -->',
  start: '<!-- start -->',
  translator: '<!-- translator -->',
  doors: '<!-- doors -->',
  map: '<!-- map -->',
};

function facts({ lessons, paths: [first] }: Library): string {
  const time = texts.wholeTime(timeOf(first ? lessonsOn(first, lessons) : []), timeOf(lessons));
  const { audience, time: duration, needed } = texts.FACTS;
  const rows = [
    [audience, texts.AUDIENCE],
    [duration, time],
    [needed, texts.NEEDED],
  ];
  return `<dl class="facts">${rows.map(([name, value]) => `<dt>${name}</dt><dd>${value}</dd>`).join('')}</dl>`;
}

/** Where to continue is known only to the browser: the scripts show that link once something was begun. */
function start({ lessons: [first], ending }: Library, root: string): string {
  if (!first) return '';
  const address = `${root}lessons/${first.slug}/`;
  const end = ` data-end="${root}lessons/ending/" data-ending="${escape(ending.title)}"`;
  return `<div class="go"><a class="btn main" href="${address}">${texts.START} <small>${texts.firstLesson(first.number, first.time)}</small></a>
    <span class="go-on" hidden><a class="btn" href="${address}"${end}><span class="word">${BEGIN}</span> <small class="title">${escape(first.head.title)}</small></a></span></div>`;
}

const doors = ({ lessons }: Library, root: string): string =>
  `<nav class="doors" aria-label="${texts.DOORS}">${[
    door('#course', texts.LEARN, texts.learnAbout(lessons.filter(hasBench).length)),
    door(`${root}lessons/write/`, GUIDE, texts.WRITE_ABOUT),
    door(`${root}workbench/`, texts.OPEN_WORKBENCH, texts.WORKBENCH_ABOUT),
    door(`${root}lessons/teach/`, texts.TEACH_WITH_IT, texts.TEACH_ABOUT),
  ].join('')}</nav>`;

const door = (address: string, name: string, about: string): string =>
  `<a href="${address}"><b>${name}</b> <span>${about}</span></a>`;
