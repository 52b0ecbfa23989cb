// An index rule lists exactly the cells that an output cell depends on: checked against the operation itself, by
// changing every input cell in turn and seeing which output cells change.
import { describe, expect, it } from 'vitest';
import { inputCells, ravel, unravel } from '../../web/src/ui/index-rules';

/** A fixed one is not changed. */
type Tensor = { shape: number[]; values: number[]; fixed?: true };

const size = (shape: number[]): number => shape.reduce((a, b) => a * b, 1);
const tensor = (...shape: number[]): Tensor => ({
  shape,
  values: Array.from({ length: size(shape) }, (_, i) => 1 + ((i * 7 + 3) % 11) / 8),
});

/** Cells of an input that change the result of `f` when they are nudged. */
function movers(f: (inputs: Tensor[]) => number, inputs: Tensor[], i: number): number[] {
  const before = f(inputs);
  const { shape, values } = inputs[i]!;
  const nudged = (cell: number): Tensor => ({ shape, values: values.with(cell, values[cell]! + 0.37) });
  return [...values.keys()].filter((cell) => f(inputs.with(i, nudged(cell))) !== before);
}

/** A cell of a tensor by its position, or by its place among all. */
type Read = ((...position: number[]) => number) & { flat: (index: number) => number };
const reading = ({ shape, values }: Tensor): Read =>
  Object.assign((...position: number[]) => values[ravel(position, shape)]!, {
    flat: (index: number) => values[index]!,
  });

/** As many as are there. */
type Some<T> = [T, T, T];
/** Computes a cell of the result from the inputs, its position and its index. */
type Cell = (inputs: Some<Read>, at: Some<number>, index: number) => number;

function agrees(rule: string, inputs: Tensor[], shape: number[], cell: Cell): void {
  for (let index = 0; index < size(shape); index++) {
    const found = inputCells(rule, inputs, shape, index);
    expect(found).toHaveLength(inputs.length);
    const f = (given: Tensor[]): number =>
      cell(given.map(reading) as Some<Read>, unravel(index, shape) as Some<number>, index);
    for (const [i, { fixed }] of inputs.entries()) {
      const cells = [...found[i]!].sort((a, b) => a - b);
      if (!fixed) expect(cells, `${rule} at ${index}`).toEqual(movers(f, inputs, i));
    }
  }
}

const sum = (n: number, term: (k: number) => number): number => [...Array(n).keys()].reduce((s, k) => s + term(k), 0);

describe('einsum rules', () => {
  it('multiplies matrices', () => {
    agrees('nk,km->nm', [tensor(2, 3), tensor(3, 4)], [2, 4], ([a, b], [n, m]) => sum(3, (k) => a(n, k) * b(k, m)));
  });
  it('multiplies by a transposed matrix, with leading axes that broadcast', () => {
    agrees('...nk,...mk->...nm', [tensor(2, 3, 4), tensor(1, 2, 4)], [2, 3, 2], ([a, b], [i, n, m]) =>
      sum(4, (k) => a(i, n, k) * b(0, m, k)),
    );
    agrees('...nk,...km->...nm', [tensor(2, 3, 4), tensor(4, 2)], [2, 3, 2], ([a, b], [i, n, m]) =>
      sum(4, (k) => a(i, n, k) * b(k, m)),
    );
  });
  it('treats a vector as a row on the left and as a column on the right', () => {
    agrees('...nk,...km->...nm', [tensor(3), tensor(3, 2)], [2], ([a, b], [m]) => sum(3, (k) => a(k) * b(k, m)));
    agrees('...nk,...km->...nm', [tensor(2, 3), tensor(3)], [2], ([a, b], [n]) => sum(3, (k) => a(n, k) * b(k)));
  });
  it('sums, transposes and batches', () => {
    agrees('nm->n', [tensor(2, 3)], [2], ([x], [n]) => sum(3, (m) => x(n, m)));
    agrees('nm->', [tensor(2, 3)], [], ([x]) => sum(6, (i) => x.flat(i)));
    agrees('nm->mn', [tensor(2, 3)], [3, 2], ([x], [m, n]) => x(n, m));
    agrees('bnk,bkm->bnm', [tensor(2, 2, 3), tensor(2, 3, 2)], [2, 2, 2], ([a, b], [i, n, m]) =>
      sum(3, (k) => a(i, n, k) * b(i, k, m)),
    );
  });
  it('pairs the cells that are multiplied together', () => {
    const pairs = inputCells('nk,km->nm', [tensor(2, 3), tensor(3, 4)], [2, 4], 6);
    expect(pairs.map(String)).toEqual(['3,4,5', '2,6,10']);
  });
});

