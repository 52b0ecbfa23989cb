// The attention matrix: words are never cut, cells fit, true links are counted.
import { describe, expect, it } from 'vitest';
import {
  type AlignmentData,
  agreement,
  argmaxOfRow,
  layOutAlignment,
  sumOf,
  truthOf,
} from '../../web/src/figures/shared/attention/alignment-layout';
import { csvOf } from '../../web/src/figures/host/files';
import { csvTables } from '../../web/src/figures/host/tables';
import { alignmentTable } from '../../web/src/figures/alignment/alignment-words';

const LINE = 13;
const words = (source: number, target: number, width: number): { source: number[]; target: number[] } => ({
  source: Array<number>(source).fill(width),
  target: Array<number>(target).fill(width),
});

describe('layout', () => {
  it('sets words horizontally while each fits above its cell', () => {
    const layout = layOutAlignment(words(5, 4, 50), 700, LINE);
    expect(layout.turn).toBe(0);
    expect(layout.cell.width).toBeGreaterThanOrEqual(58);
    expect(layout.numbered).toBe(true);
  });
  it('tilts them as the window narrows, and outgrows the window only if words would touch', () => {
    const turns = [720, 500, 400, 340, 280, 200].map((width) => layOutAlignment(words(9, 9, 62), width, LINE));
    expect(turns.map(({ turn }) => turn)).toEqual([0, -45, -45, -45, -90, -90]);
    for (const [i, width] of [720, 500, 400, 340, 280].entries()) expect(turns[i]!.width).toBeLessThanOrEqual(width);
    expect(turns[5]!.cell.width).toBe(14);
  });
  it('leaves room above for the longest word and to the right of the last tilted one', () => {
    const source = [20, 20, 20, 90];
    const layout = layOutAlignment({ source, target: [30] }, 260, LINE);
    expect(layout.turn).toBe(-45);
    const [x, y] = [layout.x + 3.5 * layout.cell.width, layout.y - 7];
    expect(x + 90 * Math.SQRT1_2).toBeLessThanOrEqual(layout.width);
    expect(y - 90 * Math.SQRT1_2).toBeGreaterThanOrEqual(0);
  });
  it('keeps row labels beside the cells', () => {
    const layout = layOutAlignment({ source: [10], target: [80, 20] }, 300, LINE);
    expect(layout.x - 9 - 80).toBeGreaterThanOrEqual(0);
    expect(layout.height).toBe(layout.y + 2 * layout.cell.height + 1);
  });
});

const data: AlignmentData = {
  source: ['I', 'am', 'a', 'student'],
  target: ['je', 'suis', 'étudiant'],
  weights: new Float32Array([0.9, 0.1, 0, 0, 0.5, 0.25, 0.25, 0, 0, 0, 0, 0.5]),
  truth: [
    [0, 0],
    [1, 1],
    [3, 2],
    [9, 9],
  ],
  name: 'attention/α',
};

describe('what it says', () => {
  it('counts the words that attend most to a true link, and ignores links outside the matrix', () => {
    expect([...truthOf(data)]).toEqual([0, 5, 11]);
    expect(agreement(data)).toEqual({ right: 2, of: 3 });
    expect(agreement({ ...data, truth: [] })).toEqual({ right: 0, of: 0 });
    const begun = data.weights.map((weight, i) => (i < data.source.length ? weight : NaN));
    expect(agreement({ ...data, weights: begun }).of).toBe(1);
  });
  it('finds the largest weight of a row and its sum', () => {
    expect([0, 1, 2].map((t) => argmaxOfRow(data, t))).toEqual([0, 0, 3]);
    expect([0, 1, 2].map((t) => sumOf(data, t))).toEqual([expect.closeTo(1), 1, 0.5]);
  });
  it('is CSV with every digit', () => {
    const lines = csvTables([alignmentTable(data)]).split('\n');
    expect(lines.slice(0, 2)).toEqual([',I,am,a,student,sum', 'je,0.9,0.1,0,0,1']);
    expect(csvOf([['a,b', 'say "x"', 1]])).toBe('"a,b","say ""x""",1\n');
  });
  it('gives a spreadsheet no formula to run', () => {
    const texts = ['=1+1', '+a', '-', '@x', '-inf', 'a=b'];
    expect(csvOf([texts])).toBe("'=1+1,'+a,'-,'@x,'-inf,a=b\n");
    expect(csvOf([[-1.5, '-1.5', '-Infinity', '+2e-7']])).toBe('-1.5,-1.5,-Infinity,+2e-7\n');
  });
});
