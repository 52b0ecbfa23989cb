// An index rule lists exactly the cells that an output cell depends on: checked against the operation itself, by
// changing every input cell in turn and seeing which output cells change.
import { describe, expect, it } from 'vitest';
import { inputCells, ravel, unravel } from '../../web/src/ui/index-rules';

type Tensor = { shape: number[]; values: number[] };

const size = (shape: number[]): number => shape.reduce((a, b) => a * b, 1);
const tensor = (...shape: number[]): Tensor => ({
  shape,
  values: Array.from({ length: size(shape) }, (_, i) => 1 + ((i * 7 + 3) % 11) / 8),
});

/** Cells of each input that move cell `index` of f's result when they are nudged. */
function movers(f: (inputs: Tensor[]) => Tensor, inputs: Tensor[], index: number, fixed: number[] = []): number[][] {
  const before = f(inputs).values[index];
  return inputs.map((input, i) =>
    fixed.includes(i)
      ? []
      : [...input.values.keys()].filter((cell) => {
          const nudged = inputs.map((t, j) =>
            j === i ? { ...t, values: t.values.with(cell, t.values[cell]! + 0.37) } : t,
          );
          return f(nudged).values[index] !== before;
        }),
  );
}

function agrees(rule: string, f: (inputs: Tensor[]) => Tensor, inputs: Tensor[], fixed: number[] = []): void {
  const result = f(inputs);
  for (let index = 0; index < size(result.shape); index++) {
    const cells = inputCells(rule, inputs, result.shape, index).map((list, i) =>
      fixed.includes(i) ? [] : [...list].sort((a, b) => a - b),
    );
    expect(cells, `${rule} at ${index}`).toEqual(movers(f, inputs, index, fixed));
  }
}

/** Builds the result cell by cell from its position. */
function build(shape: number[], cell: (at: number[], index: number) => number): Tensor {
  return { shape, values: Array.from({ length: size(shape) }, (_, i) => cell(unravel(i, shape), i)) };
}
const at = (t: Tensor, ...position: number[]): number => t.values[ravel(position, t.shape)]!;
const sum = (n: number, term: (k: number) => number): number => [...Array(n).keys()].reduce((s, k) => s + term(k), 0);

describe('einsum rules', () => {
  it('multiplies matrices', () => {
    agrees('nk,km->nm', ([a, b]) => build([2, 4], ([n, m]) => sum(3, (k) => at(a!, n!, k) * at(b!, k, m!))), [
      tensor(2, 3),
      tensor(3, 4),
    ]);
  });
  it('multiplies by a transposed matrix, with leading axes that broadcast', () => {
    agrees(
      '...nk,...mk->...nm',
      ([a, b]) => build([2, 3, 2], ([i, n, m]) => sum(4, (k) => at(a!, i!, n!, k) * at(b!, 0, m!, k))),
      [tensor(2, 3, 4), tensor(1, 2, 4)],
    );
    agrees(
      '...nk,...km->...nm',
      ([a, b]) => build([2, 3, 2], ([i, n, m]) => sum(4, (k) => at(a!, i!, n!, k) * at(b!, k, m!))),
      [tensor(2, 3, 4), tensor(4, 2)],
    );
  });
  it('treats a vector as a row on the left and as a column on the right', () => {
    agrees('...nk,...km->...nm', ([a, b]) => build([2], ([m]) => sum(3, (k) => at(a!, k) * at(b!, k, m!))), [
      tensor(3),
      tensor(3, 2),
    ]);
    agrees('...nk,...km->...nm', ([a, b]) => build([2], ([n]) => sum(3, (k) => at(a!, n!, k) * at(b!, k))), [
      tensor(2, 3),
      tensor(3),
    ]);
  });
  it('sums, transposes and batches', () => {
    agrees('nm->n', ([x]) => build([2], ([n]) => sum(3, (m) => at(x!, n!, m))), [tensor(2, 3)]);
    agrees('nm->', ([x]) => build([], () => sum(6, (i) => x!.values[i]!)), [tensor(2, 3)]);
    agrees('nm->mn', ([x]) => build([3, 2], ([m, n]) => at(x!, n!, m!)), [tensor(2, 3)]);
    agrees(
      'bnk,bkm->bnm',
      ([a, b]) => build([2, 2, 2], ([i, n, m]) => sum(3, (k) => at(a!, i!, n!, k) * at(b!, i!, k, m!))),
      [tensor(2, 2, 3), tensor(2, 3, 2)],
    );
  });
  it('pairs the cells that are multiplied together', () => {
    expect(inputCells('nk,km->nm', [tensor(2, 3), tensor(3, 4)], [2, 4], 6)).toEqual([
      [3, 4, 5],
      [2, 6, 10],
    ]);
  });
});

