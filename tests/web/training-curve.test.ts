// The curve of a training: its moving average, the rule that says a model learns by heart, other seeds, unseen pairs.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { sessionThat, refusal, trained } from './lab-parts';
import { turnOf } from '../../web/src/bench/training/by-heart';
import { curvesOf, spreadOf } from '../../web/src/bench/training/curve';
import { marksOf, Seeds } from '../../web/src/bench/training/seeds';
import { smoothed } from '../../web/src/bench/training/smoothing';
import { dashOf, namedIn, rangesOf, type Point } from '../../web/src/figures/charts/curves-layout';
import type { Lab } from '../../web/src/lab/lab';
import { untrained } from '../../web/src/lab/training';
import { UnseenLoss } from '../../web/src/lab/unseen-loss';
import type { EvaluationInfo } from '../../web/src/engine/types';

/** From −1 to 1, the same for the same i and seed. */
const noise = (i: number, seed = 1): number =>
  2 * (Math.abs(Math.sin(i * 12.9898 + seed * 78.233) * 43758.5453) % 1) - 1;
const curve = (at: (i: number) => number, count = 40): Point[] =>
  Array.from({ length: count }, (_, i): Point => [10 * i, at(i)]);
const falling = (i: number): number => 3 * Math.exp(-i / 10);

describe('the moving average', () => {
  it('is a constant where the values are, from the first point on', () => {
    for (const [, y] of smoothed(
      curve(() => 2.5),
      30,
    ))
      expect(y).toBeCloseTo(2.5, 12);
  });
  it('counts a value half after its half-life, however many points lie between', () => {
    expect(
      smoothed(
        [
          [0, 1],
          [10, 0],
        ],
        10,
      ),
    ).toEqual([
      [0, 1],
      [10, 1 / 3],
    ]);
    expect(
      smoothed(
        [
          [0, 1],
          [20, 0],
        ],
        10,
      )[1]![1],
    ).toBeCloseTo(0.2, 12);
  });
  it('takes most of the noise away and passes over gaps', () => {
    const found = smoothed(
      curve((i) => (i === 7 ? NaN : 1 + noise(i)), 400),
      200,
    );
    expect(found).toHaveLength(399);
    for (const [, y] of found.slice(100)) expect(Math.abs(y - 1)).toBeLessThan(0.4);
  });
});

describe('a model that learns by heart', () => {
  const training = curve(falling);
  const turn = (i: number): number => (i < 15 ? falling(i) : falling(15) + (i - 15) * 0.03);

  it('is found where the unseen loss rises while the other falls, with the step and both losses', () => {
    const found = turnOf(training, curve(turn))!;
    expect(found.step).toBe(150);
    expect(found.lowest).toBeCloseTo(turn(15), 1);
    expect(found.now).toBeCloseTo(turn(39), 1);
  });
  it('is found under noise', () => {
    for (let seed = 1; seed <= 30; seed++)
      expect(
        turnOf(
          training,
          curve((i) => turn(i) + 0.03 * noise(i, seed)),
        ),
      ).not.toBeNull();
  });
  it('is not where both fall, nor where the unseen loss stays flat', () => {
    expect(
      turnOf(
        training,
        curve((i) => falling(i) + 0.2),
      ),
    ).toBeNull();
    expect(
      turnOf(
        training,
        curve(() => 1),
      ),
    ).toBeNull();
  });
  it('is not noise alone, at any level and for any number of points', () => {
    for (let seed = 1; seed <= 100; seed++)
      for (const [share, count] of [
        [0.05, 10],
        [0.3, 20],
        [0.5, 40],
        [0.3, 400],
      ] as const) {
        expect(
          turnOf(
            curve(falling, count),
            curve((i) => 1 + share * noise(i, seed), count),
          ),
        ).toBeNull();
        const both = curve((i) => falling(i) + share * (1 + noise(i, seed)), count);
        expect(turnOf(curve(falling, count), both)).toBeNull();
      }
  });
  it('is not where the loss in training rises too, at one outlier, or before four more measurements', () => {
    expect(turnOf(curve(turn), curve(turn))).toBeNull();
    expect(
      turnOf(
        training,
        curve((i) => (i === 39 ? 5 : falling(i))),
      ),
    ).toBeNull();
    expect(turnOf(training.slice(0, 19), curve(turn, 19))).toBeNull();
    for (const few of [0, 1, 2]) expect(turnOf(training, curve(turn, few))).toBeNull();
  });
});

