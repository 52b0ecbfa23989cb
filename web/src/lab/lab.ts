// The model of what the learner does: every element inside a <u-lab> reads it, drives it, and listens to its changes.
import type { Job } from '#messages/lab';
import type {
  Choice,
  Config,
  Cursor,
  GradientCheck,
  ModelInfo,
  PairInfo,
  Problem,
  Reply,
  RunInfo,
  Selection,
  SizeInfo,
  Split,
  State,
  StepAction,
  TaskInfo,
  TextPair,
  Trace,
  TraceNode,
  GenerationInfo,
  GenerationCost,
} from '../engine/types';
import type { RemoteSession } from '../engine/remote';
import type { Outcome, Unsaved } from './store/storage';
import type { Hover } from './hover';
import type { Page } from './page';
import type { Notice } from './notice';
import type { Training } from './training';

/** Inputs by name; null restores the model's own. */
export type Inputs = Readonly<Record<string, number[] | null>>;

type Whole = ArrayLike<number> | Promise<ArrayLike<number>>;
/**
 * Row-major. An array replaces the input and drops its edits; a function maps the values in force once earlier changes
 * are done, and keeps the edits.
 */
export type InputValues = Whole | ((now: readonly number[]) => ArrayLike<number>);

/** Settings to change; or a function of the configuration in force once earlier changes are done. */
export type Settings = Config | ((now: Config) => Config | Promise<Config>);

/** Restores the input named like each setting: a mask chosen as a setting replaces a painted one. */
export const resetInputs = (settings: Config): Inputs =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, null]));

/** What a model is brought to besides its settings: the pair it reads, its training steps, its inputs. */
export interface Preparation {
  pair?: TextPair;
  steps?: number;
  inputs?: Inputs;
}

/**
 * What of a lab can change:
 * - cursor, selection, hover; choice: what was chosen in a view, and the section being read
 * - run: the model and its latest run, with all that made it: settings, inputs, pair, edits
 * - values: tensors have arrived, or others are shown
 * - training: `training` has advanced
 * - activity: what it is busy with, and whether it plays
 * - problem: the problem or the notice
 */
export type Topic =
  'cursor' | 'selection' | 'hover' | 'choice' | 'run' | 'values' | 'training' | 'activity' | 'problem';

/** Threads that take training steps: how many there can be here, how many the learner wants, and how many there are. */
export interface ThreadCount {
  readonly most: number;
  readonly wanted: number;
  readonly atWork: number;
}

/**
 * Dispatches each topic that has changed, at most once per frame;
 * 'focused' with the node that focus() moved to; 'moved' after a step; and 'edit-cell' when the selected cell is to be edited.
 */
export interface Lab extends EventTarget {
  /** Prefix of the ids of its elements, unique on the page. */
  readonly id: string;
  /** True for the page's main lab: the address, and the work that the browser keeps, are this lab's. */
  readonly linked: boolean;
  readonly page: Page;
  readonly state: State;
  readonly info: ModelInfo | null;
  readonly trace: Trace | null;
  readonly run: RunInfo | null;
  readonly cursor: Cursor;
  /** Where the cursor stands when the page opens, and after a reset. */
  readonly home: Cursor;
  readonly playing: boolean;
  /** The job in progress ("loading the model"), else null. */
  readonly busy: Job | null;
  readonly problem: Problem | null;
  /** What was dropped or can be resumed, with the action for it; else null. */
  readonly notice: Notice | null;
  /** False if no parameter and no input of the model depends on the seed. */
  readonly seeded: boolean;
  readonly selection: Selection | null;
  /** False while the steps are followed although a cell is still selected. */
  readonly showsSelection: boolean;
  /** What the pointer rests on. */
  readonly hover: Hover;
  /** The task that the model learns, and the pair it reads; null without a task. */
  readonly task: TaskInfo | null;
  readonly pair: PairInfo | null;
  readonly training: Training;
  readonly threads: ThreadCount;

  /** The configuration in force: the page's own, overridden by the learner's changes. */
  config(): Config;
  /** Exact name, or the only node whose path ends in "/name". */
  node(name: string): TraceNode | undefined;
  /** True if the cursor has passed it (leaves always): views draw the rest hollow. */
  reached(node: TraceNode): boolean;
  /** Values of the finished run, row-major; undefined while fetching, 'values' fires when they arrive. */
  values(node: TraceNode): Float32Array | undefined;
  /** Probabilities, for a tensor of log-probabilities; undefined while fetching. */
  probabilities(node: TraceNode): Float32Array | undefined;
  /** ∂L/∂node, same shape; undefined while fetching or if the loss does not depend on it. */
  gradient(node: TraceNode): Float32Array | undefined;

