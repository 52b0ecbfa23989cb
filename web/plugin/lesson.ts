// A lesson from its text: what the page shows, what it knows, and what a test has to check.
import type { Root, RootContent } from 'mdast';
import type * as v from 'valibot';
import { checkState } from './links';
import { frontMatterBeside, type FrontMatter } from './front-matter';
import { parseMarkdown, toHtml } from './markdown';
import { minutesOf } from './minutes';
import { LessonProblem } from './problem';
import { LessonWriter, type World } from './writer';
import { readYaml } from './yaml-data';

export interface Lesson {
  /** Folder name: "01-softmax". */
  slug: string;
  number: number;
  head: FrontMatter;
  /** About how long it takes. */
  minutes: number;
  /** The text, without its title. */
  html: string;
  found: LessonWriter;
}

/** Throws LessonProblem with the file, the line, the column and one sentence. */
export async function readLesson(
  slug: string,
  text: string,
  world: World,
  file = `lessons/${slug}/lesson.md`,
): Promise<Lesson> {
  const tree = parseMarkdown(text);
  const head = headIn(tree, file, frontMatterBeside(world.weights.get(slug) ?? []));
  const body = tree.children.slice(1);
  const found = new LessonWriter(file, world, body);
  const html = toHtml(found.inside<RootContent>(body), file);
  await checkLinks(found);
  const minutes = minutesOf(body, found.total);
  return { slug, number: Number.parseInt(slug, 10), head, minutes, html, found };
}

/** Throws LessonProblem. */
export function headIn<S extends v.GenericSchema>(tree: Root, file: string, schema: S): v.InferOutput<S> {
  const first = tree.children[0];
  if (first?.type !== 'yaml')
    throw new LessonProblem(
      file,
      { line: 1, column: 1 },
      'The lesson does not begin with front matter: start with ---, its fields (title, part, summary, model, …) and ---.',
    );
  return readYaml(first.value, schema, { file, start: { line: 2, column: 1 } }, 'The front matter');
}

export async function checkLinks({ links, sections, tasks, file }: LessonWriter): Promise<void> {
  for (const { url, place } of links) {
    const refuse = (sentence: string): never => {
      throw new LessonProblem(file, place, sentence);
    };
    if (url.startsWith('#') && !sections.some(({ id }) => `#${id}` === url) && !(url.slice(1) in tasks))
      refuse(
        `The link "${url}" leads to no section of this lesson: use one of ${sections.map(({ id }) => `#${id}`).join(', ')}.`,
      );
    await checkState(url, refuse);
  }
}
