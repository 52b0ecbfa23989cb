// Rebuilds what the learner made from the table of what they did, and nothing else.
import { NO_SUCH_PART } from '#messages/engine';
import { moduleOf } from './kinds';
import { hasTask } from './own-data';
import { Refused, unwrap } from './refused';
import { trainInSlices, type RemoteSession } from './remote';
import { cellCount } from './types';
import type * as T from './types';

/** Everything that determines the bits: settings, inputs given between training steps, pair, edits on top. */
export interface Experiment {
  config: T.Config;
  inputs: T.InputChange[];
  /** Null: the first validation pair, if the model has a task. */
  pair: T.TextPair | null;
  steps: number;
  /** As in the state: these weights are in a checkpoint, and nothing else brings them back. */
  takenOver?: string;
  /** In force under the edits; those that act in training do so from the first step. */
  interventions?: readonly T.Intervention[];
  edits: T.Edit[];
}

export interface CurvePoint {
  step: number;
  loss: number;
  accuracy: number;
}

/** How the model does on pairs it is not trained on. */
export interface UnseenPoint {
  step: number;
  /** Mean per token, as in training. */
  loss: number;
  /** Share of pairs it writes without a mistake; missing for texts, which have no single right continuation. */
  exact?: number;
}

/** The result of `steps` training steps: saves taking them again, and changes nothing else. */
export interface Checkpoint {
  steps: number;
  bytes: Uint8Array;
  curve: CurvePoint[];
  /** Missing where nothing was measured. */
  unseen?: UnseenPoint[];
}

export interface Result {
  info: T.ModelInfo;
  run: T.RunInfo;
  trace: T.Trace;
  task: T.TaskInfo | null;
  pair: T.PairInfo | null;
}

/** How to rebuild: what to resume from, and what to call on the way. */
export interface ReplayOptions {
  checkpoint?: Checkpoint | null;
  /** Called if the model refuses the checkpoint, or its step count differs: training starts from 0. */
  onBadCheckpoint?: () => void;
  /** Called after every slice; false stops training there. */
  onSlice?: (info: T.TrainInfo) => boolean;
  /** Called with each edit that the model refuses (E_INPUT); without it the replay is refused. */
  onEditDropped?: (edit: T.Edit) => void;
  /** Called if the model refuses the interventions, which are then left out; without it the replay is refused. */
  onInterventionsDropped?: () => void;
  /** Called before these edits are put in place, with how many are; false leaves these out. */
  onEdits?: (edits: readonly T.Edit[], inPlace: number) => boolean;
}

/** Values as the named input: as many of its rows as they fill; else one axis, which the engine refuses. */
export function asInput(info: T.ModelInfo, name: string, values: ArrayLike<number>): T.NamedTensor {
  const [, ...row] = info.inputs.find((input) => input.name === name)?.shape ?? [];
  const rows = values.length / cellCount(row);
  return { name, shape: Number.isInteger(rows) ? [rows, ...row] : [values.length], values: Float32Array.from(values) };
}

/** Whether it makes a difference to what the model learns. */
export const inTraining = ({ kind, training }: T.Intervention): boolean => training || kind === 'frozen';

/** Those that do, as a key; "" without any. */
export const lastingIn = ({ interventions = [] }: Pick<Experiment, 'interventions'>): string =>
  interventions.some(inTraining) ? JSON.stringify(interventions.filter(inTraining)) : '';

/** The module of the first lesson, which is to load fast, has no interventions. */
const NONE_THERE = { ok: false, code: 'E_MODULE', message: NO_SUCH_PART, detail: '' } as const;

/** The session is lost, too. */
const LOST = ['E_WORKER', 'E_OOM'];

/** The steps at which inputs were given, from 0 to the last step, ascending. */
function inputSteps({ inputs, steps }: Experiment): number[] {
  const all = new Set([0, steps, ...inputs.map((change) => change.at)]);
  return [...all].filter((at) => at <= steps).sort((a, b) => a - b);
}

class Rebuild {
  private info!: T.ModelInfo;
  private run!: T.RunInfo;
  private inPlace: readonly T.Edit[] = [];

  constructor(
    private readonly session: RemoteSession,
    private readonly experiment: Experiment,
    private readonly options: ReplayOptions,
  ) {}

  async result(): Promise<Result> {
    const pair = await this.rebuild();
    const task = hasTask(this.experiment.config) ? await unwrap(this.session.task()) : null;
    return { info: this.info, run: this.run, trace: await unwrap(this.session.trace(this.run.trace)), task, pair };
  }

  /** The pair that the model reads then, if it has a task. */
  async rebuild(): Promise<T.PairInfo | null> {
    const { config } = this.experiment;
    this.info = await unwrap(this.session.load(config));
    const { interventions = [], steps } = this.experiment;
    const lasting = interventions.filter(inTraining);
    if (lasting.length && steps) {
      this.run = await unwrap(this.session.run([])); // they are checked in its trace
      await this.intervene(lasting);
    }
    await this.train();
    const pair = hasTask(config) ? await this.read() : null;
    await this.intervene(interventions);
    await this.edit(this.experiment.edits);
    return pair;
  }

