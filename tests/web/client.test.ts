// Workers that are called and cancelled, die or cannot be started: the caller is answered at once, and a worker
// finishes what it has begun.
import { beforeEach, expect, test, vi } from 'vitest';
import type { Answer, Call, CalledMethod } from '../../web/src/engine/protocol';
import type { Workers } from '../../web/src/engine/client';
import { dependsOnSeed } from '../../web/src/lab/seed-sensitivity';
import type { Reply, Trace } from '../../web/src/engine/types';
import { cores } from '../../web/src/engine/kinds';

/** A worker that answers on command. */
class HeldWorker {
  static last: HeldWorker;
  onmessage: (event: { data: Answer }) => void = () => undefined;
  readonly calls: Call[] = [];
  ended = false;

  constructor() {
    HeldWorker.last = this;
    queueMicrotask(() => this.onmessage({ data: { kind: 'ready' } }));
  }
  postMessage(call: Call): void {
    this.calls.push(call);
  }
  terminate(): void {
    this.ended = true;
  }
  answer(call: number, value: string): void {
    this.onmessage({ data: { kind: 'reply', id: this.calls[call]!.id, reply: { ok: true, value } } });
  }
}

/** As a browser refuses a worker or a lock. */
function refused(): never {
  throw new DOMException('no', 'SecurityError');
}

const cancelled = { ok: false, code: 'E_WORKER', message: 'The call was cancelled.' };
const methods = (): string[] => HeldWorker.last.calls.map(({ method }) => method);

/** Starts with one call in progress. */
async function busy(signal?: AbortSignal) {
  const { Client } = await import('../../web/src/engine/client');
  const client = new Client('core');
  const ask = (method: CalledMethod, by?: AbortSignal): Promise<Reply<string>> =>
    client.call(1, method, [], { signal: by });
  const running = ask('load', signal);
  await vi.waitFor(() => expect(methods()).toEqual(['load']));
  return { client, ask, running, worker: HeldWorker.last };
}

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('Worker', HeldWorker);
});

test('the object URL of a live worker is revoked', async () => {
  const [made, givenBack] = [vi.spyOn(URL, 'createObjectURL'), vi.spyOn(URL, 'revokeObjectURL')];
  await busy();
  expect(givenBack.mock.calls).toEqual(made.mock.results.map(({ value }) => [value]));
});

test('calls of programs need no model, and others are refused without one', async () => {
  const { client } = await busy();
  const answered: CalledMethod[] = [];
  for (const method of ['carryOver', 'calculate', 'pytorchScript', 'run'] as const)
    void client.call(2, method, []).then(() => answered.push(method));
  await Promise.resolve();
  expect(answered).toEqual(['run']);
});

test('a queued call that is cancelled is never sent', async () => {
  const { ask, running, worker } = await busy();
  const controller = new AbortController();
  const waiting = ask('run', controller.signal);
  const next = ask('trace');
  controller.abort();
  expect(await waiting).toMatchObject(cancelled);
  worker.answer(0, 'loaded');
  expect(await running).toEqual({ ok: true, value: 'loaded' });
  expect(methods()).toEqual(['load', 'trace']);
  worker.answer(1, 'traced');
  expect(await next).toEqual({ ok: true, value: 'traced' });
});

test('a running call that is cancelled is answered at once, and the worker survives', async () => {
  const controller = new AbortController();
  const { ask, running, worker } = await busy(controller.signal);
  controller.abort();
  expect(await running).toMatchObject(cancelled);
  const next = ask('run');
  expect(methods()).toEqual(['load']);
  worker.answer(0, 'too late');
  expect(methods()).toEqual(['load', 'run']);
  worker.answer(1, 'ran');
  expect(await next).toEqual({ ok: true, value: 'ran' });
  expect(worker.ended).toBe(false);
});

test('a refusal waits for its words, and the next call does not', async () => {
  const { ask, running, worker } = await busy();
  const next = ask('run');
  const refusal = { ok: false as const, id: 'session/finished', code: 'E_INPUT', arguments: [], detail: '' };
  const reply = { ...refusal, message: '', place: { line: 0, column: 0 } };
  worker.onmessage({ data: { kind: 'reply', id: worker.calls[0]!.id, reply } });
  expect(methods()).toEqual(['load', 'run']);
  worker.answer(1, 'ran');
  expect(await next).toEqual({ ok: true, value: 'ran' });
  expect(await running).toMatchObject({ ok: false, id: 'session/finished' });
});

test('after a cancellation, only closing a session is sent', async () => {
  const { client, ask, running, worker } = await busy();
  expect(await ask('run', AbortSignal.abort())).toMatchObject(cancelled);
  client.close(1);
  worker.answer(0, 'loaded');
  await running;
  expect(methods()).toEqual(['load', 'delete']);
});

test('a session whose worker died is not called until it is loaded again', async () => {
  const { client, ask, running, worker } = await busy();
  worker.answer(0, 'loaded');
  await running;
  const waiting = ask('run');
  worker.onmessage({ data: { kind: 'dead', message: 'it was terminated' } });
  const replaced = { ok: false, code: 'E_WORKER', message: 'The engine stopped and was restarted.' };
  expect(await waiting).toMatchObject(replaced);
  expect(await ask('train')).toMatchObject(replaced);
  const again = client.call(1, 'load', []);
  await vi.waitFor(() => expect(methods()).toEqual(['load']));
  HeldWorker.last.answer(0, 'loaded again');
  expect(await again).toEqual({ ok: true, value: 'loaded again' });
  expect(HeldWorker.last).not.toBe(worker);
});

