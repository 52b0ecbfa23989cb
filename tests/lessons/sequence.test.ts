// A lesson about a model with a task: its pair, weights, training, output and accuracy.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readLesson } from '../../web/plugin/lesson';
import { lessonPage } from '../../web/plugin/page';
import { unwrap } from '../../web/src/engine/refused';
import { readPage } from '../../web/src/lab/page';
import { fromRoot } from '../bindings/modules';
import { context } from './bad-lesson';
import { checkLesson } from './check-lesson';
import { benched } from './read';
import { openWasm } from './sessions';

const text = readFileSync(fromRoot('tests/lessons/sequence-lesson.md'), 'utf8');
const lesson = benched(
  await readLesson('01-softmax', text, {
    ...context,
    weights: new Map([['01-softmax', ['copy.safetensors']]]),
    functions: new Map(),
  }),
);

/** The weights, as ./lab train makes them. */
async function weightsOf({ model, seed, trained }: typeof lesson.head): Promise<Uint8Array> {
  const session = await openWasm();
  await unwrap(session.load({ ...(model as Record<string, string>), seed }));
  await unwrap(session.train(trained!.steps));
  const bytes = await unwrap(session.save());
  session.close();
  return bytes;
}
const weights = await weightsOf(lesson.head);

describe('what it says', () => checkLesson(lesson, () => weights));

it('its page has the pair, the weights and the views', () => {
  const lab = /<u-lab([^>]*)>/.exec(
    lessonPage(lesson, {}, { lines: { file: 'a.cpp', first: 1, last: 2 }, html: '' }),
  )![1]!;
  const data = [...lab.matchAll(/ data-([a-z]+)="([^"]*)"/g)].map(([, name, value]) => [
    name,
    value!.replaceAll('&quot;', '"'),
  ]);
  const page = readPage(Object.fromEntries(data));
  expect(page.pair).toEqual(['ab', 'ab']);
  expect(page.trained).toEqual({ steps: 200, weights: 'copy.safetensors' });
  expect(page.views).toEqual(['unrolled', 'alignment']);
  expect(page.code).toEqual({ file: 'a.cpp', first: 1, last: 2 });
});
