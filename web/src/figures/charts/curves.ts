// <u-curves .data>: a line chart, each line named at its end, with a cursor that reads every line at one x.
// <u-runs .data>: a few runs in one chart, with their seeds and results.
import { type TemplateResult, LitElement, html, nothing } from 'lit';
import { NOTHING_MEASURED, RESULTS, RUN, SEED, cursorOf, resultsOf } from '#messages/figures/charts';
import './charts.css';
import { significant } from '../../ui/numbers';
import { type Description, type Drawing, type Room, renamed, sliderNavigation } from '../host/contract';
import { DataFigure } from '../host/figure';
import { textWidth, widest, wordWidth } from '../shared/palette';
import { markOverflow } from '../shared/overflow';
import {
  type Chart,
  SMALL,
  axes,
  chartTable,
  cursorAt,
  describeChart,
  lineOf,
  names,
  readAt,
  tickText,
} from './curves-drawing';
import {
  type CurvesData,
  type Run,
  type RunsData,
  dashOf,
  endTogether,
  keyOf,
  labelsOf,
  mergeRuns,
  scaleX,
  scaleY,
  stopAt,
  stopsOf,
  ticksOf,
  valueAt,
} from './curves-layout';

const TALL = 232;
const ROOMY = 480;
/** With more curves, the names beside the chart would be too far from the ends of their lines. */
const MOST_BESIDE = 6;

/** Its cells are the x of the measurements. */
export class Curves extends DataFigure<CurvesData, number> {
  protected override readonly frame = 'chart';

  protected describe(data: CurvesData): Description<number> {
    const last = stopsOf(data).at(-1)?.[0];
    return {
      heading: data.title,
      summary: () => describeChart(data),
      cell: (x) => readAt(data, x),
      readout: (here) => (last === undefined ? NOTHING_MEASURED : readAt(data, here ?? last)),
      tables: () => [chartTable(data)],
    };
  }

  protected layOut(data: CurvesData, room: Room): Drawing<number> {
    const chart = chartOf(data, room);
    const { stops } = chart;
    const index = (x: number): number => Math.max(0, stopAt(stops, x));
    const indexes = sliderNavigation(cursorOf(data.title, data.x.label), Math.max(0, stops.length - 1));
    const own = renamed(indexes, (i) => stops[i]?.[0] ?? 0, index);
    return {
      ...{ width: chart.width, height: chart.height },
      draw: (here) => [
        axes(data, chart),
        ...data.curves.map((curve, i) => lineOf(curve, i, chart)),
        ...names(data, chart, here),
        cursorAt(data, chart, here),
      ],
      hit: (x) => stops[stopAt(stops, valueAt(chart.x, x))]?.[0] ?? null,
      navigation: { ...own, first: stops.at(-1)?.[0] ?? 0 },
    };
  }

  protected override point(x: number | null): void {
    this.cursor = x;
  }

  protected override ownKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || this.cursor === null) return false;
    this.cursor = null;
    return true;
  }
}

function chartOf(data: CurvesData, { width, zoom }: Room): Chart {
  const line = SMALL * zoom;
  const height = Math.round((width < ROOMY ? TALL * 0.86 : TALL) * (1 + (zoom - 1) * 0.5));
  const y = scaleY(data, [height - line * 2.9, line * 1.9]);
  const left = Math.ceil(widest(ticksOf(y, 4).map(tickText), line)) + 10;
  const widths = data.curves.map(({ name }) => wordWidth(name, line));
  const value = textWidth(data.y.log ? '0.0 × 10⁻⁰⁰' : '0.0000', line);
  const right = Math.ceil(Math.max(0, ...widths) + value) + 17;
  const few = data.curves.length <= MOST_BESIDE;
  const beside = few && width / zoom >= ROOMY && right < width * 0.4 && endTogether(data.curves);
  const key = beside ? null : keyOf(widths, left, width, line);
  const more = key?.height ?? 0;
  const x = scaleX(data, [left, width - (beside ? right : 6)]);
  const below = { ...y, range: [y.range[0] + more, y.range[1] + more] as const };
  return { x, y: below, width, height: height + more, key, right, line, stops: stopsOf(data) };
}

customElements.define('u-curves', Curves);

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
