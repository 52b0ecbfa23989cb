// Which tensors the board shows, in which rows: as the lesson says, else from the trace by depth.
import type { Cursor, Trace, TraceNode } from '../types';
import { isNamed } from './marks';
import { START } from '../stepper/names';
import { surroundings } from './surroundings';

const MOST_COLUMNS = 13;
const MOST_TENSORS = 5;

/** Rows of nodes. Names that are not in the trace are left out. */
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
 * Inputs, parameters and everything named, each as deep as it needs to be; shallow rows share a line. Of a long trace
 * only what the cursor stands in.
 */
export function automaticRows(trace: Trace, cursor: Cursor = START): TraceNode[][] {
  const depths = depthOfEach(trace);
  const around = surroundings(trace, cursor, [...depths.keys()]);
  const shown = trace.nodes.filter((node) => around.has(node.id));
  const levels: TraceNode[][] = [];
  for (const node of shown) (levels[depths.get(node.id)!] ??= []).push(node);
  return pack(levels.filter(Boolean).map(inputsFirst));
}

const inputsFirst = (level: TraceNode[]): TraceNode[] =>
  level.toSorted((a, b) => Number(b.op === 'input') - Number(a.op === 'input') || a.id - b.id);

const isShown = (node: TraceNode): boolean => /leaf|forward/.test(node.phase) && isNamed(node);

/** Depth among the shown: one more than the deepest it was made from; a leaf stands just above its first use. */
function depthOfEach(trace: Trace): Map<number, number> {
  const through: number[] = [];
  const depths = new Map<number, number>();
  const used = new Set<number>();
  for (const node of trace.nodes) {
    if (node.phase === 'backward') break;
    const deepest = Math.max(-1, ...node.inputs.map((id) => through[id] ?? -1));
    node.inputs.forEach((id) => used.add(id));
    through[node.id] = node.phase === 'leaf' ? -1 : isShown(node) ? deepest + 1 : deepest;
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

/** Puts consecutive levels on one line while they fit beside each other. */
function pack(levels: TraceNode[][]): TraceNode[][] {
  const rows: TraceNode[][] = [];
  const width = (row: TraceNode[]): number => row.reduce((sum, node) => sum + Math.min(8, node.shape.at(-1) ?? 1), 0);
  for (const level of levels) {
    const last = rows.at(-1);
    const fits = last && width(last) + width(level) <= MOST_COLUMNS && last.length + level.length <= MOST_TENSORS;
    if (fits) last.push(...level);
    else rows.push([...level]);
  }
  return rows;
}
