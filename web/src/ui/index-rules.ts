// Which input cells an output cell is computed from: one pure function of the index rule that each operation carries,
// so that views need not know the operations. Cells are row-major flat indices. Asking the engine instead took 35–41 ms
// (median, while training) and a hover may take 16 ms, so the rules are kept here.
import { cellCount } from '../engine/types';

export interface Operand {
  shape: readonly number[];
  /** Needed only where values select the cells: the ids of gather, scatter and pick. */
  values?: ArrayLike<number> | undefined;
}

type Cells = number[][];

/** Flat index → position along each axis. */
export function unravel(index: number, shape: readonly number[]): number[] {
  const position = new Array<number>(shape.length).fill(0);
  let rest = index;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    const size = shape[axis] ?? 1;
    position[axis] = rest % size;
    rest = Math.floor(rest / size);
  }
  return position;
}

/** Position along each axis → flat index. */
export function ravel(position: readonly number[], shape: readonly number[]): number {
  return shape.reduce((flat, size, axis) => flat * size + (position[axis] ?? 0), 0);
}

/**
 * For each input, the cells that cell `index` of the output is computed from, in the order they are summed.
 * Rules: einsum with optional "..." ("...nk,...km->...nm"), "elementwise", "broadcast", "reshape", "reduce:AXIS" (all
 * axes without a number), "scan:AXIS,BACKWARDS", "transpose:AXES" or "permute:AXES", "concat:AXIS", "slice:AXIS,START", "pad:AXIS,START",
 * "gather", "scatter", "pick", "one_hot", "take", "add_at" and "put", which go by places among all values, or "take:AXIS" and so
 * on, by ids along an axis; "unfold:HEIGHT,WIDTH,STRIDE" and "fold:…" of windows. An unknown rule gives
 * no cells.
 */
export function inputCells(rule: string, inputs: readonly Operand[], output: readonly number[], index: number): Cells {
  if (rule.includes('->')) return einsum(rule, inputs, output, index);
  const [word = '', numbers = ''] = rule.split(':');
  const n = numbers ? numbers.split(',').map(Number) : [];
  return (RULES[word] ?? nothing)(inputs, output, index, n);
}

type Rule = (inputs: readonly Operand[], output: readonly number[], index: number, numbers: number[]) => Cells;

const nothing: Rule = (inputs) => inputs.map(() => []);
const shapeOf = (inputs: readonly Operand[], i: number): readonly number[] => inputs[i]?.shape ?? [];
const only = (inputs: readonly Operand[], which: number, cells: number[]): Cells =>
  inputs.map((_, i) => (i === which ? cells : []));

/** NumPy broadcasting: axes align from the last one, an axis of size 1 repeats. */
const elementwise: Rule = (inputs, output, index) => {
  const at = unravel(index, output);
  return inputs.map(({ shape }) => [ravel(broadcast(at.slice(at.length - shape.length), shape), shape)]);
};

const reduce: Rule = (inputs, output, index, axes) => {
  const shape = shapeOf(inputs, 0);
  const along = axes.length ? axes.map((a) => (a < 0 ? a + shape.length : a)) : shape.map((_, axis) => axis);
  const at = unravel(index, output);
  const kept = output.length === shape.length;
  let next = 0;
  const fixed = shape.map((_, axis) => (along.includes(axis) ? null : (at[kept ? axis : next++] ?? 0)));
  return only(inputs, 0, walk(shape, fixed));
};

/** All cells of `shape` whose position matches `fixed` where that is not null. */
function walk(shape: readonly number[], fixed: readonly (number | null)[]): number[] {
  return shape.reduce<number[]>(
    (cells, size, axis) => {
      const here = fixed[axis];
      const along = here === null || here === undefined ? [...Array(size).keys()] : [here];
      return cells.flatMap((flat) => along.map((i) => flat * size + i));
    },
    [0],
  );
}

/** All cells up to this one along an axis; backwards, all from it on. */
const scan: Rule = (inputs, output, index, [axis = 0, backwards = 0]) => {
  const at = unravel(index, output);
  const here = at[axis] ?? 0;
  const line = [...Array(output[axis] ?? 1).keys()].filter((i) => (backwards ? i >= here : i <= here));
  const cells = line.map((i) => ravel(at.with(axis, i), output));
  return only(inputs, 0, cells);
};

