// Chooses the tensors and rows of the board: as the lesson asks, else from the trace by depth.
import type { Cursor, Trace, TraceNode } from '../../engine/types';
import { isNamed } from '../../figures/shared/marks';
import { START } from '../../lab/cursor/names';
import { visibleAround } from '../../figures/shared/visible-around';

const MAX_COLUMNS = 13;
const MAX_TENSORS = 5;

/** Rows of nodes. Names missing from the trace are left out; if none remains, the rows are automatic. */
export function boardRows(
  trace: Trace,
  asked: readonly (readonly string[])[] | null,
  find: (name: string) => TraceNode | undefined,
  cursor: Cursor = START,
): TraceNode[][] {
  const rows = asked?.map((row) => row.map(find).filter((node): node is TraceNode => node !== undefined)) ?? [];
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
function depthOfEach(trace: Trace): Map<number, number> {
  const depthThrough: number[] = [];
  const depths = new Map<number, number>();
  const used = new Set<number>();
  for (const node of trace.nodes) {
    if (node.phase === 'backward') break;
    const deepest = Math.max(-1, ...node.inputs.map((id) => depthThrough[id] ?? -1));
    node.inputs.forEach((id) => used.add(id));
    depthThrough[node.id] = node.phase === 'leaf' ? -1 : isShown(node) ? deepest + 1 : deepest;
    if (isShown(node) && node.phase === 'forward') depths.set(node.id, deepest + 2);
  }
  for (const leaf of trace.nodes.filter((node) => node.phase === 'leaf' && isShown(node) && used.has(node.id)))
    depths.set(leaf.id, Math.max(0, firstUse(trace, leaf.id, depths) - 1));
  return depths;
}

/** Depth of the first shown node that a leaf reaches. */
function firstUse(trace: Trace, leaf: number, depths: ReadonlyMap<number, number>): number {
  const reach = new Set([leaf]);
  for (const node of trace.nodes) {
    if (node.id <= leaf || !node.inputs.some((id) => reach.has(id))) continue;
    const depth = depths.get(node.id);
    if (depth !== undefined) return depth;
    reach.add(node.id);
  }
  return 0;
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
