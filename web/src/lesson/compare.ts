// <u-compare>: one tensor under several settings, as a table; each row is a run of the engine.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import { perform, type Changes } from './changes';
import { lessonData, ownExperiment, type LessonData } from './lesson-data';
import type { Comparison } from '../../plugin/tasks';

interface Row {
  label: string;
  values: number[];
}

export class Compare extends LabElement {
  static override properties = { rows: { state: true } };
  declare rows: Row[];
  private comparison: Comparison | null = null;
  private labels: LessonData['labels'] = {};

  constructor() {
    super();
    this.rows = [];
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.compute();
  }

  private async compute(): Promise<void> {
    const { comparisons, labels } = await lessonData();
    const { of, runs } = (this.comparison = comparisons[this.id]!);
    this.labels = labels;
    const base = ownExperiment();
    this.rows = await this.lab.probe(async (session) => {
      const rows: Row[] = [];
      for (const { label, with: changes } of runs) {
        const run = await perform(session, base, changes as Changes);
        rows.push({ label, values: Array.from((await run.lookup([of]))(of)!.values) });
      }
      return rows;
    });
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.rows.length) return nothing;
    const { of, digits } = this.comparison!;
    const columns = this.labels[of]?.columns ?? this.rows[0]!.values.map((_, i) => i);
    return html`<div class="wide" tabindex="0" role="region" aria-label=${`${of} compared`}>
      <table class="comparison">
        <thead>
          <tr>
            <th scope="col">${of}</th>
            ${columns.map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${this.rows.map(({ label, values }) => this.row(label, values, digits))}
        </tbody>
      </table>
    </div>`;
  }

  /** A bar under each number: its share of the row. */
  private row(label: string, values: number[], digits: number): TemplateResult {
    const total = values.reduce((sum, value) => sum + Math.abs(value), 0) || 1;
    return html`<tr>
      <th scope="row">${label}</th>
      ${values.map((value) => html`<td style=${`--share: ${Math.abs(value) / total}`}>${value.toFixed(digits).replace('-', '−')}</td>`)}
    </tr>`;
  }
}

customElements.define('u-compare', Compare);
