// A line chart in words, as a table, and drawn: axes, lines with a mark at their ends, names, and the cursor.
import { type TemplateResult, nothing, svg } from 'lit';
import * as texts from '#messages/figures/charts';
import { grouped } from '../../messages/intl';
import { significant } from '../../ui/numbers';
import type { Table, TableCell } from '../host/table';
import type { Part } from '../host/contract';
import type { Curve, CurvesData, Key, Named, Point, Range, Scale } from './curves-layout';
import {
  SAMPLE,
  at,
  dashOf,
  endOf,
  labelHeights,
  namedIn,
  pathOf,
  pointAt,
  ranged,
  rangesOf,
  ticksOf,
} from './curves-layout';
import { spreadOf, withoutSpread } from './curves-layout';

const MAX_ROWS = 256;

/** As `significant`; a large whole number, such as a count of steps, in groups: "95,200". */
const placeText = (value: number, digits: number): string => {
  const text = significant(value, digits);
  return /^\d{5,}$/.test(text) ? grouped(Number(text)) : text;
};

/** "1000", "20,000", "0.25"; a power of ten without its factor: "10⁻⁷". */
export const tickText = (value: number): string => placeText(value, 4).replace(/^1 × /, '');

const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0');

/** The value of every curve at x; of a mean with the range around it. */
export function readAt(data: CurvesData, x: number): string {
  const values = withoutSpread(data.curves).flatMap((curve) => {
    const point = pointAt(curve, x);
    const range = rangesOf(spreadOf(curve, data.curves)).find(([at]) => at === point?.[0]);
    return point ? [{ name: curve.name, value: unbroken(valueText(point[1], range)) }] : [];
  });
  return texts.valuesAt(data.x.label, placeText(x, 6), values);
}

function valueText(value: number, range: Range | undefined): string {
  const text = significant(value, 3);
  return range && range[1] < range[2]
    ? texts.withRange(text, significant(range[1], 3), significant(range[2], 3))
    : text;
}

/** For every curve its first and last point, its smallest and its largest value. */
export function describeChart(data: CurvesData): string {
  const curves = withoutSpread(data.curves).map((curve) =>
    [describeCurve(curve, data.x.label), ...describeSpread(spreadOf(curve, data.curves))].join(' '),
  );
  return texts.chartText(data.x, data.y, curves);
}

function describeSpread(curves: readonly Curve[]): string[] {
  const widths = rangesOf(curves).map(([, lowest, highest]) => highest - lowest);
  return widths.length ? [texts.spreadText(curves.length, significant(Math.max(...widths), 3))] : [];
}

function describeCurve({ name, points }: Curve, x: string): string {
  const finite = points.filter(([, y]) => Number.isFinite(y));
  const [first, last] = [finite[0], finite.at(-1)];
  if (!first || !last) return texts.noMeasurements(name);
  const lowest = finite.reduce((a, b) => (b[1] < a[1] ? b : a));
  const highest = finite.reduce((a, b) => (b[1] > a[1] ? b : a));
  const text = ([px, py]: Point) => ({ x: placeText(px, 5), y: significant(py, 3) });
  return texts.curveText(name, x, {
    first: text(first),
    last: text(last),
    lowest: text(lowest),
    highest: text(highest),
  });
}

/** Every x of any curve, in order. */
export const xsOf = ({ curves }: CurvesData): number[] =>
  [...new Set(curves.flatMap(({ points }) => points.map(([x]) => x)))].sort((a, b) => a - b);

export function chartTable(data: CurvesData): Table {
  const columns = data.curves.map((curve) => new Map(curve.points));
  const brief = (value: number | undefined): TableCell => ({
    value,
    text: value === undefined ? '' : significant(value, 6),
  });
  return {
    caption: data.title,
    quiet: true,
    kind: 'of-curves',
    most: MAX_ROWS,
    head: [data.x.label, ...data.curves.map(({ name }) => name)],
    rows: xsOf(data).map((x) => ({
      heads: [x],
      cells: columns.map((column) => brief(column.get(x))),
    })),
  };
}

export const SMALL = 12;
const END = 3.5;

export interface Chart {
  width: number;
  height: number;
  x: Scale;
  y: Scale;
  /** The x of every measurement. */
  stops: readonly Point[];
  /** Where the names are if there is no room for them, and for values, to the right of the chart. */
  key: Key | null;
  /** Width of those names and values. */
  right: number;
  /** Height of a line of text. */
  line: number;
  /** The value of a name stands below it. */
  stacked: boolean;
}

