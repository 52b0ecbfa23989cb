// The page's end of the worker: one call in flight, the rest in a queue; every call is answered, whatever happens.
import coreUrl from './workers/core.ts?worker&url';
import captionerUrl from './workers/captioner.ts?worker&url';
import seq2seqUrl from './workers/seq2seq.ts?worker&url';
import transformerUrl from './workers/transformer.ts?worker&url';
import type { EngineModule } from './modules';
import { keepFetched } from '../offline';
import { lifeLock, type Answer, type Call } from './protocol';
import type { Reply } from '../types';

export interface CallOptions {
  /** Milliseconds the worker may take before it is replaced. */
  deadline?: number;
  /** Cancels: a waiting call is dropped, and the answer of a running one is not waited for. */
  signal?: AbortSignal;
}

interface Job extends CallOptions {
  call: Call;
  answer: (reply: Reply<unknown>) => void;
}

const DEADLINE = 5_000;
const START_DEADLINE = 30_000;
/** Making a model, or a task of a megabyte of text, takes seconds on a busy machine. */
const LONG: Readonly<Record<string, number>> = { load: 30_000, restore: 30_000 };
/** What a session without a model answers too. */
const WITHOUT_MODEL = ['load', 'estimate', 'recipe', 'delete'];
const REPLACED = 'The engine stopped and was replaced.';
const MOST_STILLBORN = 2;

const WORKERS: Record<EngineModule, string> = {
  core: coreUrl,
  seq2seq: seq2seqUrl,
  transformer: transformerUrl,
  captioner: captionerUrl,
};

/**
 * Address of a worker's source. A module worker from its own file escapes the page's CSP; one that a blob imports does
 * not. In Firefox a static import of a blob's worker goes past the service worker, and fails without a network.
 */
function sourceOf(module: EngineModule): string {
  const url = JSON.stringify(new URL(WORKERS[module], import.meta.url).href);
  const source = `import(${url}).catch(({ message }) => postMessage({ kind: 'dead', message }));`;
  return URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
}

const failure = (message: string, detail = ''): Reply<never> => ({ ok: false, code: 'E_WORKER', message, detail });

export class Client {
  /** Called after a worker was lost. The next call starts its successor. */
  onLost: (reason: string) => void = () => undefined;
  /** Called when no worker could be started: there is no engine any more. */
  onGone: (reason: string) => void = () => undefined;

  private worker: Worker | null = null;
  /** Its address, which the browser holds until it is told that it has been read. */
  private source = '';
  private ready = false;
  private gone = false;
  private births = 0;
  private stillborn = 0;
  private calls = 0;
  private queue: Job[] = [];
  private flying: Job | null = null;
  private timer = 0;
  /** Those with a model here. */
  private readonly sessions = new Set<number>();

  /** @param module What its workers run; the first call starts the first of them. */
  constructor(private readonly module: EngineModule) {}

  call<T>(session: number, method: string, args: unknown[], options: CallOptions = {}): Promise<Reply<T>> {
    if (method === 'load') this.sessions.add(session);
    if (!this.sessions.has(session) && !WITHOUT_MODEL.includes(method)) return Promise.resolve(failure(REPLACED));
    return new Promise((resolve) => {
      const call = { id: ++this.calls, session, method, args };
      const job: Job = { ...options, call, answer: resolve as Job['answer'] };
      if (options.signal?.aborted) return this.cancel(job);
      options.signal?.addEventListener('abort', () => this.cancel(job), { once: true });
      this.queue.push(job);
      this.pump();
    });
  }

  /** Frees the session; with the worker it is gone already. */
  close(session: number): void {
    this.sessions.delete(session);
    if (this.worker) void this.call(session, 'delete', []);
  }

  private start(): void {
    const name = `${this.module}-${Date.now().toString(36)}-${++this.births}`;
    this.source = sourceOf(this.module);
    const worker = new Worker(this.source, { type: 'module', name });
    this.worker = worker;
    this.ready = false;
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.hear(worker, name, data);
    worker.onerror = (event) => this.lose(worker, event.message || 'its script did not load');
    this.watch(START_DEADLINE, () => this.lose(worker, `it did not start within ${START_DEADLINE / 1000} s`));
  }

  private hear(worker: Worker, name: string, answer: Answer): void {
    if (worker !== this.worker) return;
    if (answer.kind === 'dead') return this.lose(worker, answer.message);
    if (answer.kind === 'fetched') return void keepFetched(answer.urls);
    if (answer.kind === 'ready') return this.begin(worker, name);
    if (answer.id !== this.flying?.call.id) return;
    this.land(answer.reply);
    if (!answer.reply.ok && answer.reply.code === 'E_OOM') this.lose(worker, 'it had no memory left');
  }

  private begin(worker: Worker, name: string): void {
    clearTimeout(this.timer);
    URL.revokeObjectURL(this.source);
    this.ready = true;
    this.stillborn = 0;
    navigator.locks?.request(lifeLock(name), () => this.lose(worker, 'it was ended')).catch(() => undefined);
    this.pump();
  }

  private pump(): void {
    if (this.gone) return this.refuseAll('The engine could not be started.');
    if (!this.worker) return this.start();
    if (!this.ready || this.flying) return;
    const job = this.queue.shift();
    if (!job) return;
    this.flying = job;
    const worker = this.worker;
    const limit = job.deadline ?? LONG[job.call.method] ?? DEADLINE;
    this.watch(limit, () => this.lose(worker, `"${job.call.method}" took longer than ${limit / 1000} s`));
    worker.postMessage(job.call);
  }

  private land(reply: Reply<unknown>): void {
    clearTimeout(this.timer);
    const job = this.flying;
    this.flying = null;
    job?.answer(reply);
    if (this.sessions.size || this.queue.length) this.pump();
    else this.end();
  }

  /** Without sessions a worker is not kept: its memory never shrinks. */
  private end(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private cancel(job: Job): void {
    this.queue = this.queue.filter((other) => other !== job);
    job.answer(failure('The call was cancelled.'));
  }

  private lose(worker: Worker, reason: string): void {
    if (worker !== this.worker) return;
    clearTimeout(this.timer);
    URL.revokeObjectURL(this.source);
    worker.terminate();
    this.worker = null;
    if (!this.ready) return this.retry(reason);
    this.sessions.clear();
    this.refuseAll(REPLACED, reason);
    this.onLost(reason);
  }

  /** It never lived: what waits for it may wait for the next one. */
  private retry(reason: string): void {
    if (++this.stillborn <= MOST_STILLBORN) return this.start();
    this.gone = true;
    this.refuseAll('The engine could not be started.', reason);
    this.onGone(reason);
  }

  private refuseAll(message: string, detail = ''): void {
    const jobs = this.flying ? [this.flying, ...this.queue] : this.queue;
    this.flying = null;
    this.queue = [];
    for (const job of jobs) job.answer(failure(message, detail));
  }

  private watch(limit: number, act: () => void): void {
    clearTimeout(this.timer);
    this.timer = window.setTimeout(act, limit);
  }
}
