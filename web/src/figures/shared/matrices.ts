// The matrices in a trace, for figures of linear algebra: a tensor of rows and columns, and what it consists of: the blocks
// of a cell's gates, or the matrices along its other axes, such as heads.
import type { Trace, TraceNode } from '../../engine/types';
import { byName, isNamed, isOfUpdate, onceForEach } from '../../lab/cursor';

/** The sizes that the engine takes apart: see engine/linalg/linalg.h. */
const MOST = { rows: 4096, axes: 256 };

export const columnsOf = ({ shape }: TraceNode): number => shape.at(-1)!;
/** All axes but the last, as one. */
export const rowsOf = ({ shape }: TraceNode): number => shape.slice(0, -1).reduce((rows, size) => rows * size, 1);

function isMatrix(node: TraceNode): boolean {
  if (node.shape.length < 2) return false;
  const [rows, columns] = [rowsOf(node), columnsOf(node)];
  const [fewer, more] = [Math.min(rows, columns), Math.max(rows, columns)];
  return fewer > 1 && fewer <= MOST.axes && more <= MOST.rows;
}

/** Parameters first, then inputs and named results in the order of execution. */
export const matricesOf = onceForEach((trace: Trace): readonly TraceNode[] => {
  const all = trace.nodes.filter(
    (node) => /leaf|forward/.test(node.phase) && isNamed(node) && isMatrix(node) && !isOfUpdate(trace, node),
  );
  const isParameter = ({ role, phase }: TraceNode): boolean => phase === 'leaf' && role === 'parameter';
  return [...all.filter(isParameter), ...all.filter((node) => !isParameter(node))];
});

/** Names of the gates of a cell, in the order of its blocks: see engine/nn/recurrent/cell.cpp. */
const GATES: Record<number, readonly string[]> = { 3: ['r', 'z', 'n'], 4: ['i', 'f', 'g', 'o'] };

/** The parts that a tensor consists of below each other, each a matrix: gates by their letters, else numbers. */
export interface Parts {
  names: readonly (string | number)[];
  areGates: boolean;
  /** Of each. */
  rows: number;
}

export function partsOf(trace: Trace, node: TraceNode): Parts {
  const states = byName(trace).get(node.name.replace(/\.[UW]$/, '.U'))?.shape ?? [];
  const gates = /\.[UW]$/.test(node.name) ? GATES[(states[0] ?? 0) / (states[1] ?? 1)] : undefined;
  if (gates) return { names: gates, areGates: true, rows: node.shape[0]! / gates.length };
  const rows = node.shape.at(-2)!;
  return { names: [...Array(rowsOf(node) / rows).keys()], areGates: false, rows };
}

/** Whether a plain recurrent cell multiplies its state by it. */
export const isRecurrence = (node: TraceNode): boolean => /\.U$/.test(node.name) && node.shape[0] === node.shape[1];