const transpose: Rule = (inputs, output, index, axes) => {
  const shape = shapeOf(inputs, 0);
  const at = unravel(index, output);
  const last = shape.length - 1;
  const order = axes.length ? axes : [...Array(Math.max(0, last - 1)).keys(), last, last - 1];
  const from = new Array<number>(shape.length).fill(0);
  order.forEach((axis, i) => (from[axis] = at[i] ?? 0));
  return only(inputs, 0, [ravel(from, shape)]);
};

const concat: Rule = (inputs, output, index, [axis = 0]) => {
  const at = unravel(index, output);
  const along = axis < 0 ? axis + output.length : axis;
  let start = 0;
  return inputs.map(({ shape }) => {
    const size = shape[along] ?? 1;
    const inside = (at[along] ?? 0) - start;
    start += size;
    return inside >= 0 && inside < size ? [ravel(at.with(along, inside), shape)] : [];
  });
};

/** `shift` is +1 for a slice (the input starts earlier) and −1 for padding (the input starts later). */
const shifted =
  (shift: 1 | -1): Rule =>
  (inputs, output, index, [axis = 0, start = 0]) => {
    const shape = shapeOf(inputs, 0);
    const along = axis < 0 ? axis + output.length : axis;
    const at = unravel(index, output);
    const inside = (at[along] ?? 0) + shift * start;
    const there = inside >= 0 && inside < (shape[along] ?? 1);
    return only(inputs, 0, there ? [ravel(at.with(along, inside), shape)] : []);
  };

/** y[…, :] = table[ids[…], :] */
const gather: Rule = (inputs, _output, index) => {
  const [rows = 1, width = 1] = shapeOf(inputs, 0);
  const which = Math.floor(index / width);
  const id = inputs[1]?.values?.[which];
  const there = id !== undefined && id >= 0 && id < rows;
  return [there ? [id * width + (index % width)] : [], [which]];
};

/** y[ids[…], :] += rows[…, :] */
const scatter: Rule = (inputs, output, index) => {
  const width = output.at(-1) ?? 1;
  const row = Math.floor(index / width);
  const ids = [...Array(cellCount(shapeOf(inputs, 1))).keys()].filter((i) => inputs[1]?.values?.[i] === row);
  return [ids.map((i) => i * width + (index % width)), ids];
};

/** y[…] = x[…, ids[…]] */
const pick: Rule = (inputs, _output, index) => {
  const width = shapeOf(inputs, 0).at(-1) ?? 1;
  const id = inputs[1]?.values?.[index];
  return [id !== undefined && id >= 0 && id < width ? [index * width + id] : [], [index]];
};

const oneHot: Rule = (inputs, output, index) => only(inputs, 0, [Math.floor(index / (output.at(-1) ?? 1))]);

/** The place in `shape` that id `i` names: among all values or, with an axis, where the id itself is but for that axis. */
function placeOf(ids: Operand | undefined, i: number, shape: readonly number[], axis: number | undefined): number {
  const id = ids?.values?.[i] ?? -1;
  const within = id >= 0 && id < (axis === undefined ? cellCount(shape) : (shape[axis] ?? 0));
  if (!within) return -1;
  return axis === undefined ? id : ravel(unravel(i, ids?.shape ?? []).with(axis, id), shape);
}

/** All ids that name cell `index`. */
const idsAt = (ids: Operand | undefined, index: number, shape: readonly number[], axis: number | undefined): number[] =>
  [...Array(cellCount(ids?.shape ?? [])).keys()].filter((i) => placeOf(ids, i, shape, axis) === index);

/** y[i] = x[places[i]] */
const take: Rule = (inputs, _output, index, [axis]) => {
  const place = placeOf(inputs[1], index, shapeOf(inputs, 0), axis);
  return [place < 0 ? [] : [place], [index]];
};

/** y[places[i]] += values[i] */
const addAt: Rule = (inputs, output, index, [axis]) => {
  const ids = idsAt(inputs[1], index, output, axis);
  return [ids, ids];
};

/** x, but y[places[i]] = values[i]: inputs are x, values and places. */
const put: Rule = (inputs, output, index, [axis]) => {
  const last = idsAt(inputs[2], index, output, axis).at(-1);
  if (last === undefined) return [[index], [], []];
  return [[], [cellCount(shapeOf(inputs, 1)) === 1 ? 0 : last], [last]];
};

const placesAlong = (size: number, window: number, stride: number): number => Math.floor((size - window) / stride) + 1;

