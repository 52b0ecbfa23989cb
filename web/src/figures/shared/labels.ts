// What the lesson calls the rows, columns and slices of a tensor.
import type { Lab } from '../../lab/lab';
import type { Labels } from '../../lab/page';
import type { Trace, TraceNode } from '../../engine/types';
import { gradientOf } from './subject';
import type { Names } from './summary';

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

/** Names from the lab's page. */
export const namesOf = ({ page, trace }: Pick<Lab, 'page' | 'trace'>, node: TraceNode): Names =>
  trace ? namesIn(page.labels, trace, node) : {};

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