const EVALUATED = { done: 32, pairs: 32, perplexity: Math.E, exactMatch: 0.25 } as EvaluationInfo;

describe('the loss on unseen pairs', () => {
  afterEach(() => vi.useRealTimers());

  it('is the logarithm of the perplexity, over all of the pairs', async () => {
    const { session, calls } = sessionThat({
      evaluate: () => ({ ...EVALUATED, done: 0 }),
      evaluateMore: () => EVALUATED,
    });
    expect(await new UnseenLoss(session).measure(() => true)).toEqual({ loss: 1, exact: 0.25 });
    expect(calls).toEqual([['evaluate', 'validation', 32, 0], ['evaluateMore']]);
    expect(await new UnseenLoss(session).measure(() => false)).toBeNull();
  });
  it('has no share of exact outputs for texts, and is nothing without pairs or where it is refused', async () => {
    const of = (reply: unknown) => new UnseenLoss(sessionThat({ evaluate: () => reply }).session).measure(() => true);
    expect(await of({ ...EVALUATED, exactMatch: NaN })).toEqual({ loss: 1 });
    expect(await of({ ...EVALUATED, done: 0, pairs: 0 })).toBeNull();
    expect(await of({ ...EVALUATED, perplexity: Infinity })).toBeNull();
    expect(await of(refusal('lost', 'E_WORKER'))).toBeNull();
  });
  it('takes at most 4 % of the time, but for the first measurement', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const evaluate = () => (vi.advanceTimersByTime(20), EVALUATED);
    const unseen = new UnseenLoss(sessionThat({ evaluate }).session);
    let measured = 0;
    for (let time = 0; time < 60_000; time += 40) {
      vi.advanceTimersByTime(40);
      if (unseen.isDue() && (await unseen.measure(() => true))) measured++;
    }
    expect((measured * 20) / 60_000).toBeLessThanOrEqual(0.0425);
    expect(measured).toBeGreaterThan(100);
  });
});

/** A lab that is trained to this step, and what it reports. */
const labAt = (step: number): Lab & { settings: Record<string, unknown> } => {
  const lab = { settings: { kind: 'seq2seq', seed: 7 }, changed: () => undefined, training: untrained(step) };
  return Object.assign(lab, { config: () => lab.settings }) as never;
};

function seedsOf(lab: Lab, answers: Parameters<typeof sessionThat>[0] = {}) {
  let perplexity = 1;
  const { session, calls } = sessionThat({
    evaluate: () => ({ ...EVALUATED, perplexity: (perplexity += 0.25) }),
    ...answers,
  });
  return { seeds: new Seeds(lab, (job) => job(session)), calls };
}

