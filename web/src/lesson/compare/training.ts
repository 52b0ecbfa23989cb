// <u-compare-training>: several settings trained from the same seed on the same batches, loss and accuracy on one axis.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { choices } from '../../ui/choices';
import { LabElement } from '../../ui/lab-element';
import { variantsIn } from '../lesson-data';
import { longestChain, MEASURE_NAMES, runOf, windowOf, type Measure } from './charts';
import { evaluateAll, type Runner, type ShouldContinue } from './trials';
import { Work, type Job } from './work';
import type { RunsData } from '../../figures/charts/curves-layout';
import type { Page } from '../../lab/page';
import type { ComparisonOf } from '../format/comparisons';

const MEASURES: readonly Measure[] = ['loss', 'accuracy'];

/** Trains, then tests every run on pairs it has never seen. */
export class TrainingJob implements Job {
  private measure: Measure = 'loss';
  private data: RunsData | null = null;

  constructor(
    private readonly page: () => Page,
    readonly comparison: () => ComparisonOf<'training'>,
  ) {}

  get verb(): string {
    return texts.trainAll(this.comparison().runs.length);
  }

  get outcome(): string {
    return texts.trained(this.comparison().steps);
  }

  forget(): void {
    this.data = null;
  }

  async compare(work: Work, shouldContinue: ShouldContinue): Promise<void> {
    await work.train(shouldContinue);
    for (const runner of work.runners)
      if (shouldContinue() && !runner.problem) await this.evaluate(runner, work, shouldContinue);
  }

  /** Final figures: the evaluation, and with costs the longest dependency chain. */
  private async evaluate(runner: Runner, work: Work, shouldContinue: ShouldContinue): Promise<void> {
    const { session, hasTask, label } = runner;
    const { pairs, steps, costs } = this.comparison();
    const reportAndContinue: ShouldContinue = () => {
      work.report(texts.testing(label), steps, steps);
      return shouldContinue();
    };
    const reply = hasTask ? await evaluateAll(session, pairs, 0, reportAndContinue) : null;
    if (reply?.ok && reply.value.done === reply.value.pairs) runner.written = reply.value;
    if (costs && shouldContinue()) runner.chain = await chainOf(runner, this.page());
  }

  redraw({ runners }: Work): void {
    const { measure } = this;
    const { steps, costs } = this.comparison();
    const window = Math.max(1, ...runners.map((runner) => windowOf(runner, steps)));
    this.data = {
      title: texts.titleOf(measure, window),
      x: { label: texts.STEP, from: 1, to: steps },
      y: { label: MEASURE_NAMES[measure], ...(measure === 'accuracy' && { from: 0, to: 1 }) },
      runs: runners.map((runner) => runOf(runner, measure, steps, costs)),
    };
  }

  figure(work: Work): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data?.runs.some(({ curves }) => curves[0]!.points.length)) return nothing;
    return html`${work.runners.some(({ hasTask }) => hasTask) ? this.measures(work) : nothing}
      <u-runs .data=${data}></u-runs>`;
  }

  private measures(work: Work): TemplateResult {
    const show = (measure: Measure): void => {
      this.measure = measure;
      work.redraw();
    };
    const isShown = (measure: Measure): boolean => measure === this.measure;
    const nameOf = (measure: Measure): string => MEASURE_NAMES[measure];
    return choices(texts.SHOWN_ON_AXIS, MEASURES, isShown, show, nameOf, { row: 'measures', button: 'small' });
  }
}

/** The longest chain on one pair: the page's own if it has one, so that all runs read the same. */
async function chainOf({ session, hasTask }: Runner, { pair }: Page): Promise<number | undefined> {
  if (hasTask && pair) await session.read(...pair);
  const trace = await session.trace();
  return trace.ok ? longestChain(trace.value) : undefined;
}

export class CompareTraining extends LabElement {
  protected readonly topics = [] as const;
  comparison!: ComparisonOf<'training'>;
  private readonly job = new TrainingJob(
    () => this.lab.page,
    () => this.comparison,
  );
  private readonly work = new Work(this, this.job, { configOf: variantsIn(this) });

  protected override render(): TemplateResult {
    return this.work.render();
  }
}

customElements.define('u-compare-training', CompareTraining);
