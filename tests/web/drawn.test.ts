// A curve that is drawn before it is measured: how it is kept, and the sentence about the largest gap.
import { expect, it } from 'vitest';
import { drawnIn, drawnText, largestGap } from '../../web/src/lesson/compare/drawn/gap';
import { largestGap as sentence } from '../../web/src/messages/en/lesson/compare';
import { heightsOf, nearest } from '../../web/src/lesson/compare/drawn/stroke';
import { points } from './views-engine';

it('a drawn curve is kept as a text, and a damaged one is not read', () => {
  for (const measured of [false, true])
    expect(drawnIn(drawnText({ values: [95, 0, 5], measured }), 3)).toEqual({ values: [95, 0, 5], measured });
  for (const text of [null, '', '95 0', '95 0 5 5', '95 x 5', '95 -1 5', '95 101 5'])
    expect(drawnIn(text, 3)).toBeNull();
});

it('the largest gap is the first of the largest, once every length is measured', () => {
  const line = points('4 90, 8 20, 12 10');
  const seeds = [points('4 88, 8 19, 12 9'), points('4 92, 8 21, 12 11')].map((each) => ({ name: '', points: each }));
  expect(largestGap([80, 80, 70], line, seeds)).toEqual({ length: 8, drawn: 80, measured: 20, range: [19, 21] });
  expect(largestGap([0, 80, 70], line, [])).toEqual({ length: 4, drawn: 0, measured: 90, range: [90, 90] });
  expect(largestGap([90, 80, 100], line, [])!.length).toBe(12);
  expect(largestGap([80, 80, 70], line.slice(1), [])).toBeNull();
  expect(largestGap([80, 80, 70], [], [])).toBeNull();
});

it('it is named with its length and both values, and small ones are praised', () => {
  const gap = { length: 8, drawn: 80, measured: 20.7, range: [19, 23] } as const;
  expect(sentence('length', gap)).toBe(
    'The largest gap is at length 8: you drew 80 %, it wrote 21 % (19 to 23 %, by seed).',
  );
  expect(sentence('length', { ...gap, range: [20.7, 20.7] })).toBe(
    'The largest gap is at length 8: you drew 80 %, it wrote 21 %.',
  );
  expect(sentence('lag', gap)).toContain('The largest gap is at lag 8: you drew 80 %');
  expect(sentence('length', { ...gap, drawn: 25 })).toBe(
    'Your curve is nowhere more than 5 points off. At length 8 you drew 25 %, it wrote 21 % (19 to 23 %, by seed).',
  );
});

it('a stroke takes along the points that it reaches or goes through, at the height where it does', () => {
  const columns = [0, 50, 100];
  expect(heightsOf(columns, [0, 10], [100, 60])).toEqual([null, 35, 60]);
  expect(heightsOf(columns, [100, 60], [45, 5])).toEqual([null, 5, null]);
  expect(heightsOf(columns, [45, 5], [47, 90])).toEqual([null, 90, null]);
  expect(heightsOf(columns, [20, 5], [30, 90])).toEqual([null, null, null]);
  expect(columns.map((x) => nearest(columns, [x + 20, 0]))).toEqual([0, 1, 2]);
});
