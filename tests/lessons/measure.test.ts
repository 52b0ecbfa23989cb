// What `./lab lessons` counts in a lesson.
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { measured, shareOfChoose, together, type Measured } from '../../web/plugin/measure';
import { table, tableOf } from '../../web/plugin/table';
import { context, ENDING, HEAD, number, task } from './bad-lesson';

const CHOICE =
  'kind: choose\noptions:\n  - { text: A, when: "α[0] < 1", why: A. }\n  - { text: B, when: "α[0] > 1", why: B. }';
const TRAINED = HEAD.replace(
  /^model: .*$/m,
  'model: { kind: seq2seq, task: reverse }\ntrained: { steps: 1, weights: a.safetensors }',
);

const read = (body: string, head = HEAD): ReturnType<typeof readLesson> =>
  readLesson('01-softmax', head + body + ENDING, context);

it('counts words to the first thing to do, to the end of the core, and to the end', async () => {
  const step = ':::step{at="α"}\nfour words of step\n:::';
  const body = `## One\n\nthree more words\n\n${step}\n\n${task(number(), 'id="a"')}\n:::deeper\n:::\n\n## Two\n\nthe last words`;
  const { words, minutes, download } = measured(await read(body), tmpdir());
  expect(words).toEqual({ before: 1 + 3 + 4, core: 8 + 'Do it'.split(' ').length, whole: 10 + 1 + 3 });
  expect(minutes).toEqual({ core: 5, whole: 5 });
  expect(download).toBe(0);
});

it('counts tasks by kind, and has no core where none is marked', async () => {
  const body = [number(), CHOICE, number()].map((yaml, i) => task(yaml, `id="t${i}"`)).join('\n');
  const found = measured(await read(body), tmpdir());
  expect(Object.entries(found.tasks)).toEqual([
    ['number', 2],
    ['choose', 1],
  ]);
  expect(shareOfChoose(found)).toBeCloseTo(1 / 3);
  expect(found.words.core).toBeNull();
});

it('counts the bytes of the trained weights', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lessons-'));
  mkdirSync(join(folder, '01-softmax'));
  writeFileSync(join(folder, '01-softmax/a.safetensors'), 'x'.repeat(3000));
  expect(measured(await read('Text.', TRAINED), folder).download).toBe(3000);
});

const ONE: Measured = {
  lesson: 'one',
  words: { core: 400, whole: 1000, before: 50 },
  minutes: { core: 15, whole: 30 },
  tasks: { goal: 3, choose: 1 },
  download: 2048,
  claims: 1,
};
const TWO: Measured = { ...ONE, lesson: 'two', tasks: { choose: 3 }, download: 0 };

it('adds lessons up; the core only if all have one', () => {
  expect(together([ONE, TWO])).toEqual({
    lesson: 'all',
    words: { core: 800, whole: 2000, before: 100 },
    minutes: { core: 30, whole: 60 },
    tasks: { choose: 4, goal: 3 },
    download: 2048,
    claims: 2,
  });
  const unmarked = { ...TWO, words: { ...TWO.words, core: null } };
  expect(together([ONE, unmarked]).words.core).toBeNull();
});

it('prints a line for each lesson, and one for all', () => {
  expect(
    tableOf([ONE, { ...TWO, tasks: {} }])
      .split('\n')
      .slice(2),
  ).toEqual([
    'one       400   1000      50       15     30  4: 3 goal, 1 choose    25 %   2 KB       1',
    'two       400   1000      50       15     30  0                         –      –       1',
    'all       800   2000     100       30     60  4: 3 goal, 1 choose    25 %   2 KB       2',
  ]);
  expect(
    table([
      ['a', 'b'],
      ['long', '10'],
    ]),
  ).toBe('a      b\nlong  10');
});
