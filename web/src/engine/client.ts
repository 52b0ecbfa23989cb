// The page's end of a worker: one call in flight, the rest queued; every call is answered, whatever happens. And the
// workers of a lab.
import * as texts from '#messages/engine';
import { type EngineModule, runsPrograms, type ThreadedModule, threadedOf } from './kinds';
import { ofPrograms } from '../messages/sentence';
import { requestLock, lifeLock, type Answer, type Call, type CalledMethod } from './protocol';
import { keepFetched } from './offline';
import { inWords } from './refused';
import { scriptAddress, workerSource } from './addresses';
import type { Answered, Reply } from './types';

export interface CallOptions {
  /** Milliseconds the worker may take before it is replaced. */
  deadline?: number;
  /** Aborting drops a queued call; one in flight is answered at once, and its reply is ignored. */
  signal?: AbortSignal;
}

interface Job extends CallOptions {
  call: Call;
  answer: (reply: Reply<unknown>) => void;
}

const DEADLINE = 5_000;
const START_DEADLINE = 30_000;
/** Building a model, or a task from a megabyte of text, takes seconds on a busy machine; so may a program. */
const LONG: Readonly<Partial<Record<CalledMethod, number>>> = { load: 30_000, restore: 30_000, outline: 30_000 };
/**
 * Methods that are sent for a session without a model in this worker. Any other is refused at once, as its model was lost
 * with the worker.
 */
const WITHOUT_MODEL: readonly CalledMethod[] = [
  ...(['load', 'estimate', 'recipe', 'delete'] as const),
  ...(['outline', 'operations', 'carryOver', 'calculate', 'pytorchScript'] as const), // of programs.h
];
const MAX_FAILED_STARTS = 2;

/** Addresses of the workers' scripts. */
const WORKERS = import.meta.glob<string>('./workers/*.ts', { query: '?worker&url', import: 'default', eager: true });

const sourceOf = (module: EngineModule | ThreadedModule, threads: number): string =>
  workerSource(new URL(WORKERS[`./workers/${module}.ts`]!, import.meta.url).href, threads);

const failure = (message: string, detail = ''): Reply<never> => ({ ok: false, code: 'E_WORKER', message, detail });

export class Client {
  /** Called after a running worker was lost. The next call starts its successor. */
  onLost: (reason: string) => void = () => undefined;
  /** Called when no worker could be started: from then on every call is refused. */
  onStartFailed: (reason: string) => void = () => undefined;

  private worker: Worker | null = null;
  /** Its blob URL, revoked once the worker is ready or lost. */
  private source = '';
  private ready = false;
  private startFailed = false;
  private starts = 0;
  private failedStarts = 0;
  private calls = 0;
  private queue: Job[] = [];
  private inFlight: Job | null = null;
  private timer = 0;
  /** Sessions with a model in this worker. */
  private readonly sessions = new Set<number>();

  /**
   * @param module The engine module that its workers run; the first call starts a worker.
   * @param threads For a module with threads.
   */
  constructor(
    private readonly module: EngineModule | ThreadedModule,
    readonly threads = 1,
  ) {}

  /** Starts a worker if there is none. Whether it is ready. */
  startIfNone(): boolean {
    if (!this.worker && !this.startFailed) this.start();
    return this.worker !== null && this.ready;
  }

  call<T>(session: number, method: CalledMethod, args: unknown[], options: CallOptions = {}): Promise<Reply<T>> {
    if (method === 'load') this.sessions.add(session);
    if (!this.sessions.has(session) && !WITHOUT_MODEL.includes(method)) return Promise.resolve(failure(texts.STOPPED));
    return new Promise((resolve) => {
      const call = { id: ++this.calls, session, method, args };
      const { signal } = options;
      const cancel = (): void => this.cancel(job);
      const answer = (reply: Reply<unknown>): void => {
        signal?.removeEventListener('abort', cancel);
        resolve(reply as Reply<T>);
      };
      const job: Job = { ...options, call, answer };
      if (signal?.aborted) return cancel();
      signal?.addEventListener('abort', cancel);
      this.queue.push(job);
      this.pump();
    });
  }

  /** Frees the session; without a worker it is already gone. */
  close(session: number): void {
    this.sessions.delete(session);
    if (this.worker) void this.call(session, 'delete', []);
  }

  private start(): void {
    const name = `${this.module}-${Date.now().toString(36)}-${++this.starts}`;
    this.source = sourceOf(this.module, this.threads);
    this.ready = false;
    let worker: Worker;
    try {
      worker = new Worker(scriptAddress(this.source), { type: 'module', name });
    } catch (error) {
      return this.retry(String(error));
    }
    this.worker = worker;
    if (runsPrograms(this.module)) void ofPrograms().catch(() => undefined); // fetched again where it is missing
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.onAnswer(worker, name, data);
    worker.onerror = (event) => this.discard(worker, event.message || texts.NO_SCRIPT);
    this.startTimer(START_DEADLINE, () => this.discard(worker, texts.startedTooLate(START_DEADLINE / 1000)));
  }

