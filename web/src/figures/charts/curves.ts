// <u-curves .data>: a line chart, each line named at its end, with a cursor that reads every line at one x.
// <u-runs .data>: a few runs in one chart, with their seeds and results.
import { type TemplateResult, html, nothing } from 'lit';
import { NOTHING_MEASURED, RESULTS, RUN, SEED, cursorOf, resultsOf } from '#messages/figures/charts';
import './charts.css';
import { PlainElement, states } from '../../ui/lab-element';
import { significant } from '../../ui/numbers';
import { type Description, type Drawing, type Room, renamed, sliderNavigation } from '../host/contract';
import { DataFigure } from '../host/figure';
import { textWidth, widest, wordWidth } from '../shared/palette';
import { markOverflow } from '../shared/overflow';
import * as drawing from './curves-drawing';
import * as layout from './curves-layout';

const TALL = 232;
const ROOMY = 480;
/** With more curves, the names beside the chart would be too far from the ends of their lines. */
const MOST_BESIDE = 6;

/** Its cells are the x of the measurements. */
export class Curves extends DataFigure<layout.CurvesData, number> {
  protected override readonly frame = 'chart';
  protected override readonly stretches = true;

  protected describe(data: layout.CurvesData): Description<number> {
    const last = layout.stopsOf(data).at(-1)?.[0];
    return {
      heading: data.title,
      summary: () => drawing.describeChart(data),
      cell: (x) => drawing.readAt(data, x),
      readout: (here) => (last === undefined ? NOTHING_MEASURED : drawing.readAt(data, here ?? last)),
      tables: () => [drawing.chartTable(data)],
    };
  }

  protected layOut(data: layout.CurvesData, room: Room): Drawing<number> {
    const chart = chartOf(data, room);
    const { stops } = chart;
    const index = (x: number): number => Math.max(0, layout.stopAt(stops, x));
    const indexes = sliderNavigation(cursorOf(data.title, data.x.label), Math.max(0, stops.length - 1));
    const own = renamed(indexes, (i) => stops[i]?.[0] ?? 0, index);
    return {
      ...{ width: chart.width, height: chart.height },
      draw: (here) => [
        drawing.axes(data, chart),
        ...drawing.rangesAt(data, chart),
        ...data.curves.map((curve, i) => drawing.lineOf(curve, i, chart)),
        ...drawing.names(data, chart, here),
        drawing.cursorAt(data, chart, here),
      ],
      hit: (x) => stops[layout.stopAt(stops, layout.valueAt(chart.x, x))]?.[0] ?? null,
      navigation: { ...own, first: stops.at(-1)?.[0] ?? 0 },
    };
  }

  protected override point(x: number | null): void {
    this.cursor = x;
  }

  /** On the stage it first comes a frame after the panel around it: both at once would hold the page for too long. */
  protected override async scheduleUpdate(): Promise<void> {
    if (!this.hasUpdated && this.data?.stage) await new Promise(requestAnimationFrame);
    await super.scheduleUpdate();
  }

  protected override ownKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || this.cursor === null) return false;
    this.cursor = null;
    return true;
  }
}

/** That of the pane on the stage; in a text one that suits the width. */
function heightOf(data: layout.CurvesData, { width, maxHeight, zoom }: Room): number {
  const own = Math.round((width < ROOMY ? TALL * 0.86 : TALL) * (1 + (zoom - 1) * 0.5));
  return data.stage && maxHeight !== Infinity ? Math.max(own, Math.floor(maxHeight)) : own;
}

export function chartOf(data: layout.CurvesData, room: Room): drawing.Chart {
  const { width, zoom } = room;
  const line = drawing.SMALL * zoom;
  const height = heightOf(data, room);
  const named = layout.namedIn(data.curves);
  const ranges = named.some(({ curves }) => curves.length > 1);
  const stacked = (data.stage ?? false) && (ranges || width / zoom < ROOMY);
  const y = layout.scaleY(data, [height - line * 2.9, line * 1.9]);
  const left = Math.ceil(widest(layout.ticksOf(y, 4).map(drawing.tickText), line)) + 10;
  const widths = named.map(({ name }) => wordWidth(name, line));
  const value = textWidth(data.y.log ? '0.0 × 10⁻⁰⁰' : ranges ? '0.00000–0.0000' : '0.0000', line);
  const longest = Math.max(0, ...widths);
  const right = Math.ceil(stacked ? Math.max(longest, value) : longest + value) + 17;
  const few = named.length <= MOST_BESIDE;
  const roomy = few && width / zoom >= ROOMY && right < width * 0.4 && layout.endTogether(data.curves);
  const beside = data.stage ?? roomy;
  const key = beside ? null : layout.keyOf(widths, left, width, line);
  const more = key?.height ?? 0;
  const x = layout.scaleX(data, [left, width - (beside ? right : 6)]);
  const below = { ...y, range: [y.range[0] + more, y.range[1] + more] as const };
  return { x, y: below, width, height: height + more, key, right, line, stacked, stops: layout.stopsOf(data) };
}

customElements.define('u-curves', Curves);

export class Runs extends PlainElement {
  static override properties = states('data');
  data: layout.RunsData | null = null;

  override updated(): void {
    markOverflow(this.querySelector<HTMLElement>('.final'));
  }

  override render(): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data) return nothing;
    return html`<u-curves .data=${layout.mergeRuns(data)}></u-curves>${this.#figures(data)}`;
  }

  #figures(data: layout.RunsData): TemplateResult {
    const { title, runs } = data;
    const labels = layout.labelsOf(runs);
    const seeds = runs.some(({ seed }) => seed !== undefined);
    const lines = layout.mergeRuns(data).curves;
    const dashes = (run: number): string => {
      const first = runs.slice(0, run).flatMap(({ curves }) => curves).length;
      return (lines[first] && layout.dashOf(lines[first], first)) || 'none';
    };
    const cell = (run: layout.Run, label: string): string => {
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
