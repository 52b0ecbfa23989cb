// <u-compare-lags>: the norm of a tensor, like a gradient, by lag from the last position, under several settings.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../../ui/lab-element';
import { loadSequenceViews } from '../../figures/sequence';
import { perform, Refused, type Changes } from '../changes';
import { byLag, lagsChart } from './compare-layout';
import { normsOf } from './compare-trial';
import { ownExperiment } from '../lesson-data';
import type { ComparisonOf } from '../format/comparisons';
import type { Curve, CurvesData } from '../../figures/charts/curves-layout';

export class CompareLags extends LabElement {
  protected readonly topics = [] as const;
  static override properties = { data: { state: true }, refused: { state: true } };
  declare data: CurvesData | null;
  declare refused: string;
  comparison!: ComparisonOf<'lags'>;

  constructor() {
    super();
    this.data = null;
    this.refused = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.compute();
  }

  private async compute(): Promise<void> {
    const { of, runs } = this.comparison;
    const base = ownExperiment(this);
    try {
      const curves = await this.lab.probe(async (session) => {
        const curves: Curve[] = [];
        for (const { label, with: changes } of runs)
          curves.push({
            name: label,
            points: byLag(await normsOf(await perform(session, base, changes as Changes), of)),
          });
        return curves;
      });
      await loadSequenceViews();
      this.data = lagsChart(of, curves);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = error.message;
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.refused) return html`<p class="refused">${this.refused}</p>`;
    return this.data ? html`<u-curves .data=${this.data}></u-curves>` : nothing;
  }
}

customElements.define('u-compare-lags', CompareLags);
