// The page at an old address of a lesson: it leads to where the lesson is now.
import { LANGUAGE } from '#messages/language';
import { moved, pageTitle } from '#messages/pages';
import type { Lesson } from './lesson';
import { escape } from '../src/ui/escape';

export function movedPage(slug: string, lessons: readonly Lesson[]): string {
  const title = lessons.find((lesson) => lesson.slug === slug)?.head.title ?? slug;
  return `<!doctype html>
<html lang="${LANGUAGE}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <meta name="robots" content="noindex" />
    <title>${pageTitle(escape(title))}</title>
    <link rel="canonical" href="../${slug}/" />
    <script src="/moved.js"></script>
  </head>
  <body>
    <p>${moved(`<a href="../${slug}/">${escape(title)}</a>`)}</p>
  </body>
</html>
`;
}
