// The types that the page shares: the engine's replies, and what a link holds.
import type { Refusal } from '../messages/sentence';

export type Config = Record<string, string | number | boolean | number[]>;

/**
 * The engine's codes, and the page's own: E_WORKER (the worker died or was too slow), E_MODULE (so did another one,
 * which was to take over the model), E_LINK (a bad link), E_STORAGE (the browser does not keep the learner's work).
 */
export type ErrorCode =
  | 'E_SHAPE'
  | 'E_CONFIG'
  | 'E_INPUT'
  | 'E_FORMAT'
  | 'E_OOM'
  | 'E_PROGRAM'
  | 'E_DIVERGED'
  | 'E_INTERNAL'
  | 'E_WORKER'
  | 'E_MODULE'
  | 'E_LINK'
  | 'E_STORAGE';

export interface Problem extends Refusal {
  code: ErrorCode;
  detail: string;
}

/** What the engine answers: nothing is ever thrown across the boundary. */
export type Reply<T> = { ok: true; value: T } | ({ ok: false } & Problem);

export interface NamedTensor {
  name: string;
  shape: number[];
  values: Float32Array;
}

export interface NamedShape {
  name: string;
  shape: number[];
}

/** Number of values in a tensor of this shape; 1 for a scalar. */
export const cellCount = (shape: readonly number[]): number => shape.reduce((cells, size) => cells * size, 1);

export interface ModelInfo {
  kind: string;
  seed: number;
  /** Training steps so far. */
  steps: number;
  inputs: NamedShape[];
  parameters: NamedShape[];
}

export interface RunInfo {
  loss: number;
  /** Node id of the model's output. */
  output: number;
  /** Number of operations in each phase. */
  forward: number;
  backward: number;
  update: number;
  /** Equal for runs with the same trace, whatever their values. */
  trace: number;
}

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

export interface GradientCheck {
  analytic: number;
  numeric: number;
  difference: number;
}

export interface TrainInfo {
  step: number;
  loss: number;
  /** Over the tokens of the last batch; 0 without a task, like the next two. */
  accuracy: number;
  /** Number trained on in this call. */
  examples: number;
  tokens: number;
}

export interface TaskInfo {
  name: string;
  /** Joins the tokens of a text: " " for words, "" for characters. */
  separator: string;
  /** Source–target pairs; texts; or windows of one long text. */
  form: 'pairs' | 'texts' | 'windows';
  sourceWords: string[];
  targetWords: string[];
  /** Number of pairs in each split. */
  train: number;
  validation: number;
  test: number;
}

export type Split = 'train' | 'validation' | 'test';

export interface PairInfo {
  source: string[];
  target: string[];
  /** Source position, target position, source position, … */
  alignment: number[];
  /** Holds a combination of words that training never sees. */
  heldOut: boolean;
}

export interface TreeNode {
  parent: number;
  token: string;
  logProbability: number;
  /** Sum of log-probabilities from the root. */
  score: number;
  /** Of the token alone, and of the sequence from the root. */
  probability: number;
  sequenceProbability: number;
  state: 'kept' | 'pruned' | 'finished';
}

export interface GenerationInfo {
  source: string[];
  /** Without <eos>. */
  tokens: string[];
  /** Of each token, and of <eos> if the sequence ended. */
  logProbabilities: number[];
  probabilities: Float32Array;
  /** Of the whole sequence. */
  probability: number;
  /** Attention weights over the source, a row per probability; empty without attention. */
  weights: Float32Array;
  ended: boolean;
  tree: TreeNode[];
  /** The node where the best hypothesis ends, -1 without a tree. */
  best: number;
}

/** Estimated size of a model and of its training. */
export interface SizeInfo {
  /** Number of weights. */
  parameters: number;
  /** Approximate bytes of its longest training step. */
  stepBytes: number;
}

/** Cost of the token after some positions: with a KV cache, and with all positions recomputed. */
export interface GenerationCost {
  /** Size of the cache after these positions. */
  cacheBytes: number;
  /** In matrix products. */
  multiplyAdds: number;
  multiplyAddsUncached: number;
}

export interface EvaluationInfo {
  done: number;
  pairs: number;
  exactMatch: number;
  bleu: number;
  brevityPenalty: number;
  /** n-gram precisions, n = 1 to 4. */
  precisions: number[];
  /** NaN if there is nothing to compare. */
  alignmentErrorRate: number;
  /** Mean weight on all true links of a target word; NaN if there are none. */
  attentionMass: number;
  /** On pronouns whose gender another word decides; NaN if there are none. */
  pronounAccuracy: number;
  perplexity: number;
  byLength: { length: number; pairs: number; exact: number }[];
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
  cursor: Cursor;
  selection: Selection | null;
  /** By view; only those in which something was chosen. */
  shown: Record<string, Choice>;
}

export type StepAction = 'first' | 'back' | 'forward' | 'last' | 'into' | 'over' | 'out';
