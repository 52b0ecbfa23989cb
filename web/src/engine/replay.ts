// Rebuilding what the learner made, from nothing but the table of what they did.
import { hasTask } from './own-data';
import { trainInSlices } from './slices';
import type { RemoteSession } from './remote';
import { cellCount } from '../types';
import type * as T from '../types';

/** All that decides the bits: load, the inputs as they were given between training steps, the edits on top. */
export interface Experiment {
  config: T.Config;
  inputs: T.InputChange[];
  /** Null: what the model reads by itself. */
  pair: T.TextPair | null;
  steps: number;
  edits: T.Edit[];
}

/** Equal for equal settings, in whatever order they were made. */
export const configKey = ({ config }: Pick<Experiment, 'config'>): string =>
  JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));

export interface CurvePoint {
  step: number;
  loss: number;
  accuracy: number;
}

/** What so many steps of training come to: saves taking them again, and changes nothing else. */
export interface Checkpoint {
  steps: number;
  bytes: Uint8Array;
  curve: CurvePoint[];
}

export interface Result {
  info: T.ModelInfo;
  run: T.RunInfo;
  trace: T.Trace;
  task: T.TaskInfo | null;
  pair: T.PairInfo | null;
}

/** A rebuilding that takes its time: how it begins, what it says, when it ends. */
export interface Manner {
  checkpoint?: Checkpoint | null;
  /** The model cannot take the checkpoint, or it is of other steps: they are taken again. */
  unusable?: () => void;
  /** After every slice; false stops the training there. */
  trained?: (info: T.TrainInfo) => boolean;
  /** Takes the edits that this model refuses; without it they are refused. */
  dropped?: (edit: T.Edit) => void;
}

/** Values as an input of that name: as many rows of the model's own row shape as they fill; the engine refuses the rest. */
export function asInput(info: T.ModelInfo, name: string, values: ArrayLike<number>): T.NamedTensor {
  const [, ...row] = info.inputs.find((input) => input.name === name)?.shape ?? [];
  const rows = values.length / cellCount(row);
  return { name, shape: Number.isInteger(rows) ? [rows, ...row] : [values.length], values: Float32Array.from(values) };
}

class Refused extends Error {
  constructor(readonly reply: T.Reply<never>) {
    super('refused');
  }
}

async function need<R>(promised: Promise<T.Reply<R>>): Promise<R> {
  const reply = await promised;
  if (!reply.ok) throw new Refused(reply);
  return reply.value;
}

/** The moments an input was given, in order, ending with now. */
function moments({ inputs, steps }: Experiment): number[] {
  const all = new Set([0, steps, ...inputs.map((change) => change.at)]);
  return [...all].filter((at) => at <= steps).sort((a, b) => a - b);
}

class Rebuilding {
  private info!: T.ModelInfo;
  private run!: T.RunInfo;

  constructor(
    private readonly session: RemoteSession,
    private readonly experiment: Experiment,
    private readonly manner: Manner,
  ) {}

  async all(): Promise<Result> {
    const { config } = this.experiment;
    this.info = await need(this.session.load(config));
    const task = hasTask(config) ? await need(this.session.task()) : null;
    await this.train();
    const pair = task ? await this.read() : null;
    await this.edit();
    return { info: this.info, run: this.run, trace: await need(this.session.trace()), task, pair };
  }

  private async train(): Promise<void> {
    let now = await this.resume();
    for (const moment of moments(this.experiment).filter((at) => at >= now)) {
      if (moment > now && !(await this.trainTo(now, moment))) return;
      now = moment;
      await this.give(this.experiment.inputs.filter((change) => change.at === moment));
    }
  }

  /** The step to go on from. */
  private async resume(): Promise<number> {
    const { checkpoint, unusable } = this.manner;
    if (!checkpoint || checkpoint.steps > this.experiment.steps) return 0;
    const restored = await this.session.restore(checkpoint.bytes);
    const wrong = restored.ok ? restored.value.steps !== checkpoint.steps : restored.code !== 'E_WORKER';
    if (wrong) {
      unusable?.();
      if (restored.ok) await need(this.session.load(this.experiment.config));
      return 0;
    }
    await need(Promise.resolve(restored));
    await this.give(this.experiment.inputs.filter((change) => change.at <= checkpoint.steps));
    return checkpoint.steps;
  }

  /** False if it was stopped on the way. */
  private async trainTo(from: number, to: number): Promise<boolean> {
    const { trained } = this.manner;
    const { step } = await need(trainInSlices(this.session, to - from, (info) => trained?.(info) ?? true));
    if (step === to) return true;
    await this.give([]);
    return false;
  }

  private async give(changes: T.InputChange[]): Promise<void> {
    this.run = await need(this.session.run(changes.map(({ name, values }) => asInput(this.info, name, values))));
  }

  /** What the model reads: the learner's pair, the page's, or the first that it has never seen. */
  private async read(): Promise<T.PairInfo> {
    const [source, target] = this.experiment.pair ?? (await this.unseen());
    const pair = await need(this.session.read(source, target));
    this.run = await need(this.session.run([]));
    return pair;
  }

  private async unseen(): Promise<T.TextPair> {
    const [pair] = await need(this.session.pairs('validation', 0, 1));
    const first = pair ?? (await need(this.session.pairs('train', 0, 1)))[0]!;
    const { separator } = await need(this.session.task());
    return [first.source.join(separator), first.target.join(separator)];
  }

  private async edit(): Promise<void> {
    const { dropped } = this.manner;
    for (const edit of this.experiment.edits) {
      const reply = await this.session.edit(edit.name, edit.index, edit.value);
      if (reply.ok) this.run = reply.value;
      else if (dropped && reply.code === 'E_INPUT') dropped(edit);
      else throw new Refused(reply);
    }
  }
}

/** Builds the experiment in the session, or says what was refused; the session is then in no particular state. */
export async function replay(
  session: RemoteSession,
  experiment: Experiment,
  manner: Manner = {},
): Promise<T.Reply<Result>> {
  try {
    return { ok: true, value: await new Rebuilding(session, experiment, manner).all() };
  } catch (error) {
    if (error instanceof Refused) return error.reply;
    throw error;
  }
}
