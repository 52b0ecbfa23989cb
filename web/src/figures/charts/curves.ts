// <u-curves .data>: a line chart, each line named at its end, with a cursor that reads every line at one x.
import { NOTHING_MEASURED, cursorOf } from '#messages/figures/charts';
import './charts.css';
import './curves.css';
import type { Part, Room } from '../host/contract';
import { Figure } from '../host/figure';
import type { Navigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { palette } from '../shared/palette';
import { textWidth, widest } from '../shared/text-width';
import { type Chart, SMALL, axes, cursorAt, lineOf, names } from './curves-drawing';
import {
  type CurvesData,
  endTogether,
  keyOf,
  scaleX,
  scaleY,
  stopAfterKey,
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
export class Curves extends Figure<CurvesData, Chart, number> {
  static override properties = { ...Figure.properties, data: { attribute: false } };

  declare data: CurvesData | null;

  protected override readonly frame = 'chart';

  constructor() {
    super();
    this.data = null;
  }

  read(): CurvesData | null {
    return this.data;
  }

  layout(data: CurvesData, { width, zoom }: Room): Chart {
    const { sans } = palette();
    const line = SMALL * zoom;
    const height = Math.round((width < ROOMY ? TALL * 0.86 : TALL) * (1 + (zoom - 1) * 0.5));
    const y = scaleY(data, [height - line * 2.9, line * 1.9]);
    const left = Math.ceil(widest(ticksOf(y, 4).map(tickText), line, sans)) + 10;
    const longest = data.curves.reduce((max, { name }) => Math.max(max, textWidth(name, line, sans, 600)), 0);
    const value = textWidth(data.y.log ? '0.0 × 10⁻⁰⁰' : '0.0000', line, sans);
    const right = Math.ceil(longest + value) + 17;
    const few = data.curves.length <= MOST_BESIDE;
    const beside = few && width / zoom >= ROOMY && right < width * 0.4 && endTogether(data.curves);
    const key = beside
      ? null
      : keyOf(
          data.curves.map(({ name }) => textWidth(name, line, sans, 600)),
          left,
          width,
          line,
        );
    const more = key?.height ?? 0;
    const x = scaleX(data, [left, width - (beside ? right : 6)]);
    const below = { ...y, range: [y.range[0] + more, y.range[1] + more] as const };
    return { x, y: below, width, height: height + more, key, right, line, stops: stopsOf(data) };
  }

  draw(data: CurvesData, chart: Chart, here: number | null): Part[] {
    const lines = data.curves.map((curve, i) => lineOf(curve, i, chart));
    return [axes(data, chart), ...lines, ...names(data, chart, here), cursorAt(data, chart, here)];
  }

  rows(data: CurvesData): Table[] {
    return [chartTable(data)];
  }

  tell(data: CurvesData): string {
    return describeChart(data);
  }

  tellCell(data: CurvesData, x: number): string {
    return readAt(data, x);
  }

  hit({ x, stops }: Chart, px: number): number | null {
    return stops[stopAt(stops, valueAt(x, px))]?.[0] ?? null;
  }

  navigation({ title, x }: CurvesData, { stops }: Chart): Navigation<number> {
    const last = Math.max(0, stops.length - 1);
    return {
      ...{ role: 'slider', label: cursorOf(title, x.label), first: stops[last]?.[0] ?? 0, last },
      has: () => true,
      move: (from, key, ctrl) => {
        const to = ctrl ? null : stopAfterKey(stops.length, stopAt(stops, from), key);
        return to === null ? null : (stops[to]?.[0] ?? from);
      },
      place: (at) => ({ index: Math.max(0, stopAt(stops, at)) }),
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

  protected headingOf({ title }: CurvesData): string {
    return title;
  }

  protected readout(data: CurvesData, here: number | null): string {
    const x = here ?? stopsOf(data).at(-1)?.[0];
    return x === undefined ? NOTHING_MEASURED : readAt(data, x);
  }
}

customElements.define('u-curves', Curves);
