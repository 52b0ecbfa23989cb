// One cell opened: its named results as strips, each with the formula that the trace says it was computed by.
import { type TemplateResult, html, nothing } from 'lit';
import type { Trace, TraceNode } from '../types';
import { hint } from './formula';
import { isNamed, shortName } from './marks';
import type { Unrolled, UnrolledCell } from './unrolled-trace';

/** Nodes of the cell that are shown: gates in their order, then the state. */
export const shownOf = (cell: UnrolledCell): number[] => [...cell.gates, cell.state];

/**
 * The trace as the formulas of a cell want it: results are called after their position, "h_2"; what comes from outside is
 * x or the state before; and a gate's block of the stacked weights is W_r, not a slice of all of them.
 */
export function cellTrace(trace: Trace, network: Unrolled, cell: UnrolledCell, gate: TraceNode): Trace {
  const nodes = trace.nodes.slice();
  const rename = (id: number, name: string): void => {
    nodes[id] = { ...nodes[id]!, name };
  };
  for (const each of network.cells) {
    if (each.network !== cell.network) continue;
    for (const id of shownOf(each)) rename(id, `${shortName(nodes[id]!.name)}_${each.position}`);
  }
  const inside = insideOf(trace, cell);
  const block = [...inside].some((id) => trace.nodes[id]?.op === 'slice') && gate.id !== cell.state;
  for (const id of inside) {
    nodes[id] = { ...nodes[id]!, inputs: nodes[id]!.inputs.map((input) => unsliced(trace, inside, input)) };
    for (const input of nodes[id]!.inputs)
      if (!inside.has(input)) rename(input, outsideName(trace.nodes[input]!, nodes[input]!, cell, block, gate));
  }
  return { nodes, scopes: [] };
}

/** What a cell computes, by going back from its results as far as its own scope reaches. */
function insideOf(trace: Trace, cell: UnrolledCell): ReadonlySet<number> {
  const scope = (id: number): string => trace.nodes[id]!.name.replace(/\/[^/]*$/, '');
  const own = new Set([scope(cell.state), ...cell.gates.map(scope)]);
  for (const id of trace.nodes[cell.state]!.inputs) own.add(scope(id));
  const found = new Set(shownOf(cell));
  const waiting = [...found];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop())
    for (const input of trace.nodes[id]!.inputs) {
      const node = trace.nodes[input]!;
      if (found.has(input) || node.phase !== 'forward' || !own.has(scope(input)) || isOutside(node, cell)) continue;
      found.add(input);
      waiting.push(input);
    }
  return found;
}

/** The state before may stand in the same scope, and so may what the cell reads. */
const isOutside = (node: TraceNode, cell: UnrolledCell): boolean => isNamed(node) && !shownOf(cell).includes(node.id);

function unsliced(trace: Trace, inside: ReadonlySet<number>, id: number): number {
  const node = trace.nodes[id]!;
  return node.op === 'slice' && inside.has(id) ? unsliced(trace, inside, node.inputs[0]!) : id;
}

function outsideName(node: TraceNode, now: TraceNode, cell: UnrolledCell, block: boolean, gate: TraceNode): string {
  if (node.op === 'constant') return node.shape.length ? '0' : node.name;
  if (node.phase === 'leaf') return `${node.name.split('.').at(-1)}${block ? `_${shortName(gate.name)}` : ''}`;
  if (now.name !== node.name) return now.name;
  return `${isNamed(node) ? shortName(node.name) : 'x'}_${cell.position}`;
}

/** "r₂ = σ(…)" for each of the cell's results. */
export function formulas(
  trace: Trace,
  network: Unrolled,
  cell: UnrolledCell,
  values: (node: TraceNode) => ArrayLike<number> | undefined,
): (TemplateResult | typeof nothing)[] {
  return shownOf(cell).map((id) => {
    const named = cellTrace(trace, network, cell, trace.nodes[id]!);
    const shown = new Set(shownOf(cell).filter((other) => other !== id));
    const text = hint(named, named.nodes[id]!, shown, values);
    return text ? html`= ${text}` : nothing;
  });
}
