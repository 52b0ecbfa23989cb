// What each act of the learner does to the state table; pure. The engine is then brought to the new table.
import { emptyState } from './table';
import type { Experiment } from '../engine/replay';
import type { Page } from './page';
import type { Config, Edit, State } from '../types';

const sameKind = (page: Page, config: Config): boolean => (config.kind ?? page.config.kind) === page.config.kind;

/** The page's own settings, as far as they apply: another kind of model has other settings, and other inputs. */
const ownConfig = (page: Page, config: Config): Config => (sameKind(page, config) ? page.config : {});

/** The page's own configuration with the learner's changes over it. */
export const configOf = (page: Page, state: State): Config => ({
  ...ownConfig(page, state.config),
  ...state.config,
  seed: state.seed ?? page.seed,
});

export const experimentOf = (page: Page, state: State): Experiment => ({
  config: configOf(page, state),
  inputs: sameKind(page, state.config) ? [...page.inputs, ...state.inputs] : state.inputs,
  steps: state.steps,
  edits: state.edits,
});

/** A setting that is back to the page's own is no change. A change of kind drops what belonged to the old model. */
export function withConfig(page: Page, state: State, changes: Config): State {
  const { seed, ...rest } = changes;
  const newKind = rest.kind !== undefined && rest.kind !== configOf(page, state).kind;
  const base = newKind ? { ...emptyState(state.lesson), section: state.section, seed: state.seed } : state;
  const all = { ...base.config, ...rest };
  const own = ownConfig(page, all);
  const config = Object.fromEntries(Object.entries(all).filter(([key, value]) => !same(value, own[key])));
  const inputs = base.inputs.map((input) => ({ ...input, at: 0 }));
  return { ...base, inputs, steps: 0, config, seed: seed === undefined ? base.seed : Number(seed) };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function withInput(state: State, name: string, values: number[]): State {
  const others = state.inputs.filter((input) => input.name !== name || input.at !== state.steps);
  return { ...state, inputs: [...others, { name, values, at: state.steps }] };
}

export function withEdit(state: State, name: string, index: number, value: number): State {
  return { ...state, edits: [...withoutEdit(state, name, index).edits, { name, index, value }] };
}

export function withoutEdit(state: State, name: string, index: number): State {
  return { ...state, edits: state.edits.filter((edit) => edit.name !== name || edit.index !== index) };
}

/** The edit of that element; without an index the latest edit's, without a name the latest edit. */
export function editOf({ edits }: State, name?: string, index?: number): Edit | undefined {
  const latest = edits.at(-1);
  return edits.find((edit) => edit.name === (name ?? latest?.name) && edit.index === (index ?? latest?.index));
}

/** Same seed, same bits: only where the learner is reading and what model they chose is kept. */
export const afresh = (state: State): State => ({
  ...emptyState(state.lesson),
  section: state.section,
  config: state.config,
  seed: state.seed,
});
