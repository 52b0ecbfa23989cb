// lessons/ending.md: the page after the last lesson, a text without a model.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import { text } from '../src/lesson/format/fields';
import { checkLinks, headIn } from './lesson';
import { parseMarkdown, toHtml } from './markdown';
import { escape } from '../src/ui/escape';
import { htmlPage } from './page';
import { LessonBuilder } from './lesson-builder';
import type { LessonContext } from './lesson-record';

const head = v.strictObject({ title: text(90), summary: text(300) });

export interface Ending extends v.InferOutput<typeof head> {
  html: string;
}

/** Throws LessonProblem. */
export async function readEnding(source: string, context: LessonContext, file = 'lessons/ending.md'): Promise<Ending> {
  const tree = parseMarkdown(source);
  const { title, summary } = headIn(tree, file, head);
  const found = new LessonBuilder(file, context, tree.children);
  const html = toHtml(found.inside<RootContent>(tree.children.slice(1)), file);
  for (const { place } of [...found.anchors, ...found.claims, ...found.offers])
    found.fail('The ending page has no model: remove what needs one.', place);
  await checkLinks(found);
  return { title, summary, html };
}

export const endingPage = ({ title, summary, html }: Ending): string =>
  htmlPage({ title, summary, text: `<h1>${escape(title)}</h1>\n<p class="lead">${escape(summary)}</p>\n${html}` });
