// <u-compare-lengths>: several settings trained, each from one seed or from a few, and what share they write without a mistake
// by source length; or trained at each lag of the task recall, and by that.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../../ui/lab-element';
import { variantsIn } from '../lesson-data';
import { exactPercent, lengthsChart, spreadCurves } from './charts';
import { evaluateAll, trialsOf, type Runner, type ShouldContinue } from './trials';
import { Work, type Job } from './work';
import type { Curve, CurvesData, Point } from '../../figures/charts/curves-layout';
import type { ComparisonOf } from '../format/comparisons';

/** As the engine is asked for pairs of the test split, whatever their length. */
const ANY_LENGTH = 0;

/** Measures every run at one source length, or lag, after the other, so that the curves grow together. */
export class LengthsJob implements Job {
  data: CurvesData | null = null;
  /** Of each run, the points of each of its seeds. */
  private measured: Point[][][] = [];

  constructor(protected readonly given: () => ComparisonOf<'lengths'>) {}

  readonly comparison = (): ReturnType<Job['comparison']> => ({
    runs: trialsOf(this.given()),
    steps: this.given().steps,
  });

  get verb(): string {
    return texts.MEASURE;
  }

  get outcome(): string {
    const { steps, runs, pairs, over, seeds } = this.given();
    const all = runs.map((run) => run.with.steps ?? steps);
    return texts.measured([Math.min(...all), Math.max(...all)], pairs, over, seeds?.length ?? 1);
  }

  async compare(work: Work, shouldContinue: ShouldContinue): Promise<void> {
    const { runs, seeds, lengths, over } = this.given();
    this.measured = runs.map(() => (seeds ?? [0]).map(() => []));
    const points = this.measured.flat();
    if (over === 'length') await work.train(shouldContinue);
    for (const length of lengths) {
      if (over === 'lag') await this.trainAt(length, work, shouldContinue);
      for (const [i, runner] of work.runners.entries())
        if (shouldContinue() && !runner.problem) await this.measure(runner, points[i]!, length, work, shouldContinue);
    }
  }

  private async trainAt(lag: number, work: Work, shouldContinue: ShouldContinue): Promise<void> {
    const { lengths } = this.given();
    if (lag !== lengths[0]) await work.load(shouldContinue, { lag });
    await work.train(shouldContinue, (step, of) => {
      work.report(texts.atLag(lag, step, of), lengths.indexOf(lag) * of + step, lengths.length * of);
    });
  }

  private async measure(
    runner: Runner,
    points: Point[],
    length: number,
    work: Work,
    shouldContinue: ShouldContinue,
  ): Promise<void> {
    const { lengths, over, pairs } = this.given();
    const reply = await evaluateAll(runner.session, pairs, over === 'lag' ? ANY_LENGTH : length, () => {
      if (over === 'length') work.report(texts.atLength(length), lengths.indexOf(length), lengths.length);
      return shouldContinue();
    });
    if (!reply.ok) return void (runner.problem = reply.message);
    const percent = reply.value.done === reply.value.pairs ? exactPercent(reply.value) : null;
    if (percent !== null) points.push([length, percent]);
  }

  /** The lines of all runs, then the dots of their seeds. */
  protected curves(): Curve[] {
    const { runs, seeds } = this.given();
    const named = this.measured.map((points, i) => spreadCurves(runs[i]!.label, seeds, points));
    return [...named.map(([line]) => line!), ...named.flatMap(([, ...dots]) => dots)];
  }

  /** Drops the results. */
  forget(): void {
    this.data = null;
    this.measured = [];
  }

  redraw(): void {
    const { seeds } = this.given();
    this.data = lengthsChart(this.given(), this.curves(), seeds?.length ?? 1);
  }

  figure({ running }: Pick<Work, 'running'>): TemplateResult | typeof nothing {
    if (running) this.redraw();
    if (!this.data?.curves.some(({ points }) => points.length)) return nothing;
    return html`<u-curves .data=${this.data}></u-curves>`;
  }
}

export class CompareLengths extends LabElement {
  protected readonly topics = [] as const;
  comparison!: ComparisonOf<'lengths'>;
  private readonly work = new Work(this, new LengthsJob(() => this.comparison), { configOf: variantsIn(this) });

  protected override render(): TemplateResult {
    return this.work.render();
  }
}

customElements.define('u-compare-lengths', CompareLengths);
