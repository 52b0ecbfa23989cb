// lessons/teach.md: what the lab has for teachers. It takes the directives `note` and `term`, and the list of paths.
import { pathTime } from '#messages/front';
import type { RootContent } from 'mdast';
import { directive, DIRECTIVES, type Directive } from './directives';
import type { Lesson } from './lesson';
import { element, plain } from './markdown';
import { lessonsOn, queryOf, timeOf, type Path } from './paths';

export const teachDirectives = (
  paths: readonly Path[],
  lessons: readonly Lesson[],
): Readonly<Record<string, Directive>> => ({
  note: DIRECTIVES.note!,
  term: DIRECTIVES.term!,
  paths: directive({
    form: 'block',
    about: 'The paths, each with its time and its lessons.',
    attributes: {},
    render: () =>
      element(
        'dl',
        { className: ['paths-list'] },
        paths.flatMap((path) => entry(path, lessonsOn(path, lessons), lessons.length)),
      ),
  }),
});

/** The lessons are named unless the path has all of them. */
function entry(path: Path, on: readonly Lesson[], all: number): RootContent[] {
  const { name, about } = path;
  const links = on.flatMap((lesson, i) => linkTo(lesson, queryOf(path), i));
  const stops = on.length === all ? [] : [element('p', {}, links)];
  return [
    element('dt', {}, [plain(name)]),
    element('dd', {}, [element('p', {}, [plain(`${about} ${pathTime(timeOf(on))}`)]), ...stops]),
  ];
}

const linkTo = ({ slug, head }: Lesson, query: string, i: number): RootContent[] => [
  ...(i ? [plain(' · ')] : []),
  element('a', { href: `../${slug}/${query}` }, [plain(head.title)]),
];
