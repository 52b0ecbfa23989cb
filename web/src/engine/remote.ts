// The page's handle on a session that lives in a worker.
import { NO_SUCH_PART } from '#messages/engine';
import type { CallOptions, Client } from './client';
import { moduleOf } from './modules';
import type { Workers } from './workers';
import type {
  Config,
  EvaluationInfo,
  GradientCheck,
  ModelInfo,
  NamedTensor,
  PairInfo,
  Reply,
  RunInfo,
  SizeInfo,
  Split,
  TaskInfo,
  Trace,
  TrainInfo,
  GenerationInfo,
  GenerationCost,
} from './types';

/** The worker of another module could not load the model; the session is unchanged. */
const ELSEWHERE = { code: 'E_MODULE', message: NO_SUCH_PART } as const;

/** How many there have been on this page: their labs share workers. */
let sessions = 0;

/** Same calls as the engine's Session, each a promise of its Reply. Values are copies. */
export class RemoteSession {
  /** How many threads the worker should have that the next load goes to. */
  threads = 1;
  /** The client of the worker that has its model. */
  private home: Client | null = null;

  private readonly id = ++sessions;

  /** @param signal Cancels all its calls but the one that closes it. */
  constructor(
    private readonly workers: Workers,
    private readonly signal?: AbortSignal,
  ) {}

  /** Loads in the worker that has this kind of model. If refused, the model before stays where it is. */
  async load(config: Config): Promise<Reply<ModelInfo>> {
    const there = this.workers.of(moduleOf(config.kind), this.threads);
    const before = (this.home ??= there);
    const reply = await there.call<ModelInfo>(this.id, 'load', [config], { signal: this.signal });
    const left = reply.ok ? before : there;
    this.home = reply.ok ? there : before;
    if (left === this.home) return reply;
    left.close(this.id);
    return reply.ok || reply.code !== 'E_WORKER' ? reply : { ...reply, ...ELSEWHERE };
  }
  /** Whether a worker with so many threads is ready for a model of this kind; if there is none, one starts. */
  isReadyFor(kind: unknown, threads: number): boolean {
    return this.workers.of(moduleOf(kind), threads).warm();
  }
  /** Whether losing that worker loses this session. */
  livesIn(client: Client): boolean {
    return client === this.client;
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
  /** The replies of several calls of a method, in one message. */
  async each(method: 'values' | 'probabilities', ids: readonly number[]): Promise<Reply<Float32Array>[]> {
    const reply = await this.call<Reply<Float32Array>[]>('each', [method, ids]);
    return reply.ok ? reply.value : ids.map(() => reply);
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
  generate(source: string, options: Config): Promise<Reply<GenerationInfo>> {
    return this.call('generate', [source, options]);
  }
  generationCost(positions: number): Promise<Reply<GenerationCost>> {
    return this.call('generationCost', [positions]);
  }
  evaluate(split: Split | 'pronouns', limit: number, length = 0): Promise<Reply<EvaluationInfo>> {
    return this.call('evaluate', [split, limit, length]);
  }
  evaluateMore(): Promise<Reply<EvaluationInfo>> {
    return this.call('evaluateMore', []);
  }
  /** Independent of this session: every module has all recipes. */
  recipe(task: string, model: string): Promise<Reply<Config>> {
    return this.call('recipe', [task, model]);
  }
  /** For a model of the loaded kind, possibly with other settings. */
  estimate(config: Config): Promise<Reply<SizeInfo>> {
    return this.call('estimate', [config]);
  }
  close(): void {
    this.home?.close(this.id);
  }

  private get client(): Client {
    return this.home ?? this.workers.of('core');
  }

  private call<T>(method: string, args: unknown[], options?: CallOptions): Promise<Reply<T>> {
    return this.client.call<T>(this.id, method, args, { ...options, signal: this.signal });
  }
}