const crisp = (pixels: number): number => Math.round(pixels - 0.5) + 0.5;

/** Right-aligns a label that would overflow the drawing. */
const anchorOf = (px: number, size: number, width: number): string => (px + size * 1.4 > width ? 'end' : 'middle');

const colorOf = ({ role }: { role?: string | undefined }): string => `var(--${role ?? 'ink'})`;

export const axes = (data: CurvesData, chart: Chart): TemplateResult =>
  svg`${heights(chart)} ${widths(chart)}
    <text class="axis-name" x="0" y=${chart.line}>${texts.axisName(data.y)}</text>
    <text class="axis-name" text-anchor="end" x=${chart.x.range[1]} y=${chart.height - 3}>${texts.axisName(data.x)}</text>`;

function heights({ x, y, line }: Chart): TemplateResult[] {
  const [first, end] = x.range;
  return ticksOf(y, 4).map((tick) => {
    const py = at(y, tick);
    return svg`<line class="hair" x1=${first} x2=${end} y1=${crisp(py)} y2=${crisp(py)}></line>
      <text class="tick" text-anchor="end" x=${first - 7} y=${py + line * 0.35}>${tickText(tick)}</text>`;
  });
}

function widths({ x, y, width, key, right, line }: Chart): TemplateResult {
  const [first, end] = x.range;
  const base = y.range[0];
  const count = Math.max(2, Math.floor((end - first) / (6 * line)));
  const edge = key ? width : width - right + 40;
  return svg`<line class="axis" x1=${first} x2=${end} y1=${crisp(base)} y2=${crisp(base)}></line>
    ${ticksOf(x, count).map((tick) => {
      const px = at(x, tick);
      return svg`<line class="axis" x1=${crisp(px)} x2=${crisp(px)} y1=${base} y2=${base + 4}></line>
        <text class="tick" text-anchor=${anchorOf(px, line, edge)} x=${px} y=${base + line * 1.4}>${tickText(tick)}</text>`;
    })}`;
}

export function lineOf(curve: Curve, index: number, { x, y }: Chart): TemplateResult {
  if (curve.pale) return svg`<path class="curve pale" d=${pathOf(curve, x, y)}></path>`;
  if (curve.among !== undefined) return dotsOf(curve, x, y);
  const end = endOf(curve, x, y);
  return svg`<g style="color:${colorOf(curve)}">
    <path class="curve" d=${pathOf(curve, x, y)} stroke-dasharray=${dashOf(curve, index) || 'none'}></path>
    ${curve.dots ? curve.points.map((point) => dotAt(at(x, point[0]), at(y, point[1]))) : nothing}
    ${end ? svg`<path class="end ${index % 2 ? 'hollow' : ''}" d=${markAt(end, index)}></path>` : nothing}
  </g>`;
}

const dotsOf = (curve: Curve, x: Scale, y: Scale): TemplateResult =>
  svg`<g style="color:${colorOf(curve)}">
    ${curve.points.map((point) => dotAt(at(x, point[0]), at(y, point[1])))}
  </g>`;

/** From the smallest to the largest value of several curves, at each x. */
export const rangesAt = (data: CurvesData, { x, y }: Chart): TemplateResult[] =>
  namedIn(data.curves).map(
    ({ role, curves }) => svg`<g style="color:${colorOf({ role })}">
        ${rangesOf(ranged(curves)).map(
          ([step, lowest, highest]) =>
            svg`<path class="range" d="M${at(x, step)} ${at(y, lowest)}V${at(y, highest)}"></path>`,
        )}
      </g>`,
  );

const dotAt = (px: number, py: number): Part =>
  Number.isNaN(px + py) ? nothing : svg`<circle class="dot" cx=${px} cy=${py} r="2.5"></circle>`;

/** The mark at the end of a line, by index: disc, ring, square, frame, triangle, … (every second is drawn hollow). */
function markAt([x, y]: Point, index: number): string {
  const r = END;
  const shape = Math.floor(index / 2) % 3;
  if (shape === 0) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  if (shape === 1) return `M${x - r} ${y - r}h${2 * r}v${2 * r}h${-2 * r}z`;
  return `M${x} ${y - r}l${r} ${2 * r}h${-2 * r}z`;
}

