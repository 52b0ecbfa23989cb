// One notation for "the same model, except …", used in hidden cases, solutions, wrong answers and comparisons.
//   temperature: 0.5       a setting of the model
//   steps: 300             training steps, counted from the seed
//   pair: [abc, cba]       source and target of a model with a task; with the target "", the model generates it
//   e: [1, 5, 2, 1, 1]     a whole input
//   "e[1]": 9              one element overridden
// Applied in this order, however they are listed.
import { noTensorToEdit } from '#messages/lesson/tasks';
import { TASK_SETTINGS } from '../engine/own-data';
import { replay, type Experiment } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import { parseNumber } from '../ui/numbers';
import { Facts } from './facts';
import { findNode } from './find-node';
import { Refused, unwrap } from './refused';
import { latestCheckpoint, keepTrained, sameConfig, type Work } from './trained';
import { isOtherKind, variantOf } from './variant';
import type { Changes } from './format/change';
import type { Lookup } from './expression/expression';
import type { Config, InputChange, ModelInfo, RunInfo, TextPair, Trace } from '../engine/types';

export type { Change, Changes } from './format/change';
export { Refused } from './refused';
export { forgetTrained, type Work } from './trained';

/** The part of a session that lessons need: the page's worker has it, as do WASM in Node and the native program. */
export type SessionLike = Pick<
  RemoteSession,
  | 'load'
  | 'run'
  | 'edit'
  | 'setEdits'
  | 'train'
  | 'trace'
  | 'values'
  | 'save'
  | 'restore'
  | 'task'
  | 'pairs'
  | 'read'
  | 'generate'
  | 'evaluate'
  | 'generationCost'
  | 'evaluateMore'
>;

/** A finished run: its trace, and its tensors and facts by name. */
export interface Run {
  info: ModelInfo;
  trace: Trace;
  /** Tokens of the task by their numbers: the target's. */
  words: readonly string[] | undefined;
  loss: number;
  lookup(names: readonly string[]): Promise<Lookup>;
}

/** A YAML value as a number: strings, like -inf, are parsed as in a number field. NaN if it is no number. */
export const toNumber = (value: unknown): number =>
  typeof value === 'string' ? (parseNumber(value) ?? NaN) : Number(value);

export interface Sorted {
  config: Config;
  steps: number | null;
  pair: TextPair | null;
  inputs: InputChange[];
  elements: [name: string, at: number[], value: number][];
}

const ELEMENT = /^(.+)\[([\d\s,]+)\]$/;

/** An element has an index, an input is a list under its name; besides `pair` and `steps`, all else is a setting. */
export function sortChanges(changes: Changes, inputs: readonly string[]): Sorted {
  const result: Sorted = { config: {}, steps: null, pair: null, inputs: [], elements: [] };
  for (const [key, value] of Object.entries(changes)) {
    const element = ELEMENT.exec(key);
    if (element) result.elements.push([element[1]!, element[2]!.split(',').map(Number), toNumber(value)]);
    else if (key === 'pair') result.pair = value as TextPair;
    else if (key === 'steps') result.steps = Number(value);
    else if (!Array.isArray(value)) result.config[key] = value;
    else if (inputs.includes(key)) result.inputs.push({ name: key, values: value.map(toNumber), at: 0 });
    else result.config[key] = value.map(toNumber);
  }
  return result;
}

export const byName = (inputs: readonly InputChange[]): Record<string, number[]> =>
  Object.fromEntries(inputs.map(({ name, values }) => [name, values]));

type Described = Pick<Sorted | Experiment, 'config' | 'pair' | 'steps' | 'inputs'>;

/** All of it as one table by name; null means unset. An input overrides a setting of the same name. */
export const flatten = ({ config, pair, steps, inputs }: Described): Record<string, unknown> => ({
  ...config,
  pair,
  steps,
  ...byName(inputs),
});

/**
 * The experiment with the changes applied. Other settings mean an untrained model, unless the changes set `steps`.
 * Another kind of model drops the inputs; a change of TASK_SETTINGS drops the pair.
 */
export function withChanges(work: Experiment, { config, steps, pair, inputs }: Sorted): Experiment {
  const own = isOtherKind(work.config, config) ? [] : work.inputs;
  const next = { ...work, config: variantOf(work.config, config), inputs: [...own, ...inputs] };
  const other = TASK_SETTINGS.some((key) => next.config[key] !== work.config[key]);
  return {
    ...next,
    pair: pair ?? (other ? null : work.pair),
    steps: steps ?? (sameConfig(next, work) ? work.steps : 0),
  };
}

/** Names of the model's inputs. Only a list can be an input: without one the model is not asked. */
async function inputsOf(session: SessionLike, work: Experiment, changes: Changes): Promise<string[]> {
  const lists = Object.entries(changes).some(([key, value]) => Array.isArray(value) && key !== 'pair');
  return lists ? (await unwrap(session.load(work.config))).inputs.map(({ name }) => name) : [];
}

/** Runs the experiment with the changes applied. Throws Refused. */
export async function perform(session: SessionLike, work: Work, changes: Changes = {}): Promise<Run> {
  const sorted = sortChanges(changes, await inputsOf(session, work, changes));
  const experiment = withChanges(work, sorted);
  const checkpoint = await latestCheckpoint(work, experiment);
  const result = await unwrap(replay(session as RemoteSession, experiment, { checkpoint }));
  await keepTrained(session, experiment, checkpoint);
  let { run } = result;
  for (const [name, at, value] of sorted.elements) run = await override(session, result.trace, name, at, value);
  if (sorted.elements.length) result.trace = await unwrap(session.trace(run.trace));
  const facts = new Facts(session, result);
  return {
    info: result.info,
    trace: result.trace,
    words: result.task?.targetWords,
    loss: run.loss,
    lookup: (names) => facts.lookup(names),
  };
}

async function override(
  session: SessionLike,
  trace: Trace,
  name: string,
  at: number[],
  value: number,
): Promise<RunInfo> {
  const node = findNode(trace, name);
  if (!node) throw new Refused(noTensorToEdit(name));
  const index = at.length === 1 ? at[0]! : at.reduce((flat, position, axis) => flat * node.shape[axis]! + position, 0);
  return unwrap(session.edit(node.name, index, value));
}
