// Schemas of the fields in lessons. A message completes the sentence "use …".
import * as v from 'valibot';
import { STAGES } from '../../lab/stages';

export const text = (most: number) =>
  v.pipe(
    v.string('a text'),
    v.nonEmpty('a text that is not empty'),
    v.maxLength(most, `a text of at most ${most} characters`),
  );
/** A text of this form. */
export const matching = (form: RegExp, rule: string) => v.pipe(v.string(rule), v.regex(form, rule));
export const whole = (least: number, most: number) => {
  const range = `a whole number from ${least} to ${most}`;
  return v.pipe(v.number(range), v.integer(range), v.minValue(least, range), v.maxValue(most, range));
};
export const stage = v.picklist(STAGES, 'one of "picture", "numbers", "code" or "training"');
export const number = v.pipe(v.number('a number'), v.finite('a finite number'));
export const list = <T extends v.GenericSchema>(item: T, least = 1, most = 32) =>
  v.pipe(
    v.array(item, 'a list'),
    v.minLength(least, `a list of at least ${least}`),
    v.maxLength(most, `a list of at most ${most}`),
  );

/** A tensor by its name in the trace; never a selector. */
const nameRule = 'the name of a tensor, like "α" or "attention/α" (no selectors: no #, *, >, brackets or quotes)';
export const tensorName = v.pipe(
  v.string(nameRule),
  v.maxLength(120, nameRule),
  v.regex(/^[\p{L}∂_][\p{L}\p{M}\p{N}_ ./∂]*(#\d+)?$/u, nameRule),
);

export const slug = matching(/^[a-z][a-z0-9-]{0,40}$/, 'a short name of a–z, 0–9 and -');

/** What is wrong with an expression; the lesson compiler asks the engine. */
export const language = { complaint: (_: string): string | null => null };

/** An expression over tensors, checked when the lesson is built. */
const AN_EXPRESSION = 'an expression in quotes, like "α[1] > 0.9"';
export const expression = v.pipe(
  v.string(AN_EXPRESSION),
  v.nonEmpty(AN_EXPRESSION),
  v.check(
    (value) => language.complaint(value) === null,
    (issue) => `an expression that can be read: ${language.complaint(String(issue.input))?.replace(/\.$/, '')}`,
  ),
);

const ELEMENT = 'a number, -inf or inf';
const element = v.union([number, matching(/^[-−]?(inf|∞)$/, ELEMENT)], ELEMENT);
const MAX_LETTERS = 200;
const TEXT_OF_SETTING = `a text of at most ${MAX_LETTERS} characters`;
const word = v.pipe(v.string(), v.maxLength(MAX_LETTERS, TEXT_OF_SETTING));
export const setting = v.union(
  [number, v.boolean(), word, v.pipe(v.array(element), v.maxLength(4096, 'a list of at most 4096 numbers'))],
  `a number, ${TEXT_OF_SETTING}, true, false or a list of numbers`,
);

/** Training data, pairs or a text, is given in full in the lesson; any other text of a setting is a few words. */
export const ownData = { pairs: v.optional(text(20_000)), text: v.optional(text(20_000)) };
const PAIR = 'two texts, source and target, like ["abc", "cba"]; with "" as the target what the model itself writes';
const TEXT = 'a text, in quotes if it is a number';
const side = v.pipe(v.string(TEXT), v.maxLength(1000, 'a text of at most 1000 characters'));
export const pair = v.strictTuple([side, side], PAIR);
const steps = whole(0, 100_000);

/** Inputs of a model by name. */
export const inputs = v.record(text(80), setting, 'inputs with their values, like { e: [1, 5] }');

const TENSORS = 'a tensor, a part of one like "encoder/h[:, 2]", or a list of them; * stands for a part of a name';
const tensors = v.union([text(160), v.pipe(v.array(text(160)), v.minLength(1), v.maxLength(16))], TENSORS);
const PATCH = 'a tensor, and the pair that it comes from, like ["encoder/h[:, 2]", "abc", "cba"]';
/** See INTERVENTIONS in web/src/lesson/changes.ts. */
const interventions = {
  silence: v.optional(tensors),
  average: v.optional(tensors),
  hide: v.optional(tensors),
  detach: v.optional(tensors),
  freeze: v.optional(tensors),
  patch: v.optional(v.strictTuple([text(160), side, side], PATCH)),
};

const named = { pair: v.optional(pair), steps: v.optional(steps), ...ownData };

/** See web/src/lesson/changes.ts. */
export const changes = v.objectWithRest(
  { ...named, ...interventions },
  setting,
  'settings, inputs or elements with their values, like {temperature: 0.5, "e[1]": 9}',
);

/** Changes that a button can apply to the reader's bench: without elements, which are the reader's to change. */
export const settings = v.pipe(
  v.objectWithRest(named, setting, 'settings, inputs or a pair, like {attention: none}'),
  v.check(
    (changes) => Object.keys(changes).every((key) => !key.includes('[') && !(key in interventions)),
    'settings, inputs as a whole or a pair, like {attention: none}',
  ),
);
