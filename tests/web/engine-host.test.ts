// The engine host alone: one change at a time, each accepted or refused as a whole; and what follows a lost worker.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refusal, RUN, sessionThat, storeWith, type Answers } from './lab-parts';
import { CONTINUE_TRAINING, editsDropped, RESTARTED, stoppedAgain } from '../../web/src/messages/en/lab';
import { EngineHost, type Change } from '../../web/src/lab/engine-host';
import { withEdit } from '../../web/src/lab/changes';
import { Trainer } from '../../web/src/lab/trainer';
import type { Client, Workers } from '../../web/src/engine/client';
import type { Found } from '../../web/src/lab/store/found';
import type { Keeper } from '../../web/src/lab/store/keeper';

beforeEach(() => {
  vi.stubGlobal('requestAnimationFrame', (draw: () => void) => setTimeout(draw));
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('document', { hidden: false });
  return () => vi.unstubAllGlobals();
});

const NOTHING: Found = { checkpoint: null, slot: '', target: 0, earlier: false, lost: null };

function host(answers: Answers = {}, found = NOTHING) {
  const { session, calls } = sessionThat(answers);
  const store = storeWith(session);
  const keeper = {
    find: async () => found,
    save: vi.fn(async () => 'kept'),
    drop: async () => undefined,
  } as unknown as Keeper;
  const workers = {} as Workers;
  const listener = { accepted: vi.fn(), trainOn: vi.fn() };
  const trainer = new Trainer(session, store, keeper);
  const engine = new EngineHost(store, session, trainer, keeper, workers, listener);
  const client = { startIfNone: vi.fn(() => false) };
  const lose = (): void => workers.onLost(client as unknown as Client, 'It was ended.');
  const editX = (value: number, part: Partial<Change> = {}): ReturnType<EngineHost['change']> => {
    const nextState: Change['nextState'] = (state) => withEdit(state, 'X', 0, value);
    return engine.change({ what: 'run', nextState, applyInPlace: () => session.edit('X', 0, value), ...part });
  };
  const open = () => engine.change({ what: 'load', nextState: (state) => state });
  const methods = (): string[] => calls.map(([method]) => method);
  return { engine, store, trainer, listener, client, lose, editX, open, calls, methods };
}

describe('a change', () => {
  it('in place runs the loaded model, and its run is shown', async () => {
    const { store, listener, editX, open, calls } = host({ edit: () => ({ ...RUN, loss: 0.5 }) });
    await open();
    calls.length = 0;
    expect(await editX(2)).toEqual({ ok: true, value: true });
    expect(calls.map(String)).toEqual(['edit,X,0,2', 'trace,7']);
    expect(store.run?.loss).toBe(0.5);
    expect(store.state.edits).toEqual([{ name: 'X', index: 0, value: 2 }]);
    expect(listener.accepted).toHaveBeenCalledTimes(2);
  });

  it('in place that is refused changes nothing, and says why unless it is quiet', async () => {
    const { store, editX, open, methods } = host({ edit: () => refusal('X[0] is 9 at most.') });
    await open();
    expect((await editX(10, { quiet: true })).ok).toBe(false);
    expect(store.problem).toBeNull();
    await editX(10);
    expect(store.problem?.message).toBe('X[0] is 9 at most.');
    expect(store.state.edits).toEqual([]);
    expect(methods().filter((method) => method === 'load')).toHaveLength(1);
  });

  it('that loads a refused model is followed by the model before', async () => {
    const load = vi.fn((config: object) => ('size' in config ? refusal('size is 0.') : { inputs: [] }));
    const { engine, store, open } = host({ load });
    await open();
    const reply = await engine.change({ what: 'load', nextState: (state) => ({ ...state, config: { size: 0 } }) });
    expect(reply).toMatchObject({ ok: false, message: 'size is 0.' });
    expect(load.mock.calls.map(([config]) => 'size' in config)).toEqual([false, true, false]);
    expect(store.state.config).toEqual({});
  });

  it('begins with the state that the one before left', async () => {
    const { store, editX, open } = host();
    void open();
    void editX(1);
    await editX(2, { nextState: (state) => withEdit(state, 'X', 1, state.edits[0]!.value + 1) });
    expect(store.state.edits.map(({ value }) => value)).toEqual([1, 2]);
  });

  it('without a next state does nothing', async () => {
    const { engine, open, calls } = host();
    await open();
    calls.length = 0;
    expect(await engine.change({ what: 'run', nextState: () => undefined })).toEqual({ ok: true, value: false });
    expect(calls).toEqual([]);
  });

  it('leaves out the edits that the model refuses, and says how many', async () => {
    const setEdits = (edits: { index: number }[]): unknown =>
      edits.some(({ index }) => index > 1) ? refusal('X has 2 values.') : { ...RUN };
    const { engine, store } = host({ setEdits });
    const edits = [0, 1, 2].map((index) => ({ name: 'X', index, value: 1 }));
    await engine.change({ what: 'load', nextState: (state) => ({ ...state, edits }) });
    expect(store.state.edits.map(({ index }) => index)).toEqual([0, 1]);
    expect(store.notice?.message).toBe(editsDropped(1));
  });
});

