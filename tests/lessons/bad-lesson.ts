// A small lesson to make mistakes in, and the error messages it gives.
import { readLesson } from '../../web/plugin/lesson';
import { LessonProblem } from '../../web/plugin/problem';
import type { LessonContext } from '../../web/plugin/lesson-record';

export const context: LessonContext = {
  folders: ['01-softmax', '16-four-words'],
  weights: new Map([['01-softmax', ['a.safetensors']]]),
  functions: new Map(),
  glossary: new Map([['softmax', { name: 'softmax', means: 'A function.', also: [] }]]),
};

export const HEAD = `---
title: A lesson
part: Part I
summary: What it is about.
model: { kind: softmax, scores: [1, 2] }
seed: 1
show: engine/ops/softmax.cpp#softmax
board: [[e], [α]]
expect: { "sum(α)": "~ 1" }
---
`;
/** The number of the first line after the front matter. */
export const BODY = HEAD.split('\n').length;

export const task = (yaml: string, attributes = 'id="one"'): string =>
  `:::exercise{${attributes}}\nDo it.\n\n\`\`\`yaml\n${yaml}\n\`\`\`\n:::\n`;
export const number = (rest = ''): string =>
  `kind: number\nanswer: α[0]\nsolution: [0.5]\nwrong: [{ try: 1, why: No. }]\n${rest}`;

export const ENDING = `

:::ending
\`\`\`yaml
take_away: [One., Two., Three.]
back: { to: softmax, question: Why?, answer: So. }
read:
  - { text: A paper, link: https://arxiv.org/abs/1706.03762 }
\`\`\`
:::
`;

/** Of the text as a whole lesson, with an ending unless it has one. */
export async function complaint(text: string): Promise<string> {
  try {
    await readLesson('01-softmax', /^:::ending/m.test(text) ? text : text + ENDING, context);
  } catch (error) {
    if (error instanceof LessonProblem) return error.message;
    throw error;
  }
  return 'no complaint';
}

/** Completes "2:1 What is wrong" to the full message, with the lesson's path and lines counted from `from`. */
export const placed = (message: string, from = 0): string =>
  message.replace(
    /^(\d+):(\d+) /,
    (_, line, column) => `lessons/01-softmax/lesson.md:${from + Number(line)}:${column}: `,
  );
export const ALL =
  'step, try, predict, quiz, exercise, compare, train, write, sing, note, deeper, ending, value, claim or term';
export const LINKS =
  'link to a section (#name), a lesson (../four-words/) or the workbench (../../workbench/), and name other sources in words';
