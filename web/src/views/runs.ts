// <u-runs .data>: two runs, or a few, on one axis, with their seeds and what they came to.
import { LitElement, type TemplateResult, html, nothing } from 'lit';
import './curves';
import { dashOf } from './curves-layout';
import { significant } from './numbers';
import { markOverflow } from './overflow';
import { type Run, type RunsData, labelsOf, together } from './runs-layout';

export class Runs extends LitElement {
  static override properties = { data: { attribute: false } };
  declare data: RunsData | null;

  constructor() {
    super();
    this.data = null;
  }

  override createRenderRoot(): this {
    return this;
  }

  override updated(): void {
    markOverflow(this.querySelector<HTMLElement>('.final'));
  }

  override render(): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data) return nothing;
    return html`<u-curves .data=${together(data)}></u-curves>${this.#figures(data)}`;
  }

  #figures(data: RunsData): TemplateResult {
    const { title, runs } = data;
    const labels = labelsOf(runs);
    const seeds = runs.some(({ seed }) => seed !== undefined);
    const lines = together(data).curves;
    const dashes = (run: number): string => {
      const first = runs.slice(0, run).flatMap(({ curves }) => curves).length;
      return (lines[first] && dashOf(lines[first], first)) || 'none';
    };
    const cell = (run: Run, label: string): string => {
      const value = run.figures.find((figure) => figure.label === label)?.value;
      return value === undefined ? '–' : typeof value === 'number' ? significant(value, 4) : value;
    };
    return html`<div class="final" tabindex="0" role="region" aria-label="What the runs came to: ${title}">
      <table>
        <caption class="vh">
          What the runs came to
        </caption>
        <thead>
          <tr>
            <th scope="col">run</th>
            ${seeds ? html`<th scope="col">seed</th>` : nothing}
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
