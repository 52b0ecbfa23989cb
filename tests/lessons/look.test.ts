// A lesson without a model: the translator in its text, what it may have, and its number.
import { expect, it } from 'vitest';
import { hasBench, readLesson } from '../../web/plugin/lesson';
import { numberOf } from '../../web/plugin/links';
import { lookPage } from '../../web/plugin/page';
import { LessonProblem } from '../../web/plugin/problem';
import { context, ENDING } from './bad-lesson';

const HEAD = '---\ntitle: A look\npart: First\nsummary: What it is about.\n---\n';
const PLACE = ':::translator\n:::\n\n';
const predict = (options = '[{ text: A, when: vache, why: B. }, { text: C, when: none, why: D. }]'): string =>
  `:::predict{id="one"}\nWhich?\n\n\`\`\`yaml\nkind: choose\nhide: cow\noptions: ${options}\n\`\`\`\n:::\n\nSo it is.\n`;

const folders = ['00-look', ...context.folders];
const look = (text: string, head = HEAD) =>
  readLesson('00-look', head + PLACE + text + ENDING.replace('to: softmax', 'to: look'), { ...context, folders });
const complaint = async (...text: Parameters<typeof look>): Promise<string> => {
  const error = await look(...text).then(
    () => null,
    (error: unknown) => error,
  );
  return error instanceof LessonProblem ? error.sentence : `no complaint: ${String(error)}`;
};

it('needs no model, and its page has the translator in place of a bench', async () => {
  const lesson = await look(`Press :shows[cow]{at="vache"}.\n\n${predict()}`);
  expect(hasBench(lesson)).toBe(false);
  expect(lesson.found.shown).toMatchObject([{ text: 'cow', at: 'vache' }]);
  expect(lesson.found.foretold.one).toMatchObject({ hide: 'cow' });
  expect(lesson.found.tasks.one).toMatchObject({ kind: 'choose', name: 'predict' });
  const page = lookPage(lesson, { after: ['softmax', '1 · Softmax'] }, '<u-translator>here</u-translator>');
  expect(page).toContain('<u-translator>here</u-translator>');
  expect(page).toContain('<u-lab linked data-lesson="look">');
  expect(page).toMatch(/<details class="after">.*So it is/s);
  expect(page).not.toMatch(/u-bench|class="source"|vache/);
});

it.each([
  ['a model', '', HEAD.replace('summary', 'model: { kind: softmax }\nsummary'), 'The front matter has no "model"'],
  [
    'a step',
    ':::step{at="α"}\nHere.\n:::\n',
    HEAD,
    'The directive "step" is not known: use one of translator, predict, shows, ',
  ],
  ['an exercise', ':::exercise{id="one"}\nDo it.\n:::\n', HEAD, 'The directive "exercise" is not known'],
  ['a number of a model', 'It is :value[1]{of="1"}.', HEAD, 'The directive "value" is not known'],
  ['a prediction of a tensor', predict().replace('hide: cow\n', ''), HEAD, 'The YAML block of "predict" lacks "hide"'],
  ['one option', predict('[{ text: A, when: vache, why: B. }]'), HEAD, 'The YAML block of "predict": options is '],
])('refuses %s', async (_, text, head, sentence) => {
  expect((await complaint(text, head)).slice(0, sentence.length)).toBe(sentence);
});

it('a lesson before the first has the number 0, and the others keep theirs', () => {
  expect(folders.map((each) => numberOf(each, folders))).toEqual([0, 1, 2]);
  expect(context.folders.map((each) => numberOf(each, context.folders))).toEqual([1, 2]);
});