describe('elementwise and shapes', () => {
  it('broadcasts as NumPy does', () => {
    agrees('elementwise', ([a, b]) => build([2, 3], ([i, j]) => at(a!, i!, j!) + at(b!, j!)), [
      tensor(2, 3),
      tensor(3),
    ]);
    agrees('elementwise', ([a, b]) => build([2, 3], ([i, j]) => at(a!, i!, 0) * at(b!, 0, j!)), [
      tensor(2, 1),
      tensor(1, 3),
    ]);
    agrees('elementwise', ([a, b]) => build([2, 2], (_, i) => a!.values[i]! / b!.values[0]!), [tensor(2, 2), tensor()]);
    agrees('broadcast', ([x]) => build([2, 3], ([, j]) => at(x!, j!)), [tensor(3)]);
  });
  it('reshapes and exchanges axes', () => {
    agrees('reshape', ([x]) => build([3, 2], (_, i) => x!.values[i]!), [tensor(2, 3)]);
    agrees('transpose:1,0', ([x]) => build([3, 2], ([i, j]) => at(x!, j!, i!)), [tensor(2, 3)]);
    agrees('transpose:2,0,1', ([x]) => build([4, 2, 3], ([i, j, k]) => at(x!, j!, k!, i!)), [tensor(2, 3, 4)]);
    agrees('transpose', ([x]) => build([2, 4, 3], ([i, j, k]) => at(x!, i!, k!, j!)), [tensor(2, 3, 4)]);
  });
  it('reduces along an axis, kept or not, and along all', () => {
    agrees('reduce:1', ([x]) => build([2, 4], ([i, k]) => sum(3, (j) => at(x!, i!, j, k!))), [tensor(2, 3, 4)]);
    agrees('reduce:1', ([x]) => build([2, 1], ([i]) => sum(3, (j) => at(x!, i!, j))), [tensor(2, 3)]);
    agrees('reduce', ([x]) => build([], () => sum(6, (i) => x!.values[i]!)), [tensor(2, 3)]);
  });
  it('sums up to a cell along an axis, or from it on', () => {
    const line = (x: Tensor, i: number, k: number, cells: number[]): number =>
      cells.reduce((total, j) => total + at(x, i, j, k), 0);
    agrees('scan:1,0', ([x]) => build([2, 3, 2], ([i, j, k]) => line(x!, i!, k!, [0, 1, 2].slice(0, j! + 1))), [
      tensor(2, 3, 2),
    ]);
    agrees('scan:1,1', ([x]) => build([2, 3, 2], ([i, j, k]) => line(x!, i!, k!, [0, 1, 2].slice(j))), [
      tensor(2, 3, 2),
    ]);
  });
  it('concatenates, slices and pads', () => {
    agrees('concat:1', ([a, b]) => build([2, 5], ([i, j]) => (j! < 2 ? at(a!, i!, j!) : at(b!, i!, j! - 2))), [
      tensor(2, 2),
      tensor(2, 3),
    ]);
    agrees('slice:1,2', ([x]) => build([2, 2], ([i, j]) => at(x!, i!, j! + 2)), [tensor(2, 5)]);
    agrees('pad:0,1', ([x]) => build([4, 2], ([i, j]) => (i! >= 1 && i! < 3 ? at(x!, i! - 1, j!) : 0)), [tensor(2, 2)]);
  });
  it('unfolds a picture into windows, and folds them back', () => {
    const picture = [1, 2, 5, 4];
    const where = (row: number, column: number): number[] => [
      0,
      Math.floor(row / 6),
      2 * Math.floor(column / 2) + (Math.floor(row / 2) % 3),
      2 * (column % 2) + (row % 2),
    ];
    const apart = ([x]: Tensor[]): Tensor => build([1, 12, 4], ([, row, column]) => at(x!, ...where(row!, column!)));
    agrees('unfold:3,2,2', apart, [tensor(...picture)]);
    const from = [...Array(48).keys()].map((k) => ravel(where(Math.floor(k / 4), k % 4), picture));
    const back = ([x]: Tensor[]): Tensor =>
      build(picture, (_, i) => sum(48, (k) => (from[k] === i ? x!.values[k]! : 0)));
    agrees('fold:3,2,2', back, [tensor(1, 12, 4)]);
  });
});

describe('rules that depend on values', () => {
  const ids = { shape: [3], values: [2, 0, 2] };
  it('gathers rows of a table', () => {
    agrees('gather', ([x]) => build([3, 2], ([i, j]) => at(x!, ids.values[i!]!, j!)), [tensor(4, 2), ids], [1]);
    expect(inputCells('gather', [tensor(4, 2), ids], [3, 2], 3)).toEqual([[1], [1]]);
  });
  it('scatters rows back into the table', () => {
    const f = ([x]: Tensor[]): Tensor =>
      build([4, 2], ([row, j]) => sum(3, (i) => (ids.values[i] === row ? at(x!, i, j!) : 0)));
    agrees('scatter', f, [tensor(3, 2), ids], [1]);
  });
  it('picks one value per row', () => {
    agrees('pick', ([x]) => build([3], ([i]) => at(x!, i!, ids.values[i!]!)), [tensor(3, 4), ids], [1]);
  });
  it('gives no cells for an id outside the table or an unknown rule', () => {
    expect(inputCells('gather', [tensor(2, 2), { shape: [1], values: [7] }], [1, 2], 0)).toEqual([[], [0]]);
    expect(inputCells('whirl', [tensor(2)], [2], 0)).toEqual([[]]);
  });
});
