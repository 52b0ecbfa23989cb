// The learner's state table, and its compact form in a link.
import { ownDataIn, type OwnData } from '../../engine/own-data';
import { ENGINE } from '../../engine/kinds';
import { fingerprint } from '../store/fingerprint';
import { pathOf, START, type NamedCursor, sameCursor } from '../cursor';
import type { Cursor, Stage, State, Trace } from '../../engine/types';
import type { Packed, PackedValue } from './schema';

export type { Packed };

const toValue = (x: number): PackedValue => (Object.is(x, -0) ? '-0' : Number.isFinite(x) ? x : x > 0 ? 'inf' : '-inf');
const fromValue = (x: PackedValue): number => (x === 'inf' ? Infinity : x === '-inf' ? -Infinity : Number(x));

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
  interventions: [],
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
    ...(state.interventions.length && {
      what: state.interventions.map((i) => [i.kind, i.tensor, i.training, i.source, i.target]),
    }),
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
    interventions: (table.what ?? []).map(([kind, tensor, training, source, target]) => {
      return { kind, tensor, training, source, target };
    }),
    selection: table.cell ? { node: table.cell[0], index: table.cell[1] } : null,
    shown: table.shown ?? {},
    stage: stageOf(table),
    pinned: table.pinned ?? null,
  };
  return { state, at: table.at ?? null };
}
