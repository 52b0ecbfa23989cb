// Written by bindings/native/declarations.cpp. The calls and fields are explained in bindings/session.h and
// bindings/programs.h, which list them.
export type Config = Record<string, string | number | boolean | number[]>;
export type Split = 'train' | 'validation' | 'test';
/** A number, a text, names, a shape, the field that is refused, or a phrase. */
export type MessageArgument =
  number | string | string[] | { shape: number[] } | { field: string } | { id: string; arguments: MessageArgument[] };

export interface TensorInfo {
  name: string;
  shape: number[];
}

export interface ModelInfo {
  kind: string;
  seed: number;
  steps: number;
  inputs: TensorInfo[];
  parameters: TensorInfo[];
}

export interface SizeInfo {
  parameters: number;
  stepBytes: number;
}

export interface NamedTensor {
  name: string;
  shape: number[];
  values: Float32Array;
}

export interface RunInfo {
  loss: number;
  output: number;
  forward: number;
  backward: number;
  update: number;
  trace: number;
}

export interface TraceColumns {
  numbers: Int32Array;
  texts: string;
}

export interface ValueEdit {
  name: string;
  index: number;
  value: number;
}

export interface GradientCheck {
  analytic: number;
  numeric: number;
  difference: number;
}

export interface TrainInfo {
  step: number;
  loss: number;
  accuracy: number;
  examples: number;
  tokens: number;
}

export interface TaskInfo {
  name: string;
  separator: string;
  form: 'pairs' | 'texts' | 'windows';
  sourceWords: string[];
  targetWords: string[];
  train: number;
  validation: number;
  test: number;
  truePerplexity: number;
}

export interface PairInfo {
  source: string[];
  target: string[];
  alignment: number[];
  heldOut: boolean;
}

export interface TreeNode {
  parent: number;
  token: string;
  logProbability: number;
  score: number;
  probability: number;
  sequenceProbability: number;
  state: 'kept' | 'pruned' | 'finished';
}

export interface GenerationInfo {
  source: string[];
  tokens: string[];
  logProbabilities: number[];
  probabilities: Float32Array;
  probability: number;
  weights: Float32Array;
  ended: boolean;
  tree: TreeNode[];
  best: number;
}

export interface GenerationCost {
  cacheBytes: number;
  multiplyAdds: number;
  multiplyAddsUncached: number;
}

export interface LengthInfo {
  length: number;
  pairs: number;
  exact: number;
}

export interface EvaluationInfo {
  done: number;
  pairs: number;
  exactMatch: number;
  bleu: number;
  brevityPenalty: number;
  perplexity: number;
  precisions: number[];
  alignmentErrorRate: number;
  attentionMass: number;
  pronounAccuracy: number;
  byLength: LengthInfo[];
}

export interface LineShape {
  line: number;
  shape: number[];
}

export interface Place {
  line: number;
  column: number;
}

export interface Failure {
  code: string;
  id: string;
  arguments: MessageArgument[];
  place: Place;
}

export interface Outline {
  lines: LineShape[];
  mistake: Failure | null;
}

export interface OperationInfo {
  name: string;
  parameters: string;
  help: string;
  isMethod: boolean;
}

export interface CarriedWeights {
  checkpoint: Uint8Array;
  kept: string[];
  drawn: string[];
  dropped: string[];
}

export interface Calculated {
  shape: number[];
  values: Float32Array;
  isTruth: boolean;
}

/** What each call returns unless it is refused. */
export interface Calls {
  load(config: Config): ModelInfo;
  estimate(config: Config): SizeInfo;
  run(inputs: readonly NamedTensor[]): RunInfo;
  trace(): TraceColumns;
  values(id: number): Float32Array;
  probabilities(id: number): Float32Array;
  gradients(id: number): Float32Array;
  edit(name: string, index: number, value: number): RunInfo;
  undoEdit(name: string, index: number): RunInfo;
  setEdits(edits: readonly ValueEdit[]): RunInfo;
  checkGradient(name: string, index: number): GradientCheck;
  train(steps: number): TrainInfo;
  save(): Uint8Array;
  restore(checkpoint: Uint8Array): ModelInfo;
  task(): TaskInfo;
  pairs(split: Split, start: number, count: number): PairInfo[];
  read(source: string, target: string): PairInfo;
  generate(source: string, options: Config): GenerationInfo;
  generationCost(positions: number): GenerationCost;
  evaluate(split: Split | 'pronouns', limit: number, length: number): EvaluationInfo;
  evaluateMore(): EvaluationInfo;
  recipe(task: string, model: string): Config;

  // Of a module with the language of programs.
  outline(config: Config): Outline;
  operations(): OperationInfo[];
  carryOver(config: Config, checkpoint: Uint8Array): CarriedWeights;
  calculate(program: string, tensors: readonly NamedTensor[]): Calculated;
  pytorchScript(config: Config, checkpoint: Uint8Array, inputs: readonly NamedTensor[]): string;
}
