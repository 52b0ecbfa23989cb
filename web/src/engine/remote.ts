// The page's handle on a session that lives in a worker.
import { NO_SUCH_PART } from '#messages/engine';
import type { CallOptions, Client, Workers } from './client';
import { moduleOf } from './kinds';
import { traceOf, type TracedRun } from './trace';
import { inWords } from './refused';
import type { CalledMethod } from './protocol';
import { configKey } from './types';
import type * as T from './types';

/** The worker of another module could not load the model; the session is unchanged. */
const ELSEWHERE = { code: 'E_MODULE', message: NO_SUCH_PART } as const;

/** Training steps after which the browser has compiled most of the engine for speed. */
const WARMING_STEPS = 5;

/** A model loaded in a worker to which it may move. */
interface Ahead {
  client: Client;
  /** Its configKey. */
  model: string;
  /** Null while the worker loads it. */
  reply: T.Reply<T.ModelInfo> | null;
}

/** An edit and its undo go back and forth between two traces. */
const MAX_TRACES = 2;

/** How many there have been on this page: their labs share workers. */
let sessions = 0;

/** The calls that RemoteSession makes itself. */
type Own = 'load' | 'trace' | 'edit' | 'undoEdit' | 'train';

/**
 * Same calls as the engine's session, each a promise of its reply; those that are not here are forwarded by the prototype.
 * Values are copies.
 */
export interface RemoteSession extends Omit<T.Promised, Own> {}
export class RemoteSession {
  /** How many threads the worker should have that the next load goes to. */
  threads = 1;
  /** The client of the worker that has its model. */
  private home: Client | null = null;
  private ahead: Ahead | null = null;
  /** The latest traces by the fingerprint of their runs: equal ones differ in their values only. */
  private readonly traces = new Map<number, T.Trace>();

  private readonly id = ++sessions;

  /** @param signal Cancels all its calls but the one that closes it. */
  constructor(
    private readonly workers: Workers,
    private readonly signal?: AbortSignal,
  ) {}

  /** Loads in the worker that has this kind of model. If refused, the model before stays where it is. */
  async load(config: T.Config): Promise<T.Reply<T.ModelInfo>> {
    const there = this.workers.of(moduleOf(config), this.threads);
    const before = this.home;
    this.home ??= there;
    const reply = this.loadedAhead(there, config) ?? (await this.loadIn(there, config));
    const unused = reply.ok ? before : there;
    this.home = reply.ok ? there : before;
    if (unused !== this.home) unused?.close(this.id);
    const stays = before !== null && before !== there;
    return reply.ok || reply.code !== 'E_WORKER' || !stays ? reply : { ...reply, ...ELSEWHERE };
  }
  /**
   * Whether a worker with this number of threads has loaded this model, or failed to. If not, it starts to; meanwhile the
   * model can train where it is.
   */
  isReadyFor(config: T.Config, threads: number): boolean {
    const client = this.workers.of(moduleOf(config), threads);
    if (!client.startIfNone()) return false;
    if (!this.isAhead(client, config)) void this.loadAhead(client, config);
    return this.ahead!.reply !== null;
  }
  /** Whether losing that worker loses this session. */
  livesIn(client: Client): boolean {
    return client === this.client;
  }
  /** The trace of the latest run; of the run with this fingerprint, if it is known already. */
  async trace(fingerprint?: number): Promise<T.Reply<T.Trace>> {
    const known = fingerprint === undefined ? undefined : this.traces.get(fingerprint);
    const reply = known ? null : await this.call<T.TraceColumns>('trace', []);
    if (reply && !reply.ok) return reply;
    const trace = known ?? traceOf(reply!.value);
    if (fingerprint !== undefined) this.keepTrace(fingerprint, trace);
    return { ok: true, value: trace };
  }
  /** The replies of several calls of a method, in one message. */
  async batch(method: 'values' | 'probabilities', ids: readonly number[]): Promise<T.Reply<Float32Array>[]> {
    const reply = await this.call<T.Answered<Float32Array>[]>('batch', [method, ids]);
    return reply.ok ? Promise.all(reply.value.map(inWords)) : ids.map(() => reply);
  }
  edit(name: string, index: number, value: number): Promise<T.Reply<T.RunInfo>> {
    return this.traced('edit', [name, index, value]);
  }
  undoEdit(name: string, index: number): Promise<T.Reply<T.RunInfo>> {
    return this.traced('undoEdit', [name, index]);
  }
  train(steps: number, options?: CallOptions): Promise<T.Reply<T.TrainInfo>> {
    return this.call('train', [steps], options);
  }
  close(): void {
    this.dropAhead();
    this.home?.close(this.id);
  }

