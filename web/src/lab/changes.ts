// How each action of the learner changes the state table: pure functions. EngineHost then brings the engine to it.
import { hasOwnData, TASK_SETTINGS } from '../engine/own-data';
import { emptyState } from './link/table';
import type { Experiment } from '../engine/replay';
import type { Page } from './page';
import { isOfWriting, type Config, type Edit, type State, type TextPair } from '../engine/types';

/** Inputs by name; null restores the model's own. */
export type Inputs = Readonly<Record<string, number[] | null>>;

/** Restores the input named like each setting: a mask chosen as a setting replaces a painted one. */
export const resetInputs = (settings: Config): Inputs =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, null]));

const sameKind = (page: Page, config: Config): boolean => (config.kind ?? page.config.kind) === page.config.kind;

/** The page's own settings; none for another kind of model, which has other settings and inputs. */
const ownConfig = (page: Page, config: Config): Config => (sameKind(page, config) ? page.config : {});

/** Nothing but where the learner reads, what they look at, and what they compare the model with. */
const readingOnly = ({ lesson, section, stage, pinned, shown: { beside } }: State): State => ({
  ...emptyState(lesson),
  section,
  stage,
  pinned,
  shown: beside ? { beside } : {},
});

/** The page's own configuration, overridden by the learner's changes. */
export const configOf = (page: Page, state: State): Config => ({
  ...ownConfig(page, state.config),
  ...state.config,
  seed: state.seed ?? page.seed,
});

/** True for the page's own model, whose weights may come with the page. */
const isOwn = (page: Page, { config, seed }: State): boolean =>
  Object.keys(config).every(isOfWriting) && (seed ?? page.seed) === page.seed;

/** Training steps that the model in this state has taken. */
export const stepsOf = (page: Page, state: State): number =>
  state.steps ?? (isOwn(page, state) ? (page.trained?.steps ?? 0) : 0);

const sameTask = (page: Page, { config }: State): boolean =>
  !hasOwnData(config) && (config.task ?? page.config.task) === page.config.task;

export const experimentOf = (page: Page, state: State): Experiment => ({
  config: configOf(page, state),
  inputs: sameKind(page, state.config) ? [...page.inputs, ...state.inputs] : state.inputs,
  pair: state.pair ?? (sameTask(page, state) ? page.pair : null),
  steps: stepsOf(page, state),
  takenOver: state.takenOver,
  interventions: state.interventions,
  edits: state.edits,
});

/**
 * A setting equal to the page's own is not recorded; the steps are reset, unless all settings are of writing. If one of TASK_SETTINGS changes, inputs, pair and
 * edits are dropped; if the kind changes, so are the other settings.
 */
export function withConfig(page: Page, state: State, changes: Config): State {
  const { seed, ...rest } = changes;
  const now = configOf(page, state);
  const differs = (key: string): boolean => key in rest && !same(rest[key], now[key]);
  const another = TASK_SETTINGS.some(differs);
  const base = another ? { ...readingOnly(state), seed: state.seed } : state;
  const all = differs('kind') ? rest : { ...state.config, ...rest };
  const pageConfig = ownConfig(page, all);
  const config = Object.fromEntries(Object.entries(all).filter(([key, value]) => !same(value, pageConfig[key])));
  const inputs = base.inputs.map((input) => ({ ...input, at: 0 }));
  const changed = { ...base, config, seed: seed === undefined ? base.seed : Number(seed) };
  if (Object.keys(changes).every(isOfWriting)) return changed;
  return { ...changed, inputs, steps: null, takenOver: '' };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

export function withInput(page: Page, state: State, name: string, values: number[]): State {
  const at = stepsOf(page, state);
  const others = state.inputs.filter((input) => input.name !== name || input.at !== at);
  return { ...state, inputs: [...others, { name, values, at }] };
}

/** Replaces these inputs and drops their edits; null restores the model's own. */
export function withInputs(page: Page, state: State, brought: Inputs): State {
  const others = <E extends { name: string }>(all: E[]): E[] => all.filter(({ name }) => !(name in brought));
  const base = { ...state, inputs: others(state.inputs), edits: others(state.edits) };
  return Object.entries(brought).reduce(
    (next, [name, values]) => (values ? withInput(page, next, name, values) : next),
    base,
  );
}

/** Drops the edits: another pair has other positions. */
export const withPair = (state: State, pair: TextPair): State => ({ ...state, pair, edits: [] });

export const withEdit = (state: State, name: string, index: number, value: number): State => ({
  ...state,
  edits: [...withoutEdit(state, name, index).edits, { name, index, value }],
});

export const withoutEdit = (state: State, name: string, index: number): State => ({
  ...state,
  edits: state.edits.filter((edit) => edit.name !== name || edit.index !== index),
});

/** The edit of that element; without an index, the latest edit of that tensor; without a name, the latest of all. */
export const editOf = ({ edits }: State, name?: string, index?: number): Edit | undefined =>
  edits.findLast((edit) => edit.name === (name ?? edit.name) && edit.index === (index ?? edit.index));

/**
 * The state after a reset: keeps the section being read, the stage, the settings and the seed. Same seed, same bits. The seed of a
 * page with a trained model is the page's: another would lose that model.
 */
export const resetState = (page: Page, state: State): State => ({
  ...readingOnly(state),
  config: state.config,
  seed: page.trained ? null : state.seed,
});
