// What the lesson calls the rows and columns of a tensor: {"α": {"rows": ["je", …], "columns": ["I", …]}}.
import type { Trace, TraceNode } from '../types';
import type { Names } from './summary';

export type Labels = Record<string, { rows?: (string | number)[]; columns?: (string | number)[] }>;

const texts = (list?: (string | number)[]): string[] | undefined => list?.map(String);

/** `labels` go by a tensor's whole name or the end of its path; a gradient has those of the tensor it belongs to. */
export function namesIn(labels: Labels, trace: Trace, node: TraceNode): Names {
  const own = Object.entries(labels).find(([key]) => node.name === key || node.name.endsWith(`/${key}`))?.[1];
  if (node.phase !== 'backward') return own ? { rows: texts(own.rows), columns: texts(own.columns) } : {};
  const named = trace.nodes
    .filter((other) => other.gradient === node.id)
    .map((other) => namesIn(labels, trace, other))
    .find((names) => names.rows || names.columns);
  return named ?? {};
}

let known: { text: string; labels: Labels } = { text: '{}', labels: {} };

/** As the page says in data-labels. */
export function namesOf(trace: Trace, node: TraceNode): Names {
  const text = document.body.dataset.labels || '{}';
  if (known.text !== text) known = { text, labels: JSON.parse(text) as Labels };
  return namesIn(known.labels, trace, node);
}

/** Letters that fit beside a row and above a column of a board. */
const MOST = { wide: { row: 4, column: 8 }, narrow: { row: 2, column: 2 } };
/** CSS pixels of window height from which the names of columns do not cramp what stands under the board. */
const TALL = 760;

/** The names there is room for in a board, in a window of that size. */
export function shortNames(names: Names, width: number, height: number): Names {
  const most = width < 900 ? MOST.narrow : MOST.wide;
  const fits = (list: readonly string[] | undefined, letters: number): readonly string[] | undefined =>
    list?.every((text) => text.length <= letters) ? list : undefined;
  const tall = width < 900 || height >= TALL;
  return { rows: fits(names.rows, most.row), columns: tall ? fits(names.columns, most.column) : undefined };
}
