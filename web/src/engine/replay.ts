// Rebuilding what the learner made, from nothing but the table of what they did.
import type { RemoteSession } from './remote';
import type { Config, Edit, InputChange, ModelInfo, NamedTensor, Reply, RunInfo, Trace } from '../types';

/** All that decides the bits: load, the inputs as they were given between training steps, the edits on top. */
export interface Experiment {
  config: Config;
  inputs: InputChange[];
  steps: number;
  edits: Edit[];
}

/** Milliseconds. */
export const TRAINING_DEADLINE = 60_000;

export interface Result {
  info: ModelInfo;
  run: RunInfo;
  trace: Trace;
}

/** Values as an input of that name: as many rows of the model's own row shape as they fill; the engine refuses the rest. */
export function asInput(info: ModelInfo, name: string, values: ArrayLike<number>): NamedTensor {
  const [, ...row] = info.inputs.find((input) => input.name === name)?.shape ?? [];
  const rows = values.length / row.reduce((a, b) => a * b, 1);
  return { name, shape: Number.isInteger(rows) ? [rows, ...row] : [values.length], values: Float32Array.from(values) };
}

class Refused extends Error {
  constructor(readonly reply: Reply<never>) {
    super('refused');
  }
}

async function need<T>(promised: Promise<Reply<T>>): Promise<T> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply);
  return reply.value;
}

/** The moments an input was given, in order, ending with now. */
function moments({ inputs, steps }: Experiment): number[] {
  const all = new Set([0, steps, ...inputs.map((change) => change.at)]);
  return [...all].filter((at) => at <= steps).sort((a, b) => a - b);
}

/** Trains up to the moment, then gives the inputs of that moment. */
async function advance(
  session: RemoteSession,
  info: ModelInfo,
  inputs: InputChange[],
  from: number,
  to: number,
): Promise<RunInfo> {
  if (to > from) await need(session.train(to - from, { deadline: TRAINING_DEADLINE }));
  const given = inputs.filter((change) => change.at === to);
  return need(session.run(given.map(({ name, values }) => asInput(info, name, values))));
}

async function rebuild(session: RemoteSession, experiment: Experiment): Promise<Result> {
  const info = await need(session.load(experiment.config));
  let run!: RunInfo;
  let now = 0;
  for (const moment of moments(experiment)) {
    run = await advance(session, info, experiment.inputs, now, moment);
    now = moment;
  }
  for (const edit of experiment.edits) run = await need(session.edit(edit.name, edit.index, edit.value));
  return { info, run, trace: await need(session.trace()) };
}

/** Builds the experiment in the session, or says what was refused; the session is then in no particular state. */
export async function replay(session: RemoteSession, experiment: Experiment): Promise<Reply<Result>> {
  try {
    return { ok: true, value: await rebuild(session, experiment) };
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    throw error;
  }
}
