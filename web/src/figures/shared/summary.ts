// What a tensor is called and said to be: which tensor or cell the inspector and the legend describe, what the lesson calls
// its rows, columns and slices, and the tensor in a sentence, for screen readers and for the line under a figure.
import * as texts from '#messages/figures/shared';
import type { Lab } from '../../lab/lab';
import type { Labels } from '../../lab/page';
import { cellCount, type Role, type Trace, type TraceNode } from '../../engine/types';
import { isOfUpdate } from '../../lab/cursor';
import { planeAround, planeOf, planeValues, type Plane } from '../../ui/grid-layout';
import { significant } from '../../ui/numbers';

/** An axis whose size differs from the lesson's list goes by index. */
function fitting({ rows, columns, slices, slice }: Labels[string], shape: number[]): Names {
  const all = (list: (string | number)[] | undefined, size: number | undefined): string[] | undefined =>
    list?.length === (size ?? 1) ? list.map(String) : undefined;
  return {
    rows: all(rows, shape.at(-2)),
    columns: all(columns, shape.at(-1)),
    slices: all(slices, shape.at(-3)),
    slice,
  };
}

/** `labels` match a tensor's full name or the end of its path; a gradient takes the names of its tensor. */
export function namesIn(labels: Labels, trace: Trace, node: TraceNode): Names {
  const own = Object.entries(labels).find(([key]) => node.name === key || node.name.endsWith(`/${key}`))?.[1];
  if (node.phase !== 'backward') return own ? fitting(own, node.shape) : {};
  const named = gradientOf(trace, node)
    .map((other) => namesIn(labels, trace, other))
    .find((names) => Object.values(names).some(Boolean));
  return named ?? {};
}

/** Names by the words that are read, once the views of sequences have come; see word-names.ts. */
export const byWords: { names?: (lab: Lab, node: TraceNode) => Names } = {};

/** The lesson's names, else the words. */
export function namesOf(lab: Lab, node: TraceNode): Names {
  const own = lab.trace ? namesIn(lab.page.labels, lab.trace, node) : {};
  return Object.values(own).some(Boolean) ? own : (byWords.names?.(lab, node) ?? own);
}

/** Letters that fit beside a row and above a column of a board. */
const MAX_LETTERS = { row: 4, column: 8 };
/** Letters that fit above all columns of a board. */
const ABREAST = 112;
/** CSS pixels: a narrower window needs all its width for the cells, a shorter one its height for what is below them. */
const WIDE = 900;
const TALL = 760;
/** Letters that fit above all columns of a figure in a narrow window. */
const UPRIGHT = 36;

/** The names that fit on a board in a window of `width` × `height` CSS pixels. */
export function shortNames(names: Names, width: number, height: number): Names {
  if (width < WIDE) return {};
  const fits = (list: readonly string[] | undefined, letters: number): readonly string[] | undefined =>
    list?.every((text) => text.length <= letters) ? list : undefined;
  const room = Math.min(MAX_LETTERS.column, ABREAST / (names.columns?.length ?? 1));
  const columns = height >= TALL ? fits(names.columns, room) : undefined;
  return { ...names, rows: fits(names.rows, MAX_LETTERS.row), columns };
}

/** True if column names need no slant even in a narrow window. */
export const areShort = (columns: readonly string[]): boolean =>
  Math.max(0, ...columns.map((text) => text.length)) * columns.length <= UPRIGHT;

interface Subject {
  node: TraceNode;
  index: number;
  /** Chosen by the learner, not by the cursor. */
  selected: boolean;
}

/** The selected cell, else the first cell of the current step; null at the start. */
export function subjectOf(lab: Pick<Lab, 'selection' | 'cursor' | 'node'>, trace: Trace): Subject | null {
  const { selection, cursor } = lab;
  const node = selection ? lab.node(selection.node) : undefined;
  if (node && selection) {
    const index = selection.index < cellCount(node.shape) ? selection.index : 0;
    return { node, index, selected: true };
  }
  const step = trace.nodes[cursor.node];
  return step ? { node: step, index: 0, selected: false } : null;
}

/**
 * The tensors whose gradient this backward node holds. Several share one where the gradient passes unchanged: a
 * difference passes its gradient on to its minuend.
 */
export const gradientOf = (trace: Trace, node: TraceNode): TraceNode[] =>
  trace.nodes.filter((other) => other.gradient === node.id);

/** Describes a tensor that is not computed. */
export function describeLeaf(trace: Trace, node: TraceNode): string {
  if (node.role === 'parameter') return texts.A_PARAMETER;
  if (node.op === 'constant') return texts.A_CONSTANT;
  return isOfUpdate(trace, node) ? texts.OPTIMISER_STATE : texts.AN_INPUT;
}

/** An index or a name for each axis: "[1, 2]", "[b, 2]". */
export const tuple = (index: readonly (number | string)[]): string => `[${index.join(', ')}]`;

