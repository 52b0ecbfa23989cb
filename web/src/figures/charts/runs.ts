// <u-runs .data>: a few runs in one chart, with their seeds and results.
import { LitElement, type TemplateResult, html, nothing } from 'lit';
import './charts.css';
import './runs.css';
import './curves';
import { RESULTS, RUN, SEED, resultsOf } from '#messages/figures/charts';
import { dashOf } from './curves-layout';
import { significant } from '../../ui/numbers';
import { markOverflow } from '../shared/overflow';
import { type Run, type RunsData, labelsOf, mergeRuns } from './runs-layout';

export class Runs extends LitElement {
  static override properties = { data: { attribute: false } };
  data: RunsData | null = null;

  override createRenderRoot(): this {
    return this;
  }

  override updated(): void {
    markOverflow(this.querySelector<HTMLElement>('.final'));
  }

  override render(): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data) return nothing;
    return html`<u-curves .data=${mergeRuns(data)}></u-curves>${this.#figures(data)}`;
  }

  #figures(data: RunsData): TemplateResult {
    const { title, runs } = data;
    const labels = labelsOf(runs);
    const seeds = runs.some(({ seed }) => seed !== undefined);
    const lines = mergeRuns(data).curves;
    const dashes = (run: number): string => {
      const first = runs.slice(0, run).flatMap(({ curves }) => curves).length;
      return (lines[first] && dashOf(lines[first], first)) || 'none';
    };
    const cell = (run: Run, label: string): string => {
      const value = run.results.find((figure) => figure.label === label)?.value;
      return value === undefined ? '–' : typeof value === 'number' ? significant(value, 4) : value;
    };
    return html`<div class="final" tabindex="0" role="region" aria-label=${resultsOf(title)}>
      <table>
        <caption class="vh">
          ${RESULTS}
        </caption>
        <thead>
          <tr>
            <th scope="col">${RUN}</th>
            ${seeds ? html`<th scope="col">${SEED}</th>` : nothing}
            ${labels.map((label) => html`<th scope="col">${label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${runs.map(
            (run, i) =>
              html`<tr>
                <th scope="row">
                  <svg viewBox="0 0 22 8" aria-hidden="true" style="color:var(--${run.curves[0]?.role ?? 'ink'})">
                    <path d="M0 4h22" stroke-dasharray=${dashes(i)} /></svg
                  >${run.name}
                </th>
                ${seeds ? html`<td>${run.seed ?? '–'}</td>` : nothing}
                ${labels.map((label) => html`<td>${cell(run, label)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

customElements.define('u-runs', Runs);
