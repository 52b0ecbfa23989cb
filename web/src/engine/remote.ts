// A session that lives in the worker, as the page sees it.
import type { CallOptions, Client } from './client';
import type {
  Config,
  EvaluationInfo,
  GradientCheck,
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
} from '../types';

/** Same calls as the engine's Session, each a promise of its Reply. Values are copies. */
export class RemoteSession {
  constructor(
    private readonly client: Client,
    private readonly id: number,
  ) {}

  load(config: Config): Promise<Reply<ModelInfo>> {
    return this.call('load', [config]);
  }
  run(inputs: NamedTensor[]): Promise<Reply<RunInfo>> {
    return this.call('run', [inputs]);
  }
  trace(): Promise<Reply<Trace>> {
    return this.call('trace', []);
  }
  values(id: number): Promise<Reply<Float32Array>> {
    return this.call('values', [id]);
  }
  probabilities(id: number): Promise<Reply<Float32Array>> {
    return this.call('probabilities', [id]);
  }
  gradients(id: number): Promise<Reply<Float32Array>> {
    return this.call('gradients', [id]);
  }
  edit(name: string, index: number, value: number): Promise<Reply<RunInfo>> {
    return this.call('edit', [name, index, value]);
  }
  undoEdit(name: string, index: number): Promise<Reply<RunInfo>> {
    return this.call('undoEdit', [name, index]);
  }
  checkGradient(name: string, index: number): Promise<Reply<GradientCheck>> {
    return this.call('checkGradient', [name, index]);
  }
  train(steps: number, options?: CallOptions): Promise<Reply<TrainInfo>> {
    return this.call('train', [steps], options);
  }
  save(): Promise<Reply<Uint8Array>> {
    return this.call('save', []);
  }
  restore(bytes: Uint8Array): Promise<Reply<ModelInfo>> {
    return this.call('restore', [bytes]);
  }
  task(): Promise<Reply<TaskInfo>> {
    return this.call('task', []);
  }
  pairs(split: Split, start: number, count: number): Promise<Reply<PairInfo[]>> {
    return this.call('pairs', [split, start, count]);
  }
  read(source: string, target: string): Promise<Reply<PairInfo>> {
    return this.call('read', [source, target]);
  }
  write(source: string, options: Config): Promise<Reply<WriteInfo>> {
    return this.call('write', [source, options]);
  }
  costBehind(positions: number): Promise<Reply<WritingCost>> {
    return this.call('costBehind', [positions]);
  }
  evaluate(split: Split | 'pronouns', limit: number, length = 0): Promise<Reply<EvaluationInfo>> {
    return this.call('evaluate', [split, limit, length]);
  }
  evaluateMore(): Promise<Reply<EvaluationInfo>> {
    return this.call('evaluateMore', []);
  }
  /** Of the engine, not of this session. */
  recipe(task: string, model: string): Promise<Reply<Config>> {
    return this.call('recipe', [task, model]);
  }
  close(): Promise<Reply<null>> {
    return this.call('delete', []);
  }

  private call<T>(method: string, args: unknown[], options?: CallOptions): Promise<Reply<T>> {
    return this.client.call<T>(this.id, method, args, options);
  }
}
