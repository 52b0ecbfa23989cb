// The opened cell: its named results, each with its formula as derived from the trace.
import { type TemplateResult, html, nothing } from 'lit';
import type { Trace, TraceNode } from '../../engine/types';
import { shortFormula } from '../shared/formula';
import { isNamed, shortName } from '../shared/marks';
import type { Unrolled, UnrolledCell } from './unrolled-trace';

/** Ids of the nodes shown of a cell: its gates in order, then the state. */
export const shownOf = (cell: UnrolledCell): number[] => [...cell.gates, cell.state];

/**
 * The trace renamed for the formulas of a cell: results carry their position, "h_2"; outside inputs are x or the
 * previous state; and a gate's block of the stacked weights is W_r rather than a slice of the stack.
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

/** Ids of the nodes that a cell computes: backwards from its results, within its own scopes. */
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

/** The previous state and the cell's inputs may lie in the same scope. */
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

/** "= σ(…)" for each of the cell's results. */
export function formulas(
  trace: Trace,
  network: Unrolled,
  cell: UnrolledCell,
  values: (node: TraceNode) => ArrayLike<number> | undefined,
): (TemplateResult | typeof nothing)[] {
  return shownOf(cell).map((id) => {
    const named = cellTrace(trace, network, cell, trace.nodes[id]!);
    const shown = new Set(shownOf(cell).filter((other) => other !== id));
    const text = shortFormula(named, named.nodes[id]!, shown, values);
    return text ? html`= ${text}` : nothing;
  });
}
