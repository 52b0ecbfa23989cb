// What a link may hold: the schema of the state table's compact form. Loaded with the first link that is read or written.
import * as texts from '#messages/link';
import * as v from 'valibot';
import { STAGES } from '../stages';
import { MAX_PROGRAM, MAX_STEPS } from './limits';

const MAX_TEXT = 1000;
const MAX_VALUES = 4096;
const MAX_ENTRIES = 1000;
/** What an intervention does, as the engine names it. */
const KINDS = ['zero', 'mean', 'from', 'hidden', 'detach', 'frozen'];

const text = (max: number) => v.pipe(v.string(texts.TEXT), v.maxLength(max, texts.textUpTo(max)));
const whole = (max: number) => {
  const range = texts.wholeNumberUpTo(max);
  return v.pipe(v.number(range), v.integer(range), v.minValue(0, range), v.maxValue(max, range));
};
const finite = v.pipe(v.number(texts.FINITE_NUMBER), v.finite(texts.FINITE_NUMBER));

/** JSON has no infinity, which an additive mask needs, and is written without the sign of −0, by which one may divide. */
const value = v.union([finite, v.picklist(['inf', '-inf', '-0'])], texts.VALUE);
const values = v.pipe(v.array(value, texts.NUMBERS), v.maxLength(MAX_VALUES, texts.numbersUpTo(MAX_VALUES)));
const setting = v.union(
  [text(64), finite, v.boolean(), v.pipe(v.array(finite), v.maxLength(MAX_VALUES))],
  texts.SETTING,
);
const list = <T extends v.GenericSchema>(item: T) =>
  v.pipe(v.array(item, texts.LIST), v.maxLength(MAX_ENTRIES, texts.listUpTo(MAX_ENTRIES)));

const number = v.optional(whole(MAX_VALUES));
/** What can be chosen in a view: it is assigned to the view, so no other name may come through. */
export const choices = {
  look: v.optional(text(120)),
  front: number,
  layer: number,
  at: number,
  place: number,
  between: v.optional(v.boolean(texts.TRUE_OR_FALSE)),
  pair: number,
  from: number,
  shift: number,
  everywhere: v.optional(v.boolean(texts.TRUE_OR_FALSE)),
};
const choice = v.strictObject(choices, texts.SHOWN);
const stage = v.picklist(STAGES, texts.STAGE);

/** Short field names keep a link short; every field but `lesson` is optional. */
export const packed = v.strictObject(
  {
    lesson: text(80),
    section: v.optional(text(80)),
    /** See ENGINE: with another engine the bits may differ. */
    engine: v.optional(text(6)),
    config: v.optional(v.record(text(40), setting, texts.SETTINGS)),
    /** The learner's own pairs or text, by the name under which this browser keeps them: see own-store.ts. */
    own: v.optional(v.strictTuple([v.picklist(['pairs', 'text'], texts.PAIRS_OR_TEXT), text(16)], texts.OWN)),
    /** The learner's own program, as it was typed. */
    program: v.optional(v.pipe(v.string(texts.TEXT), v.maxBytes(MAX_PROGRAM, texts.bytesUpTo(MAX_PROGRAM)))),
    seed: v.optional(whole(2 ** 32 - 1)),
    inputs: v.optional(list(v.strictTuple([text(80), whole(MAX_STEPS), values], texts.INPUT))),
    pair: v.optional(v.strictTuple([text(MAX_TEXT), text(MAX_TEXT)], texts.PAIR)),
    steps: v.optional(whole(MAX_STEPS)),
    /** The weights that the program took over, which only this browser has. */
    over: v.optional(text(16)),
    edits: v.optional(list(v.strictTuple([text(120), whole(1e6), value], texts.EDIT))),
    /** What interventions do to which tensors; for `from`, the pair that the other run reads. */
    what: v.optional(
      list(
        v.strictTuple(
          [
            v.picklist(KINDS, texts.INTERVENTION),
            text(160),
            v.boolean(texts.INTERVENTION),
            text(MAX_TEXT),
            text(MAX_TEXT),
          ],
          texts.INTERVENTION,
        ),
      ),
    ),
    at: v.optional(v.strictTuple([text(120), text(120)], texts.OPERATION)),
    cell: v.optional(v.strictTuple([text(120), whole(1e6)], texts.CELL)),
    shown: v.optional(v.record(text(40), choice, texts.VIEWS)),
    stage: v.optional(v.union([stage, v.literal('lesson')], texts.STAGE)),
    pinned: v.optional(v.union([stage, v.literal('none')], texts.STAGE)),
  },
  texts.STATE,
);
export type Packed = v.InferOutput<typeof packed>;
export type PackedValue = v.InferOutput<typeof value>;
