// Parses a lesson: what the page shows, the data it fetches, and what tests have to check.
import type { Root, RootContent } from 'mdast';
import type * as v from 'valibot';
import { foldAfterPredictions } from './after';
import { checkState } from './links';
import { frontMatterBeside, type FrontMatter } from './front-matter';
import { parseMarkdown, toHtml } from './markdown';
import { minutesOf } from './minutes';
import { LessonProblem } from './problem';
import { LessonBuilder } from './lesson-builder';
import type { LessonContext } from './lesson-record';
import { folderOf, slugOf, TEXTS } from './names';
import { readYaml } from './yaml-data';

export interface Lesson {
  /** Its name, in its address, in links and in what a browser keeps: "softmax". */
  slug: string;
  /** Below lessons/: "01-softmax". */
  folder: string;
  /** Its place among all lessons, from 1. */
  number: number;
  head: FrontMatter;
  /** Estimated duration. */
  minutes: number;
  /** The body, without the title. */
  html: string;
  found: LessonBuilder;
}

/** Throws LessonProblem with the file, the line, the column and one sentence. */
export async function readLesson(
  folder: string,
  text: string,
  context: LessonContext,
  file = `lessons/${folder}/lesson.md`,
): Promise<Lesson> {
  const slug = nameIn(folder, context, file);
  const tree = parseMarkdown(text);
  const head = headIn(tree, file, frontMatterBeside(context.weights.get(folder) ?? []));
  const body = tree.children.slice(1);
  const found = new LessonBuilder(file, context, body);
  const html = toHtml(foldAfterPredictions(found.inside<RootContent>(body)), file);
  await checkLinks(found);
  const minutes = minutesOf(body, found.total);
  return { slug, folder, number: context.folders.indexOf(folder) + 1, head, minutes, html, found };
}

/** The name of the lesson in this folder, which no other page may have. Throws LessonProblem. */
function nameIn(folder: string, { folders }: LessonContext, file: string): string {
  const slug = slugOf(folder);
  const owner = TEXTS.includes(slug) ? slug : folderOf(slug, folders);
  if (owner === folder) return slug;
  throw new LessonProblem(
    file,
    { line: 1, column: 1 },
    `The address lessons/${slug}/ is that of lessons/${owner}: give this folder another name after its number.`,
  );
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

export async function checkLinks({ links, sections, tasks, file }: LessonBuilder): Promise<void> {
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
