// What stands at the head of a lesson.
import * as v from 'valibot';
import { changes, list, number, setting, tensorName, text, whole } from './fields';

const config = v.pipe(
  v.record(text(40), setting, 'the settings of a model, like { kind: softmax, temperature: 1 }'),
  v.check((value) => typeof value.kind === 'string', 'settings with a kind, like { kind: softmax }'),
);
const names = list(v.union([v.string(), number], 'a word'), 1, 64);
const shown = v.pipe(
  v.string('a file of the engine'),
  v.regex(/^engine\/[\w/]+\.(h|cpp)#\w+$/, 'a file and a name in it, like engine/nn/attention.h#attend'),
);
const bound = v.pipe(
  v.string('a comparison'),
  v.regex(/^(==|<=?|>=?|~)\s*[^<>=~]+$/, 'a comparison, like "> 0.9" or "~ 1"'),
);

export const frontMatter = v.strictObject({
  title: text(90),
  part: text(90),
  summary: text(300),
  model: config,
  inputs: v.optional(changes, {}),
  seed: whole(0, 2 ** 32 - 1),
  show: shown,
  board: list(list(tensorName)),
  labels: v.optional(v.record(tensorName, v.strictObject({ rows: v.optional(names), columns: v.optional(names) })), {}),
  expect: v.pipe(
    v.objectWithRest(
      { steps: v.optional(whole(0, 100_000)) },
      v.union([number, bound], 'a number or a comparison, like "> 0.9"'),
    ),
    v.check(
      (value) => Object.keys(value).some((key) => key !== 'steps'),
      'at least one expression with its bound, like {"sum(α)": "~ 1"}',
    ),
  ),
});
export type FrontMatter = v.InferOutput<typeof frontMatter>;
