// Two models with one task and one seed, or the same few: trained in turns, evaluated on the same unseen examples, and one
// input through both, before training and after it.
import * as texts from '#messages/lesson/beside';
import { STEP, titleOf, SHOWN_ON_AXIS, trained } from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { hasTask } from '../../../engine/own-data';
import { unwrap } from '../../../engine/refused';
import type { RemoteSession } from '../../../engine/remote';
import type { Config, EvaluationInfo, GenerationInfo, PairInfo, TextPair } from '../../../engine/types';
import {
  ranged,
  spreadOf,
  type Curve,
  type CurvesData,
  type Point,
  type Run,
  type RunsData,
} from '../../../figures/charts/curves-layout';
import { choices } from '../../../ui/choices';
import { significant } from '../../../ui/numbers';
import { lengthsChart, MEASURE_NAMES, runOf, spreadCurves, windowOf, type Measure } from '../charts';
import { drawnCurve, largestGap, type Gap } from '../drawn/gap';
import type { LengthsAxis } from '../../format/comparisons';
import { evaluateAll, type Runner, type ShouldContinue, type Trial } from '../trials';
import type { Job, Work } from '../work';
import { firstDifference, tracedBy, type Difference } from './first-difference';
import type { Compared, Two } from './other';

const MEASURES: readonly Measure[] = ['loss', 'accuracy'];
/** Of a configuration that does not say. */
const STEPS = 300;
/** Examples of the test split at most, evenly spread over it. */
export const TESTED = 500;

export const stepsOf = ({ steps }: Config): number => (typeof steps === 'number' ? steps : STEPS);

/** What the same input gives in both. */
export interface Through {
  /** What both read; null: their own input. */
  pair: PairInfo | null;
  difference: Difference | null;
  /** What each writes for the source; null: not asked. */
  written: readonly [GenerationInfo, GenerationInfo] | null;
}

/** The seeds from that of the model on. */
export const seedsFrom = ({ seed }: Config, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Number(seed ?? 1) + i);

export class BesideJob implements Job {
  /** Null: there are no two models to compare. */
  two: Two | null = null;
  seeds = 1;
  /** The source and the target that both read; null: their task's first that they are not trained on, or their own input. */
  pair: TextPair | null = null;
  /** What the reader draws before the second model is measured, in percent at these lengths; null: nothing is drawn. */
  drawn: (LengthsAxis & { values: readonly number[] | null }) | null = null;
  before: Through | null = null;
  after: Through | null = null;
  private measure: Measure = 'loss';
  private runs: RunsData | null = null;
  private lengths: CurvesData | null = null;

  get learns(): boolean {
    return this.two === null || hasTask(this.two[0].config);
  }

  get verb(): string {
    return this.learns ? texts.TRAIN_BOTH : texts.RUN_BOTH;
  }

  get ready(): boolean {
    return this.two !== null && this.drawn?.values !== null;
  }

  /** Something was measured, or is being. */
  get isBegun(): boolean {
    return this.runs !== null;
  }

  get outcome(): string {
    if (!this.learns) return texts.RAN;
    const { runs, steps } = this.comparison();
    return runs.every((run) => run.steps === steps) ? trained(steps) : texts.BOTH_TRAINED;
  }

  readonly comparison = (): { runs: Trial[]; steps: number } => {
    const runs = (this.two ?? []).flatMap((model) => this.trialsOf(model));
    return { runs, steps: this.learns ? Math.max(1, ...runs.map(({ steps }) => steps ?? 0)) : 1 };
  };

  private trialsOf({ label, config }: Compared): Trial[] {
    const steps = stepsOf(config);
    return seedsFrom(config, this.seeds).map((seed) => {
      const name = this.seeds > 1 ? texts.withSeed(label, seed) : label;
      return { label: name, with: { ...config, seed }, steps };
    });
  }

  forget(): void {
    this.runs = this.lengths = this.before = this.after = null;
  }

  /** The first of each model's seeds. */
  private firsts({ runners }: Pick<Work, 'runners'>): readonly [Runner, Runner] {
    return [runners[0]!, runners[this.seeds]!];
  }

  async compare(work: Work, shouldContinue: ShouldContinue): Promise<void> {
    this.forget();
    const firsts = this.firsts(work);
    this.before = await throughBoth(firsts, this.pair, false);
    work.redraw();
    if (!this.learns) return;
    await work.train(shouldContinue);
    for (const runner of work.runners)
      if (shouldContinue() && !runner.problem) await this.evaluate(runner, work, shouldContinue);
    const isWhole = shouldContinue() && work.runners.every(({ problem }) => !problem);
    if (isWhole) this.after = await throughBoth(firsts, this.pair, true);
  }

  private async evaluate(runner: Runner, work: Work, shouldContinue: ShouldContinue): Promise<void> {
    const { steps } = this.comparison();
    const reply = await evaluateAll(runner.session, TESTED, 0, () => {
      work.report(texts.testing(runner.label), steps, steps);
      return shouldContinue();
    });
    if (reply.ok && reply.value.done === reply.value.pairs) runner.written = reply.value;
    work.redraw();
  }

  redraw({ runners }: Pick<Work, 'runners'>): void {
    const { two, seeds, measure } = this;
    if (!two || runners.length !== two.length * seeds || !this.learns) return;
    const { steps } = this.comparison();
    const groups = two.map(({ label }, i) => ({ label, runners: runners.slice(i * seeds, (i + 1) * seeds) }));
    this.runs = {
      title: titleOf(measure, windowOf(runners[0]!, steps)),
      x: { label: STEP, from: 1, to: steps },
      y: { label: MEASURE_NAMES[measure], ...(measure === 'accuracy' && { from: 0, to: 1 }) },
      runs: groups.map((group) => meanRun(group, measure, steps)),
    };
    this.lengths = withDrawn(lengthsOf(groups), this.drawn);
  }

