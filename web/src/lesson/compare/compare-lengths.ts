// <u-compare-lengths>: exact match of several trained settings, by source length.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { exactShare, lengthsChart } from './compare-layout';
import type { Runner } from './compare-runner';
import { evaluateAll, type ShouldContinue } from './compare-trial';
import { CompareWork } from './compare-work';
import type { ComparisonOf } from '../format/comparisons';
import type { CurvesData, Point } from '../../figures/charts/curves-layout';

export class CompareLengths extends CompareWork<ComparisonOf<'lengths'>> {
  static override properties = { ...CompareWork.properties, data: { state: true } };
  declare data: CurvesData | null;
  private measured = new Map<Runner, Point[]>();

  constructor() {
    super();
    this.data = null;
  }

  protected readonly verb = texts.MEASURE;

  protected get outcome(): string {
    return texts.measured(this.steps, this.comparison.pairs);
  }

  /** Length by length, so that the curves grow together. */
  protected async work(shouldContinue: ShouldContinue): Promise<void> {
    this.measured = new Map(this.runners.map((runner) => [runner, []]));
    await this.train(shouldContinue);
    for (const length of this.comparison.lengths)
      for (const runner of this.runners)
        if (shouldContinue() && !runner.problem) await this.measure(runner, length, shouldContinue);
  }

  private async measure(runner: Runner, length: number, shouldContinue: ShouldContinue): Promise<void> {
    const { lengths, pairs } = this.comparison;
    const reply = await evaluateAll(runner.session, pairs, length, () => {
      this.reportProgress(texts.atLength(length), lengths.indexOf(length), lengths.length);
      return shouldContinue();
    });
    if (!reply.ok) return void (runner.problem = reply.message);
    const share = reply.value.done === reply.value.pairs ? exactShare(reply.value) : null;
    if (share !== null) this.measured.get(runner)!.push([length, share]);
  }

  protected redraw(): void {
    const curves = [...this.measured].map(([{ label }, points]) => ({ name: label, points: [...points], dots: true }));
    this.data = lengthsChart(this.comparison.lengths, curves);
  }

  protected figure(): TemplateResult | typeof nothing {
    if (!this.data?.curves.some(({ points }) => points.length)) return nothing;
    return html`<u-curves .data=${this.data}></u-curves>`;
  }
}

customElements.define('u-compare-lengths', CompareLengths);