  /** Its trace comes with it, for the next call of `trace`. */
  private async traced(method: T.Method, args: unknown[]): Promise<T.Reply<T.RunInfo>> {
    const reply = await this.call<TracedRun>('traced', [method, args, [...this.traces.keys()]]);
    if (!reply.ok) return reply;
    const { run, columns } = reply.value;
    if (columns) this.keepTrace(run.trace, traceOf(columns));
    return { ok: true, value: run };
  }

  private keepTrace(fingerprint: number, trace: T.Trace): void {
    this.traces.delete(fingerprint); // to be the last again
    this.traces.set(fingerprint, trace);
    if (this.traces.size > MAX_TRACES) this.traces.delete(this.traces.keys().next().value!);
  }

  private isAhead(client: Client, config: T.Config): boolean {
    return this.ahead?.client === client && this.ahead.model === configKey(config);
  }

  private loadIn(client: Client, config: T.Config): Promise<T.Reply<T.ModelInfo>> {
    return client.call<T.ModelInfo>(this.id, 'load', [config], { signal: this.signal });
  }

  private async loadAhead(client: Client, config: T.Config): Promise<void> {
    this.dropAhead();
    const ahead: Ahead = (this.ahead = { client, model: configKey(config), reply: null });
    await this.loadIn(client, config);
    if (this.ahead === ahead) await client.call(this.id, 'train', [WARMING_STEPS], { signal: this.signal });
    if (this.ahead === ahead) ahead.reply = await this.loadIn(client, config);
  }

  /** What the worker replied if it has loaded this model ahead; it may have been unloaded since. */
  private loadedAhead(client: Client, config: T.Config): T.Reply<T.ModelInfo> | null {
    if (!this.isAhead(client, config)) return this.dropAhead();
    const { reply } = this.ahead!;
    this.ahead = null;
    return reply;
  }

  private dropAhead(): null {
    const client = this.ahead?.client;
    this.ahead = null;
    if (client && client !== this.home) client.close(this.id);
    return null;
  }

  private get client(): Client {
    return this.home ?? this.workers.of('core');
  }

  /** Of a method of the worker's session, by name. */
  call<R>(method: CalledMethod, args: unknown[], options?: CallOptions): Promise<T.Reply<R>> {
    return this.client.call<R>(this.id, method, args, { ...options, signal: this.signal });
  }
}

/**
 * A prototype that has every call, and passes each on.
 * @param forward Passes on a call of `object`, by its name and arguments
 */
export const forwarding = <O>(
  forward: (object: O, method: T.Method, args: unknown[]) => Promise<T.Reply<unknown>>,
): T.Promised =>
  new Proxy({} as T.Promised, {
    // A promise that resolves to the object looks for "then".
    get: (_, method, object: O) =>
      typeof method === 'symbol' || method === 'then'
        ? undefined
        : (...args: unknown[]) => forward(object, method as T.Method, args),
  });

/** Any other call goes to the worker as it is. */
Object.setPrototypeOf(
  RemoteSession.prototype,
  forwarding<RemoteSession>((session, method, args) => session.call(method, args)),
);

/** Runs the job in a session of its own, then closes it. Aborting the signal refuses the job's remaining calls. */
export async function inOwnSession<R>(
  workers: Workers,
  job: (session: RemoteSession) => Promise<R>,
  signal?: AbortSignal,
): Promise<R> {
  const session = new RemoteSession(workers, signal);
  try {
    return await job(session);
  } finally {
    session.close();
  }
}

// Training in slices short enough to stop between two of them.

/** Milliseconds a slice should take; one step may take longer. */
const SLICE = 40;
/** Deadline of a slice in milliseconds: even one step can be long on a slow machine. */
export const TRAINING_DEADLINE = 60_000;
/** A step waits for ever for a thread that died: a slice is late after these milliseconds and many times the last. */
const LATE = { milliseconds: 3_000, times: 20 };

/**
 * Trains `steps` steps, or until `each` returns false. Returns the last slice, or what was refused: the session then
 * holds the weights from before the refused slice.
 */
export async function trainInSlices(
  session: RemoteSession,
  steps: number,
  each: (info: T.TrainInfo) => boolean | Promise<boolean>,
): Promise<T.Reply<T.TrainInfo>> {
  let size = 1;
  let deadline = TRAINING_DEADLINE;
  for (let remaining = steps; ; size = Math.min(size, remaining)) {
    const began = performance.now();
    const reply = await session.train(size, { deadline });
    if (!reply.ok) return reply;
    const took = performance.now() - began;
    deadline = session.threads > 1 ? LATE.milliseconds + LATE.times * took : TRAINING_DEADLINE;
    remaining -= size;
    const goOn = await each(reply.value);
    if (remaining <= 0 || !goOn) return reply;
    size = nextSize(size, took);
  }
}

/** At most doubles: the first calls of a function are its slowest. */
const nextSize = (size: number, took: number): number =>
  Math.max(1, Math.min(2 * size, Math.floor((size * SLICE) / Math.max(took, 0.1))));
