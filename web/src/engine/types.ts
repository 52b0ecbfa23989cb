// The types that the page shares: the engine's replies, and what a link holds.
import type { Calls, Config, Failure, InterventionInfo } from '../../../bindings/engine';

export type * from '../../../bindings/engine';

type EngineCode = `E_${'SHAPE' | 'CONFIG' | 'INPUT' | 'FORMAT' | 'OOM' | 'PROGRAM' | 'DIVERGED' | 'INTERNAL'}`;
/**
 * The engine's codes, and the page's own: E_WORKER (the worker died or was too slow), E_MODULE (so did another one,
 * which was to take over the model), E_LINK (a bad link), E_STORAGE (the browser does not keep the learner's work).
 */
export type ErrorCode = EngineCode | 'E_WORKER' | 'E_MODULE' | 'E_LINK' | 'E_STORAGE';

/** `message` is the sentence for the learner; of an error of the engine, what it is about and where are known too. */
export interface Problem extends Partial<Omit<Failure, 'code'>> {
  code: ErrorCode;
  message: string;
  detail: string;
}

/** What the page reads of a call: nothing is ever thrown. */
export type Reply<T> = { ok: true; value: T } | ({ ok: false } & Problem);

/** What the engine answers; see messages/sentence.ts for what it says. */
export type Answered<T> = { ok: true; value: T } | ({ ok: false; detail: string } & Failure);

// The calls of a session, as bindings/session.h and programs.h list them: in the engine, where each replies, and elsewhere,
// where each promises to.

export type Method = keyof Calls;

/** A session in the engine. */
export type EngineSession = { [M in Method]: (...args: Parameters<Calls[M]>) => Answered<ReturnType<Calls[M]>> } & {
  delete(): void;
};

/** An engine module. */
export interface Engine {
  Session: new () => EngineSession;
  taskNames(): string[];
  recipeModels(): string[];
  /** Of the sources that it was compiled from. */
  sourceHash(): string;
  /** In modules that run programs: takes a file of engine/program/library. */
  addToLibrary?(file: string, text: string): void;
}

/** The calls of a session that is elsewhere. */
export type Promised = { [M in Method]: (...args: Parameters<Calls[M]>) => Promise<Reply<ReturnType<Calls[M]>>> };

/** Number of values in a tensor of this shape; 1 for a scalar. */
export const cellCount = (shape: readonly number[]): number => shape.reduce((cells, size) => cells * size, 1);

/** Equal for equal settings, in whatever order. */
export const configKey = (config: Config): string =>
  JSON.stringify(Object.entries(config).sort(([a], [b]) => (a < b ? -1 : 1)));

/** A setting of how the model writes in its trace: nothing that it learns depends on it. */
export const isOfWriting = (key: string): boolean => key.startsWith('writing');

/** Equal for settings with which a model learns the same. */
export const weightsKey = (config: Config): string =>
  configKey(Object.fromEntries(Object.entries(config).filter(([key]) => !isOfWriting(key))));

export type Role = 'input' | 'parameter' | 'state' | 'score' | 'weight' | 'gradient';
/** `update`: the update that a training step would make; recording it changes no parameter. */
export type Phase = 'leaf' | 'forward' | 'backward' | 'update';

export interface TraceNode {
  /** Index in `Trace.nodes`; creation order is execution order. */
  id: number;
  /** Unique path: "attention/α", "X", "∂attention/α". */
  name: string;
  op: string;
  /** Index rule: "nk,km->nm", "elementwise", … */
  rule: string;
  /** "{0} · {1}": {i} stands for the i-th input. */
  formula: string;
  role: Role;
  phase: Phase;
  /** [] for a scalar. */
  shape: number[];
  inputs: number[];
  /** Id of the scope it was recorded in; 0 is the root. */
  scope: number;
  file: string;
  line: number;
  /** The forward node a backward node belongs to, else -1. */
  origin: number;
  /** Node id holding ∂L/∂this, else -1. */
  gradient: number;
}

export interface TraceScope {
  id: number;
  /** Full path: "attention.softmax". */
  name: string;
  parent: number;
  /** The call site. */
  file: string;
  line: number;
  /** Node ids, inclusive. */
  first: number;
  last: number;
  phase: Exclude<Phase, 'leaf'>;
}

export interface Trace {
  nodes: TraceNode[];
  scopes: TraceScope[];
}

/**
 * Where the learner stands in a finished trace. `node` is the last operation that has run, -1 before the first (only
 * leaves have values). `scope` is the scope stood on as a whole, and `node` then its last operation; else -1.
 */
export interface Cursor {
  node: number;
  scope: number;
  /** True where a lesson opens: on one step, with the values of the whole forward pass. Any step clears it. */
  opening?: boolean;
}

/** One overridden element: row-major flat index into the tensor of that name. Training ignores edits. */
export interface Edit {
  name: string;
  index: number;
  value: number;
}

/** What is done to a tensor, or to a part of it: bindings/session.h says more. With `training` also while the model trains. */
export type Intervention = InterventionInfo;

/** One input replaced as a whole; `at` = training steps taken before it. */
export interface InputChange {
  name: string;
  values: number[];
  at: number;
}

export interface Selection {
  node: string;
  index: number;
}

/** What was chosen in a view; the names are those of its properties. */
export interface Choice {
  look?: string;
  front?: number;
  layer?: number;
  at?: number;
  place?: number;
  between?: boolean;
  pair?: number;
  from?: number;
  shift?: number;
  everywhere?: boolean;
}

/** Texts; an empty target stands for the model's own output. */
export type TextPair = [source: string, target: string];

/** Everything a link holds. `config` holds only what differs from the page's own; null means the page's own. */
export interface State {
  version: 1;
  lesson: string;
  section: string;
  config: Config;
  seed: number | null;
  inputs: InputChange[];
  /** The pair that a model with a task reads. */
  pair: TextPair | null;
  /**
   * A fingerprint of the weights that the program took over from an earlier one when the learner had edited it; "" if it
   * has trained from its own.
   */
  takenOver: string;
  /** Training steps taken since the model was loaded. */
  steps: number | null;
  edits: Edit[];
  /** In this order, and before the edits. */
  interventions: Intervention[];
  cursor: Cursor;
  selection: Selection | null;
  /** By view; only those in which something was chosen. */
  shown: Record<string, Choice>;
  /** The stage that the learner chose; null: that of the lesson. */
  stage: Stage | null;
  /** The stage that the learner pinned beside it; null: that of the page, if it has one. */
  pinned: Stage | 'none' | null;
}

/** What the bench shows, one at a time. */
export type Stage = 'picture' | 'numbers' | 'code' | 'training';

export type StepAction = 'first' | 'back' | 'forward' | 'last' | 'into' | 'out';
