// Chooses the tensors and rows of the board: as the lesson asks, else from the trace by depth.
import type { Cursor, Trace, TraceNode } from '../../engine/types';
import { isNamed } from '../../figures/shared/marks';
import { isOfUpdate, START, onceForEach } from '../../lab/cursor';
import { visibleAround } from '../../figures/shared/follow';

const MAX_COLUMNS = 13;
const MAX_TENSORS = 5;

/** Rows of nodes. Names missing from the trace are left out; if none remains, the rows are automatic. */
export function boardRows(
  trace: Trace,
  requested: readonly (readonly string[])[] | null,
  find: (name: string) => TraceNode | undefined,
  cursor: Cursor = START,
): TraceNode[][] {
  const rows = requested?.map((row) => row.map(find).filter((node): node is TraceNode => node !== undefined)) ?? [];
  const some = rows.filter((row) => row.length);
  return some.length ? some : automaticRows(trace, cursor);
}

/**
 * Inputs, parameters and all named tensors, one level per depth; short levels share a row. For a long trace, only what
 * surrounds the cursor.
 */
export function automaticRows(trace: Trace, cursor: Cursor = START): TraceNode[][] {
  const depths = depthOfEach(trace);
  const around = visibleAround(trace, cursor, [...depths.keys()]);
  const shown = trace.nodes.filter((node) => around.has(node.id));
  const levels: TraceNode[][] = [];
  for (const node of shown) (levels[depths.get(node.id)!] ??= []).push(node);
  return pack(levels.filter(Boolean).map(inputsFirst));
}

const inputsFirst = (level: TraceNode[]): TraceNode[] =>
  level.toSorted((a, b) => Number(b.op === 'input') - Number(a.op === 'input') || a.id - b.id);

const isShown = (node: TraceNode): boolean => /leaf|forward/.test(node.phase) && isNamed(node);

/** Depth among the shown nodes: one more than the deepest input; a leaf sits just above its first use. */
const depthOfEach = onceForEach((trace: Trace): ReadonlyMap<number, number> => {
  const depthThrough: number[] = [];
  const depths = new Map<number, number>();
  for (const node of trace.nodes) {
    if (node.phase === 'backward') break;
    const deepest = Math.max(-1, ...node.inputs.map((id) => depthThrough[id] ?? -1));
    depthThrough[node.id] = node.phase === 'leaf' ? -1 : isShown(node) ? deepest + 1 : deepest;
    if (isShown(node) && node.phase === 'forward') depths.set(node.id, deepest + 2);
  }
  const uses = firstUses(trace, depths);
  for (const leaf of trace.nodes.filter((node) => node.phase === 'leaf' && isShown(node) && uses.has(node.id)))
    depths.set(leaf.id, Math.max(0, (depths.get(uses.get(leaf.id)!) ?? 0) - 1));
  return depths;
});

/** Of each node that is read: the first shown node that it reaches; Infinity if it reaches none. */
function firstUses(trace: Trace, shown: ReadonlyMap<number, number>): Map<number, number> {
  const uses = new Map<number, number>();
  const end = trace.nodes.findIndex(({ phase }) => phase === 'backward');
  for (const { id, inputs } of trace.nodes.slice(0, end < 0 ? undefined : end).reverse()) {
    const use = shown.has(id) ? id : (uses.get(id) ?? Infinity);
    for (const input of inputs) uses.set(input, Math.min(use, uses.get(input) ?? Infinity));
  }
  return uses;
}

/** Merges consecutive levels into one row while they fit side by side. */
function pack(levels: TraceNode[][]): TraceNode[][] {
  const rows: TraceNode[][] = [];
  const width = (row: TraceNode[]): number => row.reduce((sum, node) => sum + Math.min(8, node.shape.at(-1) ?? 1), 0);
  for (const level of levels) {
    const last = rows.at(-1);
    const fits = last && width(last) + width(level) <= MAX_COLUMNS && last.length + level.length <= MAX_TENSORS;
    if (fits) last.push(...level);
    else rows.push([...level]);
  }
  return rows;
}

/**
 * While a parameter is updated: the parameter, and the tensors that compute its new value. Null if the cursor is not inside
 * such an update.
 */
export function updateRows(trace: Trace, cursor: Cursor): TraceNode[][] | null {
  const node = trace.nodes[cursor.node];
  const scope = node?.phase === 'update' ? trace.scopes[node.scope] : undefined;
  if (!scope || trace.scopes[scope.parent]?.phase !== 'update') return null;
  const inside = trace.nodes.slice(scope.first, scope.last + 1);
  const operands = inside.flatMap(({ inputs }) => inputs).map((id) => trace.nodes[id]!);
  const parameter = operands.filter((each) => each.role === 'parameter' && !isOfUpdate(trace, each));
  const computed = inside.filter((each) => each.phase === 'update' && isNamed(each));
  return splitIntoRows([...new Set(parameter), ...computed]);
}

/** As few rows as possible, of about equal length. */
function splitIntoRows(nodes: TraceNode[]): TraceNode[][] {
  const length = Math.ceil(nodes.length / Math.ceil(nodes.length / MAX_TENSORS));
  return Array.from({ length: Math.ceil(nodes.length / length) }, (_, i) => nodes.slice(i * length, (i + 1) * length));
}
