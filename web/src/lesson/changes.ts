// One notation for "the same model, but": in hidden cases, solutions, wrong answers and comparisons.
//   temperature: 0.5       a setting of the model
//   steps: 300             trained for so many steps, from its seed on
//   pair: [abc, cba]       what a model with a task reads; with "" what the model itself writes
//   e: [1, 5, 2, 1, 1]     an input, as a whole
//   "e[1]": 9              one element overridden
// In this order, whatever the order they are written in.
import { LEARNT } from '../engine/own-data';
import { replay, type Experiment } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import { parseNumber } from '../views/numbers';
import { Facts } from './facts';
import { findNode } from './find-node';
import { need, Refused } from './refused';
import { furthest, keepTrained, sameConfig, type Work } from './trained';
import { isOtherKind, variantOf } from './variant';
import type { Lookup } from './expression';
import type { Config, InputChange, ModelInfo, RunInfo, TextPair, Trace } from '../types';

export { Refused } from './refused';
export { forgetTrained, type Work } from './trained';

export type Change = string | number | boolean | (number | string)[];
export type Changes = Record<string, Change>;

/** What a lesson needs of a session: the page's worker has it, and so have WASM in Node and the native program. */
export type SessionLike = Pick<
  RemoteSession,
  | 'load'
  | 'run'
  | 'edit'
  | 'train'
  | 'trace'
  | 'values'
  | 'save'
  | 'restore'
  | 'task'
  | 'pairs'
  | 'read'
  | 'write'
  | 'evaluate'
  | 'costBehind'
  | 'evaluateMore'
>;

/** A finished run: its trace, and its tensors and facts by name. */
export interface Run {
  info: ModelInfo;
  trace: Trace;
  loss: number;
  lookup(names: readonly string[]): Promise<Lookup>;
}

/** Of a YAML value: what YAML does not read as a number, as -inf, is read like a field. NaN if it is none. */
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

/** An element has its index, an input its name and a list; pair and steps are words; everything else is a setting. */
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

type Told = Pick<Sorted | Experiment, 'config' | 'pair' | 'steps' | 'inputs'>;

/** All of it by name; null is nothing said. An input that was given goes before a setting of that name. */
export const tableOf = ({ config, pair, steps, inputs }: Told): Record<string, unknown> => ({
  ...config,
  pair,
  steps,
  ...byName(inputs),
});

/** A model with other settings is an untrained one, unless the changes say how long; one of another kind has other inputs. */
export function changed(work: Experiment, { config, steps, pair, inputs }: Sorted): Experiment {
  const own = isOtherKind(work.config, config) ? [] : work.inputs;
  const next = { ...work, config: variantOf(work.config, config), inputs: [...own, ...inputs] };
  const other = LEARNT.some((key) => next.config[key] !== work.config[key]);
  return {
    ...next,
    pair: pair ?? (other ? null : work.pair),
    steps: steps ?? (sameConfig(next, work) ? work.steps : 0),
  };
}

/** Only a list can be an input: a model is asked for its inputs where there is one. */
async function inputsOf(session: SessionLike, work: Experiment, changes: Changes): Promise<string[]> {
  const lists = Object.entries(changes).some(([key, value]) => Array.isArray(value) && key !== 'pair');
  return lists ? (await need(session.load(work.config))).inputs.map(({ name }) => name) : [];
}

/** Runs the experiment with the changes over it. Throws Refused. */
export async function perform(session: SessionLike, work: Work, changes: Changes = {}): Promise<Run> {
  const sorted = sortChanges(changes, await inputsOf(session, work, changes));
  const experiment = changed(work, sorted);
  const checkpoint = await furthest(work, experiment);
  const result = await need(replay(session as RemoteSession, experiment, { checkpoint }));
  await keepTrained(session, experiment, checkpoint);
  let { run } = result;
  for (const [name, at, value] of sorted.elements) run = await override(session, result.trace, name, at, value);
  if (sorted.elements.length) result.trace = await need(session.trace());
  const facts = new Facts(session, result);
  return { info: result.info, trace: result.trace, loss: run.loss, lookup: (names) => facts.lookup(names) };
}

async function override(
  session: SessionLike,
  trace: Trace,
  name: string,
  at: number[],
  value: number,
): Promise<RunInfo> {
  const node = findNode(trace, name);
  if (!node) throw new Refused(`There is no tensor "${name}" to edit in this run.`);
  const index = at.length === 1 ? at[0]! : at.reduce((flat, position, axis) => flat * node.shape[axis]! + position, 0);
  return need(session.edit(node.name, index, value));
}