  /** How far the drawn curve is from the measured one; null until both are there. */
  gap(): Gap | null {
    const line = this.lineOf(1);
    const { lengths = [], values } = this.drawn ?? {};
    if (!line || !values) return null;
    const points = line.points.filter(([x]) => lengths.includes(x));
    return largestGap(values, points, spreadOf(line, this.lengths!.curves));
  }

  /** By how many percentage points the second model writes more without a mistake, on average over the lengths. */
  lead(): number | null {
    const [a, b] = [this.lineOf(0), this.lineOf(1)].map((line) => line && mean(line.points.map(([, y]) => y)));
    return a === undefined || b === undefined ? null : b - a;
  }

  private lineOf(i: number): Curve | undefined {
    return this.lengths?.curves.find(({ name, points }) => name === this.two?.[i]!.label && points.length);
  }

  figure(work: Work): TemplateResult | typeof nothing {
    const { runs, lengths } = this;
    if (!runs?.runs.some(({ curves }) => curves[0]!.points.length)) return nothing;
    return html`${this.measures(work)}
      <u-runs .data=${runs}></u-runs> ${lengths ? html`<u-curves .data=${lengths}></u-curves>` : nothing}`;
  }

  private measures(work: Work): TemplateResult {
    const show = (measure: Measure): void => {
      this.measure = measure;
      work.redraw();
    };
    const isShown = (measure: Measure): boolean => measure === this.measure;
    const nameOf = (measure: Measure): string => MEASURE_NAMES[measure];
    return choices(SHOWN_ON_AXIS, MEASURES, isShown, show, nameOf, { row: 'measures', button: 'small' });
  }
}

interface Group {
  label: string;
  /** One for each seed. */
  runners: readonly Runner[];
}

/** One run of the chart: with several seeds their mean, and each result as a mean with its range. */
function meanRun({ label, runners }: Group, measure: Measure, steps: number): Run {
  const all = runners.map((runner) => runOf(runner, measure, steps));
  if (all.length === 1) return { ...all[0]!, name: label };
  const points = all.map(({ curves }) => curves[0]!.points);
  const [line] = spreadCurves(
    label,
    all.map((_, i) => i),
    points,
  );
  const results = all[0]!.results.flatMap(({ label: what }) => {
    const values = all.flatMap((run) =>
      run.results.filter((result) => result.label === what).map(({ value }) => value),
    );
    return values.length < all.length ? [] : [{ label: what, value: meanWithRange(values.map(Number)) }];
  });
  return { name: label, curves: [{ name: MEASURE_NAMES[measure], points: line!.points }], results };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

function meanWithRange(values: readonly number[]): number | string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return least;
  return texts.meanWithRange(significant(mean(values), 3), significant(least, 3), significant(most, 3));
}

const byLengthOf = ({ byLength }: EvaluationInfo): Point[] =>
  byLength.map(({ length, pairs, exact }): Point => [length, (100 * exact) / pairs]);

/** Null before anything is measured, where all sources have one length, and for texts: none continues in one way alone. */
function lengthsOf(groups: readonly Group[]): CurvesData | null {
  const [group] = groups;
  const count = group!.runners.length;
  const curves = groups.map(({ label, runners }): Curve[] => {
    const points = runners.map(({ written }) =>
      written && !Number.isNaN(written.exactMatch) ? byLengthOf(written) : [],
    );
    const seeds = count > 1 ? runners.map(({ config }) => Number(config.seed)) : undefined;
    return spreadCurves(label, seeds, points);
  });
  const lengths = curves.flatMap((each) => each[0]!.points.map(([x]) => x)).sort((a, b) => a - b);
  if (lengths[0] === lengths.at(-1)) return null;
  return lengthsChart(
    { lengths, over: 'length' },
    [...curves.map(([line]) => line!), ...curves.flatMap(([, ...dots]) => dots)],
    count,
  );
}

/** The chart with what the reader has drawn, before the dots. */
function withDrawn(chart: CurvesData | null, drawn: BesideJob['drawn']): CurvesData | null {
  if (!chart || !drawn?.values) return chart;
  const lines = chart.curves.filter(({ among }) => among === undefined);
  return { ...chart, curves: [...lines, drawnCurve(drawn.lengths, drawn.values), ...ranged(chart.curves)] };
}

/** Both read the pair, or run on their own input. Throws Refused. */
async function throughBoth(
  both: readonly [Runner, Runner],
  given: TextPair | null,
  isTrained: boolean,
): Promise<Through> {
  const [first] = both;
  const text = first.hasTask ? (given ?? (await firstUnseen(remote(first.session)))) : null;
  const [a, b] = await Promise.all(both.map(({ session }) => tracedBy(remote(session), text)));
  const through = { pair: a!.read, difference: await firstDifference(a!, b!) };
  if (!text || !isTrained) return { ...through, written: null };
  const [mine, other] = await Promise.all(both.map(({ session }) => unwrap(remote(session).generate(text[0], {}))));
  return { ...through, written: [mine!, other!] };
}

async function firstUnseen(session: RemoteSession): Promise<TextPair> {
  const [[pair], { separator }] = await Promise.all([
    unwrap(session.pairs('validation', 0, 1)),
    unwrap(session.task()),
  ]);
  return [pair!.source.join(separator), pair!.target.join(separator)];
}

/** Work opens hidden sessions of the page. */
const remote = (session: Runner['session']): RemoteSession => session as RemoteSession;
