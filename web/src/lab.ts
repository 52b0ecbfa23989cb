// The page's one model of what the learner does. Every element reads it, drives it, and listens to 'change'.
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
  WriteInfo,
  WritingCost,
} from './types';
import type { RemoteSession } from './engine/remote';
import type { Outcome } from './state/kept';
import type { Page } from './state/page';
import type { Notice } from './state/notice';
import type { Training } from './state/training';
import type { Unkept } from './state/unkept';

/** Inputs by name; null for the model's own, whatever the learner has made of it. */
export type Inputs = Readonly<Record<string, number[] | null>>;

type Whole = ArrayLike<number> | Promise<ArrayLike<number>>;
/** Row-major, in place of what was there, edits too; or made of those in force once all that was asked for before is done. */
export type Values = Whole | ((now: readonly number[]) => ArrayLike<number>);

/** Some settings; or what follows from all those in force once all that was asked for before is done. */
export type Settings = Config | ((now: Config) => Config | Promise<Config>);

/** A mask that is set goes before the one that was painted: of every setting, the input of that name. */
export const asSet = (settings: Config): Inputs =>
  Object.fromEntries(Object.keys(settings).map((name) => [name, null]));

/** What a model is brought to, besides its settings: what it reads, the steps it is trained for, its inputs. */
export interface Work {
  pair?: TextPair;
  steps?: number;
  inputs?: Inputs;
}

/**
 * Dispatches, once a frame at most, 'change' after any change and 'training' when `training` has moved on; 'focused' with
 * the node that focus() led to; and 'problem' when something was refused.
 */
export interface Lab extends EventTarget {
  readonly page: Page;
  readonly state: State;
  readonly info: ModelInfo | null;
  readonly trace: Trace | null;
  readonly run: RunInfo | null;
  readonly cursor: Cursor;
  /** Where the cursor stands when the page opens, and after a reset. */
  readonly home: Cursor;
  readonly playing: boolean;
  /** What is being waited for ("loading the model"), else null. */
  readonly busy: string | null;
  readonly problem: Problem | null;
  /** What was taken away, with the way back to it; else null. */
  readonly notice: Notice | null;
  /** False if no parameter and no input of the model depends on the seed. */
  readonly seeded: boolean;
  readonly selection: Selection | null;
  /** What the model learns, and the pair of it that is read; null without a task. */
  readonly task: TaskInfo | null;
  readonly pair: PairInfo | null;
  readonly training: Training;

  /** The configuration in force: the page's own, with the learner's changes over it. */
  config(): Config;
  /** Exact name, or the only node whose path ends in "/name". */
  node(name: string): TraceNode | undefined;
  /** True if the cursor has passed it (leaves always): views draw the rest hollow. */
  reached(node: TraceNode): boolean;
  /** Values of the finished run, row-major; fetched on demand, 'change' fires when they are there. */
  values(node: TraceNode): Float32Array | undefined;
  /** Probabilities, of a tensor of their logarithms; undefined while fetching. */
  probabilities(node: TraceNode): Float32Array | undefined;
  /** ∂L/∂node, same shape; undefined while fetching or if the loss does not depend on it. */
  gradient(node: TraceNode): Float32Array | undefined;

  /** Load with changed configuration, trained as far as `work` says, and rerun. If refused: false, `problem` says why, the state before stays. Busy as long as it takes to find out what is to change, too. */
  configure(changes: Settings, work?: Work): Promise<boolean>;
  setInput(name: string, values: Values): Promise<boolean>;
  edit(name: string, index: number, value: number): Promise<boolean>;
  /** Without an index: the latest edit of that tensor; without a name: the latest of all. */
  undoEdit(name?: string, index?: number): Promise<boolean>;
  checkGradient(name: string, index: number): Promise<GradientCheck | null>;
  /** Makes a pair of texts the input; an empty target is what the model itself writes. */
  read(source: string, target: string): Promise<boolean>;
  /** Of the task; fewer at the end of the split. */
  pairs(split: Split, start: number, count: number): Promise<Reply<PairInfo[]>>;
  /** The engine's settings that learn a task; none where it did not answer, which is said. */
  recipe(task: string, model: string): Promise<Config>;
  /** What a model of this kind and a training step of it would take; nothing is loaded. */
  estimate(config: Config): Promise<Reply<SizeInfo>>;
  /** What the model writes as it is now; a refusal is the caller's to say. */
  write(source: string, options: Config): Promise<Reply<WriteInfo>>;
  /** What the token behind so many positions takes; null for a model that has no KV cache. */
  costBehind(positions: number): Promise<WritingCost | null>;
  /** So many more steps, asked when its turn comes, or those that were left when it was paused. False if it was refused, or made way. */
  train(steps: () => number): Promise<boolean>;
  /** The rest may follow; and: it may not. The model stays as trained as it is. */
  pauseTraining(): void;
  stopTraining(): void;
  /** Evaluates on the test split: `training.evaluation` grows. */
  measure(): Promise<void>;
  /** Same seed, same bits: edits, inputs and training are dropped, the cursor stands where the page opens; with these settings, if any. */
  reset(settings?: Config): Promise<void>;
  /** The same experiment with another seed: edits and inputs are kept, training is dropped, the cursor stands where the page opens. */
  newSeed(): Promise<void>;

  /** Moves the cursor to the node named `at` and selects the cell. */
  focus(target: { at?: string; cell?: number[]; view?: string }): void;
  moveTo(cursor: Cursor): void;
  step(action: StepAction): void;
  play(): void;
  pause(): void;
  select(node: string, index: number): void;
  /** What a view shows now that something has been chosen in it; part of the link. */
  choose(view: string, choice: Choice): void;
  /** The section being read; part of the link. */
  reading(section: string): void;
  /** Until all changes that were asked for are made or refused; training is none. */
  settled(): Promise<void>;
  dismiss(): void;
  /** One sentence for the learner, where an element refuses what was typed. */
  complain(problem: Problem): void;
  /** Says, once for each kind of work, that the browser does not keep it; nothing where it does. */
  unkept(work: Unkept, outcome: Outcome): void;

  /** A second, hidden session for grading: same engine and configuration, does not disturb the learner. */
  probe<T>(job: (session: RemoteSession) => Promise<T>): Promise<T>;
}

let current: Lab | null = null;

/** The lab of this page. Set once by main.ts before any element is defined. */
export function theLab(): Lab {
  if (!current) throw new Error('the lab is not there yet: import it through main.ts');
  return current;
}

export function setLab(lab: Lab): void {
  current = lab;
}