  private async train(): Promise<void> {
    let now = await this.resume();
    await this.setInputs(this.experiment.inputs.filter((change) => change.at <= now));
    for (const inputStep of inputSteps(this.experiment).filter((at) => at > now)) {
      if (!(await this.trainTo(now, inputStep))) return;
      now = inputStep;
      await this.setInputs(this.experiment.inputs.filter((change) => change.at === inputStep));
    }
  }

  /** Restores the checkpoint if it can; returns the step to train from. */
  private async resume(): Promise<number> {
    const { checkpoint, onBadCheckpoint } = this.options;
    if (!checkpoint || checkpoint.steps > this.experiment.steps) return 0;
    const restored = await this.session.restore(checkpoint.bytes);
    const wrong = restored.ok ? restored.value.steps !== checkpoint.steps : restored.code !== 'E_WORKER';
    if (wrong) {
      onBadCheckpoint?.();
      if (restored.ok) await unwrap(this.session.load(this.experiment.config));
      return 0;
    }
    await unwrap(Promise.resolve(restored));
    return checkpoint.steps;
  }

  /** False if training was stopped before `to`. */
  private async trainTo(from: number, to: number): Promise<boolean> {
    const { onSlice } = this.options;
    const { step } = await unwrap(trainInSlices(this.session, to - from, (info) => onSlice?.(info) ?? true));
    if (step === to) return true;
    await this.setInputs([]);
    return false;
  }

  /** Runs the model on these inputs. One with a task needs no run without any: it runs when it reads its pair. */
  private async setInputs(changes: T.InputChange[]): Promise<void> {
    if (!changes.length && hasTask(this.experiment.config)) return;
    this.run = await unwrap(this.session.run(changes.map(({ name, values }) => asInput(this.info, name, values))));
  }

  /** The model reads the experiment's pair, or else the first it has not been trained on. */
  private async read(): Promise<T.PairInfo> {
    const [source, target] = this.experiment.pair ?? (await this.unseen());
    const pair = await unwrap(this.session.read(source, target));
    this.run = await unwrap(this.session.run([]));
    return pair;
  }

  private async unseen(): Promise<T.TextPair> {
    const [pair] = await unwrap(this.session.pairs('validation', 0, 1));
    const first = pair ?? (await unwrap(this.session.pairs('train', 0, 1)))[0]!;
    const { separator } = await unwrap(this.session.task());
    return [first.source.join(separator), first.target.join(separator)];
  }

  private async intervene(interventions: readonly T.Intervention[]): Promise<void> {
    if (!interventions.length) return;
    const { onInterventionsDropped } = this.options;
    const reply: T.Reply<T.RunInfo> =
      moduleOf(this.experiment.config) === 'softmax' ? NONE_THERE : await this.session.setInterventions(interventions);
    if (reply.ok) this.run = reply.value;
    else if (onInterventionsDropped && !LOST.includes(reply.code)) onInterventionsDropped();
    else throw new Refused(reply);
  }

  /**
   * Puts edits in place in one run. Those that are refused together are halved, down to the one that is refused: each
   * is then accepted or not as if it were made after those before it.
   */
  private async edit(edits: readonly T.Edit[]): Promise<void> {
    const { onEdits, onEditDropped } = this.options;
    if (!edits.length || onEdits?.(edits, this.inPlace.length) === false) return;
    const all = [...this.inPlace, ...edits];
    const reply = await this.session.setEdits(all);
    if (reply.ok) {
      this.run = reply.value;
      this.inPlace = all;
    } else if (edits.length > 1 && !LOST.includes(reply.code)) {
      const half = Math.ceil(edits.length / 2);
      await this.edit(edits.slice(0, half));
      await this.edit(edits.slice(half));
    } else if (onEditDropped && reply.code === 'E_INPUT') onEditDropped(edits[0]!);
    else throw new Refused(reply);
  }
}

async function refusable<R>(work: () => Promise<R>): Promise<T.Reply<R>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, ...error.problem };
    throw error;
  }
}

/** Builds the experiment in the session, or returns what was refused; the session's state is then unspecified. */
export const replay = (
  session: RemoteSession,
  experiment: Experiment,
  options: ReplayOptions = {},
): Promise<T.Reply<Result>> => refusable(() => new Rebuild(session, experiment, options).result());

/** Does the same from a checkpoint of its last step, for a page that already has the result. */
export const resume = (
  session: RemoteSession,
  experiment: Experiment,
  checkpoint: Checkpoint,
): Promise<T.Reply<unknown>> => refusable(() => new Rebuild(session, experiment, { checkpoint }).rebuild());
