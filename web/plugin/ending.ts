// How a lesson ends: three lines to take away, a question that reaches back to an earlier lesson, and what to read. Only here
// may a lesson link to other sites: to papers at addresses that last.
import * as texts from '#messages/pages';
import type { RootContent } from 'mdast';
import { dirname, basename } from 'node:path';
import * as v from 'valibot';
import { list, matching, text } from '../src/lesson/format/fields';
import type { LessonRecord } from './lesson-record';
import { anchorOf, folderOf, numberOf, slugOf } from './links';
import { element, parseInline, plain } from './markdown';
import { anyOf } from './problem';

const LASTING = [
  /arxiv\.org\/abs\/\d{4}\.\d{4,5}/,
  /doi\.org\/10\.\d{4,}\/[\w.()/-]+/,
  /aclanthology\.org\/[A-Z]?\d[\w.-]+\//,
  /distill\.pub\/\d{4}\/[\w-]+\//,
  /transformer-circuits\.pub\/\d{4}\/[\w/-]+\/index\.html/,
];
const RULE =
  'an address that lasts, with https and nothing after it: arxiv.org/abs/…, doi.org/10.…, aclanthology.org/…/, distill.pub/…/ or transformer-circuits.pub/…/index.html';

const paper = v.strictObject({
  text: text(200),
  link: matching(new RegExp(`^https://(?:${LASTING.map(({ source }) => source).join('|')})$`), RULE),
});

export const ending = v.strictObject({
  take_away: v.pipe(list(text(320), 3, 3), v.readonly()),
  back: v.strictObject({ to: text(60), question: text(320), answer: text(480) }),
  read: list(paper, 1, 5),
});
export type Ending = v.InferOutput<typeof ending>;

export function renderEnding({ take_away: lines, back, read }: Ending, lesson: LessonRecord): RootContent {
  checkEarlier(back.to, lesson);
  const id = anchorOf(texts.TAKE_AWAY);
  lesson.sections.push({ id, title: texts.TAKE_AWAY });
  const inside = (markdown: string): RootContent[] => lesson.inside(parseInline(markdown, lesson.place));
  const items = (all: readonly RootContent[][]): RootContent =>
    element(
      'ul',
      {},
      all.map((each) => element('li', {}, each)),
    );
  return element('section', { className: ['ending'] }, [
    element('h2', { id }, [plain(texts.TAKE_AWAY)]),
    items(lines.map(inside)),
    element('h3', {}, [plain(texts.REACHES_BACK)]),
    element('p', {}, inside(back.question)),
    element('details', { className: ['answer-back'] }, [
      element('summary', {}, [plain(texts.SHOW_ANSWER)]),
      element('p', {}, [
        ...inside(back.answer),
        plain(' '),
        element('a', { href: `../${back.to}/` }, [plain(texts.THE_LESSON)]),
      ]),
    ]),
    element('h3', {}, [plain(texts.TO_READ)]),
    items(read.map(({ text, link }) => [element('a', { href: link, rel: 'external noreferrer' }, inside(text))])),
  ]);
}

/** The first lesson has none before it, and reaches back to its own beginning; so does the first with a model. */
function checkEarlier(to: string, lesson: LessonRecord): void {
  const { folders } = lesson.context;
  const folder = basename(dirname(lesson.file));
  const end = folders.indexOf(folder) + (numberOf(folder, folders) > 1 ? 0 : 1);
  const earlier = folders.slice(0, end).map(slugOf);
  const found = folders.indexOf(folderOf(to, folders) ?? '');
  if (!earlier.includes(to))
    lesson.fail(
      `The question of the ending reaches back to "${to}", which is ${found < 0 ? 'no lesson' : 'not earlier'}: use ${anyOf(earlier)}.`,
    );
}
