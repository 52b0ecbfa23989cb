// A session whose worker cannot be started, and the number of threads that a browser is asked for.
import { beforeEach, expect, test, vi } from 'vitest';
import { cores } from '../../web/src/engine/modules';

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
