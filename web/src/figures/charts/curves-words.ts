// A chart in words and as a table.
import * as texts from '#messages/figures/charts';
import { type Curve, type CurvesData, type Point, pointAt } from './curves-layout';
import { grouped } from '../../messages/intl';
import { significant } from '../../ui/numbers';
import type { Table, TableCell } from '../host/tables';

const MAX_ROWS = 256;

/** As `significant`; a large whole number, such as a count of steps, in groups: "95,200". */
const placeText = (value: number, digits: number): string => {
  const text = significant(value, digits);
  return /^\d{5,}$/.test(text) ? grouped(Number(text)) : text;
};

/** "1000", "20,000", "0.25"; a power of ten without its factor: "10⁻⁷". */
export const tickText = (value: number): string => placeText(value, 4).replace(/^1 × /, '');

const unbroken = (number: string): string => number.replaceAll(' ', '\u00a0');

/** The value of every curve at x. */
export function readAt(data: CurvesData, x: number): string {
  const values = data.curves.flatMap((curve) => {
    const point = pointAt(curve, x);
    return point ? [{ name: curve.name, value: unbroken(significant(point[1], 3)) }] : [];
  });
  return texts.valuesAt(data.x.label, placeText(x, 6), values);
}

/** For every curve its first and last point, its smallest and its largest value. */
export function describeChart(data: CurvesData): string {
  const curves = data.curves.map((curve) => describeCurve(curve, data.x.label));
  return texts.chartText(data.x, data.y, curves);
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
