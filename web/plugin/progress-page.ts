// The page "Your progress": a table of the lessons, which its script fills in, or the reader by hand on paper.
import * as texts from '#messages/progress';
import { escape } from '../src/ui/escape';
import type { Lesson } from './lesson';
import { grouped, htmlPage, titleOf } from './page';

const COLUMNS = {
  read: texts.READ,
  solved: texts.SOLVED,
  answered: texts.ANSWERED,
  tries: texts.TRIES,
  last: texts.LAST,
};

export function progressPage(lessons: readonly Lesson[]): string {
  const parts = [...grouped(lessons, ({ head }) => head.part)];
  const heads = Object.entries(COLUMNS).map(([name, words]) => `<th scope="col" class="${name}">${words}</th>`);
  const text = `<h1>${texts.PROGRESS}</h1>
        <p class="lead">${texts.PROGRESS_SUMMARY}</p>
        <noscript><p>${texts.WITHOUT_SCRIPTS}</p></noscript>
        <p class="by-hand"><span>${texts.NAME_LINE}</span><span>${texts.DATE_LINE}</span></p>
        <u-progress></u-progress>
        <table class="record"><thead><tr><th scope="col">${texts.LESSON}</th>${heads.join('')}</tr></thead>
        ${parts.map(([part, all]) => group(part, all)).join('\n')}</table>`;
  const { PROGRESS: title, PROGRESS_SUMMARY: summary } = texts;
  return htmlPage({ title, summary, text, sheet: '/src/app/progress/progress.css' });
}

const group = (part: string, all: readonly Lesson[]): string =>
  `<tbody><tr><th colspan="${Object.keys(COLUMNS).length + 1}" scope="rowgroup">${escape(part)}</th></tr>${all.map(row).join('\n')}</tbody>`;

function row(lesson: Lesson): string {
  const count = Object.keys(lesson.found.tasks).length;
  const cells = Object.entries(COLUMNS).map(
    ([name, words]) =>
      `<td class="${name}" data-is="${name}" data-label="${words}">${name === 'solved' ? texts.outOf(0, count) : texts.NOTHING_YET}</td>`,
  );
  return `<tr data-record="${lesson.slug}"><th scope="row"><a href="../${lesson.slug}/">${escape(titleOf(lesson))}</a></th>${cells.join('')}</tr>`;
}