  /**
   * Loads the model with changed settings, prepares it as `preparation` says, and reruns. If refused, `problem` says why
   * unless it is `quiet`, and the state before stays. The lab is also busy while `changes` is being computed.
   */
  configure(changes: Settings, preparation?: Preparation, quiet?: boolean): Promise<Reply<unknown>>;
  /** Goes to another state of the page; without one there is nothing to do, which is the reply's value. */
  goTo(nextState: (now: State) => State | undefined | Promise<State | undefined>): Promise<Reply<boolean>>;
  setInput(name: string, values: InputValues): Promise<boolean>;
  /** `quiet`: the caller tells of a refusal, beside what was typed. */
  edit(name: string, index: number, value: number, quiet?: boolean): Promise<Reply<unknown>>;
  /** Without an index: the latest edit of that tensor; without a name: the latest of all. */
  undoEdit(name?: string, index?: number): Promise<boolean>;
  checkGradient(name: string, index: number): Promise<GradientCheck | null>;
  /** Makes a pair of texts the input; an empty target stands for the model's own output. `quiet` as for an edit. */
  read(source: string, target: string, quiet?: boolean): Promise<Reply<unknown>>;
  /** Pairs of the task from number `start` on; fewer at the end of the split. */
  pairs(split: Split, start: number, count: number): Promise<Reply<PairInfo[]>>;
  /** The engine's settings for learning a task; {} if the engine refused, which is reported. */
  recipe(task: string, model: string): Promise<Config>;
  /** The size of such a model and of its training step; nothing is loaded. */
  estimate(config: Config): Promise<Reply<SizeInfo>>;
  /** The settings of the loaded model with another program, as its lines are checked with. */
  withProgram(program: string): Config;
  /** A program that the learner has typed and not yet run; null if there is none. Training runs it first. */
  written: string | null;
  /** The program that was run last, as typed; it may have been refused. */
  readonly ran: string | null;
  /** Runs it. False if it is refused, which `problem` says. */
  runWritten(): Promise<boolean>;
  /** A script that prints under PyTorch what the loaded program makes of its inputs as they are now. */
  pytorch(): Promise<Reply<string>>;
  /**
   * Loads the model with another program, and reruns. Trained weights whose name and shape stay are kept, with the
   * training. If refused, the reply alone says why, and the state before stays.
   */
  reprogram(program: string): Promise<Reply<unknown>>;
  /** What the model generates as it is now; reporting a refusal is left to the caller. */
  generate(source: string, options: Config): Promise<Reply<GenerationInfo>>;
  /** Cost of the token after this many positions; null for a model without a KV cache. */
  generationCost(positions: number): Promise<GenerationCost | null>;
  /**
   * Trains `steps()` more steps, evaluated when its turn comes, or those left when it was paused. False if refused,
   * already requested, or superseded by a change.
   */
  train(steps: () => number): Promise<boolean>;
  /** Stops after the current slice; train() resumes. */
  pauseTraining(): void;
  /** Stops for good: train() starts a new run. The model keeps the steps it has taken. */
  stopTraining(): void;
  /** Training goes on with so many threads, if its steps are long; the bits are the same. */
  useThreads(wanted: number): void;
  /** Evaluates on the test split, updating `training.evaluation` batch by batch. */
  measure(): Promise<void>;
  /**
   * Drops edits, inputs, the pair and training, applies the settings, and moves the cursor to where the page opens.
   * Same seed, same bits.
   */
  reset(settings?: Config): Promise<void>;
  /** Draws a new seed: keeps edits and inputs, drops training, and moves the cursor to where the page opens. */
  newSeed(): Promise<void>;

  /** Moves the cursor to the node named `at` and selects the cell. */
  focus(target: { at?: string; cell?: number[]; view?: string }): void;
  moveTo(cursor: Cursor): void;
  step(action: StepAction): void;
  play(): void;
  pause(): void;
  select(node: string, index: number): void;
  /** Shows the steps again although the selection stays, until another cell is selected. */
  followSteps(): void;
  /** Opens the field for the value of the selected cell; it begins with what was typed. */
  askEdit(typed?: string): void;
  /** What is left out is null: point({}) points nowhere. */
  point(at: Partial<Hover>): void;
  /** Records what was chosen in a view; part of the link. */
  choose(view: string, choice: Choice): void;
  /** Records the section being read; part of the link. */
  reading(section: string): void;
  /** Resolves once all requested changes are made or refused; training does not count. */
  settled(): Promise<void>;
  dismiss(): void;
  /** Shows what was dropped, or what the learner should know. */
  notify(notice: Notice): void;
  /** Shows one sentence to the learner, as when an element refuses what was typed. */
  reportProblem(problem: Problem): void;
  /** Reports, once per kind of work, that the browser does not keep it. */
  reportUnsaved(work: Unsaved, outcome: Outcome): void;

  /** Values of the latest run, row-major, fetched from the engine. */
  fetchValues(node: TraceNode): Promise<Reply<Float32Array>>;
  /** Runs a job with a hidden session, which its first call opens; the learner's session is not touched. */
  probe<T>(job: (session: RemoteSession) => Promise<T>): Promise<T>;
}

/** <u-lab>: the elements inside it share its lab. */
export interface LabHost extends HTMLElement {
  readonly lab: Lab;
}

/** The nearest <u-lab> around an element. */
export function hostOf(element: Element): LabHost {
  const host = element.closest<LabHost>('u-lab');
  if (!host) throw new Error(`<${element.localName}> is not inside a <u-lab>.`);
  return host;
}
