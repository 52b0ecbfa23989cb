// The questions before and after a part: what the engine can say of their right answers is true, and mistakes have their place.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lessonsFolder, readLibrary } from '../../web/plugin/library';
import { LessonProblem } from '../../web/plugin/problem';
import { answersModule, questionsPage, readQuestions } from '../../web/plugin/questions';
import { openSession } from '../../web/plugin/session';
import { holds } from '../../web/src/lesson/expression';
import { perform } from '../../web/src/lesson/run';
import { engine } from '../bindings/modules';

const text = readFileSync(join(lessonsFolder, 'questions.yaml'), 'utf8');
const asked = readQuestions(text);
const forms = asked.flatMap(({ questions }) =>
  questions.flatMap(({ id, forms }) => forms.map((form, i) => [`${id}, form ${i + 1}`, form] as const)),
);
const computed = forms.filter(([, form]) => form.holds !== undefined);

it('the engine decides half of them', () => expect(computed.length).toBeGreaterThanOrEqual(forms.length / 2));

it.each(computed)('%s', async (_, { scores = [0], holds: condition }) => {
  const session = openSession(await engine());
  const config = { kind: 'softmax', scores: [...scores], temperature: 1, target: 0, seed: 1 };
  const run = await perform(session, { config, inputs: [], pair: null, steps: 0, takenOver: '', edits: [] }, {});
  expect(await holds(session, condition!, run)).toBe(true);
  session.close();
});

it('the right answers stand in every place, and the longest option is not the right one as a rule', () => {
  const places = forms.map(([, { right }]) => right);
  for (const place of [0, 1, 2]) expect(places.filter((each) => each === place).length).toBeGreaterThan(3);
  const longest = forms.filter(([, { options, right }]) =>
    options.every((each) => each.length <= options[right]!.length),
  );
  expect(longest.length).toBeLessThan(forms.length / 2);
});

it('the page has both forms without their answers, which stand in a module of their own', async () => {
  const lessons = await readLibrary();
  const page = questionsPage(asked, lessons);
  expect(page.match(/<fieldset/g)).toHaveLength(forms.length);
  for (const [, { why }] of forms) expect(page).not.toContain(why.slice(0, 30));
  expect(answersModule(asked, lessons)).toContain('"right":');
});

it.each([
  ['right: 0', 'right: 3', /forms\.0 is .*; use a number of "right" that one of the options has, from 0/],
  ['part: Part I\n', 'part: Part X\n', /There is no "Part X": use the beginning of/],
  ['lesson: softmax', 'lesson: softmin', /names the lesson "softmin", which does not exist/],
  ['holds: abs(', 'holds: abs((', /use an expression that can be read/],
])('%s as %s is refused', async (from, to, message) => {
  const lessons = await readLibrary();
  const read = (): unknown => {
    const changed = readQuestions(text.replace(from, to));
    return [questionsPage(changed, lessons), answersModule(changed, lessons)];
  };
  expect(read).toThrow(LessonProblem);
  expect(read).toThrow(message);
});
