// Schema of the directive `compare`: several settings side by side, by values, training, length or lag.
import * as v from 'valibot';
import { TEST_PAIRS } from '../../lab/training';
import { changes, list, ownData, setting, tensorName, text, whole } from './fields';

const runsWith = <W extends v.GenericSchema>(change: W, least = 2) =>
  v.pipe(
    list(v.strictObject({ label: text(60), with: change }), least, 6),
    v.check((runs) => new Set(runs.map(({ label }) => label)).size === runs.length, 'runs with a different label each'),
  );

/** Trained runs differ in the settings of the model and in what `others` names, not in its inputs. */
const settingsAnd = <E extends v.ObjectEntries>(others: E) =>
  v.pipe(
    v.objectWithRest({ ...ownData, ...others }, setting, 'settings with their values, like { attention: none }'),
    v.rawCheck(({ dataset, addIssue }) => {
      for (const [key, value] of Object.entries(dataset.value as object).filter(([key]) => !/^[a-z_]+$/.test(key)))
        addIssue({
          message: 'a setting of the model there, like attention',
          path: [{ type: 'object', origin: 'value', input: dataset.value as Record<string, unknown>, key, value }],
        });
    }),
  );

/**
 * One tensor of each run, as a table; a matrix has a line for each row, or only for `row`. If the tensor has several
 * matrices, like heads, `slice` selects one.
 */
const values = v.strictObject({
  kind: v.optional(v.literal('values'), 'values'),
  of: tensorName,
  slice: v.optional(whole(0, 511)),
  row: v.optional(whole(0, 511)),
  digits: v.optional(whole(0, 8), 4),
  runs: runsWith(changes),
});

/** Loss and accuracy while each run trains, from the same seed on the same batches. */
const training = v.strictObject({
  kind: v.literal('training'),
  steps: whole(2, 5000),
  /** Pairs of the test split for the evaluation at the end. */
  pairs: v.optional(whole(1, 1000), TEST_PAIRS),
  /** The table also has the time per step, the longest chain of operations and the number of parameters. */
  costs: v.optional(v.boolean()),
  runs: runsWith(settingsAnd({})),
});

const ascending = (lengths: number[]): boolean => lengths.every((length, i) => !i || length > lengths[i - 1]!);

const MOST_STEPS = 5000;

/**
 * Exact match of each run by source length, after `steps` training steps, or as many as the run has. Over the `lag` of the
 * task recall it is trained anew at each.
 */
const lengths = v.strictObject({
  kind: v.literal('lengths'),
  over: v.optional(v.picklist(['length', 'lag'], '"length" or "lag"'), 'length'),
  steps: whole(1, MOST_STEPS),
  lengths: v.pipe(list(whole(1, 63), 2), v.check(ascending, 'lengths in ascending order, without repeats')),
  /** Pairs for each length. */
  pairs: v.optional(whole(1, 200), 50),
  /** Each run is trained from each of these. */
  seeds: v.optional(
    v.pipe(
      list(whole(0, 9999), 2, 5),
      v.check((all) => new Set(all).size === all.length, 'seeds without repeats'),
    ),
  ),
  /** The reader draws the curve of the first run before it is measured; then the page asks this, in Markdown. */
  drawn: v.optional(v.strictObject({ ask: text(400) })),
  runs: runsWith(settingsAnd({ steps: v.optional(whole(1, MOST_STEPS)) }), 1),
});

const PATTERN = 'the name of a tensor with {t} where its position stands, like "∂cell.0.t{t}/h"';

/** The norm of a tensor at every position, by lag: the distance from the last position. */
const lags = v.strictObject({
  kind: v.literal('lags'),
  of: v.pipe(
    v.string(PATTERN),
    v.check((of) => of.split('{t}').length === 2 && v.is(tensorName, atPosition(of, 0)), PATTERN),
  ),
  runs: runsWith(changes),
});

export const comparison = v.variant(
  'kind',
  [values, training, lengths, lags],
  'one of "values", "training", "lengths" or "lags"',
);
export type Comparison = v.InferOutput<typeof comparison>;
export type LengthsAxis = Pick<ComparisonOf<'lengths'>, 'lengths' | 'over'>;
export type ComparisonOf<K extends Comparison['kind']> = Extract<Comparison, { kind: K }>;

/** "∂cell.0.t{t}/h" at position 3: "∂cell.0.t3/h". */
export const atPosition = (pattern: string, t: number): string => pattern.replace('{t}', String(t));

/** The tensors that it names, for a pattern the one at position 0: the lesson's own model must have them. */
export function tensorsIn(compared: Comparison): string[] {
  if (compared.kind === 'values') return [compared.of];
  return compared.kind === 'lags' ? [atPosition(compared.of, 0)] : [];
}
