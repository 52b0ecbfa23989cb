// Training in slices, and its progress reports.
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { storeWith, refusal, sessionThat, trained } from './lab-parts';
import { trainInSlices } from '../../web/src/engine/remote';
import type { Lab } from '../../web/src/lab/lab';
import { Training } from '../../web/src/lesson/training';
import type { Keeper } from '../../web/src/lab/store/keeper';
import { Trainer } from '../../web/src/lab/trainer';
import { afterSlice, extended, untrained } from '../../web/src/lab/training';
import { clock, evaluationFigures, figures, percent } from '../../web/src/bench/training/figures';

vi.mock('virtual:lessons', () => ({ data: {} }));
vi.mock('../../web/src/figures/sequence', () => ({ loadSequenceViews: async () => undefined }));

/** Takes this many milliseconds of a faked clock per step, and refuses from a given step on. */
function paced(pace: number, refusedFrom = Infinity) {
  let step = 0;
  const train = (steps: number): unknown => {
    if (vi.isFakeTimers()) vi.advanceTimersByTime(pace * steps);
    return step + steps < refusedFrom ? trained((step += steps)) : refusal('The loss is NaN.', 'E_DIVERGED');
  };
  const { session, calls } = sessionThat({ train });
  return { session, sizes: () => calls.map(([, steps]) => steps as number) };
}

describe('slices', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance'] });
    return () => vi.useRealTimers();
  });

  it('take all the steps, more at a time if they are quick', async () => {
    const { session, sizes } = paced(0.1);
    const reply = await trainInSlices(session, 1000, () => true);
    expect(reply).toMatchObject({ ok: true, value: { step: 1000 } });
    expect(sizes().reduce((a, b) => a + b)).toBe(1000);
    expect(sizes().slice(0, 4)).toEqual([1, 2, 4, 8]);
    expect(Math.max(...sizes())).toBeLessThanOrEqual(420);
  });

  it('are single steps if one takes long', async () => {
    const { session, sizes } = paced(30);
    await trainInSlices(session, 5, () => true);
    expect(sizes()).toEqual([1, 1, 1, 1, 1]);
  });

  it('end when stopped, and when refused', async () => {
    const reply = await trainInSlices(paced(0).session, 1000, ({ step }) => step < 7);
    expect(reply).toMatchObject({ ok: true, value: { step: 7 } });
    expect(await trainInSlices(paced(0, 20).session, 1000, () => true)).toMatchObject({ code: 'E_DIVERGED' });
  });
});

describe('a trainer', () => {
  beforeEach(() => {
    vi.stubGlobal('requestAnimationFrame', () => 0);
    vi.stubGlobal('document', { hidden: false });
    return () => vi.unstubAllGlobals();
  });

  const keeperThat = (save: (checkpoint: { steps: number }) => void): Keeper =>
    ({ save: async (...[, , , checkpoint]: Parameters<Keeper['save']>) => (save(checkpoint), 'kept') }) as never;

  it('reports that it has stopped before saving and evaluating the result', async () => {
    const did: string[] = [];
    const store = storeWith();
    const note = (what: string): void => void did.push(`${what}, ${store.training.status}`);
    store.renewValues = async () => note('looked at');
    const keeper = keeperThat(() => note('kept'));
    const trainer = new Trainer(paced(0).session, store, keeper);
    setTimeout(() => trainer.stop());
    await trainer.run(1_000_000);
    expect(did.slice(-2)).toEqual(['kept, done', 'looked at, done']);
  });

  it('asks for nothing between the slice in which it is stopped and its end', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(10_000); // saving and looking are due
    const did: string[] = [];
    const store = storeWith();
    store.renewValues = async () => void did.push(`looked at, ${store.training.status}`);
    const keeper = keeperThat(() => void did.push(`kept, ${store.training.status}`));
    const { session } = sessionThat({ train: () => (trainer.stop(), trained(1)) });
    const trainer: Trainer = new Trainer(session, store, keeper);
    await trainer.run(10);
    vi.useRealTimers();
    expect(did).toEqual(['kept, done', 'looked at, done']);
  });

  it('saves every three seconds, however soon and often its worker dies', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    vi.advanceTimersByTime(10_000); // the page has been open for a while
    const lost = refusal('The engine stopped and was restarted.', 'E_WORKER');
    let [left, step] = [0, 0];
    const train = (): unknown => {
      if (left-- <= 0) return lost;
      vi.advanceTimersByTime(1_000);
      return trained(++step);
    };
    const { session } = sessionThat({ train, save: () => (left < 0 ? lost : new Uint8Array()) });
    session.isReadyFor = () => false;
    const kept: number[] = [];
    const keeper = keeperThat(({ steps }) => kept.push(steps));
    const trainer = new Trainer(session, storeWith(), keeper);
    for (let fall = 0; fall < 5; fall++) {
      left = 2;
      await trainer.run(1000);
    }
    vi.useRealTimers();
    expect(kept).toEqual([1, 5, 9]);
  });

  it('of a rebuild is judged long by its steps, not by the loading of the model before the first', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const trainer = new Trainer(
      paced(0).session,
      storeWith(),
      keeperThat(() => undefined),
    );
    const isLong = (seconds: number, step: number): boolean => {
      vi.advanceTimersByTime(1_000 * seconds);
      expect(trainer.replayed(trained(step))).toBe(true);
      return trainer.exceeds(10);
    };
    trainer.begin(40);
    expect([isLong(5, 1), isLong(1.5, 20), isLong(0.1, 40)]).toEqual([false, false, false]);
    trainer.begin(40);
    expect([isLong(5, 1), isLong(0.8, 2), isLong(0.8, 3)]).toEqual([false, false, true]);
    vi.useRealTimers();
  });
});