/** im2col: row `at[1]` of the output is a channel and an offset in the window, column `at[2]` a window. */
const unfold: Rule = (inputs, output, index, [height = 1, width = 1, stride = 1]) => {
  const shape = shapeOf(inputs, 0);
  const at = unravel(index, output);
  const [channel = 0, i = 0, j = 0] = unravel(at[1] ?? 0, [shape[1] ?? 1, height, width]);
  const across = placesAlong(shape[3] ?? 1, width, stride);
  const [row, column] = [Math.floor((at[2] ?? 0) / across), (at[2] ?? 0) % across];
  return only(inputs, 0, [ravel([at[0] ?? 0, channel, row * stride + i, column * stride + j], shape)]);
};

/** col2im: the cells of the columns that fall on one cell of the image. */
const fold: Rule = (inputs, output, index, [height = 1, width = 1, stride = 1]) => {
  const shape = shapeOf(inputs, 0);
  const [picture = 0, channel = 0, y = 0, x = 0] = unravel(index, output);
  const [down, across] = [placesAlong(output[2] ?? 1, height, stride), placesAlong(output[3] ?? 1, width, stride)];
  const cells = [...Array(height * width).keys()].flatMap((inside) => {
    const [i = 0, j = 0] = unravel(inside, [height, width]);
    const [row, column] = [(y - i) / stride, (x - j) / stride];
    const there = [row, column].every((n) => Number.isInteger(n) && n >= 0) && row < down && column < across;
    return there ? [ravel([picture, channel * height * width + inside, row * across + column], shape)] : [];
  });
  return only(inputs, 0, cells);
};

const RULES: Record<string, Rule> = {
  elementwise,
  broadcast: elementwise,
  reshape: (inputs, _output, index) => only(inputs, 0, [index]),
  reduce,
  scan,
  transpose,
  permute: transpose,
  concat,
  slice: shifted(1),
  pad: shifted(-1),
  gather,
  scatter,
  pick,
  one_hot: oneHot,
  take,
  add_at: addAt,
  put,
  unfold,
  fold,
};

/** One letter per axis; "..." is for leading axes, which broadcast. An operand with fewer axes drops letters. */
function einsum(rule: string, inputs: readonly Operand[], output: readonly number[], index: number): Cells {
  const [left = '', right = ''] = rule.split('->');
  const terms = left.split(',').map(plain);
  const letters = terms.map((term, i) => fit(term, shapeOf(inputs, i).length, right));
  const lost = terms.flatMap((term, i) => term.filter((letter) => !letters[i]!.includes(letter)));
  const kept = plain(right).filter((letter) => !lost.includes(letter));
  const at = unravel(index, output);
  const batch = at.slice(0, at.length - kept.length);
  const bound = kept.map((letter, i): [string, number] => [letter, at[batch.length + i] ?? 0]);
  const addends = addendsOf(letters, inputs, right).map((free) => new Map([...bound, ...free]));
  return inputs.map(({ shape }, i) => {
    const lead = batch.slice(batch.length - (shape.length - letters[i]!.length));
    const position = (of: ReadonlyMap<string, number>) => [
      ...lead,
      ...letters[i]!.map((letter) => of.get(letter) ?? 0),
    ];
    return addends.map((of) => ravel(broadcast(position(of), shape), shape));
  });
}

const plain = (term: string): string[] => [...term.replace('...', '')];

/** An axis of size 1 repeats. */
const broadcast = (position: readonly number[], shape: readonly number[]): number[] =>
  position.map((at, axis) => (shape[axis] === 1 ? 0 : at));

/** The letters of one operand; if it has fewer axes than letters, those that are not summed are dropped first. */
function fit(term: readonly string[], rank: number, right: string): string[] {
  const letters = [...term];
  while (letters.length > rank) {
    const drop = letters.findIndex((letter) => right.includes(letter));
    letters.splice(Math.max(0, drop), 1);
  }
  return letters;
}

/** The values of the summed letters in each term of the sum, letters in order of appearance: cells of operands pair up. */
function addendsOf(letters: readonly string[][], inputs: readonly Operand[], right: string): [string, number][][] {
  const sizes = new Map<string, number>();
  letters.forEach((list, i) =>
    list.forEach((letter, k) => {
      const size = shapeOf(inputs, i).at(k - list.length) ?? 1;
      if (!right.includes(letter)) sizes.set(letter, Math.max(sizes.get(letter) ?? 1, size));
    }),
  );
  const shape = [...sizes.values()];
  return [...Array(cellCount(shape)).keys()].map((flat) => {
    const values = unravel(flat, shape);
    return [...sizes.keys()].map((letter, i) => [letter, values[i]!]);
  });
}
