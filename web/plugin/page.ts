// The page of a lesson as HTML: readable as it is; the scripts bring the workbench to life beside it.
import type { Lines } from '../src/state/page';
import type { Lesson } from './lesson';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!);

export interface Neighbours {
  before?: Lesson;
  after?: Lesson;
}

/** The part of the engine that the lesson is about. */
export interface ShownCode {
  lines: Lines;
  /** Highlighted. */
  html: string;
}

export function lessonPage(lesson: Lesson, { before, after }: Neighbours, code: ShownCode): string {
  const { head, number, html } = lesson;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${escape(head.title)} · Unroll</title>
    <meta name="description" content="${escape(head.summary)}" />
    <script src="/theme.js"></script>
    <link rel="stylesheet" href="/node_modules/katex/dist/katex.min.css" />
    <link rel="stylesheet" href="/src/lesson/lesson.css" />
    <script type="module" src="/src/main.ts"></script>
  </head>
  <body${attributes(lesson, code.lines)}>
    <u-top></u-top>
    <main class="page">
      <article class="text">
        <p class="part">${escape(head.part)}</p>
        <h1><span class="n">${number} ·</span> ${escape(head.title)}</h1>
        <p class="lead">${escape(head.summary)}</p>
        ${html}
        <details class="source">
          <summary>The code of this lesson: <span class="mono">${escape(code.lines.file)}</span></summary>
          <pre class="listing" tabindex="0" aria-label="Source"><code>${code.html}</code></pre>
        </details>
        <nav class="next" aria-label="Other lessons">${link(before, 'Before')}${link(after, 'Next')}</nav>
      </article>
      <u-bench></u-bench>
    </main>
  </body>
</html>
`;
}

const link = (lesson: Lesson | undefined, word: string): string =>
  lesson
    ? `<a href="../${lesson.slug}/">${word}: ${lesson.number} · ${escape(lesson.head.title)}</a>`
    : '<span></span>';

function attributes({ slug, head }: Lesson, code: Lines): string {
  const data = {
    lesson: slug,
    config: head.model,
    seed: head.seed,
    inputs: head.inputs,
    pair: head.pair,
    trained: head.trained,
    views: head.views,
    show: head.board,
    labels: head.labels,
    code,
  };
  return Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` data-${name}="${escape(typeof value === 'string' ? value : JSON.stringify(value))}"`)
    .join('');
}
