// Schema of an exercise in which the reader writes a function: a file of its own beside the lesson.
import * as v from 'valibot';
import { list, text, whole } from './fields';

const explanation = text(600);
const program = text(4000);
const expression = text(200);
const name = v.pipe(v.string('the name of an operation'), v.maxLength(40));
const DISTANCE = 'a number above 0';
const distance = v.pipe(v.number(DISTANCE), v.gtValue(0, DISTANCE), v.finite(DISTANCE));

/** Values of the call's inputs, each an expression of the language: { x: "randn(4, 3)" }. */
const inputs = v.record(text(20), expression, 'inputs with what they are drawn from, like { x: "randn(4, 3)" }');

/**
 * The function is called on every case; its values, and unless `gradients` is false its gradients, must be those of the
 * first solution. In a puzzle every element of what comes out must be nearer than `within` to that of `target`.
 */
const fields = v.strictObject({
  start: program,
  /** Functions that stand behind the reader's and call them. */
  given: v.optional(program),
  call: expression,
  cases: list(inputs),
  gradients: v.optional(v.boolean('true or false'), true),
  without: v.optional(list(name, 0), []),
  /** Why one operation alone may solve it. */
  at_once: v.optional(text(200)),
  /** At most so many, without empty ones and comments. */
  lines: v.optional(whole(1, 50)),
  /** What is right, whatever way leads there: an expression over the inputs, or a program whose last function takes them. */
  target: v.optional(program),
  within: v.optional(distance),
  /** What a row of the result is, if more than numbers: mistakes are told that way. */
  rows: v.optional(v.picklist(['weights', 'guesses'], '"weights" or "guesses"')),
  solution: list(program, 2),
  wrong: list(v.strictObject({ try: program, why: explanation }), 2),
  hints: list(explanation, 2, 2),
});

export const code = v.pipe(
  fields,
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
