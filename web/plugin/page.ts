// The pages as HTML, readable without scripts; the scripts render the workbench beside a lesson.
import { LANGUAGE } from '#messages/language';
import { SHOW_ON_BENCH } from '#messages/lesson/controls';
import { codeOfLesson, next, OTHER_LESSONS, pageTitle, previous, SOURCE } from '#messages/pages';
import { escape } from '../src/ui/escape';
import { kindOf } from '../src/engine/kinds';
import type { Lines } from '../src/lab/page';
import type { BenchLesson, Lesson } from './lesson';
import { TRANSLATOR } from './look';

export interface Written {
  title: string;
  summary: string;
  /** Attributes of <u-lab> around the text and what is beside it; without them the page has no model. */
  attributes?: string;
  /** Content of <article>. */
  text: string;
  /** Content beside the article, if any. */
  beside?: string;
  /** Another style sheet. */
  sheet?: string;
}

/** The part of the engine that the lesson is about. */
export interface ShownCode {
  lines: Lines;
  /** The highlighted lines. */
  html: string;
}

export const htmlPage = ({ title, summary, attributes, text, beside, sheet }: Written): string => `<!doctype html>
<html lang="${LANGUAGE}">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${pageTitle(escape(title))}</title>
    <meta name="description" content="${escape(summary)}" />
    <script src="/theme.js"></script>
    <link rel="stylesheet" href="/node_modules/katex/dist/katex.min.css" />
    <link rel="stylesheet" href="/src/lesson/lesson.css" />${sheet ? `\n    <link rel="stylesheet" href="${sheet}" />` : ''}
    <script type="module" src="/src/app/main.ts"></script>
  </head>
  <body>
    <u-top></u-top>
    <main class="page${beside ? '' : ' alone'}">
      ${attributes === undefined ? '' : `<u-lab linked${attributes}>`}
      <article class="text">
        ${text}
        <!-- foot -->
      </article>
      ${beside ?? ''}
      ${attributes === undefined ? '' : '</u-lab>'}
    </main>
  </body>
</html>
`;

/** The page before or after a lesson. */
export type Neighbour = readonly [slug: string, title: string, summary?: string];

export const titleOf = ({ number, head }: Lesson): string => `${number} · ${head.title}`;

interface Neighbours {
  before?: Neighbour | undefined;
  after?: Neighbour | undefined;
}

export function lessonPage(lesson: BenchLesson, neighbours: Neighbours, code: ShownCode): string {
  const { title, summary } = lesson.head;
  const text = textOf(lesson, neighbours, listing(code));
  return htmlPage({ title, summary, attributes: attributes(lesson, code.lines), text, beside: '<u-bench></u-bench>' });
}

/** Of a lesson without a model, with the translator in its text. Its lab has no model: it says which lesson it is. */
export function lookPage(lesson: Lesson, neighbours: Neighbours, translator: string): string {
  const { title, summary } = lesson.head;
  const html = `<div class="look">${lesson.html.replace(TRANSLATOR, () => translator)}</div>`;
  const text = textOf({ ...lesson, html }, neighbours);
  const attributes = ` data-lesson="${lesson.slug}"`;
  return htmlPage({ title, summary, attributes, text, sheet: '/src/app/look.css' });
}

const textOf = ({ head, number, html, ending }: Lesson, { before, after }: Neighbours, source = ''): string =>
  `<p class="part">${escape(head.part)}</p>
        <h1><span class="n">${number} ·</span> ${escape(head.title)}</h1>
        <p class="lead">${escape(head.summary)}</p>
        ${html}
        ${source}${ending}
        <nav class="next" aria-label="${OTHER_LESSONS}">${link(before, previous)}${link(after, next)}</nav>`;

const listing = (code: ShownCode): string => `<details class="source">
          <summary>${codeOfLesson(`<span class="mono">${escape(code.lines.file)}</span>`)}</summary>
          <pre class="listing" tabindex="0" aria-label="${SOURCE}"><code>${code.html}</code></pre>
        </details>
        `;

/** The text of the button that scripts add to a paragraph, for room.css. */
const TO_BENCH = escape(`--to-bench: ${JSON.stringify(SHOW_ON_BENCH)}`);

const link = (to: Neighbour | undefined, named: (title: string) => string): string =>
  to
    ? `<span><a href="../${to[0]}/">${named(escape(to[1]))}</a>${to[2] ? `<span class="about">${escape(to[2])}</span>` : ''}</span>`
    : '<span></span>';

function attributes({ slug, head }: BenchLesson, code: Lines): string {
  const { model: config, seed, inputs, pair, trained, views, stage, board: show, opens, labels } = head;
  const { texts } = kindOf(config.kind); // for room.css
  const data = { lesson: slug, config, texts, seed, inputs, pair, trained, views, stage, show, opens, labels, code };
  const all = Object.entries(data)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` data-${name}="${escape(typeof value === 'string' ? value : JSON.stringify(value))}"`);
  return [` style="${TO_BENCH}"`, ...all].join('');
}

/** Items by key, in order of first appearance. */
export function grouped<T>(all: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of all) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}
