// TypeScript bindings for emscripten-generated code.  Automatically generated at compile time.
interface WasmModule {
}

type EmbindString = ArrayBuffer|Uint8Array|Uint8ClampedArray|Int8Array|string;
export interface SessionBase {
  trace(): { ok: true, value: { numbers: Int32Array, texts: string } } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  save(): { ok: true, value: Uint8Array } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  task(): { ok: true, value: TaskInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  evaluateMore(): { ok: true, value: EvaluationInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  delete(): void;
}

export interface Session extends SessionBase {
  load(_0: Record<string, number | boolean | string | number[]>): { ok: true, value: ModelInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  estimate(_0: Record<string, number | boolean | string | number[]>): { ok: true, value: SizeInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  run(_0: { name: string, shape: number[], values: Float32Array | number[] }[]): { ok: true, value: RunInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  values(_0: number): { ok: true, value: Float32Array } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  probabilities(_0: number): { ok: true, value: Float32Array } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  gradients(_0: number): { ok: true, value: Float32Array } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  edit(_0: string, _1: number, _2: number): { ok: true, value: RunInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  undoEdit(_0: string, _1: number): { ok: true, value: RunInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  setEdits(_0: { name: string, index: number, value: number }[]): { ok: true, value: RunInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  checkGradient(_0: string, _1: number): { ok: true, value: GradientCheck } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  train(_0: number): { ok: true, value: TrainInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  restore(_0: Uint8Array): { ok: true, value: ModelInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  pairs(_0: string, _1: number, _2: number): { ok: true, value: PairInfo[] } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  read(_0: string, _1: string): { ok: true, value: PairInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  generate(_0: string, _1: Record<string, number | boolean | string | number[]>): { ok: true, value: GenerationInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  generationCost(_0: number): { ok: true, value: GenerationCost } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  evaluate(_0: string, _1: number, _2: number): { ok: true, value: EvaluationInfo } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  delete(): void;
}

export type PairInfo = {
  source: string[],
  target: string[],
  alignment: number[],
  heldOut: boolean
};

export type LengthInfo = {
  length: number,
  pairs: number,
  exact: number
};

export type SizeInfo = {
  parameters: number,
  stepBytes: number
};

export type RunInfo = {
  loss: number,
  output: number,
  forward: number,
  backward: number,
  update: number,
  trace: number
};

export type GradientCheck = {
  analytic: number,
  numeric: number,
  difference: number
};

export type TrainInfo = {
  step: number,
  loss: number,
  accuracy: number,
  examples: number,
  tokens: number
};

export type GenerationInfo = {
  source: string[],
  tokens: string[],
  logProbabilities: number[],
  probabilities: Float32Array,
  probability: number,
  weights: Float32Array,
  ended: boolean,
  tree: TreeNode[],
  best: number
};

export type GenerationCost = {
  cacheBytes: number,
  multiplyAdds: number,
  multiplyAddsUncached: number
};

export type EvaluationInfo = {
  done: number,
  pairs: number,
  exactMatch: number,
  bleu: number,
  brevityPenalty: number,
  perplexity: number,
  precisions: number[],
  alignmentErrorRate: number,
  attentionMass: number,
  pronounAccuracy: number,
  byLength: LengthInfo[]
};

export type TensorInfo = {
  name: EmbindString,
  shape: number[]
};

export type ModelInfo = {
  kind: EmbindString,
  seed: number,
  steps: number,
  inputs: TensorInfo[],
  parameters: TensorInfo[]
};

export type TaskInfo = {
  name: EmbindString,
  separator: EmbindString,
  form: EmbindString,
  sourceWords: string[],
  targetWords: string[],
  train: number,
  validation: number,
  test: number,
  truePerplexity: number
};

export type TreeNode = {
  parent: number,
  token: EmbindString,
  logProbability: number,
  score: number,
  probability: number,
  sequenceProbability: number,
  state: EmbindString
};

export type LineShape = {
  line: number,
  shape: number[]
};

export type OperationInfo = {
  name: EmbindString,
  parameters: EmbindString,
  help: EmbindString,
  isMethod: boolean
};

export type CarriedWeights = {
  checkpoint: Uint8Array,
  kept: string[],
  drawn: string[],
  dropped: string[]
};

export type Outline = {
  lines: LineShape[],
  code: EmbindString,
  message: EmbindString,
  pattern: EmbindString,
  arguments: string[]
};

interface EmbindModule {
  SessionBase: {};
  Session: {
    new(): Session;
  };
  taskNames(): string[];
  recipeModels(): string[];
  recipe(_0: string, _1: string): { ok: true, value: Record<string, number | boolean | string | number[]> } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  sourceHash(): string;
  outline(_0: Record<string, number | boolean | string | number[]>): { ok: true, value: Outline } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  carryOver(_0: Record<string, number | boolean | string | number[]>, _1: Uint8Array): { ok: true, value: CarriedWeights } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  pytorchScript(_0: Record<string, number | boolean | string | number[]>, _1: Uint8Array, _2: { name: string, shape: number[], values: Float32Array | number[] }[]): { ok: true, value: string } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
  operations(): { ok: true, value: OperationInfo[] } | { ok: false, code: string, message: string, detail: string, pattern: string, arguments: string[] };
}

export type MainModule = WasmModule & EmbindModule;
export default function MainModuleFactory (options?: unknown): Promise<MainModule>;
