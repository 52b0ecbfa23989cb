// A session whose worker cannot be started, and the number of threads that a browser is asked for.
import { beforeEach, expect, test, vi } from 'vitest';
import { cores } from '../../web/src/engine/modules';
import type { Answer, Call } from '../../web/src/engine/protocol';
import type { Trace } from '../../web/src/engine/types';

beforeEach(() => {
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('navigator', {});
  return () => vi.unstubAllGlobals();
});

test('where no worker starts, that is the reason, whichever model is asked for after the first', async () => {
  const throws = class {
    constructor() {
      throw new DOMException('no worker', 'SecurityError');
    }
  };
  vi.stubGlobal('Worker', throws);
  const [{ RemoteSession }, { Workers }] = await Promise.all([
    import('../../web/src/engine/remote'),
    import('../../web/src/engine/workers'),
  ]);
  const workers = new Workers();
  const session = new RemoteSession(workers);
  const lived: boolean[] = [];
  workers.onStartFailed = (client) => lived.push(session.livesIn(client));
  expect(await session.load({ kind: 'seq2seq' })).toMatchObject({ ok: false, code: 'E_WORKER' });
  expect(await session.load({ kind: 'attention' })).toMatchObject({ ok: false, code: 'E_WORKER' });
  expect(lived).toEqual([true, true]);
});

test('threads are a whole number of at least one, whatever the browser says of its cores', () => {
  vi.stubGlobal('crossOriginIsolated', true);
  for (const [said, wanted] of [
    [-3, 1],
    [0, 1],
    [2.5, 2],
    [8, 8],
    [128, 16],
    [undefined, 1],
  ] as const) {
    vi.stubGlobal('navigator', { hardwareConcurrency: said });
    expect(cores(), String(said)).toBe(wanted);
  }
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
  const [{ RemoteSession }, { Workers }] = await Promise.all([
    import('../../web/src/engine/remote'),
    import('../../web/src/engine/workers'),
  ]);
  const session = new RemoteSession(new Workers());
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