export interface Names {
  rows?: readonly string[];
  columns?: readonly string[];
  /** Name of the axis before rows and columns, such as "head", and of its positions. */
  slice?: string;
  slices?: readonly string[];
}

/** "head 1": the position on the axis before rows and columns; "slice [0, 1]" if that has no names. */
function describeSlice({ slice }: Plane, names: Names): string {
  if (!names.slice && !names.slices) return texts.sliceAt(tuple(slice));
  const at = slice.at(-1)!;
  return texts.sliceAt(names.slices?.[at] ?? at, names.slice);
}

/** "[0, 2]", 0-based as in the code; "row a, column 2" if there are names; "" for a scalar. */
export function describeCell(plane: Plane, row: number, column: number, names: Names = {}): string {
  if (!plane.shape.length) return '';
  if (plane.shape.length === 1) return names.columns?.[column] ?? tuple([column]);
  if (Object.values(names).every((each) => !each)) return tuple([...plane.slice, row, column]);
  const slice = plane.slice.length ? describeSlice(plane, names) : undefined;
  return texts.rowAndColumn(names.rows?.[row] ?? row, names.columns?.[column] ?? column, slice);
}

/** Shannon entropy of weights that sum to one, in bits. */
export function entropyBits(weights: readonly number[]): number {
  return weights.reduce((sum, p) => (p > 0 ? sum + p * Math.log2(1 / p) : sum), 0);
}

/** Index of the largest finite value, or −1. */
export function argmax(values: readonly number[]): number {
  return values.reduce((best, v, i) => (Number.isFinite(v) && (best < 0 || v > (values[best] ?? 0)) ? i : best), -1);
}

/** The shown slice in words; for weights also the maximum and entropy of each row. */
export function summarize(plane: Plane, values: ArrayLike<number> | undefined, role: Role, names: Names = {}): string {
  if (!values) return texts.NOTHING_REACHED;
  const shown = planeValues(plane, values);
  const largest = largestOf(plane, shown, names);
  if (largest?.at === undefined) return texts.summaryOf({ largest });
  const finite = shown.filter(Number.isFinite);
  return texts.summaryOf({
    largest,
    odd: shown.length - finite.length,
    ...(role === 'weight' ? { rows: rowsOf(plane, shown, names) } : { smallest: significant(Math.min(...finite), 4) }),
  });
}

function largestOf(plane: Plane, shown: number[], names: Names): texts.Largest {
  if (!plane.shape.length) return { value: significant(shown[0] ?? 0, 6) };
  const top = argmax(shown);
  if (top < 0) return null;
  const at = describeCell(plane, Math.floor(top / plane.columns), top % plane.columns, names);
  return { value: significant(shown[top] ?? 0, 4), at };
}

/**
 * What stands out, in the middle of a line: for weights the maximum and entropy of the row of cell `index`, else the
 * largest value; `row` is null unless that row is one of several.
 */
export function highlight(
  node: { shape: readonly number[] },
  values: ArrayLike<number>,
  role: Role,
  index: number | null,
  names: Names = {},
): { row: string | null; text: string } {
  const plane = index === null ? planeOf(node.shape) : planeAround(node.shape, index);
  const row = index === null ? 0 : Math.floor(index / plane.columns) % plane.rows;
  const shown = planeValues(plane, values);
  if (role !== 'weight' || plane.columns < 2)
    return { row: null, text: texts.largestInLine(largestOf(plane, shown, names)) };
  const { row: name, ...weights } = rowOf(plane, shown, row, names, 3);
  return { row: plane.rows > 1 ? `${name}` : null, text: texts.weightsInLine(weights) };
}

/** The same as one short line of its own. */
export function headline(...about: Parameters<typeof highlight>): string {
  const { row, text } = highlight(...about);
  return texts.headline(row, text);
}

const describeColumn = (plane: Plane, column: number, names: Names): string =>
  names.columns?.[column] ?? (plane.rows > 1 ? texts.columnAt(column) : tuple([column]));

const MAX_ROWS = 12;

const rowsOf = (plane: Plane, shown: number[], names: Names): texts.RowOfWeights[] =>
  Array.from({ length: Math.min(plane.rows, MAX_ROWS) }, (_, row) => rowOf(plane, shown, row, names, 2));

/** `digits`: of the largest weight. */
function rowOf(plane: Plane, shown: number[], row: number, names: Names, digits: number): texts.RowOfWeights {
  const weights = shown.slice(row * plane.columns, (row + 1) * plane.columns);
  const top = argmax(weights);
  return {
    row: names.rows?.[row] ?? row,
    at: describeColumn(plane, top, names),
    value: significant(weights[top] ?? 0, digits),
    entropy: significant(entropyBits(weights), 3),
  };
}
