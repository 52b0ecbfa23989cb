// Schema of an exercise in which the reader writes a function: a file of its own beside the lesson.
import * as v from 'valibot';
import { list, text } from './fields';

const explanation = text(600);
const program = text(4000);
const expression = text(200);
const name = v.pipe(v.string('the name of an operation'), v.maxLength(40));

/** Values of the call's inputs, each an expression of the language: { x: "randn(4, 3)" }. */
const inputs = v.record(text(20), expression, 'inputs with what they are drawn from, like { x: "randn(4, 3)" }');

/**
 * The function is called on every case; its values, and unless `gradients` is false its gradients, must be those of the
 * first solution.
 */
export const code = v.strictObject({
  start: program,
  call: expression,
  cases: list(inputs),
  gradients: v.optional(v.boolean('true or false'), true),
  without: v.optional(list(name, 0), []),
  solution: list(program, 2),
  wrong: list(v.strictObject({ try: program, why: explanation }), 2),
  hints: list(explanation, 2, 2),
});
export type Code = v.InferOutput<typeof code>;
