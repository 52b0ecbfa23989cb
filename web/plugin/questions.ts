// lessons/questions.yaml: what a reader is asked before a part and again after it, in another form. The page has the questions,
// and without scripts both forms of each; its script fetches which answer is right, and why.
import * as texts from '#messages/questions';
import { toString } from 'mdast-util-to-string';
import * as v from 'valibot';
import { expression, list, number, slug, text, whole } from '../src/lesson/format/fields';
import type { Answer, Answers } from '../src/app/questions/answers';
import { escape } from '../src/ui/escape';
import type { Lesson } from './lesson';
import { parseInline, parseMarkdown, toHtml } from './markdown';
import { htmlPage } from './page';
import { anyOf, LessonProblem, readYaml, TOP } from './problem';

const FILE = 'lessons/questions.yaml';
const MOST_OPTIONS = 4;

const form = v.pipe(
  v.strictObject({
    ask: text(600),
    options: list(text(120), 2, MOST_OPTIONS),
    right: whole(0, MOST_OPTIONS - 1),
    why: text(400),
    /** Of a softmax, whose weights are α in `holds`. */
    scores: v.optional(list(number)),
    /** What makes the right answer right, as far as the engine can tell. */
    holds: v.optional(expression),
  }),
  v.check(({ options, right }) => right < options.length, 'a number of "right" that one of the options has, from 0'),
);

const question = v.strictObject({ id: slug, lesson: slug, forms: list(form, 2, 2) });
const part = v.strictObject({ part: text(30), questions: list(question, 1, 8) });

export type Form = v.InferOutput<typeof form>;
export type Question = v.InferOutput<typeof question>;
export type Asked = v.InferOutput<typeof part>;

/** Throws LessonProblem. */
export const readQuestions = (yaml: string, file = FILE): Asked[] =>
  readYaml(yaml, list(part), { file, start: TOP }, 'The questions');

/** "Part I" is the part of the lessons whose name begins so. Throws LessonProblem. */
export function questionsPage(asked: readonly Asked[], lessons: readonly Lesson[]): string {
  const sections = asked.map(({ part, questions }) => section(partNamed(part, lessons), part, questions));
  const text = `<h1>${texts.QUESTIONS}</h1>
<p class="lead">${texts.SUMMARY}</p>
<p>${texts.ABOUT}</p>
${sections.join('\n')}`;
  return htmlPage({
    ...{ title: texts.QUESTIONS, summary: texts.SUMMARY, text },
    sheet: '/src/app/questions/questions.css',
  });
}

function partNamed(part: string, lessons: readonly Lesson[]): string {
  const names = [...new Set(lessons.map(({ head }) => head.part))];
  const name = names.find((each) => each.startsWith(`${part} `));
  if (name === undefined)
    throw new LessonProblem(FILE, TOP, `There is no "${part}": use the beginning of ${anyOf(names)}.`);
  return name;
}

const section = (name: string, part: string, questions: readonly Question[]): string =>
  `<section><h2 id="${part.toLowerCase().replace(' ', '-')}">${escape(name)}</h2>
<u-questions data-part="${escape(part)}">${[0, 1].map((i) => formOf(questions, i)).join('\n')}</u-questions></section>`;

const formOf = (questions: readonly Question[], i: number): string =>
  `<div class="form" data-form="${i}"><h3>${texts.FORMS[i]!}</h3><ol>${questions
    .map(({ id, forms }) => `<li>${asked(id, i, forms[i]!)}</li>`)
    .join('\n')}</ol></div>`;

const asked = (id: string, i: number, { ask, options }: Form): string =>
  `<fieldset class="bare" data-question="${id}"><legend>${inline(ask)}</legend><ul class="opts">${options
    .map(
      (option, at) =>
        `<li><label><input type="radio" name="${id}-${i}" value="${at}" /><span>${inline(option)}</span></label></li>`,
    )
    .join('')}</ul></fieldset>`;

const inline = (markdown: string): string => toHtml(parseInline(markdown, TOP), FILE);

/** The source of the module that has the answers. */
export function answersModule(asked: readonly Asked[], lessons: readonly Lesson[]): string {
  const answers: Answers = Object.fromEntries(
    asked.flatMap(({ questions }) => questions.map((each) => [each.id, answerOf(each, lessons)])),
  );
  return `export const answers = ${JSON.stringify(answers)};`;
}

function answerOf({ id, lesson, forms }: Question, lessons: readonly Lesson[]): Answer {
  const found = lessons.find((each) => each.slug === lesson);
  if (!found)
    throw new LessonProblem(FILE, TOP, `The question "${id}" names the lesson "${lesson}", which does not exist.`);
  return {
    lesson,
    title: found.head.title,
    forms: forms.map(({ ask, options, right, why }) => ({
      ask: inline(ask),
      right,
      options: options.map((each) => toString(parseMarkdown(each))),
      why: inline(why),
    })),
  };
}
