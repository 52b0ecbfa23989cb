// Schema of a lesson's front matter.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { hasTask } from '../src/engine/own-data';
import * as field from '../src/lesson/format/fields';
import { claim } from './claims';
import { anyOf } from './problem';

const config = v.pipe(
  v.objectWithRest(field.ownData, field.setting, 'the settings of a model, like { kind: softmax, temperature: 1 }'),
  v.check((value) => typeof value.kind === 'string', 'settings that include a kind, like { kind: softmax }'),
);
const names = field.list(v.union([v.string(), field.number], 'a word'), 1, 64);
const shown = field.matching(
  /^engine\/[\w/]+\.(h|cpp)#(\w+::)?(\w+|operator\(\))$/,
  'a file and a name in it, like engine/nn/attention/attention.h#attend',
);
const bound = field.matching(/^(==|<=?|>=?|~)\s*[^<>=~]+$/, 'a comparison, like "> 0.9" or "~ 1"');

const FILE = 'the name of a file beside the lesson, like reverse.safetensors';
/** @param files Names of the weights files beside the lesson. */
const trained = (files: readonly string[]) =>
  v.strictObject({
    steps: field.whole(1, 100_000),
    weights: v.pipe(
      field.matching(/^[\w-]+\.safetensors$/, FILE),
      v.check((name) => files.includes(name), `${FILE}; there ${files.length ? `is ${anyOf(files)}` : 'is none'}`),
    ),
  });

/** Labels of the last two axes of a tensor, and of the axis before them: its name and its positions. */
export const labels = v.strictObject({
  rows: v.optional(names),
  columns: v.optional(names),
  slice: v.optional(field.text(20)),
  slices: v.optional(names),
});

const FIGURES = fileURLToPath(new URL('../src/figures/', import.meta.url));
export const VIEWS = readdirSync(FIGURES)
  .filter((name) => existsSync(join(FIGURES, name, `${name}.ts`)))
  .sort();

/** What the bench shows above the board. */
const view = v.picklist(VIEWS, `one of ${anyOf(VIEWS.map((name) => `"${name}"`))}`);

/** @param earlier Names of the lessons before this one. */
const need = (earlier: readonly string[]) =>
  v.picklist(
    earlier,
    earlier.length ? `the name of an earlier lesson: ${anyOf(earlier)}` : 'no "needs", as no lesson is before this one',
  );

const head = (earlier: readonly string[]) => ({
  title: field.text(90),
  part: field.text(90),
  summary: field.text(300),
  needs: v.optional(field.list(need(earlier), 0, 3), []),
});

/**
 * Of a lesson without a model.
 * @param earlier Names of the lessons before it.
 */
export const headAfter = (earlier: readonly string[]) => v.strictObject(head(earlier));
export type Head = v.InferOutput<ReturnType<typeof headAfter>>;

const fields = (files: readonly string[], earlier: readonly string[]) => ({
  ...head(earlier),
  model: config,
  inputs: v.optional(field.inputs, {}),
  pair: v.optional(field.pair),
  trained: v.optional(trained(files)),
  views: v.optional(field.list(view, 0, 4), []),
  stage: v.optional(field.stage, 'picture'),
  seed: field.whole(0, 2 ** 32 - 1),
  show: shown,
  board: field.list(field.list(field.tensorName)),
  opens: v.optional(field.tensorName),
  labels: v.optional(v.record(field.tensorName, labels), {}),
  claims: v.optional(v.record(field.slug, claim), {}),
  expect: v.pipe(
    v.objectWithRest(
      { steps: v.optional(field.whole(0, 100_000)) },
      v.union([field.number, bound], 'a number or a comparison, like "> 0.9"'),
    ),
    v.check(
      (value) => Object.keys(value).some((key) => key !== 'steps'),
      'at least one expression with its bound, like {"sum(α)": "~ 1"}',
    ),
  ),
});

const TASK = 'it with a model that has a task, like { kind: seq2seq, task: reverse }, or remove it';

/**
 * @param files Names of the weights files beside the lesson.
 * @param earlier Names of the lessons before it.
 */
export const frontMatterBeside = (files: readonly string[], earlier: readonly string[]) =>
  v.pipe(
    v.strictObject(fields(files, earlier)),
    v.forward(
      v.check((head) => head.pair === undefined || hasTask(head.model), TASK),
      ['pair'],
    ),
    v.forward(
      v.check((head) => head.trained === undefined || hasTask(head.model), TASK),
      ['trained'],
    ),
    v.forward(
      v.check((head) => head.stage !== 'training' || hasTask(head.model), TASK),
      ['stage'],
    ),
  );
export const frontMatter = frontMatterBeside([], []);
export type FrontMatter = v.InferOutput<typeof frontMatter>;
