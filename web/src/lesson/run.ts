// Runs an experiment, with changes, for an exercise or a comparison. Trained models are cached: configuration and steps
// determine the weights, so the same model is not trained twice.
import { noTensorToEdit } from '#messages/lesson/tasks';
import { hasTask } from '../engine/own-data';
import { Refused, unwrap } from '../engine/refused';
import { lastingIn, replay, type Checkpoint, type Experiment } from '../engine/replay';
import { findNode } from '../lab/cursor';
import { flatIndex } from '../lab/place';
import { sortChanges, withChanges, type Changes, type Sorted } from './changes';
import { Facts, type Lookup } from './facts';
import type { RemoteSession } from '../engine/remote';
import { type Method, weightsKey, type ModelInfo, type RunInfo, type Trace } from '../engine/types';

/** The part of a session that lessons need: the page's worker has it, as do WASM in Node and the native program. */
export type SessionLike = Pick<RemoteSession, Method>;

/** A finished run: its trace, and its tensors and facts by name. */
export interface Run {
  info: ModelInfo;
  trace: Trace;
  /** Tokens of the task by their numbers: the target's. */
  words: readonly string[] | undefined;
  loss: number;
  lookup(names: readonly string[]): Promise<Lookup>;
}

/** An experiment, and the checkpoints it can resume from. */
export interface Work extends Experiment {
  /** A checkpoint shipped with the lesson or stored by the browser; null if there is none up to the steps asked for. */
  checkpoint?(experiment: Experiment): Promise<Checkpoint | null>;
  /** Of the lesson's own experiment: the changes that steps of the text apply. */
  stepChanges?: readonly Changes[];
}

const MAX_TRAINED = 6;
const trained = new Map<string, Checkpoint>();

export const forgetTrained = (): void => trained.clear();

/**
 * The checkpoint that leaves the fewest steps to train. Null for a model without a task, whose training also depends on
 * the inputs.
 */
async function latestCheckpoint(work: Work, experiment: Experiment): Promise<Checkpoint | null> {
  if (!experiment.steps || !hasTask(experiment.config)) return null;
  const shipped = lastingIn(experiment) ? null : await work.checkpoint?.(experiment);
  const found = [trained.get(keyOf(experiment)), shipped ?? undefined];
  return (
    found
      .filter((each) => each !== undefined)
      .filter(({ steps }) => steps <= experiment.steps)
      .sort((a, b) => b.steps - a.steps)[0] ?? null
  );
}

const keyOf = (experiment: Experiment): string =>
  `${experiment.steps} ${weightsKey(experiment.config)}${lastingIn(experiment)}`;

/** Keeps the weights in the session, where the experiment has been replayed from the checkpoint `from`. */
async function keepTrained(session: SessionLike, experiment: Experiment, from: Checkpoint | null): Promise<void> {
  if (!hasTask(experiment.config) || experiment.steps <= (from?.steps ?? 0)) return;
  trained.set(keyOf(experiment), { steps: experiment.steps, bytes: await unwrap(session.save()), curve: [] });
  if (trained.size > MAX_TRAINED) trained.delete(trained.keys().next().value!);
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
  for (const element of sorted.elements) run = await override(session, result.trace, element);
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

type Element = Sorted['elements'][number];

async function override(session: SessionLike, trace: Trace, [name, at, value]: Element): Promise<RunInfo> {
  const node = findNode(trace, name);
  if (!node) throw Refused.input(noTensorToEdit(name));
  return unwrap(session.edit(node.name, flatIndex(node.shape, at), value));
}
