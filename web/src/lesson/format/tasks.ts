// Schemas of predict, quiz and exercise: what is asked, how it is graded, solutions and wrong answers.
import * as v from 'valibot';
import { changes, expression, list, number, slug, tensorName, text, whole } from './fields';

const explanation = text(600);
const setting = v.pipe(v.string('the name of a setting or tensor'), v.maxLength(80));

/** One, or two that are shown one after the other. */
const hints = v.union([explanation, list(explanation, 2, 2)], 'a text, or a list of two');

/** Why a single act that needs no thought is what the exercise asks for. */
const atOnce = text(200);

/** Change the model until the goal holds; it must hold on every case too. */
const goal = v.strictObject({
  kind: v.literal('goal'),
  change: list(setting),
  /** Where to change it, in the learner's words; without it the names in `change` are told. */
  how: v.optional(explanation),
  goal: v.union([expression, list(expression)], 'an expression in quotes, like "α[1] > 0.9", or a list of them'),
  cases: v.optional(list(changes, 0), []),
  /** Only cells count that the learner changes: not a setting of the same name, which a button sets as a whole. */
  by_cell: v.optional(v.boolean()),
  /** What to say while a demand of the goal does not hold; null, or none at all, where its expression says it. */
  unmet: v.optional(list(v.nullable(explanation))),
  elsewhere: v.optional(explanation),
  at_once: v.optional(atOnce),
  solution: list(changes),
  wrong: list(v.strictObject({ try: changes, why: explanation })),
  hint: v.optional(hints),
});

const numeric = v.strictObject({
  kind: v.literal('number'),
  answer: expression,
  at_once: v.optional(atOnce),
  tolerance: v.optional(v.pipe(number, v.minValue(0, 'a number from 0')), 0.005),
  given: v.optional(changes, {}),
  solution: list(number),
  wrong: list(v.strictObject({ try: number, why: explanation })),
  hint: v.optional(hints),
});

/** The right option is the one whose `when` is true of the engine's tensors. */
const choose = v.strictObject({
  kind: v.literal('choose'),
  given: v.optional(changes, {}),
  options: list(v.strictObject({ text: text(300), when: expression, why: explanation }), 2, 8),
  reveal: v.optional(expression),
  hint: v.optional(hints),
});

/** The right order is the order in which the engine computed the tensors `at`. */
const order = v.strictObject({
  kind: v.literal('order'),
  given: v.optional(changes, {}),
  steps: list(v.strictObject({ text: text(200), at: tensorName }), 3, 10),
  hint: v.optional(hints),
});

/** Write an expression; it must give the engine's value here and on every case. */
const write = v.strictObject({
  kind: v.literal('write'),
  answer: expression,
  using: list(expression),
  /** The functions that may be used; without it all. */
  functions: v.optional(list(text(20))),
  at_once: v.optional(atOnce),
  cases: list(changes),
  solution: list(expression),
  wrong: list(v.strictObject({ try: expression, why: explanation })),
  hint: v.optional(hints),
});

const WORDS = 'a text without other markup than *words* in italics';
const words = v.pipe(text(300), v.regex(/^[^`$:[\]_<]*$/, WORDS));

/** About the translator: the right option names the written words that change if these are hidden, in their order. */
export const foretold = v.strictObject({
  kind: v.literal('choose', '"choose"'),
  hide: text(60),
  options: list(v.strictObject({ text: words, when: text(100), why: words }), 2, 8),
});
export type Foretold = v.InferOutput<typeof foretold>;

const program = text(4000);
const call = text(200);
const operation = v.pipe(v.string('the name of an operation'), v.maxLength(40));
const DISTANCE = 'a number above 0';
const distance = v.pipe(v.number(DISTANCE), v.gtValue(0, DISTANCE), v.finite(DISTANCE));

/** Values of the call's inputs, each an expression of the language: { x: "randn(4, 3)" }. */
const caseInputs = v.record(text(20), call, 'inputs with what they are drawn from, like { x: "randn(4, 3)" }');

/**
 * The call runs on every case; its values, and unless `gradients` is false its gradients, must be those of the
 * first solution. In a puzzle every element of what comes out must be nearer than `within` to that of `target`.
 */
const codeFields = v.strictObject({
  start: program,
  /** A part of what the engine says of a start that does not run, which the reader is to repair. */
  fails: v.optional(call),
  /** Functions after the reader's text, which call it. */
  given: v.optional(program),
  call,
  cases: list(caseInputs),
  gradients: v.optional(v.boolean('true or false'), true),
  without: v.optional(list(operation, 0), []),
  /** Why one operation alone may solve it. */
  at_once: v.optional(text(200)),
  /** The maximum number of lines, without empty ones and comments. */
  lines: v.optional(whole(1, 50)),
  /** What is right, whatever way leads there: an expression over the inputs, or a program whose last function takes them. */
  target: v.optional(program),
  within: v.optional(distance),
  /** What a row of the result is, if it is more than numbers: sentences about mistakes then say so. */
  rows: v.optional(v.picklist(['weights', 'guesses'], '"weights" or "guesses"')),
  solution: list(program, 2),
  wrong: list(v.strictObject({ try: program, why: explanation }), 2),
  hints: list(explanation, 2, 2),
});

export const code = v.pipe(
  codeFields,
  v.forward(
    v.check(({ target, gradients }) => target === undefined || !gradients, 'false, since a target has values alone'),
    ['gradients'],
  ),
  v.forward(
    v.check(
      ({ target, within }) => (target === undefined) === (within === undefined),
      'a number above 0 beside "target"',
    ),
    ['within'],
  ),
);
export type Code = v.InferOutput<typeof code>;

/** All about the function is in a file beside the lesson, which the page fetches when the reader wants to write. */
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
