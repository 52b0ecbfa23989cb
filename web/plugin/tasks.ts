// The data of predict, quiz and exercise: what is asked, how it is graded, its solutions and its wrong answers.
import * as v from 'valibot';
import { changes, expression, list, number, slug, tensorName, text } from './fields';

const because = text(600);
const setting = v.pipe(v.string('the name of a setting or tensor'), v.maxLength(80));

/** Bring the model to where the goal holds; it must hold on every case too. */
const goal = v.strictObject({
  kind: v.literal('goal'),
  change: list(setting),
  goal: expression,
  cases: v.optional(list(changes, 0), []),
  elsewhere: v.optional(because),
  solution: list(changes),
  wrong: list(v.strictObject({ try: changes, why: because })),
  hint: v.optional(because),
});

const numeric = v.strictObject({
  kind: v.literal('number'),
  answer: expression,
  tolerance: v.optional(v.pipe(number, v.minValue(0, 'a number from 0')), 0.005),
  given: v.optional(changes, {}),
  solution: list(number),
  wrong: list(v.strictObject({ try: number, why: because })),
  hint: v.optional(because),
});

/** The right option is the one whose `when` is true of the engine's tensors. */
const choose = v.strictObject({
  kind: v.literal('choose'),
  given: v.optional(changes, {}),
  options: list(v.strictObject({ text: text(300), when: expression, why: because }), 2, 8),
  reveal: v.optional(expression),
  hint: v.optional(because),
});

/** The right order is the order in which the engine computed the tensors `at`. */
const order = v.strictObject({
  kind: v.literal('order'),
  given: v.optional(changes, {}),
  steps: list(v.strictObject({ text: text(200), at: tensorName }), 3, 10),
  hint: v.optional(because),
});

/** Write an expression; it must give the engine's value here and on every case. */
const write = v.strictObject({
  kind: v.literal('write'),
  answer: expression,
  using: list(tensorName),
  cases: list(changes),
  solution: list(expression),
  wrong: list(v.strictObject({ try: expression, why: because })),
  hint: v.optional(because),
});

export const task = v.variant(
  'kind',
  [goal, numeric, choose, order, write],
  'one of "goal", "number", "choose", "order" or "write"',
);
export type Task = v.InferOutput<typeof task>;
export type TaskOf<K extends Task['kind']> = Extract<Task, { kind: K }>;

export const taskId = slug;
