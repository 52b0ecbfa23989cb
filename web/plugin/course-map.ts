// The map of the course on the front page: parts are rows, lessons are stops, and lines lead from each to what it needs. It
// is whole without scripts: paths are radio buttons, and style sheets mark their lessons.
import * as texts from '#messages/front';
import { PROGRESS } from '#messages/progress';
import { escape } from '../src/ui/escape';
import type { Lesson } from './lesson';
import type { Library } from './library';
import { grouped } from './page';
import { lessonsOn, queryOf, timeOf, type Path } from './paths';

/** Stops in a row. */
const COLUMNS = 8;

export function courseMap({ lessons, paths }: Library, root: string): string {
  const parts = [...grouped(lessons, ({ head }) => head.part)];
  const row = ([part, all]: (typeof parts)[number]): string => partRow(part, all, paths, root);
  return `<div class="course-paths" role="radiogroup" aria-label="${texts.PATHS}">${paths.map(tab).join('')}</div>
    ${paths.map((path, i) => about(path, i, lessons)).join('')}
    <p class="key">${key()}</p>
    <div class="lines" style="--rows: ${parts.length}">${needs(parts.map(([, all]) => all))}${parts.map(row).join('')}</div>
    <p class="more"><a href="${root}lessons/progress/">${PROGRESS}</a></p>`;
}

const tab = (path: Path, i: number): string =>
  `<label><input type="radio" name="path" value="${i}" data-query="${queryOf(path)}"${i ? '' : ' checked'} /><span>${escape(path.name)}</span></label>`;

const about = (path: Path, i: number, lessons: readonly Lesson[]): string =>
  `<p class="about" data-path="${i}">${escape(path.about)} ${texts.pathTime(timeOf(lessonsOn(path, lessons)))}</p>`;

const partRow = (part: string, all: readonly Lesson[], paths: readonly Path[], root: string): string =>
  `<section class="line"><h3>${escape(part)}<small>${texts.duration(timeOf(all))}</small></h3><ol>${all
    .map((lesson) => stop(lesson, paths, root))
    .join('')}</ol></section>`;

/** `data-on` names the paths that it is on. */
function stop({ slug, number, head, time }: Lesson, paths: readonly Path[], root: string): string {
  const on = paths.flatMap(({ lessons }, i) => (lessons.includes(slug) ? [i] : []));
  return `<li data-stop="${slug}" data-on="${on.join(' ')}"><a class="st" href="${root}lessons/${slug}/" title="${escape(head.summary)}"><i></i><span><span class="n">${number}</span> ${escape(head.title)}</span> <small>${texts.duration(time)}</small></a></li>`;
}

interface Place {
  x: number;
  y: number;
}

/** Lines from each lesson to those it needs, in units of a column and a row. */
function needs(rows: readonly (readonly Lesson[])[]): string {
  const places = new Map(rows.flatMap((all, y) => all.map(({ slug }, x) => [slug, { x, y }] as const)));
  const lines = rows.flatMap((all) => {
    const sources = [...new Set(all.flatMap(({ head }) => head.needs))];
    return all.flatMap(({ slug, head }) =>
      head.needs.map((need) => {
        const path = route(places.get(need)!, places.get(slug)!, sources.indexOf(need));
        return `<path data-to="${slug}" d="${path}" />`;
      }),
    );
  });
  return `<svg class="needs" viewBox="0 0 ${COLUMNS} ${rows.length}" preserveAspectRatio="none" aria-hidden="true">${lines.join('')}</svg>`;
}

/** How far a line passes to the left of the marks in its way, and above them; lanes keep the lines of two lessons apart. */
const [BESIDE, ABOVE, LANE] = [0.11, 0.11, 0.035];
/** Of a corner. */
const [ACROSS, DOWN] = [0.05, 0.06];

/**
 * To the next stop a line is straight. Else it goes above the stops of the row; from an earlier row it comes down beside
 * the stops in its way.
 */
function route(from: Place, to: Place, lane: number): string {
  const start = `M${from.x} ${from.y}`;
  const [x, y] = [from.x - BESIDE, to.y - ABOVE - LANE * lane];
  if (from.y === to.y) return start + (to.x === from.x + 1 ? `H${to.x}` : rising(from.x, y) + arriving(to, y));
  const beside = `${start}Q${x} ${from.y} ${x} ${from.y + DOWN}`;
  if (from.x === to.x) return `${beside}V${to.y - DOWN}Q${x} ${to.y} ${x + ACROSS} ${to.y}H${to.x}`;
  const way = Math.sign(to.x - from.x);
  return `${beside}V${y - DOWN}Q${x} ${y} ${x + way * ACROSS} ${y}${arriving(to, y, way)}`;
}

/** Upwards, and then to the right. */
const rising = (x: number, y: number): string => `V${y + DOWN}Q${x} ${y} ${x + ACROSS} ${y}`;

/** Along a lane, from the left (1) or from the right (-1), and down to the stop. */
const arriving = ({ x, y: stop }: Place, y: number, way = 1): string =>
  `H${x - way * ACROSS}Q${x} ${y} ${x} ${y + DOWN}V${stop}`;

const key = (): string =>
  Object.entries(texts.KEY)
    .map(([name, words]) => `<span><i data-state="${name}"></i>${words}</span>`)
    .join('');
