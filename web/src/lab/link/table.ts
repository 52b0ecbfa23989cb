// The learner's state table, and its compact, validated form in a link.
import * as texts from '#messages/link';
import * as v from 'valibot';
import { ownDataIn, type OwnData } from '../../engine/own-data';
import { ENGINE } from '../../engine/kinds';
import { fingerprint } from '../store/fingerprint';
import { pathOf, START, type NamedCursor, sameCursor } from '../cursor';
import { STAGES } from '../stages';
import type { Cursor, Stage, State, Trace } from '../../engine/types';

export const MAX_STEPS = 100_000;
const MAX_TEXT = 1000;
const MAX_VALUES = 4096;
const MAX_ENTRIES = 1000;
/** Bytes of a program; as the engine's. */
export const MAX_PROGRAM = 16 * 1024;

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
    at: v.optional(v.strictTuple([text(120), text(120)], texts.OPERATION)),
    cell: v.optional(v.strictTuple([text(120), whole(1e6)], texts.CELL)),
    shown: v.optional(v.record(text(40), choice, texts.VIEWS)),
    stage: v.optional(v.union([stage, v.literal('lesson')], texts.STAGE)),
    pinned: v.optional(v.union([stage, v.literal('none')], texts.STAGE)),
  },
  texts.STATE,
);
export type Packed = v.InferOutput<typeof packed>;

type Value = v.InferOutput<typeof value>;
const toValue = (x: number): Value => (Object.is(x, -0) ? '-0' : Number.isFinite(x) ? x : x > 0 ? 'inf' : '-inf');
const fromValue = (x: Value): number => (x === 'inf' ? Infinity : x === '-inf' ? -Infinity : Number(x));

export const emptyState = (lesson: string): State => ({
  version: 1,
  lesson,
  section: '',
  config: {},
  seed: null,
  inputs: [],
  pair: null,
  steps: null,
  takenOver: '',
  edits: [],
  cursor: START,
  selection: null,
  shown: {},
  stage: null,
  pinned: null,
});

/**
 * The compact form. The learner's own pairs or text are too long for it: it holds their name. Positions in the trace
 * are stored as names, so that a link survives renumbering; a cursor that stands where the page opens is left out.
 */
export function pack(state: State, trace: Trace | null, home: Cursor = START): Packed {
  const ownData = ownDataIn(state.config);
  const { program, ...settings } = state.config;
  const config = Object.fromEntries(Object.entries(settings).filter(([name]) => name !== ownData?.what));
  const at = trace && !sameCursor(state.cursor, home) ? pathOf(trace, state.cursor) : null;
  const stage = state.stage ?? (at || state.selection ? 'lesson' : null);
  return {
    lesson: state.lesson,
    ...(state.section && { section: state.section }),
    ...(ENGINE && { engine: ENGINE }),
    ...(Object.keys(config).length && { config }),
    ...(ownData && { own: [ownData.what, nameOf(ownData.data)] }),
    ...(program !== undefined && { program }),
    ...(state.seed !== null && { seed: state.seed }),
    ...(state.inputs.length && {
      inputs: state.inputs.map((i) => [i.name, i.at, i.values.map(toValue)] as const).map((i) => [...i]),
    }),
    ...(state.pair && { pair: state.pair }),
    ...(state.steps !== null && { steps: state.steps }),
    ...(program !== undefined && state.takenOver && { over: state.takenOver }),
    ...(state.edits.length && { edits: state.edits.map((e) => [e.name, e.index, toValue(e.value)]) }),
    ...(at && { at }),
    ...(state.selection && { cell: [state.selection.node, state.selection.index] }),
    ...(Object.keys(state.shown).length && { shown: state.shown }),
    ...(stage && { stage }),
    ...(state.pinned && { pinned: state.pinned }),
  } as Packed;
}

/** Links of before there were stages say where the cursor is, or which cell is open: among the numbers, both are seen. */
const stageOf = ({ stage, at, cell }: Packed): Stage | null => {
  if (stage === 'lesson') return null;
  return stage ?? (at || cell ? 'numbers' : null);
};

/** The name under which the browser keeps the data. */
export const nameOf = (data: string): string => fingerprint(data);

/** All but the cursor, which needs the trace of this state: see `cursorAt`. `data` is what `own` names. */
export function unpack(table: Packed, data = ''): { state: State; at: NamedCursor | null } {
  const ownData: Partial<Record<OwnData, string>> = table.own ? { [table.own[0]]: data } : {};
  const state: State = {
    ...emptyState(table.lesson),
    section: table.section ?? '',
    config: { ...table.config, ...ownData, ...(table.program !== undefined && { program: table.program }) },
    seed: table.seed ?? null,
    inputs: (table.inputs ?? []).map(([name, at, list]) => ({ name, at, values: list.map(fromValue) })),
    pair: table.pair ?? null,
    steps: table.steps ?? null,
    takenOver: (table.program !== undefined && table.over) || '',
    edits: (table.edits ?? []).map(([name, index, x]) => ({ name, index, value: fromValue(x) })),
    selection: table.cell ? { node: table.cell[0], index: table.cell[1] } : null,
    shown: table.shown ?? {},
    stage: stageOf(table),
    pinned: table.pinned ?? null,
  };
  return { state, at: table.at ?? null };
}