describe('elementwise and shapes', () => {
  it('broadcasts as NumPy does', () => {
    agrees('elementwise', [tensor(2, 3), tensor(3)], [2, 3], ([a, b], [i, j]) => a(i, j) + b(j));
    agrees('elementwise', [tensor(2, 1), tensor(1, 3)], [2, 3], ([a, b], [i, j]) => a(i, 0) * b(0, j));
    agrees('elementwise', [tensor(2, 2), tensor()], [2, 2], ([a, b], _, i) => a.flat(i) / b.flat(0));
    agrees('broadcast', [tensor(3)], [2, 3], ([x], [, j]) => x(j));
  });
  it('reshapes and exchanges axes', () => {
    agrees('reshape', [tensor(2, 3)], [3, 2], ([x], _, i) => x.flat(i));
    agrees('transpose:1,0', [tensor(2, 3)], [3, 2], ([x], [i, j]) => x(j, i));
    agrees('transpose:2,0,1', [tensor(2, 3, 4)], [4, 2, 3], ([x], [i, j, k]) => x(j, k, i));
    agrees('transpose', [tensor(2, 3, 4)], [2, 4, 3], ([x], [i, j, k]) => x(i, k, j));
  });
  it('reduces along an axis, kept or not, and along all', () => {
    agrees('reduce:1', [tensor(2, 3, 4)], [2, 4], ([x], [i, k]) => sum(3, (j) => x(i, j, k)));
    agrees('reduce:1', [tensor(2, 3)], [2, 1], ([x], [i]) => sum(3, (j) => x(i, j)));
    agrees('reduce', [tensor(2, 3)], [], ([x]) => sum(6, (i) => x.flat(i)));
  });
  it('sums up to a cell along an axis, or from it on', () => {
    const line = (x: Read, i: number, k: number, cells: number[]): number =>
      cells.reduce((total, j) => total + x(i, j, k), 0);
    agrees('scan:1,0', [tensor(2, 3, 2)], [2, 3, 2], ([x], [i, j, k]) => line(x, i, k, [0, 1, 2].slice(0, j + 1)));
    agrees('scan:1,1', [tensor(2, 3, 2)], [2, 3, 2], ([x], [i, j, k]) => line(x, i, k, [0, 1, 2].slice(j)));
  });
  it('concatenates, slices and pads', () => {
    agrees('concat:1', [tensor(2, 2), tensor(2, 3)], [2, 5], ([a, b], [i, j]) => (j < 2 ? a(i, j) : b(i, j - 2)));
    agrees('slice:1,2', [tensor(2, 5)], [2, 2], ([x], [i, j]) => x(i, j + 2));
    agrees('pad:0,1', [tensor(2, 2)], [4, 2], ([x], [i, j]) => (i >= 1 && i < 3 ? x(i - 1, j) : 0));
  });
  it('unfolds a picture into windows, and folds them back', () => {
    const picture = [1, 2, 5, 4];
    const where = (row: number, column: number): number[] => [
      0,
      Math.floor(row / 6),
      2 * Math.floor(column / 2) + (Math.floor(row / 2) % 3),
      2 * (column % 2) + (row % 2),
    ];
    agrees('unfold:3,2,2', [tensor(...picture)], [1, 12, 4], ([x], [, row, column]) => x(...where(row, column)));
    const from = [...Array(48).keys()].map((k) => ravel(where(Math.floor(k / 4), k % 4), picture));
    agrees('fold:3,2,2', [tensor(1, 12, 4)], picture, ([x], _, i) => sum(48, (k) => (from[k] === i ? x.flat(k) : 0)));
  });
});

describe('rules that depend on values', () => {
  const ids: Tensor = { shape: [3], values: [2, 0, 2], fixed: true };
  it('gathers rows of a table', () => {
    agrees('gather', [tensor(4, 2), ids], [3, 2], ([x], [i, j]) => x(ids.values[i]!, j));
    expect(inputCells('gather', [tensor(4, 2), ids], [3, 2], 3)).toEqual([[1], [1]]);
  });
  it('scatters rows back into the table', () => {
    agrees('scatter', [tensor(3, 2), ids], [4, 2], ([x], [row, j]) =>
      sum(3, (i) => (ids.values[i] === row ? x(i, j) : 0)),
    );
  });
  it('picks one value per row', () => {
    agrees('pick', [tensor(3, 4), ids], [3], ([x], [i]) => x(i, ids.values[i]!));
  });
  it('takes, adds and puts values by their places among all', () => {
    const places: Tensor = { shape: [3], values: [5, 0, 5], fixed: true };
    agrees('take', [tensor(2, 3), places], [3], ([x], _, i) => x.flat(places.values[i]!));
    agrees('add_at', [tensor(3), places], [2, 3], ([x], _, at) =>
      sum(3, (i) => (places.values[i] === at ? x.flat(i) : 0)),
    );
    const last = (at: number): number => places.values.lastIndexOf(at);
    agrees('put', [tensor(2, 3), tensor(3), places], [2, 3], ([x, v], _, at) =>
      last(at) < 0 ? x.flat(at) : v.flat(last(at)),
    );
    agrees('put', [tensor(2, 3), tensor(), places], [2, 3], ([x, v], _, at) => (last(at) < 0 ? x.flat(at) : v.flat(0)));
  });
  it('takes, adds and puts values by ids along an axis', () => {
    const along: Tensor = { shape: [2, 2], values: [2, 0, 1, 1], fixed: true };
    const id = (i: number, j: number): number => along.values[2 * i + j]!;
    agrees('take:1', [tensor(2, 3), along], [2, 2], ([x], [i, j]) => x(i, id(i, j)));
    agrees('add_at:1', [tensor(2, 2), along], [2, 3], ([x], [i, k]) => sum(2, (j) => (id(i, j) === k ? x(i, j) : 0)));
    agrees('put:1', [tensor(2, 3), tensor(2, 2), along], [2, 3], ([x, v], [i, k]) => {
      const last = [1, 0].find((j) => id(i, j) === k);
      return last === undefined ? x(i, k) : v(i, last);
    });
    expect(inputCells('take:1', [tensor(2, 3), { shape: [1, 1], values: [9] }], [1, 1], 0)).toEqual([[], [0]]);
  });
  it('gives no cells for an id outside the table or an unknown rule', () => {
    expect(inputCells('gather', [tensor(2, 2), { shape: [1], values: [7] }], [1, 2], 0)).toEqual([[], [0]]);
    expect(inputCells('whirl', [tensor(2)], [2], 0)).toEqual([[]]);
  });
});