describe('training', () => {
  it('takes the steps, and runs the model again', async () => {
    const { engine, store, open, methods } = host();
    await open();
    expect(await engine.train(() => 30)).toBe(true);
    expect(store.training).toMatchObject({ status: 'done', step: 30 });
    expect(store.state.steps).toBe(30);
    expect(methods().slice(-2)).toEqual(['run', 'trace']);
  });

  it('is not queued twice, and a change before its turn cancels it', async () => {
    const { engine, store, open, editX } = host();
    void open();
    const runs = [engine.train(() => 30), engine.train(() => 30)];
    await editX(1);
    expect(await Promise.all(runs)).toEqual([false, false]);
    expect(store.training.step).toBe(0);
  });

  it('ends at the most steps that a link can hold', async () => {
    const { engine, store, open } = host();
    await open();
    store.training = { ...store.training, step: 100_000 };
    expect(await engine.train(() => 30)).toBe(false);
    expect(store.problem?.message).toContain('100,000 steps');
  });
});

describe('after its worker is lost', () => {
  it('the engine is brought back to the state, with its edits', async () => {
    const { engine, store, editX, open, client, lose, calls } = host();
    await open();
    await editX(2);
    calls.length = 0;
    lose();
    expect(client.startIfNone).toHaveBeenCalledOnce();
    expect(store.problem?.message).toBe(RESTARTED);
    await engine.queue.run('run', async () => undefined); // after the restart
    expect(calls[0]![0]).toBe('load');
    expect(calls).toContainEqual(['setEdits', [{ name: 'X', index: 0, value: 2 }]]);
    expect(store.state.edits).toHaveLength(1);
  });

  it('by a change that there was no memory for, the model before is built once, and the next change is made', async () => {
    const load = vi.fn((config: object) => {
      if (!('size' in config)) return { inputs: [] };
      lose();
      return refusal('There is not enough memory.', 'E_OOM');
    });
    const { engine, store, editX, open, lose } = host({ load });
    await open();
    const tooLarge = engine.change({ what: 'load', nextState: (state) => ({ ...state, config: { size: 9 } }) });
    const edited = editX(2);
    expect((await tooLarge).ok).toBe(false);
    expect((await edited).ok).toBe(true);
    await engine.queue.run('run', async () => undefined); // after the restart
    expect(load.mock.calls.map(([config]) => 'size' in config)).toEqual([false, true, false]);
    expect(store.state).toMatchObject({ config: {}, edits: [{ name: 'X', index: 0, value: 2 }] });
  });

  it('a change that was queued before the restart is made', async () => {
    const lost = (): unknown => (loaded ? { ...RUN } : refusal('The engine stopped.', 'E_WORKER'));
    let loaded = true;
    const load = (): unknown => ((loaded = true), { inputs: [] });
    const { engine, store, editX, open, lose } = host({ load, edit: lost });
    await open();
    void engine.queue.run('run', async () => {
      loaded = false;
      lose();
    });
    const edited = editX(2);
    expect((await edited).ok).toBe(true);
    expect(store.state.edits).toHaveLength(1);
  });

  it('again and again, it gives up', async () => {
    const { store, open, lose } = host({ run: () => refusal('The engine stopped.', 'E_WORKER') });
    await open();
    for (let i = 0; i < 4; i++) lose();
    expect(store.problem?.message).toBe(stoppedAgain(4));
  });

  it('the rest of a training run that was stopped is offered', async () => {
    const checkpoint = { steps: 20, bytes: new Uint8Array(), curve: [] };
    const restore = () => ({ steps: 20 });
    const { engine, store, listener, lose } = host({ restore }, { ...NOTHING, checkpoint, target: 50 });
    await engine.change({ what: 'load', nextState: (state) => ({ ...state, steps: 20 }) });
    lose();
    await vi.waitFor(() => expect(store.notice?.action?.label).toBe(CONTINUE_TRAINING));
    store.notice!.action!.run();
    expect(listener.trainOn).toHaveBeenCalledWith(30);
  });
});
