// <u-curves .data>: a line chart, each line named at its end, with a cursor that reads every line at one x.
import { type TemplateResult, html, nothing, svg } from 'lit';
import {
  type Curve,
  type CurvesData,
  type Point,
  type Scale,
  at,
  dashOf,
  endOf,
  labelHeights,
  pathOf,
  pointAt,
  scaleX,
  scaleY,
  stopAfterKey,
  stopAt,
  stopsOf,
  ticksOf,
  valueAt,
} from './curves-layout';
import { chartTable, describeChart, readAt, tickText, xsOf } from './curves-words';
import { Figure, consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { textWidth, widest } from '../figure-text';
import { significant } from '../../ui/numbers';
import { palette } from '../shared/palette';

const SMALL = 12;
const TALL = 232;
const ROOMY = 480;
const END = 3.5;

interface Chart {
  x: Scale;
  y: Scale;
  width: number;
  height: number;
  /** There is room for names and values to the right of the chart. */
  beside: boolean;
  left: number;
  right: number;
}

export class Curves extends Figure {
  static override properties = { ...Figure.properties, data: { attribute: false }, cursor: { state: true } };

  declare data: CurvesData | null;
  /** The x that is read, or null. */
  declare cursor: number | null;

  #chart: Chart | null = null;

  constructor() {
    super();
    this.data = null;
    this.cursor = null;
  }

  protected get ready(): boolean {
    return this.data !== null;
  }

  protected get heading(): string {
    return this.data?.title ?? '';
  }

  protected picture(): TemplateResult {
    const { data } = this;
    if (!data) return html``;
    const chart = (this.#chart = this.#plan(data));
    const stops = stopsOf(data);
    const stop = this.cursor === null ? stops.length - 1 : stopAt(stops, this.cursor);
    return html`<div
      class="chart"
      role="slider"
      tabindex="0"
      aria-label="${data.title}, by ${data.x.label}"
      aria-valuemin="0"
      aria-valuemax=${Math.max(0, stops.length - 1)}
      aria-valuenow=${Math.max(0, stop)}
      aria-valuetext=${readAt(data, stops[stop]?.[0] ?? 0)}
      @keydown=${this.#keyed}
      @pointermove=${this.#pointed}
      @pointerdown=${this.#pointed}
      @pointerleave=${() => (this.cursor = null)}
    >
      <svg
        class="drawn"
        width=${chart.width}
        height=${chart.height}
        viewBox="0 0 ${chart.width} ${chart.height}"
        aria-hidden="true"
      >
        ${this.#axes(data, chart)} ${data.curves.map((curve, i) => this.#line(curve, i, chart))}
        ${this.#labels(data, chart)} ${this.#here(data, chart)}
      </svg>
    </div>`;
  }

  /** Sizes and scales for the current width. */
  #plan(data: CurvesData): Chart {
    const { width, zoom } = this;
    const { sans } = palette();
    const small = SMALL * zoom;
    const [top, bottom] = [small * 1.9, small * 2.9];
    const height = Math.round((width < ROOMY ? TALL * 0.86 : TALL) * (1 + (zoom - 1) * 0.5));
    const y = scaleY(data, [height - bottom, top]);
    const left = Math.ceil(widest(ticksOf(y, 4).map(tickText), small, sans)) + 10;
    const names = widest(
      data.curves.map(({ name }) => name),
      small,
      sans,
      600,
    );
    const value = textWidth(data.y.log ? '0.0 × 10⁻⁰⁰' : '0.0000', small, sans);
    const right = Math.ceil(names + value) + 17;
    const beside = width / zoom >= ROOMY && right < width * 0.4;
    const x = scaleX(data, [left, width - (beside ? right : 6)]);
    return { x, y, width, height, beside, left, right };
  }

  #axes(data: CurvesData, { x, y, width, height, beside, right }: Chart): TemplateResult {
    const [base, end] = [y.range[0], x.range[1]];
    const count = Math.max(2, Math.floor((end - x.range[0]) / (72 * this.zoom)));
    const step = SMALL * this.zoom;
    const first = x.range[0];
    return svg`
      ${ticksOf(y, 4).map(
        (tick) => svg`<line class="hair" x1=${first} x2=${end} y1=${crisp(at(y, tick))} y2=${crisp(at(y, tick))}></line>
        <text class="tick" text-anchor="end" x=${first - 7} y=${at(y, tick) + step * 0.35}>${tickText(tick)}</text>`,
      )}
      <line class="axis" x1=${first} x2=${end} y1=${crisp(base)} y2=${crisp(base)}></line>
      ${ticksOf(x, count).map((tick) => {
        const px = at(x, tick);
        return svg`<line class="axis" x1=${crisp(px)} x2=${crisp(px)} y1=${base} y2=${base + 4}></line>
        <text class="tick" text-anchor=${anchorOf(px, step, beside ? width - right + 40 : width)} x=${px} y=${base + step * 1.4}>${tickText(tick)}</text>`;
      })}
      <text class="axis-name" x="0" y=${step}>${data.y.label}${y.log ? ', log scale' : ''}</text>
      <text class="axis-name" text-anchor="end" x=${end} y=${height - 3}>${data.x.label}${x.log ? ', log scale' : ''}</text>`;
  }

  #line(curve: Curve, index: number, { x, y }: Chart): TemplateResult {
    const end = endOf(curve, x, y);
    return svg`<g style="color:${colorOf(curve)}">
      <path class="curve" d=${pathOf(curve, x, y)} stroke-dasharray=${dashOf(curve, index) || 'none'}></path>
      ${curve.dots ? curve.points.map((point) => dotAt(at(x, point[0]), at(y, point[1]))) : nothing}
      ${end ? svg`<path class="end ${index % 2 ? 'hollow' : ''}" d=${markAt(end, index)}></path>` : nothing}
    </g>`;
  }

  /** Names to the right of line ends, or above where there is no room; with values at the cursor if `beside`. */
  #labels(data: CurvesData, { x, y, beside, width }: Chart): (TemplateResult | typeof nothing)[] {
    const size = SMALL * this.zoom;
    const ends = data.curves.map((curve) => endOf(curve, x, y) ?? ([x.range[1], y.range[0]] as Point));
    const after = data.curves.map(
      ({ name }, i) => ends[i]![0] + 12 + textWidth(name, size, palette().sans, 600) <= width,
    );
    const wanted = ends.map(([, py], i) => py + size * (after[i] ? 0.35 : -0.7));
    const heights = labelHeights(wanted, size * 1.3, [y.range[1], y.range[0] + (beside ? 4 : -6)]);
    return data.curves.map((curve, i) => {
      if (!curve.points.length) return nothing;
      const value = beside && this.cursor !== null ? pointAt(curve, this.cursor)?.[1] : undefined;
      const [end, height] = [ends[i]!, heights[i]!];
      const moved = Math.abs(height - wanted[i]!) > 2;
      const px = end[0] + (after[i] ? 10 : -9); // clear of the marks
      const lead = after[i] && moved;
      return svg`<g style="color:${colorOf(curve)}">
        ${lead ? svg`<path class="lead" d="M${end[0] + 5} ${end[1]}L${px - 1} ${height - size * 0.35}"></path>` : nothing}
        <text class="end-name" text-anchor=${after[i] ? 'start' : 'end'} x=${px} y=${height}>${curve.name}${
          value === undefined ? nothing : svg`<tspan class="value here" dx="5">${significant(value, 2)}</tspan>`
        }</text></g>`;
    });
  }

  /** The cursor: a line through the chart and a ring on every curve. */
  #here(data: CurvesData, { x, y }: Chart): TemplateResult | typeof nothing {
    if (this.cursor === null) return nothing;
    const px = crisp(at(x, this.cursor));
    return svg`<g class="here">
      <line x1=${px} x2=${px} y1=${y.range[1] - 4} y2=${y.range[0] + 4}></line>
      ${data.curves.map((curve) => {
        const point = pointAt(curve, this.cursor!);
        const height = point ? at(y, point[1]) : NaN;
        return Number.isNaN(height) ? nothing : svg`<circle cx=${at(x, point![0])} cy=${height} r="3.5"></circle>`;
      })}</g>`;
  }

  readonly #pointed = (event: PointerEvent): void => {
    const { data } = this;
    const chart = this.#chart;
    const box = this.querySelector('svg.drawn')?.getBoundingClientRect();
    if (!data || !chart || !box) return;
    const stops = stopsOf(data);
    this.cursor = stops[stopAt(stops, valueAt(chart.x, event.clientX - box.left))]?.[0] ?? null;
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (!this.data || event.altKey || event.metaKey || event.ctrlKey) return;
    const stops = stopsOf(this.data);
    if (event.key === 'Escape' && this.cursor !== null) {
      this.cursor = null;
      return consumeKey(event, true);
    }
    const from = this.cursor === null ? stops.length - 1 : stopAt(stops, this.cursor);
    const to = stopAfterKey(stops.length, from, event.key);
    if (to !== null && stops[to]) this.cursor = stops[to][0];
    consumeKey(event, to !== null);
  };

  protected readout(): string {
    const last = this.data ? stopsOf(this.data).at(-1)?.[0] : undefined;
    if (!this.data || last === undefined) return 'Nothing measured yet.';
    return readAt(this.data, this.cursor ?? last);
  }

  protected spoken(): string {
    return this.data ? describeChart(this.data) : '';
  }

  protected twin(): TemplateResult {
    return this.data ? chartTable(this.data) : html``;
  }

  protected csv(): string {
    const { data } = this;
    if (!data) return '';
    const columns = data.curves.map((curve) => new Map(curve.points));
    return csvOf([
      [data.x.label, ...data.curves.map(({ name }) => name)],
      ...xsOf(data).map((x) => [x, ...columns.map((column) => column.get(x) ?? '')]),
    ]);
  }
}

const crisp = (pixels: number): number => Math.round(pixels - 0.5) + 0.5;

/** Right-aligns a label that would overflow the drawing. */
const anchorOf = (px: number, size: number, width: number): string => (px + size * 1.4 > width ? 'end' : 'middle');

export const colorOf = (curve: Curve): string => `var(--${curve.role ?? 'ink'})`;

const dotAt = (px: number, py: number): TemplateResult | typeof nothing =>
  Number.isNaN(px + py) ? nothing : svg`<circle class="dot" cx=${px} cy=${py} r="2.5"></circle>`;

/** The mark at the end of a line, by index: disc, ring, square, frame, triangle, … (every second is drawn hollow). */
function markAt([x, y]: Point, index: number): string {
  const r = END;
  const shape = Math.floor(index / 2) % 3;
  if (shape === 0) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  if (shape === 1) return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
  return `M${x} ${y - r}l${r} ${2 * r}h${-2 * r}z`;
}

customElements.define('u-curves', Curves);