/** Names to the right of line ends, with values at the cursor; where there is no room, above the chart. */
export function names(data: CurvesData, chart: Chart, here: number | null): Part[] {
  const { x, y, key, line } = chart;
  const all = namedIn(data.curves);
  if (key)
    return all.map(({ curves: [curve] }, i) =>
      curve!.points.length ? keyAt(curve!, i, key.places[i]!, line) : nothing,
    );
  const named = all.filter(({ curves }) => curves.some(({ points }) => points.length));
  const ends = named.map(({ curves }) => endOf(curves[0]!, x, y) ?? ([x.range[1], y.range[0]] as Point));
  const wanted = ends.map(([, py]) => py + line * (chart.stacked ? -0.3 : 0.35));
  const gap = line * (chart.stacked ? 2.6 : 1.3);
  const placed = labelHeights(wanted, gap, [y.range[1], y.range[0] + (chart.stacked ? -line * 0.9 : 4)]);
  return named.map((each, i) => {
    const [ex, ey] = ends[i]!;
    const end: Point = [data.stage ? x.range[1] : ex, ey];
    const moved = Math.abs(placed[i]! - wanted[i]!) > 2;
    const shown = here ?? (data.stage ? Infinity : null);
    return nameAt(each, end, placed[i]!, { moved, line, value: valueOf(each, shown), stacked: chart.stacked });
  });
}

/** At x, or at the end for an x beyond it; a range of several as "0.21–0.35". */
function valueOf({ curves }: Named, x: number | null): string | undefined {
  if (x === null) return undefined;
  const points = curves.map((curve) => (x === Infinity ? curve.points.at(-1) : pointAt(curve, x)));
  const values = points.flatMap((point) => (point && Number.isFinite(point[1]) ? point[1] : []));
  const ends = [Math.min(...values), Math.max(...values)].map((value) => significant(value, 2));
  return values.length ? [...new Set(ends)].join('–') : undefined;
}

interface NameRoom {
  moved: boolean;
  line: number;
  value: string | undefined;
  stacked: boolean;
}

function nameAt({ name, role }: Named, [ex, ey]: Point, height: number, room: NameRoom): TemplateResult {
  const { moved, line, value, stacked } = room;
  const px = ex + 10; // clear of the marks
  const below = stacked ? { x: px, dy: line * 1.2 } : { x: undefined, dy: 0 };
  return svg`<g style="color:${colorOf({ role })}">
    ${moved ? svg`<path class="lead" d="M${ex + 5} ${ey}L${px - 1} ${height - line * 0.35}"></path>` : nothing}
    <text class="end-name" x=${px} y=${height}>${name}${
      value === undefined
        ? nothing
        : svg`<tspan class="value here" x=${below.x ?? nothing} dx=${stacked ? 0 : 5} dy=${below.dy}>${value}</tspan>`
    }</text></g>`;
}

/** A sample of the line with its mark, and its name. */
function keyAt(curve: Curve, index: number, [x, y]: Point, line: number): TemplateResult {
  const [end, middle] = [x + SAMPLE * line - END, y - line * 0.35];
  return svg`<g style="color:${colorOf(curve)}">
    <path class="curve" d="M${x} ${middle}H${end}" stroke-dasharray=${dashOf(curve, index) || 'none'}></path>
    <path class="end ${index % 2 ? 'hollow' : ''}" d=${markAt([end, middle], index)}></path>
    <text class="end-name" x=${x + SAMPLE * line + 4} y=${y}>${curve.name}</text>
  </g>`;
}

/** The cursor: a line through the chart and a ring on every curve. */
export function cursorAt(data: CurvesData, { x, y }: Chart, here: number | null): Part {
  if (here === null) return nothing;
  const px = crisp(at(x, here));
  return svg`<g class="here">
    <line x1=${px} x2=${px} y1=${y.range[1] - 4} y2=${y.range[0] + 4}></line>
    ${data.curves.map((curve) => {
      const point = curve.among === undefined ? pointAt(curve, here) : undefined;
      const height = point ? at(y, point[1]) : NaN;
      return Number.isNaN(height) ? nothing : svg`<circle cx=${at(x, point![0])} cy=${height} r="3.5"></circle>`;
    })}</g>`;
}
