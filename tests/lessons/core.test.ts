// The mark that ends a lesson's core: where it may stand, what the page shows there, and the times that follow from it.
import { expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { BODY, complaint, context, ENDING, HEAD, number, placed, task } from './bad-lesson';

const MARK = ':::deeper\n:::\n\n';
const section = (title: string, words: number): string => `## ${title}\n\n${'word '.repeat(words)}\n\n`;
const four = [1, 2, 3, 4].map((id) => task(number(), `id="t${id}"`)).join('\n');
const read = (body: string) => readLesson('01-softmax', HEAD + body + ENDING, context);

it('the core has the time of the text and the tasks before the mark', async () => {
  const body = `${section('One', 750)}${four}\n${MARK}${section('Two', 1500)}`;
  const { time, html } = await read(body);
  expect(time).toEqual({ core: 15, whole: 25 });
  expect(html).toContain(
    '<div class="deeper"><strong>Going\u00a0further</strong><span>The core of this lesson ends here, after about 15 minutes.</span></div>\n<h2 id="two">',
  );
});

it('without a mark the shorter time is that of the text with half of the tasks', async () => {
  const { time, html } = await read(`${section('One', 750)}${four}\n${section('Two', 1500)}`);
  expect(time).toEqual({ core: 20, whole: 25 });
  expect(html).not.toContain('deeper');
});

it('the mark is not folded up with the text after a prediction', async () => {
  const choice =
    'kind: choose\noptions:\n  - { text: A, when: "α[0] < 1", why: So. }\n  - { text: B, when: "α[0] == 1", why: No. }';
  const predict = task(choice).replace('exercise{id="one"', 'predict{id="it"');
  const { html } = await read(`## One\n\n${predict}\nThe answer.\n\n${MARK}## Two\n\nMore.`);
  expect(html).toMatch(/<p>The answer\.<\/p><\/details>\s*<div class="deeper">/);
});

it('a setting says for what the text’s numbers hold, but not beside numbers of other models alone', async () => {
  const change = ':::try{set="temperature" values="0 1"}\nTry.\n:::\n\n';
  const value = (given: string) => `:value[0.02]{of="α[0]"${given}}\n\n`;
  const { html } = await read(
    `## One\n\n${change}${value('')}## Two\n\n${change}${value(' given="temperature: 1"')}## Three\n\n${change}${four}`,
  );
  expect(html.match(/<u-try[^>]*>/g)!.map((each) => each.includes('data-holds'))).toEqual([true, false, true]);
});

const PLACE =
  'The mark :::deeper stands between two sections: move it in front of a heading with ##, outside all blocks.';
const EMPTY = 'The mark :::deeper holds text: close it with ::: on the line below it, and write the text after that.';

it.each([
  ['before a paragraph', 'Text.\n\n:::deeper\n:::\n\nText.', `2:1 ${PLACE}`],
  ['before a heading inside a section', 'Text.\n\n:::deeper\n:::\n\n### Here', `2:1 ${PLACE}`],
  ['before all sections', ':::deeper\n:::\n\n## Here', `0:1 ${PLACE}`],
  ['in a block', 'Text.\n\n::::note\n:::deeper\n:::\n::::\n\n## Here', `3:1 ${PLACE}`],
  ['with text in it', 'Text.\n\n:::deeper\nMore.\n:::\n\n## Here', `2:1 ${EMPTY}`],
  ['not closed', 'Text.\n\n:::deeper\n\n## Here', `2:1 ${EMPTY}`],
  [
    'twice',
    'Text.\n\n:::deeper\n:::\n\n## Here\n\n:::deeper\n:::\n\n## There',
    '7:1 The mark :::deeper stands here for a second time: a core ends once, so keep one of them.',
  ],
  [
    'with an attribute',
    'Text.\n\n:::deeper{minutes="5"}\n:::\n\n## Here',
    '2:1 The directive "deeper" has no "minutes": use no attributes; remove it or correct its name.',
  ],
])('a mark is refused %s', async (_, body, message) => {
  expect(await complaint(HEAD + body)).toBe(placed(message, BODY));
});
