// One notation for "the same model, but": in lessons, hidden cases, solutions, and what the learner did.
//   temperature: 0.5      a setting of the model
//   e: [1, 5, 2, 1, 1]    an input, as a whole
//   "e[1]": 9             one element overridden
import { asInput } from '../engine/replay';
import { findNode, tensorsOf } from './find-node';
import type { Lookup } from './expression';
import type { Config, Edit, ModelInfo, NamedTensor, Reply, RunInfo, Trace } from '../types';

export type Change = string | number | boolean | (number | string)[];
export type Changes = Record<string, Change>;

/** The part of a session that an exercise needs; the page's worker, WASM in Node and the native program all have it. */
export interface SessionLike {
  load(config: Config): Promise<Reply<ModelInfo>>;
  run(inputs: NamedTensor[]): Promise<Reply<RunInfo>>;
  edit(name: string, index: number, value: number): Promise<Reply<RunInfo>>;
  train(steps: number): Promise<Reply<{ loss: number }>>;
  trace(): Promise<Reply<Trace>>;
  values(id: number): Promise<Reply<Float32Array>>;
}

/** A model with what was done to it. */
export interface Work {
  config: Config;
  inputs: { name: string; values: number[] }[];
  edits: Edit[];
}

/** The engine refused; the message is its own sentence. */
export class Refused extends Error {}

async function need<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply.message);
  return reply.value;
}

const ELEMENT = /^(.+)\[([\d\s,]+)\]$/;

/** Infinity has no spelling in YAML that people know: −inf, -inf and inf are read as well. */
export const toNumber = (value: unknown): number =>
  typeof value === 'string' ? Number(value.replace('−', '-').replace(/inf$|∞$/, 'Infinity')) : Number(value);

const toNumbers = (value: Change): number[] => (Array.isArray(value) ? value.map(toNumber) : [toNumber(value)]);

interface Sorted {
  config: Config;
  inputs: Work['inputs'];
  elements: [name: string, at: number[], value: number][];
}

/** An element has its index, an input its name; everything else is a setting. */
function sorted(changes: Changes, info: ModelInfo): Sorted {
  const result: Sorted = { config: {}, inputs: [], elements: [] };
  for (const [key, value] of Object.entries(changes)) {
    const element = ELEMENT.exec(key);
    if (element) result.elements.push([element[1]!, element[2]!.split(',').map(Number), toNumber(value)]);
    else if (info.inputs.some(({ name }) => name === key)) result.inputs.push({ name: key, values: toNumbers(value) });
    else result.config[key] = Array.isArray(value) ? toNumbers(value) : value;
  }
  return result;
}

/** A run: its trace, and its tensors by name. */
export interface Run {
  info: ModelInfo;
  trace: Trace;
  loss: number;
  lookup(names: string[]): Promise<Lookup>;
}

/** Loads the work with the changes over it and runs it. Throws Refused. */
export async function perform(session: SessionLike, work: Work, changes: Changes = {}): Promise<Run> {
  const plain = await need(session.load(work.config));
  const { config, inputs, elements } = sorted(changes, plain);
  const info = Object.keys(config).length ? await need(session.load({ ...work.config, ...config })) : plain;
  const given = [...work.inputs, ...inputs].map(({ name, values }) => asInput(info, name, values));
  let run = await need(session.run(given));
  let trace = await need(session.trace());
  const edits = [...work.edits, ...elements.map(([name, at, value]) => asEdit(trace, name, at, value))];
  for (const { name, index, value } of edits) run = await need(session.edit(name, index, value));
  if (edits.length) trace = await need(session.trace());
  const lookup = (names: string[]): Promise<Lookup> => tensorsOf(trace, names, (id) => need(session.values(id)));
  return { info, trace, loss: run.loss, lookup };
}

function asEdit(trace: Trace, name: string, at: number[], value: number): Edit {
  const node = findNode(trace, name);
  if (!node) throw new Refused(`There is no tensor "${name}" to edit in this run.`);
  const index = at.length === 1 ? at[0]! : at.reduce((flat, position, axis) => flat * node.shape[axis]! + position, 0);
  return { name: node.name, index, value };
}
