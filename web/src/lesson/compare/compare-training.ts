// <u-compare-training>: several settings trained from the same seed on the same batches, on one axis.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { choices, type Choice } from '../task/choices';
import { longestChain, MEASURE_NAMES, runOf, windowOf, type Measure } from './compare-layout';
import type { Runner } from './compare-runner';
import { evaluateAll, type ShouldContinue } from './compare-trial';
import { CompareWork } from './compare-work';
import type { Page } from '../../lab/page';
import type { ComparisonOf } from '../format/comparisons';
import type { RunsData } from '../../figures/charts/runs-layout';

const MEASURES = (['loss', 'accuracy'] as const).map((value): Choice<Measure> => ({
  value,
  label: MEASURE_NAMES[value],
}));

export class CompareTraining extends CompareWork<ComparisonOf<'training'>> {
  static override properties = { ...CompareWork.properties, measure: { state: true }, data: { state: true } };
  declare measure: Measure;
  declare data: RunsData | null;

  constructor() {
    super();
    this.measure = 'loss';
    this.data = null;
  }

  protected get verb(): string {
    return texts.trainAll(this.comparison.runs.length);
  }

  protected get outcome(): string {
    return texts.trained(this.steps);
  }

  protected async work(shouldContinue: ShouldContinue): Promise<void> {
    await this.train(shouldContinue);
    for (const runner of this.runners)
      if (shouldContinue() && !runner.problem) await this.evaluate(runner, shouldContinue);
  }

  /** Final figures: the evaluation on pairs it has never seen, and its longest dependency chain. */
  private async evaluate(runner: Runner, shouldContinue: ShouldContinue): Promise<void> {
    const { session, hasTask, label } = runner;
    const { pairs } = this.comparison;
    const reportAndContinue: ShouldContinue = () => {
      this.reportProgress(texts.testing(label), this.steps, this.steps);
      return shouldContinue();
    };
    const reply = hasTask ? await evaluateAll(session, pairs, 0, reportAndContinue) : null;
    if (reply?.ok && reply.value.done === reply.value.pairs) runner.written = reply.value;
    if (shouldContinue()) runner.chain = await chainOf(runner, this.lab.page);
  }

  protected redraw(): void {
    const { measure, runners, steps } = this;
    const window = Math.max(1, ...runners.map((runner) => windowOf(runner, steps)));
    this.data = {
      title: texts.titleOf(measure, window),
      x: { label: texts.STEP, from: 1, to: steps },
      y: { label: MEASURE_NAMES[measure], ...(measure === 'accuracy' && { from: 0, to: 1 }) },
      runs: runners.map((runner) => runOf(runner, measure, steps)),
    };
  }

  protected figure(): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data?.runs.some(({ curves }) => curves[0]!.points.length)) return nothing;
    return html`${this.runners.some(({ hasTask }) => hasTask) ? this.measures() : nothing}
      <u-runs .data=${data}></u-runs>`;
  }

  private measures(): TemplateResult {
    const show = (measure: Measure): void => {
      this.measure = measure;
      this.redraw();
    };
    const isShown = (measure: Measure): boolean => measure === this.measure;
    return choices(texts.SHOWN_ON_AXIS, MEASURES, isShown, show, { row: 'measures', button: 'small' });
  }
}

/** The longest chain on one pair: the page's own if it has one, so that all runs read the same. */
async function chainOf({ session, hasTask }: Runner, { pair }: Page): Promise<number | undefined> {
  if (hasTask && pair) await session.read(...pair);
  const trace = await session.trace();
  return trace.ok ? longestChain(trace.value) : undefined;
}

customElements.define('u-compare-training', CompareTraining);
