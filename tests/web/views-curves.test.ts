// Charts: their scales, which points are drawn, which values are read off.
import { describe, expect, it } from 'vitest';
import {
  type CurvesData,
  type Point,
  at,
  dashOf,
  decimate,
  endOf,
  endTogether,
  keyOf,
  labelHeights,
  labelsOf,
  mergeRuns,
  namedIn,
  pathOf,
  pointAt,
  ranged,
  rangesOf,
  scaleX,
  scaleY,
  stopAt,
  ticksOf,
  valueAt,
  withoutSpread,
} from '../../web/src/figures/charts/curves-layout';
import { chartTable, describeChart, readAt, tickText, xsOf } from '../../web/src/figures/charts/curves-drawing';
import { evenly, foldOf, spread } from '../../web/src/figures/shared/geometry';
import { sliderNavigation } from '../../web/src/figures/host/contract';
import { points } from './views-engine';

const chart = (points: Point[], part: Partial<CurvesData> = {}): CurvesData => ({
  title: 'Loss',
  x: { label: 'step' },
  y: { label: 'loss' },
  curves: [{ name: 'training', points }],
  ...part,
});

describe('scales', () => {
  it('run from the first x to the last, and from zero to a round y', () => {
    const data = chart(points('10 3.7, 250 0.2'));
    expect(scaleX(data, [0, 100])).toEqual({ from: 10, to: 250, log: false, range: [0, 100] });
    expect(scaleY(data, [100, 0])).toMatchObject({ from: 0, to: 4 });
    expect(at(scaleY(data, [100, 0]), 1)).toBe(75);
  });
  it('go below zero if values do, and respect the axis options', () => {
    const data = chart(points('0 -3, 1 1'));
    expect(scaleY(data, [100, 0])).toMatchObject({ from: -3, to: 1 });
    expect(scaleY({ ...data, y: { label: 'p', from: 0, to: 1 } }, [100, 0])).toMatchObject({ from: 0, to: 1 });
  });
  it('are whole powers of ten on a logarithmic axis, which has no zero', () => {
    const data = chart(points('1 0.2, 100 3e-7, 50 0'), { y: { label: 'norm', log: true } });
    const y = scaleY(data, [70, 0]);
    expect([y.from, y.to]).toEqual([1e-7, 1]);
    expect(at(y, 1e-3)).toBeCloseTo(30);
    expect(at(y, 0)).toBeNaN();
    expect(at(y, -1)).toBeNaN();
    expect(valueAt(y, 30)).toBeCloseTo(1e-3);
  });
  it('have a width even for one point or none', () => {
    for (const points of [[[5, 2]], []] as Point[][])
      for (const log of [false, true]) {
        const data = chart(points, { x: { label: 'x', log }, y: { label: 'y', log } });
        for (const scale of [scaleX(data, [0, 1]), scaleY(data, [1, 0])]) expect(scale.to).toBeGreaterThan(scale.from);
      }
  });
  it('have round marks', () => {
    const log = { from: 1e-21, to: 1, log: true, range: [0, 1] } as const;
    expect(ticksOf(log, 4).map(tickText)).toEqual(['10⁻²⁰', '10⁻¹⁰', '1']);
    expect(ticksOf({ ...log, from: 1, to: 100 }, 5)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(ticksOf({ from: 0, to: 1, log: false, range: [0, 1] }, 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  });
});

describe('drawn points', () => {
  const x = { from: 0, to: 1999, log: false, range: [0, 300] } as const;
  const y = { from: 0, to: 10, log: false, range: [100, 0] } as const;
  const many = Array.from({ length: 2000 }, (_, i): Point => [i, i === 777 ? 10 : 5 + Math.sin(i)]);

  it('are at most four per column, including the peak', () => {
    const drawn = decimate(many, x, y);
    expect(drawn.length).toBeLessThanOrEqual(4 * 301);
    expect(Math.min(...drawn.map(([, py]) => py))).toBe(0);
    const columns = new Map<number, number>();
    for (const [px] of drawn) columns.set(Math.floor(px), 1 + (columns.get(Math.floor(px)) ?? 0));
    expect(Math.max(...columns.values())).toBeLessThanOrEqual(4);
  });
  it('cover the same range in every column as all points do', () => {
    const reach = (points: Point[]): Map<number, [number, number]> => {
      const found = new Map<number, [number, number]>();
      for (const [px, py] of points) {
        const [low, high] = found.get(Math.floor(px)) ?? [Infinity, -Infinity];
        found.set(Math.floor(px), [Math.min(low, py), Math.max(high, py)]);
      }
      return found;
    };
    expect(reach(decimate(many, x, y))).toEqual(reach(many.map(([a, b]) => [at(x, a), at(y, b)])));
  });
  it('stay in order and keep both ends', () => {
    const drawn = decimate(many, x, y);
    expect(drawn[0]).toEqual([at(x, 0), at(y, many[0]![1])]);
    expect(drawn.at(-1)).toEqual([at(x, 1999), at(y, many[1999]![1])]);
    for (let i = 1; i < drawn.length; i++) expect(drawn[i]![0]).toBeGreaterThanOrEqual(drawn[i - 1]![0]);
  });
  it('leave a gap where a value is not a number', () => {
    const broken: Point[] = points('0 1, 500 2, 1000 NaN, 1500 3, 1999 4');
    expect(pathOf({ name: '', points: broken }, x, y).match(/M/g)).toHaveLength(2);
    expect(endOf({ name: '', points: broken.slice(0, 3) }, x, y)).toEqual([at(x, 500), at(y, 2)]);
  });
});

describe('reading values at one x', () => {
  const data = chart([], {
    curves: [
      { name: 'with', points: points('0 4, 10 2, 20 1') },
      { name: 'without', points: points('0 4, 10 3') },
    ],
  });
  it('takes the nearest point of each curve, but none of a curve that has ended', () => {
    expect(pointAt(data.curves[0]!, 14)).toEqual([10, 2]);
    expect(pointAt(data.curves[1]!, 14)).toBeUndefined();
    expect(readAt(data, 10)).toBe('step 10: with 2, without 3');
    expect(readAt(data, 20)).toBe('step 20: with 1');
    expect(stopAt(data.curves[0]!.points, 16)).toBe(2);
    expect(xsOf(data)).toEqual([0, 10, 20]);
  });
  it('moves by keys and stays inside', () => {
    const { move } = sliderNavigation('cursor', 99);
    expect(move(99, 'ArrowRight', false)).toBe(99);
    expect(move(50, 'ArrowLeft', false)).toBe(49);
    expect(move(50, 'PageUp', false)).toBe(60);
    expect(move(5, 'PageDown', false)).toBe(0);
    expect(move(50, 'x', false)).toBeNull();
  });
  it('is described in words, naming logarithmic axes', () => {
    expect(describeChart({ ...data, y: { label: 'loss', log: true } })).toBe(
      'loss against step (logarithmic y-axis). with: from 4 at step 0 to 1 at step 20; lowest 1 at step 20, highest 4 at ' +
        'step 0. without: from 4 at step 0 to 3 at step 10; lowest 3 at step 10, highest 4 at step 0.',
    );
    expect(describeChart(chart([]))).toBe('loss against step. training: no measurements.');
  });
});

describe('a mean with the curves around it', () => {
  const line = { name: 'GRU', points: points('4 21, 8 10, 12 0') };
  const seed = (name: string, found: string) => ({ name: `GRU, seed ${name}`, among: 'GRU', points: points(found) });
  const other = { name: 'LSTM', points: points('4 3, 8 2'), dots: true };
  const data = chart([], { curves: [line, other, seed('1', '4 19, 8 4, 12 0'), seed('2', '4 24, 8 16, 12 0')] });

  it('is one name, with a range', () => {
    const [whole, alone] = namedIn(data.curves);
    expect([whole!.name, alone!.name]).toEqual(['GRU', 'LSTM']);
    expect(rangesOf(ranged(whole!.curves))).toEqual([
      [4, 19, 24],
      [8, 4, 16],
      [12, 0, 0],
    ]);
    expect(ranged(alone!.curves)).toEqual([]);
    expect(withoutSpread(data.curves)).toEqual([line, other]);
  });
  it('is read with the range, and described with the widest', () => {
    expect(readAt(data, 4)).toBe('step 4: GRU 21\u00a0(19–24), LSTM 3');
    expect(readAt(data, 12)).toBe('step 12: GRU 0');
    expect(describeChart(data)).toContain(
      'highest 21 at step 4. It is the mean of 2, which differ by 12 at most. LSTM:',
    );
  });
  it('has a column of the table for each', () =>
    expect(chartTable(data).head).toEqual(['step', 'GRU', 'LSTM', 'GRU, seed 1', 'GRU, seed 2']));
});

describe('spreading labels', () => {
  it('leaves labels in place, or moves them apart around the same centre', () => {
    expect(spread([10, 50, 90], 20)).toEqual([10, 50, 90]);
    expect(spread([50, 50], 20)).toEqual([40, 60]);
    expect(spread([50, 50, 50], 10, [1000, 1, 1]).map(Math.round)).toEqual([50, 60, 70]);
    expect(spread([95, 96], 20, [], [0, 100])).toEqual([80, 100]);
  });
  it('separates labels for any input', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const wanted = Array.from({ length: 8 }, (_, i) => (Math.sin(seed * 12.9898 + i * 78.233) * 43758.5453) % 60);
      const placed = spread(wanted, 7);
      for (let i = 1; i < placed.length; i++) expect(placed[i]! - placed[i - 1]!).toBeGreaterThanOrEqual(7 - 1e-9);
    }
  });
  it('keeps the order of the line ends', () => expect(labelHeights([60, 20, 61], 15, [0, 200])).toEqual([53, 20, 68]));
  it('folds a strip so that cells are wide enough, with rows of even length', () => {
    expect(foldOf(12, 60)).toEqual({ rows: 1, columns: 12, cell: 5 });
    expect(foldOf(64, 60)).toEqual({ rows: 4, columns: 16, cell: 3 });
    expect(evenly(3, 5)).toEqual([0, 1, 2]);
    expect(evenly(1000, 5)).toEqual([0, 250, 500, 749, 999]);
  });
});

describe('two runs', () => {
  const run = (name: string, curves: string[], results: string[]) => ({
    name,
    seed: 7,
    curves: curves.map((curve) => ({ name: curve, points: [] })),
    results: results.map((label) => ({ label, value: 1 })),
  });
  const runs = [run('additive', ['loss'], ['loss', 'time']), run('dot', ['loss', 'accuracy'], ['loss', 'accuracy'])];
  it('share one axis, the second dashed', () => {
    const { curves } = mergeRuns({ title: '', x: { label: '' }, y: { label: '' }, runs });
    const dashes = Object.fromEntries(curves.map(({ name, dashed }) => [name, dashed]));
    expect(dashes).toEqual({ additive: false, 'dot, loss': true, 'dot, accuracy': true });
  });
  it('have a line style each if they have one curve each', () => {
    const single = [run('a', ['loss'], []), run('b', ['loss'], []), run('c', ['loss'], [])];
    const { curves } = mergeRuns({ title: '', x: { label: '' }, y: { label: '' }, runs: single });
    expect(curves.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect(curves.some(({ dashed }) => dashed)).toBe(false);
    expect(new Set(curves.map(dashOf)).size).toBe(3);
  });
  it('list all figures of both', () => expect(labelsOf(runs)).toEqual(['loss', 'time', 'accuracy']));
});

describe('names of curves', () => {
  const to = (x: number) => ({ name: 'c', points: points(`0 0, ${x} 1`) });
  it('stand beside the chart only where no line goes on to the right of an end', () => {
    expect(endTogether([to(5), to(5)])).toBe(true);
    expect(endTogether([to(5), to(4)])).toBe(false);
    expect(endTogether([to(5), { name: 'diverged', points: points('0 0, 3 1, 5 NaN') }])).toBe(false);
    expect(endTogether([to(5), { name: 'empty', points: [] }])).toBe(true);
  });
  it('stand above it in rows that neither overlap nor leave it', () => {
    const { places, height } = keyOf([100, 100, 100], 30, 300, 10);
    expect(places.map(([x]) => x)).toEqual([30, 165, 30]);
    expect(places[0]![1]).toBe(places[1]![1]);
    expect(places[2]![1]).toBeGreaterThan(places[0]![1] + 10);
    expect(height).toBe(28);
  });
});
