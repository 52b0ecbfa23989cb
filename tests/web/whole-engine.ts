// The engine's module as in the worker, without a page.
import type { TraceColumns } from '../../web/src/engine/trace';
import { engine } from '../bindings/modules';
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
  TrainInfo,
  GenerationInfo,
  GenerationCost,
} from '../../web/src/engine/types';

export interface EngineSession {
  load(config: Config): Reply<ModelInfo>;
  task(): Reply<TaskInfo>;
  read(source: string, target: string): Reply<PairInfo>;
  pairs(split: Split, start: number, count: number): Reply<PairInfo[]>;
  generate(source: string, options: Config): Reply<GenerationInfo>;
  run(inputs: NamedTensor[]): Reply<RunInfo>;
  trace(): Reply<TraceColumns>;
  values(id: number): Reply<Float32Array>;
  probabilities(id: number): Reply<Float32Array>;
  train(steps: number): Reply<TrainInfo>;
  evaluate(split: Split, pairs: number, length: number): Reply<EvaluationInfo>;
  evaluateMore(): Reply<EvaluationInfo>;
  generationCost(positions: number): Reply<GenerationCost>;
  delete(): void;
}

export interface Engine {
  Session: new () => EngineSession;
  recipe(task: string, model: string): Reply<Config>;
}

export const wholeEngine = async (): Promise<Engine> => (await engine()) as unknown as Engine;

/** The value of a reply that must not be a refusal. */
export function granted<T>(reply: Reply<T>): T {
  if (!reply.ok) throw new Error(reply.message);
  return reply.value;
}
