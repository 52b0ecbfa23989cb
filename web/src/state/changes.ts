// What each act of the learner does to the state table; pure. The engine is then brought to the new table.
import { hasOwnData, LEARNT } from '../engine/own-data';
import { emptyState } from './table';
import type { Experiment } from '../engine/replay';
import type { Page } from './page';
import type { Inputs } from '../lab';
import type { Config, Edit, State, TextPair } from '../types';

const sameKind = (page: Page, config: Config): boolean => (config.kind ?? page.config.kind) === page.config.kind;

/** The page's own settings, as far as they apply: another kind of model has other settings, and other inputs. */
const ownConfig = (page: Page, config: Config): Config => (sameKind(page, config) ? page.config : {});

/** The page's own configuration with the learner's changes over it. */
export const configOf = (page: Page, state: State): Config => ({
  ...ownConfig(page, state.config),
  ...state.config,
  seed: state.seed ?? page.seed,
});

/** The page's own model, whose weights may come with the page. */
const isOwn = (page: Page, { config, seed }: State): boolean =>
  Object.keys(config).length === 0 && (seed ?? page.seed) === page.seed;

/** Training steps that the model of the state has taken. */
export const stepsOf = (page: Page, state: State): number =>
  state.steps ?? (isOwn(page, state) ? (page.trained?.steps ?? 0) : 0);

const sameTask = (page: Page, { config }: State): boolean =>
  !hasOwnData(config) && (config.task ?? page.config.task) === page.config.task;

export const experimentOf = (page: Page, state: State): Experiment => ({
  config: configOf(page, state),
  inputs: sameKind(page, state.config) ? [...page.inputs, ...state.inputs] : state.inputs,
  pair: state.pair ?? (sameTask(page, state) ? page.pair : null),
  steps: stepsOf(page, state),
  edits: state.edits,
});

/** A setting that is back to the page's own is no change. What belonged to another kind or to other words goes. */
export function withConfig(page: Page, state: State, changes: Config): State {
  const { seed, ...rest } = changes;
  const now = configOf(page, state);
  const differs = (key: string): boolean => key in rest && !same(rest[key], now[key]);
  const { lesson, section } = state;
  const another = LEARNT.some(differs);
  const base = another ? { ...emptyState(lesson), section, seed: state.seed } : state;
  const all = differs('kind') ? rest : { ...state.config, ...rest };
  const own = ownConfig(page, all);
  const config = Object.fromEntries(Object.entries(all).filter(([key, value]) => !same(value, own[key])));
  const inputs = base.inputs.map((input) => ({ ...input, at: 0 }));
  return { ...base, inputs, steps: null, config, seed: seed === undefined ? base.seed : Number(seed) };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function withInput(page: Page, state: State, name: string, values: number[]): State {
  const at = stepsOf(page, state);
  const others = state.inputs.filter((input) => input.name !== name || input.at !== at);
  return { ...state, inputs: [...others, { name, values, at }] };
}

/** What the learner made of these inputs is set aside; null is the model's own again. */
export function withInputs(page: Page, state: State, brought: Inputs): State {
  const others = <E extends { name: string }>(all: E[]): E[] => all.filter(({ name }) => !(name in brought));
  const own = { ...state, inputs: others(state.inputs), edits: others(state.edits) };
  return Object.entries(brought).reduce(
    (next, [name, values]) => (values ? withInput(page, next, name, values) : next),
    own,
  );
}

/** Another pair has other positions: edits of the one before do not fit it. */
export const withPair = (state: State, pair: TextPair): State => ({ ...state, pair, edits: [] });

export function withEdit(state: State, name: string, index: number, value: number): State {
  return { ...state, edits: [...withoutEdit(state, name, index).edits, { name, index, value }] };
}

export function withoutEdit(state: State, name: string, index: number): State {
  return { ...state, edits: state.edits.filter((edit) => edit.name !== name || edit.index !== index) };
}

/** The edit of that element; without an index the latest of that tensor, without a name the latest of all. */
export function editOf({ edits }: State, name?: string, index?: number): Edit | undefined {
  return edits.findLast((edit) => edit.name === (name ?? edit.name) && edit.index === (index ?? edit.index));
}

/** Same seed, same bits: only where the learner is reading and what model they chose is kept. */
export const afresh = (state: State): State => ({
  ...emptyState(state.lesson),
  section: state.section,
  config: state.config,
  seed: state.seed,
});