describe('other seeds', () => {
  it('train the same model to the same step, one after another, measured at the same steps', async () => {
    const { seeds, calls } = seedsOf(labAt(80));
    await seeds.more();
    const loaded = calls.filter(([name]) => name === 'load').map(([, config]) => config);
    expect(loaded).toEqual([8, 9, 10].map((seed) => ({ kind: 'seq2seq', seed })));
    expect(seeds.runs.map(({ seed }) => seed)).toEqual([8, 9, 10]);
    for (const { points } of seeds.runs) expect(points.map(({ step }) => step)).toEqual(marksOf(80));
    expect(seeds.now).toBeNull();
    await seeds.more();
    expect(seeds.runs.map(({ seed }) => seed)).toEqual([8, 9, 10, 11, 12, 13]);
  });
  it('have marks that end with the last step, however few there are', () => {
    expect(marksOf(80)).toEqual([10, 20, 30, 40, 50, 60, 70, 80]);
    expect(marksOf(3)).toEqual([1, 2, 3]);
    expect(marksOf(1)).toEqual([1]);
  });
  it('stop at once, and keep what is measured', async () => {
    const { seeds } = seedsOf(labAt(80), {
      train: (steps: number) => {
        if (seeds.now?.step === 20) seeds.stop();
        return trained((seeds.now?.step ?? 0) + steps);
      },
    });
    await seeds.more();
    expect(seeds.runs).toHaveLength(1);
    expect(seeds.runs[0]!.points.length).toBeLessThan(8);
  });
  it('end with the model they belong to, are gone from another, and there again when it comes back', async () => {
    const lab = labAt(8);
    const { seeds, calls } = seedsOf(lab);
    await seeds.more();
    const own = lab.settings;
    lab.settings = { ...own, hidden: 3 };
    expect(seeds.runs).toEqual([]);
    lab.settings = own;
    expect(seeds.runs).toHaveLength(3);
    const before = calls.length;
    const more = seeds.more();
    lab.settings = { ...own, hidden: 3 };
    await more;
    expect(calls.length - before).toBeLessThan(4);
  });
  it('say what was refused', async () => {
    const { seeds } = seedsOf(labAt(8), { train: () => refusal('The loss is NaN.', 'E_DIVERGED') });
    await seeds.more();
    expect(seeds.problem?.message).toBe('The loss is NaN.');
    expect(seeds.now).toBeNull();
  });
});

describe('the chart', () => {
  const point = (step: number, loss: number) => ({ step, loss, exact: 0.5 });
  const training = {
    ...untrained(
      20,
      [1, 10, 20].map((step) => ({ step, loss: 3 / step, accuracy: 0.1 })),
    ),
    unseen: [point(10, 0.5), point(20, 0.4)],
  };
  const seeds = [2, 3].map((seed) => ({ seed, points: [point(10, 0.2 * seed), point(20, 0.1 * seed)] }));
  const data = curvesOf(training, seeds, { measure: 'loss', isTexts: false })!;

  it('has every line, and names the average, the unseen pairs and the range', () => {
    expect(data.curves.map(({ name }) => name)).toEqual(['each batch', 'training', 'new pairs', 'seed 2', 'seed 3']);
    expect(namedIn(data.curves).map(({ name }) => name)).toEqual(['training', 'new pairs', 'other seeds']);
    expect(data.curves.map((curve, i) => dashOf(curve, i) !== '' && !curve.pale)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
  });
  it('draws the range of the seeds at each of their steps', () => {
    const [, , range] = namedIn(data.curves);
    expect(rangesOf(range!.curves)).toEqual([
      [10, 0.4, 0.2 * 3],
      [20, 0.2, 0.1 * 3],
    ]);
    expect(spreadOf(training, seeds, 20)).toEqual([0.2, 0.1 * 3, 0.4]);
    expect(spreadOf(training, [], 20)).toBeNull();
  });
  it('shows the share of pairs written without a mistake beside the accuracy, and none of texts', () => {
    const unseen = [{ step: 20, loss: 1 }];
    const of = (part: object) => curvesOf({ ...training, ...part }, [], { measure: 'accuracy', isTexts: true })!;
    expect(of({}).curves.at(-1)).toMatchObject({
      name: 'new texts',
      points: [
        [10, 0.5],
        [20, 0.5],
      ],
    });
    expect(of({ unseen }).curves).toHaveLength(2);
  });
  it('needs two points', () => {
    expect(curvesOf(untrained(), [], { measure: 'loss', isTexts: false })).toBeNull();
  });
});
