// <u-draw-curve>: a curve that the reader draws, by pointer, by finger, or with a slider for each of its points.
import * as texts from '#messages/lesson/compare';
import { html, svg, type TemplateResult, nothing } from 'lit';
import './draw-curve.css';
import { chartOf } from '../../../figures/charts/curves';
import { axes, lineOf, type Chart } from '../../../figures/charts/curves-drawing';
import { at, valueAt, type Point, type Scale } from '../../../figures/charts/curves-layout';
import { pointIn } from '../../../figures/host/stage';
import { textZoom } from '../../../figures/shared/palette';
import { onResize, PlainElement, states, whileConnected } from '../../../ui/lab-element';
import { lengthsChart } from '../charts';
import { drawnCurve } from './gap';
import type { LengthsAxis } from '../../format/comparisons';
import { heightsOf, nearest } from './stroke';

/** CSS pixels of what a finger can hit. */
const TARGET = 44;
const KNOB = 6;
/** Percent. */
const STEP = 5;

const snapped = (percent: number): number => STEP * Math.round(Math.max(0, Math.min(100, percent)) / STEP);

/** What a finger can take hold of; no part of the drawing, which would scroll the page with it. */
const grip = (x: number, y: number): TemplateResult =>
  html`<span
    class="grip"
    style="left:${x - TARGET / 2}px;top:${y - TARGET / 2}px;width:${TARGET}px;height:${TARGET}px"
  ></span>`;

/** The same axis, going on beyond both its ends for so many pixels. */
function inset(x: Scale, by: number): Scale {
  const [first, end] = x.range;
  const inner: Scale = { ...x, range: [first + by, end - by] };
  return { ...x, from: valueAt(inner, first), to: valueAt(inner, end) };
}

export class DrawCurve extends PlainElement {
  static override properties = states('axis', 'values', 'width', 'held');
  axis: LengthsAxis = { lengths: [], over: 'length' };
  /** In percent, one for each length. */
  values: readonly number[] = [];
  /** CSS pixels; 0 until measured. */
  width = 0;
  /** The point whose slider has the focus. */
  held: number | null = null;
  draw: (values: number[]) => void = () => undefined;
  /** Where the pointer was, and which point alone it moves; null while it is up. */
  private stroke: { from: Point; only: number | null } | null = null;

  constructor() {
    super();
    whileConnected(this, () =>
      onResize(this, () => requestAnimationFrame(() => (this.width = this.clientWidth || this.width))),
    );
  }

  private get lengths(): readonly number[] {
    return this.axis.lengths;
  }

  private get chart(): Chart {
    const room = { width: this.width, maxHeight: Infinity, zoom: textZoom(), line: 0 };
    const chart = chartOf(lengthsChart(this.axis, [drawnCurve(this.lengths, this.values)], 1), room);
    return { ...chart, x: inset(chart.x, TARGET / 2) };
  }

  protected override render(): TemplateResult | typeof nothing {
    if (!this.width) return nothing;
    const { chart } = this;
    const curve = drawnCurve(this.lengths, this.values);
    const data = lengthsChart(this.axis, [curve], 1);
    return html`<div
      class="plot drawing"
      @pointerdown=${this.down}
      @pointermove=${this.move}
      @pointerup=${this.lift}
      @pointercancel=${this.lift}
      @click=${this.clicked}
    >
      <svg
        class="drawn"
        width=${chart.width}
        height=${chart.height}
        viewBox="0 0 ${chart.width} ${chart.height}"
        aria-hidden="true"
      >
        ${axes(data, chart)} ${lineOf(curve, 0, chart)}
        ${curve.points.map(([x, y], i) => this.knob(at(chart.x, x), at(chart.y, y), i))}
      </svg>
      ${curve.points.map(([x, y]) => grip(at(chart.x, x), at(chart.y, y)))}
      ${this.lengths.map((length, i) => this.slider(length, i, chart))}
    </div>`;
  }

