// Schemas of predict, quiz and exercise: what is asked, how it is graded, solutions and wrong answers.
import * as v from 'valibot';
import { code } from './code';
import { changes, expression, list, number, slug, tensorName, text } from './fields';

const explanation = text(600);
const setting = v.pipe(v.string('the name of a setting or tensor'), v.maxLength(80));

/** Why a single act that needs no thought is what the exercise asks for. */
const atOnce = text(200);

/** Change the model until the goal holds; it must hold on every case too. */
const goal = v.strictObject({
  kind: v.literal('goal'),
  change: list(setting),
  goal: expression,
  cases: v.optional(list(changes, 0), []),
  /** Only cells count that the learner changes: not a setting of the same name, which a button sets as a whole. */
  by_cell: v.optional(v.boolean()),
  /** What to say while a demand of the goal does not hold; null, or none at all, where its expression says it. */
  unmet: v.optional(list(v.nullable(explanation))),
  elsewhere: v.optional(explanation),
  at_once: v.optional(atOnce),
  solution: list(changes),
  wrong: list(v.strictObject({ try: changes, why: explanation })),
  hint: v.optional(explanation),
});

const numeric = v.strictObject({
  kind: v.literal('number'),
  answer: expression,
  at_once: v.optional(atOnce),
  tolerance: v.optional(v.pipe(number, v.minValue(0, 'a number from 0')), 0.005),
  given: v.optional(changes, {}),
  solution: list(number),
  wrong: list(v.strictObject({ try: number, why: explanation })),
  hint: v.optional(explanation),
});

/** The right option is the one whose `when` is true of the engine's tensors. */
const choose = v.strictObject({
  kind: v.literal('choose'),
  given: v.optional(changes, {}),
  options: list(v.strictObject({ text: text(300), when: expression, why: explanation }), 2, 8),
  reveal: v.optional(expression),
  hint: v.optional(explanation),
});

/** The right order is the order in which the engine computed the tensors `at`. */
const order = v.strictObject({
  kind: v.literal('order'),
  given: v.optional(changes, {}),
  steps: list(v.strictObject({ text: text(200), at: tensorName }), 3, 10),
  hint: v.optional(explanation),
});

/** Write an expression; it must give the engine's value here and on every case. */
const write = v.strictObject({
  kind: v.literal('write'),
  answer: expression,
  using: list(tensorName),
  /** The functions that may be used; without it all. */
  functions: v.optional(list(text(20))),
  at_once: v.optional(atOnce),
  cases: list(changes),
  solution: list(expression),
  wrong: list(v.strictObject({ try: expression, why: explanation })),
  hint: v.optional(explanation),
});

/** Write a function: all about it is in a file beside the lesson, which the page fetches when the reader wants to write. */
const coded = v.strictObject({ kind: v.literal('code'), file: slug, function: v.optional(code) });

export const task = v.variant(
  'kind',
  [goal, numeric, choose, order, write, coded],
  'one of "goal", "number", "choose", "order", "write" or "code"',
);
export type Task = v.InferOutput<typeof task>;
/** All but functions, which have a form of their own. */
export type AnsweredTask = Exclude<Task, { kind: 'code' }>;
export type TaskOf<K extends Task['kind']> = Extract<Task, { kind: K }>;
