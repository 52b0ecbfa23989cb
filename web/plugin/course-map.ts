// The map of the course on the front page: parts are rows, lessons are stops, and lines lead from each to what it needs. It
// is whole without scripts: paths are radio buttons, and style sheets mark their lessons.
import * as texts from '#messages/front';
import { escape } from '../src/ui/escape';
import type { Lesson } from './lesson';
import type { Library } from './library';
import { grouped } from './page';
import { lessonsOn, timeOf, type Path } from './paths';

/** Stops in a row. */
const COLUMNS = 8;

export function courseMap({ lessons, paths }: Library, root: string): string {
  const parts = [...grouped(lessons, ({ head }) => head.part)];
  const row = ([part, all]: (typeof parts)[number]): string => partRow(part, all, paths, root);
  return `<div class="course-paths" role="radiogroup" aria-label="${texts.PATHS}">${paths.map(tab).join('')}</div>
    ${paths.map((path, i) => about(path, i, lessons)).join('')}
    <div class="lines" style="--rows: ${parts.length}">${needs(parts.map(([, all]) => all))}${parts.map(row).join('')}</div>
    <p class="key">${key()}</p>`;
}

const tab = ({ name }: Path, i: number): string =>
  `<label><input type="radio" name="path" value="${i}"${i ? '' : ' checked'} /><span>${escape(name)}</span></label>`;

const about = (path: Path, i: number, lessons: readonly Lesson[]): string =>
  `<p class="about" data-path="${i}">${escape(path.about)} ${texts.pathTime(timeOf(lessonsOn(path, lessons)))}</p>`;

const partRow = (part: string, all: readonly Lesson[], paths: readonly Path[], root: string): string =>
  `<section class="line"><h3>${escape(part)}<small>${texts.partTime(timeOf(all))}</small></h3><ol>${all
    .map((lesson) => stop(lesson, paths, root))
    .join('')}</ol></section>`;

/** `data-on` names the paths that it is on. */
function stop({ slug, number, head, reading, minutes }: Lesson, paths: readonly Path[], root: string): string {
  const on = paths.flatMap(({ lessons }, i) => (lessons.includes(slug) ? [i] : []));
  const time = texts.lessonTime({ reading, whole: minutes });
  return `<li data-stop="${slug}" data-on="${on.join(' ')}"><a class="st" href="${root}lessons/${slug}/" title="${escape(head.summary)}"><i></i><span><span class="n">${number}</span> ${escape(head.title)}</span> <small>${time}</small></a></li>`;
}

/** Lines from each lesson to those it needs, in units of a column and a row. */
function needs(rows: readonly (readonly Lesson[])[]): string {
  const places = new Map(rows.flatMap((all, y) => all.map(({ slug }, x) => [slug, { x, y }] as const)));
  const lines = rows.flat().flatMap(({ slug, head }) => head.needs.map((need) => line(need, slug, places)));
  return `<svg class="needs" viewBox="0 0 ${COLUMNS} ${rows.length}" preserveAspectRatio="none" aria-hidden="true">${lines.join('')}</svg>`;
}

function line(from: string, to: string, places: ReadonlyMap<string, { x: number; y: number }>): string {
  const [start, end] = [places.get(from), places.get(to)];
  return start && end ? `<path data-from="${from}" data-to="${to}" d="${curve(start, end)}" />` : '';
}

/** Along a row it bows out below if it passes by other stops; between rows it leaves downwards and arrives from above. */
function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  if (from.y !== to.y) {
    const half = (to.y - from.y) / 2;
    return `M${from.x} ${from.y}C${from.x} ${from.y + half} ${to.x} ${to.y - half} ${to.x} ${to.y}`;
  }
  const bow = to.x - from.x > 1 ? 0.28 : 0;
  return `M${from.x} ${from.y}C${from.x + 0.3} ${from.y - bow} ${to.x - 0.3} ${to.y - bow} ${to.x} ${to.y}`;
}

const key = (): string =>
  Object.entries(texts.KEY)
    .map(([name, words]) => `<span><i data-state="${name}"></i>${words}</span>`)
    .join('');
