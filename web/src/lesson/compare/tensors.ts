// <u-compare-values>: one tensor under several settings, as a table. <u-compare-lags>: its norm by lag from the last position,
// as curves. Each line is from a run of the engine, when the comparison comes near.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { LabElement } from '../../ui/lab-element';
import { fixed } from '../../ui/numbers';
import { perform, type Run } from '../run';
import { Refused } from '../../engine/refused';
import { byLag, lagsChart, linesOf, normsOf, type Line } from './charts';
import { ownExperiment } from '../lesson-data';
import { markOverflow } from '../../figures/shared/overflow';
import { loadSequenceViews } from '../../figures/sequence';
import type { Labels } from '../../lab/page';
import type { Changes } from '../changes';
import type { ComparisonOf } from '../format/comparisons';
import type { Curve } from '../../figures/charts/curves-layout';

/** What a run of the engine gives for each of the settings, computed when the comparison comes near. */
abstract class Computed<Result> extends LabElement {
  protected readonly topics = [] as const;
  static override properties = { results: { state: true }, refused: { state: true } };
  results: Result[] = [];
  refused = '';
  abstract comparison: ComparisonOf<'values' | 'lags'>;

  protected abstract resultsOf(label: string, run: Run): Promise<Result[]>;
  protected abstract shown(): TemplateResult;

  protected get labels(): Labels {
    return this.lab.page.labels;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.compute();
  }

  private async compute(): Promise<void> {
    const base = ownExperiment(this);
    try {
      this.results = await this.lab.probe(async (session) => {
        const results: Result[] = [];
        for (const { label, with: changes } of this.comparison.runs)
          results.push(...(await this.resultsOf(label, await perform(session, base, changes as Changes))));
        return results;
      });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.refused = error.message;
    }
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.refused) return html`<p class="refused">${this.refused}</p>`;
    return this.results.length ? this.shown() : nothing;
  }
}

export class CompareValues extends Computed<Line> {
  comparison!: ComparisonOf<'values'>;

  protected async resultsOf(label: string, run: Run): Promise<Line[]> {
    const { of } = this.comparison;
    return linesOf(label, (await run.lookup([of]))(of)!, this.comparison);
  }

  protected override updated(_: PropertyValues): void {
    markOverflow(this.querySelector<HTMLElement>('.wide'));
  }

  protected shown(): TemplateResult {
    const { of, runs } = this.comparison;
    const labels = runs.map(({ label }) => label);
    const shown = this.nameOfShown();
    const columns = this.labels[of]?.columns ?? this.results[0]!.values.map((_, i) => i);
    const single = this.results[0]!.values.length === 1;
    return html`<div class="wide" tabindex="0" role="region" aria-label=${texts.valuesOf(shown, labels)}>
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col" colspan=${this.hasRows ? 2 : 1}>${single ? texts.RUN : shown}</th>
            ${single ? html`<th scope="col">${shown}</th>` : columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        ${this.comparison.runs.map(({ label }) => this.group(this.results.filter((line) => line.label === label)))}
      </table>
    </div>`;
  }

  /** "α", or "α, head 1" for one of its matrices. */
  private nameOfShown(): string {
    const { of, slice } = this.comparison;
    const names = this.labels[of];
    return slice === undefined ? of : texts.sliceOf(of, names?.slice ?? texts.SLICE, names?.slices?.[slice] ?? slice);
  }

  private get hasRows(): boolean {
    return this.results.some(({ row }) => row !== null);
  }

  /** The lines of one run. */
  private group(lines: readonly Line[]): TemplateResult {
    return html`<tbody>
      ${lines.map(
        (line, i) =>
          html`<tr>
            ${i ? nothing : html`<th scope="rowgroup" rowspan=${lines.length}>${line.label}</th>`}
            ${this.hasRows ? html`<th scope="row">${this.rowName(line)}</th>` : nothing} ${this.cells(line)}
          </tr>`,
      )}
    </tbody>`;
  }

  private rowName({ row }: Line): string | number {
    return row === null ? '' : (this.labels[this.comparison.of]?.rows?.[row] ?? row);
  }

  /** A bar under each value: its share of the line by magnitude, if there is more than one. */
  private cells({ values }: Line): TemplateResult[] {
    const total = values.length > 1 ? values.reduce((sum, value) => sum + Math.abs(value), 0) || 1 : Infinity;
    const { digits } = this.comparison;
    return values.map((value) => html`<td style=${`--share: ${Math.abs(value) / total}`}>${fixed(value, digits)}</td>`);
  }
}

customElements.define('u-compare-values', CompareValues);

export class CompareLags extends Computed<Curve> {
  comparison!: ComparisonOf<'lags'>;

  protected async resultsOf(label: string, run: Run): Promise<Curve[]> {
    await loadSequenceViews();
    return [{ name: label, points: byLag(await normsOf(run, this.comparison.of)) }];
  }

  protected shown(): TemplateResult {
    return html`<u-curves .data=${lagsChart(this.comparison.of, this.results)}></u-curves>`;
  }
}

customElements.define('u-compare-lags', CompareLags);
