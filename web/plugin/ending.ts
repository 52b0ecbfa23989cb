// lessons/ending.md: what is said after the last lesson. A text without a model.
import type { RootContent } from 'mdast';
import * as v from 'valibot';
import { text } from './fields';
import { checkLinks, headIn } from './lesson';
import { parseMarkdown, toHtml } from './markdown';
import { escape, htmlPage } from './page';
import { LessonWriter, type World } from './writer';

const head = v.strictObject({ title: text(90), summary: text(300) });

export interface Ending extends v.InferOutput<typeof head> {
  html: string;
}

/** Throws LessonProblem. */
export async function readEnding(source: string, world: World, file = 'lessons/ending.md'): Promise<Ending> {
  const tree = parseMarkdown(source);
  const { title, summary } = headIn(tree, file, head);
  const found = new LessonWriter(file, world, tree.children);
  const html = toHtml(found.inside<RootContent>(tree.children.slice(1)), file);
  for (const { place } of [...found.anchors, ...found.claims, ...found.offers])
    found.fail('There is no model beside the ending: remove what needs one.', place);
  await checkLinks(found);
  return { title, summary, html };
}

export const endingPage = ({ title, summary, html }: Ending): string =>
  htmlPage({ title, summary, text: `<h1>${escape(title)}</h1>\n<p class="lead">${escape(summary)}</p>\n${html}` });