test('loading a model has a longer deadline than any other call', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { ask, worker } = await busy();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(worker.ended).toBe(false);
  worker.answer(0, 'loaded');
  void ask('run');
  await vi.advanceTimersByTimeAsync(4_000);
  expect(worker.ended).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(worker.ended).toBe(true);
  vi.useRealTimers();
});

test('an abandoned probe makes no further calls, and closes its session', async () => {
  const { client, running, worker } = await busy();
  worker.answer(0, 'loaded');
  await running;
  const controller = new AbortController();
  const experiment = { config: { kind: 'attention' }, inputs: [], pair: null, steps: 0, edits: [] };
  const depends = dependsOnSeed({ of: () => client } as unknown as Workers)(experiment, controller.signal);
  await vi.waitFor(() => expect(methods()).toEqual(['load', 'load']));
  controller.abort();
  expect(await depends).toBe(null);
  worker.answer(1, 'too late');
  expect(methods()).toEqual(['load', 'load', 'delete']);
});

test('a worker that cannot be made is no call without an answer: it is tried again, and then refused', async () => {
  const { Client } = await import('../../web/src/engine/client');
  const made = vi.fn(refused);
  vi.stubGlobal('Worker', made);
  const client = new Client('core');
  const failed = vi.fn();
  client.onStartFailed = failed;
  expect(client.startIfNone()).toBe(false);
  expect(await client.call(1, 'load', [])).toMatchObject({ ok: false, code: 'E_WORKER' });
  expect(made).toHaveBeenCalledTimes(3);
  expect(failed).toHaveBeenCalledOnce();
});

test('locks that throw do not keep a worker from its first call', async () => {
  vi.stubGlobal('navigator', { locks: { request: refused } });
  const { running, worker } = await busy();
  worker.answer(0, 'loaded');
  expect(await running).toEqual({ ok: true, value: 'loaded' });
});

test('a signal that outlives its calls keeps no listener of them', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  const { running, worker } = await busy(signal);
  worker.answer(0, 'loaded');
  await running;
  expect(added).toHaveBeenCalledOnce();
  expect(removed.mock.calls[0]!.slice(0, 2)).toEqual(added.mock.calls[0]!.slice(0, 2));
});

/** A session, with the workers that it has now. */
async function opened() {
  const [{ RemoteSession }, { Workers }] = await Promise.all([
    import('../../web/src/engine/remote'),
    import('../../web/src/engine/client'),
  ]);
  const workers = new Workers();
  return { workers, session: new RemoteSession(workers) };
}

test('where no worker starts, that is the reason, whichever model is asked for after the first', async () => {
  vi.stubGlobal('Worker', refused);
  const { workers, session } = await opened();
  const lived: boolean[] = [];
  workers.onStartFailed = (client) => lived.push(session.livesIn(client));
  expect(await session.load({ kind: 'seq2seq' })).toMatchObject({ ok: false, code: 'E_WORKER' });
  expect(await session.load({ kind: 'attention' })).toMatchObject({ ok: false, code: 'E_WORKER' });
  expect(lived).toEqual([true, true]);
});

test('threads are a whole number of at least one, whatever the browser says of its cores', () => {
  vi.stubGlobal('crossOriginIsolated', true);
  const said = (hardwareConcurrency: number | undefined): number => {
    vi.stubGlobal('navigator', { hardwareConcurrency });
    return cores();
  };
  expect([-3, 0, 2.5, 8, 128, undefined].map(said)).toEqual([1, 1, 2, 8, 16, 1]);
});

test('a trace that the page knows is not sent again', async () => {
  const empty = { numbers: Int32Array.of(0, 0), texts: '' };
  const known: number[][] = [];
  /** Each edit has the trace of its index. */
  class Engine {
    onmessage: (event: { data: Answer }) => void = () => undefined;
    constructor() {
      queueMicrotask(() => this.onmessage({ data: { kind: 'ready' } }));
    }
    postMessage({ id, method, args }: Call): void {
      const answer = (value: unknown): void =>
        this.onmessage({ data: { kind: 'reply', id, reply: { ok: true, value } } });
      if (method !== 'traced') return answer(method === 'trace' ? empty : {});
      const [, [, index], has] = args as [string, [string, number], number[]];
      known.push(has);
      answer({ run: { trace: index }, columns: has.includes(index) ? null : empty });
    }
    terminate(): void {}
  }
  vi.stubGlobal('Worker', Engine);
  vi.resetModules();
  const { session } = await opened();
  await session.load({ kind: 'attention' });
  const traceOf = async (index: number): Promise<Trace> => {
    const run = await session.edit('α', index, 1);
    const trace = await session.trace(run.ok ? run.value.trace : NaN);
    if (!trace.ok) throw new Error(trace.message);
    return trace.value;
  };
  const [first, second] = [await traceOf(1), await traceOf(2)];
  expect(await traceOf(1)).toBe(first);
  expect(await traceOf(2)).toBe(second);
  await traceOf(3);
  expect(await traceOf(2)).toBe(second);
  expect(await traceOf(1), 'only the latest are kept').not.toBe(first);
  expect(known).toEqual([[], [1], [1, 2], [2, 1], [1, 2], [2, 3], [3, 2]]);
});