  private onAnswer(worker: Worker, name: string, answer: Answer): void {
    if (worker !== this.worker) return;
    if (answer.kind === 'dead') return this.discard(worker, answer.message);
    if (answer.kind === 'fetched') return void keepFetched(answer.urls);
    if (answer.kind === 'ready') return this.onReady(worker, name);
    if (answer.id !== this.inFlight?.call.id) return;
    this.settle(worker, answer.reply);
  }

  private onReady(worker: Worker, name: string): void {
    clearTimeout(this.timer);
    URL.revokeObjectURL(this.source);
    this.ready = true;
    this.failedStarts = 0;
    requestLock(lifeLock(name), () => this.discard(worker, texts.TERMINATED)).catch(() => undefined);
    this.pump();
  }

  private pump(): void {
    if (this.startFailed) return this.refuseAll(texts.NOT_STARTED);
    if (!this.worker) return this.start();
    if (!this.ready || this.inFlight) return;
    const job = this.queue.shift();
    if (!job) return;
    this.inFlight = job;
    const worker = this.worker;
    const limit = job.deadline ?? LONG[job.call.method] ?? DEADLINE;
    this.startTimer(limit, () => this.discard(worker, texts.tookTooLong(job.call.method, limit / 1000)));
    worker.postMessage(job.call);
  }

  /** The words for an error may have to be fetched: the next call does not wait for them. */
  private settle(worker: Worker, answered: Answered<unknown>): void {
    clearTimeout(this.timer);
    const { answer } = this.inFlight!;
    this.inFlight = null;
    if (answered.ok) answer(answered);
    else void inWords(answered).then(answer);
    if (!answered.ok && answered.code === 'E_OOM') this.discard(worker, texts.OUT_OF_MEMORY);
    else if (this.sessions.size || this.queue.length) this.pump();
    else this.end();
  }

  /** A worker without sessions is ended: its WebAssembly memory never shrinks. */
  private end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private cancel(job: Job): void {
    this.queue = this.queue.filter((other) => other !== job);
    job.answer(failure(texts.CANCELLED));
  }

  private discard(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    clearTimeout(this.timer);
    URL.revokeObjectURL(this.source);
    worker.terminate();
    this.worker = null;
    if (!this.ready) return this.retry(reason);
    this.sessions.clear();
    this.refuseAll(texts.STOPPED, reason);
    this.onLost(reason);
  }

  /** The worker never got ready: queued calls wait for the next one. */
  private retry(reason: string): void {
    if (++this.failedStarts <= MAX_FAILED_STARTS) return this.start();
    this.startFailed = true;
    this.refuseAll(texts.NOT_STARTED, reason);
    this.onStartFailed(reason);
  }

  private refuseAll(message: string, detail = ''): void {
    const jobs = this.inFlight ? [this.inFlight, ...this.queue] : this.queue;
    this.inFlight = null;
    this.queue = [];
    for (const job of jobs) job.answer(failure(message, detail));
  }

  private startTimer(limit: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(act, limit);
  }
}

/** Clients of workers with threads, by module and number of threads. */
const shared = new Map<string, Client>();
/** Of every lab on the page. */
const all = new Set<Workers>();

/** A lab's workers: one per engine module in use; those with threads are shared by all labs. */
export class Workers {
  /** Called after a worker was lost. */
  onLost: (client: Client, reason: string) => void = () => undefined;
  /** Called when no worker could be started; the next call of `of` makes a new client. */
  onStartFailed: (client: Client, reason: string) => void = () => undefined;

  private readonly own = new Map<string, Client>();

  constructor() {
    all.add(this);
  }

  /** With several threads the module that has them, if there is one. */
  of(module: EngineModule, threads = 1): Client {
    const threaded = threads > 1 && threadedOf(module);
    return threaded ? at(shared, all, threaded, threads) : at(this.own, [this], module, 1);
  }

  /** Its lab has left the page. */
  close(): void {
    all.delete(this);
  }
}

/** The client in the table, which is opened for these labs if there is none. */
function at(
  clients: Map<string, Client>,
  labs: Iterable<Workers>,
  module: EngineModule | ThreadedModule,
  threads: number,
): Client {
  const key = `${module} ${threads}`;
  const client = clients.get(key) ?? new Client(module, threads);
  clients.set(key, client);
  client.onLost = (reason) => {
    for (const lab of labs) lab.onLost(client, reason);
  };
  client.onStartFailed = (reason) => {
    clients.delete(key);
    for (const lab of labs) lab.onStartFailed(client, reason);
  };
  return client;
}
