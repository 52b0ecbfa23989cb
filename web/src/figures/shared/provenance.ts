// Follows the index rules back through the trace: which cells of the shown tensors made a given cell.
import type { Trace, TraceNode } from '../../engine/types';
import { inputCells } from '../../ui/index-rules';

/** Values of a node; undefined until reached. */
export type ReadValues = (node: TraceNode) => ArrayLike<number> | undefined;
export type CellSets = Map<number, Set<number>>;

const MAX_CELLS = 20_000;

/**
 * Cells by node id. The walk passes through hidden nodes and stops at those in `shown`, so that a weight lights its row
 * of scores although several hidden operations lie in between. It ends early after MAX_CELLS cells.
 */
export function provenance(
  trace: Trace,
  start: { node: number; index: number },
  shown: ReadonlySet<number>,
  valuesOf: ReadValues,
): CellSets {
  const found: CellSets = new Map();
  const waiting: CellSets = new Map([[start.node, new Set([start.index])]]);
  let budget = MAX_CELLS;
  for (let id = start.node; id >= 0 && budget > 0; id--) {
    const cells = waiting.get(id);
    const node = trace.nodes[id];
    if (!cells || !node) continue;
    if (id !== start.node && shown.has(id)) {
      found.set(id, cells);
      continue;
    }
    for (const index of cells) budget -= spread(trace, node, index, waiting, valuesOf);
  }
  return found;
}

/** Adds the input cells of one cell to `waiting`; returns their number plus one, charged to the budget. */
function spread(trace: Trace, node: TraceNode, index: number, waiting: CellSets, valuesOf: ReadValues): number {
  const lists = sourceCells(trace, node, index, valuesOf);
  lists.forEach((cells, i) => {
    const id = node.inputs[i] ?? -1;
    const known = waiting.get(id) ?? new Set<number>();
    cells.forEach((cell) => known.add(cell));
    waiting.set(id, known);
  });
  return lists.reduce((n, cells) => n + cells.length, 1);
}

/** The cells of each direct input that made cell `index` of `node`. */
export function sourceCells(trace: Trace, node: TraceNode, index: number, valuesOf: ReadValues): number[][] {
  const chosen = /^(gather|scatter|pick)/.test(node.rule);
  const operands = node.inputs.map((id, i) => {
    const input = trace.nodes[id];
    const values = chosen && i === 1 && input ? valuesOf(input) : undefined;
    return { shape: input?.shape ?? [], values };
  });
  return inputCells(node.rule, operands, node.shape, index);
}