describe('a training', () => {
  it('estimates the total time from the steps done', () => {
    const before = { ...untrained(100), from: 100, target: 200 };
    const after = afterSlice(before, trained(125), 2);
    expect(after).toMatchObject({ step: 125, elapsed: 2, expected: 8, examplesPerSecond: 32 });
    expect(afterSlice(after, trained(150), 4)).toMatchObject({ elapsed: 6, expected: 12 });
  });

  it('keeps a curve short enough to draw, from beginning to end', () => {
    let curve = untrained().curve;
    for (let step = 1; step <= 5000; step++) curve = extended(curve, trained(step));
    expect(curve.length).toBeLessThanOrEqual(600);
    expect(curve[0]!.step).toBeLessThan(20);
    expect(curve.at(-1)!.step).toBe(5000);
  });
});

/** Of a task without links or pronouns. */
const EVALUATION = {
  ...{ done: 2, pairs: 2, exactMatch: 0.5, bleu: 0.7, brevityPenalty: 1, precisions: [0.9, 0.8, 0.7, 0.6] },
  ...{
    alignmentErrorRate: NaN,
    attentionMass: NaN,
    tokenErrorRate: 0,
    misplacedTokens: 0,
    pronounAccuracy: NaN,
    perplexity: 1.2,
    byLength: [],
  },
};

describe('its figures', () => {
  it('are formatted for people', () => {
    expect(percent(0.934)).toBe('93.4 %');
    expect(percent(NaN)).toBe('–');
    expect(clock(81.4)).toBe('1:21');
    const running = { ...untrained(3), status: 'running', target: 9, loss: 0.0431, elapsed: 21, expected: 34 } as const;
    expect(Object.fromEntries(figures({ ...running, examplesPerSecond: 3120 }))).toEqual({
      step: '3 of 9',
      loss: '0.0431',
      accuracy: '–',
      'examples/s': '3,120',
      elapsed: '0:21 of 0:34',
    });
  });

  it('stay legible for many steps, hours and huge losses', () => {
    const running = { status: 'running', target: 100_000, elapsed: 36_000, expected: 36_065 } as const;
    expect(Object.fromEntries(figures({ ...untrained(95_200), ...running, loss: 1.234e30 }))).toMatchObject({
      step: '95,200 of 100,000',
      loss: '1.23 × 10³⁰',
      elapsed: '10:00:00 of 10:01:05',
    });
  });

  it('leave out exact matches until all test pairs are written', () => {
    const names = (done: number): string[] =>
      figures({ ...untrained(3), evaluation: { ...EVALUATION, pairs: 200, done } }).map(([name]) => name);
    for (const done of [0, 8, 199]) expect(names(done)).toEqual(['step', 'loss', 'accuracy', 'examples/s', 'elapsed']);
    expect(names(200)).toContain('exact match');
  });

  it('include an alignment error only if there is a true alignment', () => {
    const names = evaluationFigures(EVALUATION).map(([name]) => name);
    expect(names).not.toContain('alignment error rate');
    const aligned = evaluationFigures({ ...EVALUATION, alignmentErrorRate: 0.1 }).at(-1);
    expect(aligned).toEqual(['alignment error rate', '0.1']);
    expect(names).not.toContain('attention on the true links');
    expect(evaluationFigures({ ...EVALUATION, attentionMass: 0.5 }).at(-1)?.[0]).toBe('attention on the true links');
  });
});

describe('the training element of a lesson without a task', () => {
  class Spoken extends Training {
    override readonly dataset = { steps: '100' };
    constructor(private readonly shown: Lab) {
      super();
    }
    override get lab(): Lab {
      return this.shown;
    }
    get words(): string {
      return JSON.stringify(this.render());
    }
  }
  customElements.define('u-spoken-training', Spoken);
  const words = (run: { loss: number } | null): string => {
    const training = { ...untrained(12), loss: 0.5 };
    return new Spoken({ training, task: null, run } as Lab).words;
  };

  it('shows the loss of the run on the bench, and none while the model loads', () => {
    expect(words({ loss: 0.25 })).toContain('Loss 0.2500 after 12 steps');
    expect(words(null)).not.toMatch(/Loss|NaN/);
  });

  it('shows the step alone until a model that came trained has taken another', () => {
    const running = (loss: number): string => {
      const training = { ...untrained(300), status: 'running', loss };
      return new Spoken({ training, task: {}, run: null } as Lab).words;
    };
    expect(running(NaN)).toContain('"step 300"');
    expect(running(0.5)).toContain('step 300: loss 0.500');
  });
});
