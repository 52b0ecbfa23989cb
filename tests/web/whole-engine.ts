// The engine's module as the worker has it, without a page.
import { readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type {
  Config,
  EvaluationInfo,
  ModelInfo,
  NamedTensor,
  PairInfo,
  Reply,
  RunInfo,
  Split,
  TaskInfo,
  Trace,
  TrainInfo,
  WriteInfo,
  WritingCost,
} from '../../web/src/types';

const file = process.env.UNROLL_ENGINE ?? fileURLToPath(new URL('../../build/wasm/engine.mjs', import.meta.url));

export interface EngineSession {
  load(config: Config): Reply<ModelInfo>;
  task(): Reply<TaskInfo>;
  read(source: string, target: string): Reply<PairInfo>;
  pairs(split: Split, start: number, count: number): Reply<PairInfo[]>;
  write(source: string, options: Config): Reply<WriteInfo>;
  run(inputs: NamedTensor[]): Reply<RunInfo>;
  trace(): Reply<Trace>;
  values(id: number): Reply<Float32Array>;
  train(steps: number): Reply<TrainInfo>;
  evaluate(split: Split, pairs: number, length: number): Reply<EvaluationInfo>;
  evaluateMore(): Reply<EvaluationInfo>;
  costBehind(positions: number): Reply<WritingCost>;
  delete(): void;
}

export interface Engine {
  Session: new () => EngineSession;
  recipe(task: string, model: string): Reply<Config>;
}

export async function wholeEngine(): Promise<Engine> {
  const { default: create } = (await import(pathToFileURL(file).href)) as {
    default: (options: { wasmBinary: Uint8Array }) => Promise<Engine>;
  };
  return create({ wasmBinary: readFileSync(file.replace(/\.mjs$/, '.wasm')) });
}

/** What it answers, where it refuses nothing. */
export function granted<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(reply.message);
  return reply.value;
}