  private knob(x: number, y: number, i: number): TemplateResult {
    return svg`<g class=${i === this.held ? 'knob held' : 'knob'}>
      <circle class="ring" cx=${x} cy=${y} r=${2 * KNOB}></circle>
      <circle class="disc" cx=${x} cy=${y} r=${KNOB}></circle>
    </g>`;
  }

  /** For keys and screen readers; the pointer passes through it to the drawing. */
  private slider(length: number, i: number, { x, y }: Chart): TemplateResult {
    const [bottom, top] = y.range;
    const style = `left:${at(x, length) - TARGET / 2}px;top:${top}px;width:${TARGET}px;height:${bottom - top}px`;
    return html`<input
      type="range"
      min="0"
      max="100"
      step=${STEP}
      style=${style}
      .value=${String(this.values[i]!)}
      aria-label=${texts.drawnAt(this.axis.over, length)}
      aria-valuetext=${texts.percent(this.values[i]!)}
      aria-orientation="vertical"
      @input=${({ target }: Event) => this.slide(i, Number((target as HTMLInputElement).value))}
      @keydown=${(event: KeyboardEvent) => this.keyed(event, i)}
      @focus=${() => (this.held = i)}
      @blur=${() => (this.held = null)}
    />`;
  }

  /** Left and right lead to the next length; the browser's own keys move the point up and down. */
  private keyed(event: KeyboardEvent, i: number): void {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.key !== 'Tab') event.stopPropagation();
    if (by === undefined) return;
    event.preventDefault();
    this.focusOn(i + by);
  }

  private slide(i: number, percent: number): void {
    this.draw(this.values.map((value, each) => (each === i ? percent : value)));
  }

  private focusOn(i: number): void {
    this.querySelectorAll('input')[i]?.focus({ preventScroll: true });
  }

  /** In pixels; null leaves a point where it is. */
  private put(heights: readonly (number | null)[]): void {
    const { y } = this.chart;
    const values = heights.map((height, i) => (height === null ? this.values[i]! : snapped(valueAt(y, height))));
    if (values.some((value, i) => value !== this.values[i])) this.draw(values);
  }

  private get columns(): number[] {
    const { x } = this.chart;
    return this.lengths.map((length) => at(x, length));
  }

  private placeOf(event: PointerEvent): Point {
    return pointIn(this.querySelector('svg')!, event);
  }

  /** The point nearest to the pointer comes to its height. */
  private readonly tap = (event: PointerEvent): number => {
    const [columns, place] = [this.columns, this.placeOf(event)];
    const here = nearest(columns, place);
    this.put(columns.map((_, i) => (i === here ? place[1] : null)));
    return here;
  };

  /** A finger beside the points may be about to scroll the page: there only a tap counts. On a point it moves this one. */
  private readonly down = (event: PointerEvent): void => {
    const touches = event.pointerType === 'touch';
    if (event.button !== 0 || (touches && !(event.target as Element).matches('.grip'))) return;
    (event.currentTarget as Element).setPointerCapture(event.pointerId);
    event.preventDefault(); // no text is selected, and the focus stays on the slider
    const point = this.tap(event);
    this.stroke = { from: this.placeOf(event), only: touches ? point : null };
    this.focusOn(point);
  };

  private readonly move = (event: PointerEvent): void => {
    if (!this.stroke) return;
    const [{ from, only }, to] = [this.stroke, this.placeOf(event)];
    this.stroke.from = to;
    this.put(
      only === null ? heightsOf(this.columns, from, to) : this.lengths.map((_, i) => (i === only ? to[1] : null)),
    );
  };

  private readonly lift = (): void => void (this.stroke = null);

  /** A mouse has drawn already. */
  private readonly clicked = (event: PointerEvent): void => {
    if (event.pointerType === 'touch') this.tap(event);
  };
}

customElements.define('u-draw-curve', DrawCurve);
