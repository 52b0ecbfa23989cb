// One notation for "the same model, but": in hidden cases, solutions, wrong answers and comparisons.
//   temperature: 0.5      a setting of the model
//   e: [1, 5, 2, 1, 1]    an input, as a whole
//   "e[1]": 9             one element overridden
import { replay, type Experiment } from '../engine/replay';
import type { RemoteSession } from '../engine/remote';
import { parseNumber } from '../views/numbers';
import { findNode, tensorsOf } from './find-node';
import type { Lookup } from './expression';
import type { Config, InputChange, ModelInfo, Reply, RunInfo, Trace } from '../types';

export type Change = string | number | boolean | (number | string)[];
export type Changes = Record<string, Change>;

/** What an exercise needs of a session: the page's worker has it, and so have WASM in Node and the native program. */
export type SessionLike = Pick<RemoteSession, 'load' | 'run' | 'edit' | 'train' | 'trace' | 'values'>;

/** A finished run: its trace, and its tensors by name. */
export interface Run {
  info: ModelInfo;
  trace: Trace;
  loss: number;
  lookup(names: readonly string[]): Promise<Lookup>;
}

/** The engine refused; the message is its own sentence. */
export class Refused extends Error {}

async function need<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply.message);
  return reply.value;
}

/** Of a YAML value: what YAML does not read as a number, as -inf, is read like a field. NaN if it is none. */
export const toNumber = (value: unknown): number =>
  typeof value === 'string' ? (parseNumber(value) ?? NaN) : Number(value);

/** The value of a setting as a lesson writes it: true, 0.5 or "additive". */
export function toSetting(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return parseNumber(text) ?? text;
}

interface Sorted {
  config: Config;
  inputs: InputChange[];
  elements: [name: string, at: number[], value: number][];
}

const ELEMENT = /^(.+)\[([\d\s,]+)\]$/;

/** An element has its index, an input its name and a list; everything else is a setting. */
function sorted(changes: Changes, info: ModelInfo): Sorted {
  const result: Sorted = { config: {}, inputs: [], elements: [] };
  for (const [key, value] of Object.entries(changes)) {
    const element = ELEMENT.exec(key);
    if (element) result.elements.push([element[1]!, element[2]!.split(',').map(Number), toNumber(value)]);
    else if (!Array.isArray(value)) result.config[key] = value;
    else if (info.inputs.some(({ name }) => name === key))
      result.inputs.push({ name: key, values: value.map(toNumber), at: 0 });
    else result.config[key] = value.map(toNumber);
  }
  return result;
}

/** Runs the experiment with the changes over it. Throws Refused. */
export async function perform(session: SessionLike, work: Experiment, changes: Changes = {}): Promise<Run> {
  const own = await need(session.load(work.config));
  const { config, inputs, elements } = sorted(changes, own);
  const changed = { ...work, config: { ...work.config, ...config }, inputs: [...work.inputs, ...inputs] };
  const result = await need(replay(session as RemoteSession, changed));
  let { run, trace } = result;
  for (const [name, at, value] of elements) run = await override(session, trace, name, at, value);
  if (elements.length) trace = await need(session.trace());
  return {
    info: result.info,
    trace,
    loss: run.loss,
    lookup: (names) => tensorsOf(trace, names, (id) => need(session.values(id))),
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
  if (!node) throw new Refused(`There is no tensor "${name}" to edit in this run.`);
  const index = at.length === 1 ? at[0]! : at.reduce((flat, position, axis) => flat * node.shape[axis]! + position, 0);
  return need(session.edit(node.name, index, value));
}
