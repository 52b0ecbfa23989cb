// Claims about trained models, in the front matter of a lesson: what is run, what is measured, and what must hold. The text
// marks the sentence that makes the claim: `:claim[With practice, …]{of="practice"}`.
import * as v from 'valibot';
import { changes, expression, language, list, matching, whole } from '../src/lesson/format/fields';
import { anyOf } from './problem';

/** A measure of a run in a condition: "long.exact". */
const MEASURE = /\b([a-z][a-z0-9]*)\.([a-z][a-z0-9]*)\b/g;

/** The condition with a variable in place of each measure of a run. */
export const withVariables = (condition: string): string => condition.replace(MEASURE, '$1_$2');

const measuresIn = (condition: string): string[] => Array.from(condition.matchAll(MEASURE), ([whole]) => whole);

const MOST = 6;
const name = matching(/^[a-z][a-z0-9]*$/, 'a short name of a–z and 0–9');
const named = <T extends v.GenericSchema>(item: T, what: string) =>
  v.pipe(
    v.record(name, item, what),
    v.check((all) => Object.keys(all).length > 0 && Object.keys(all).length <= MOST, what),
  );

const CONDITION = 'a condition on measures of runs, in quotes, like "long.exact > short.exact + 0.3"';
const condition = v.pipe(
  v.string(CONDITION),
  v.check((text) => measuresIn(text).length > 0, CONDITION),
  v.check(
    (text) => language.complaint(withVariables(text)) === null,
    (issue) =>
      `a condition that can be read: ${language.complaint(withVariables(String(issue.input)))?.replace(/\.$/, '')}`,
  ),
);

export const claim = v.pipe(
  v.strictObject({
    runs: named(changes, `one to ${MOST} runs by name, each with its changes, like { long: { steps: 2000 } }`),
    seeds: v.optional(list(whole(0, 2 ** 32 - 1), 1, 5)),
    measure: named(expression, `one to ${MOST} expressions by name, like { exact: exact_match }`),
    holds: list(condition, 1, 8),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const { runs, measure, holds } = dataset.value;
    const known = Object.keys(runs).flatMap((run) => Object.keys(measure).map((each) => `${run}.${each}`));
    for (const [i, text] of holds.entries())
      if (!measuresIn(text).every((each) => known.includes(each)))
        addIssue({ message: `only what the claim measures: ${anyOf(known)}`, path: pathTo(dataset.value, i) });
  }),
);
export type Claim = v.InferOutput<typeof claim>;

const pathTo = (value: { holds: string[] }, i: number): [v.IssuePathItem, ...v.IssuePathItem[]] => [
  { type: 'object', origin: 'value', input: value, key: 'holds', value: value.holds },
  { type: 'array', origin: 'value', input: value.holds, key: i, value: value.holds[i] },
];
