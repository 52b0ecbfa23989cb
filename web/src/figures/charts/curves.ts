// <u-curves .data>: a line chart, each line named at its end, with a cursor that reads every line at one x.
import { NOTHING_MEASURED, cursorOf } from '#messages/figures/charts';
import './charts.css';
import './curves.css';
import type { Description, Drawing, Room } from '../host/contract';
import { Figure } from '../host/figure';
import { renamed, sliderNavigation } from '../host/navigation';
import { textWidth, widest, wordWidth } from '../shared/text-width';
import { type Chart, SMALL, axes, cursorAt, lineOf, names } from './curves-drawing';
import {
  type CurvesData,
  endTogether,
  keyOf,
  scaleX,
  scaleY,
  stopAt,
  stopsOf,
  ticksOf,
  valueAt,
} from './curves-layout';
import { chartTable, describeChart, readAt, tickText } from './curves-words';

const TALL = 232;
const ROOMY = 480;
/** With more curves, the names beside the chart would be too far from the ends of their lines. */
const MOST_BESIDE = 6;

/** Its cells are the x of the measurements. */
export class Curves extends Figure<CurvesData, number> {
  static override properties = { ...Figure.properties, data: { attribute: false } };

  data: CurvesData | null = null;

  protected override readonly frame = 'chart';

  protected read(): CurvesData | null {
    return this.data;
  }

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
