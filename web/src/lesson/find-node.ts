// Tensors of a finished run by the names that lessons use.
import type { Lookup, Tensor } from './expression';
import type { Trace, TraceNode } from '../types';

/** Exact name, or the only one whose path ends in "/name"; "∂x" is the gradient of x, whatever node holds it. */
export function findNode(trace: Trace, name: string): TraceNode | undefined {
  const exact = trace.nodes.find((node) => node.name === name);
  if (exact) return exact;
  if (name.startsWith('∂')) return trace.nodes[findNode(trace, name.slice(1))?.gradient ?? -1];
  const ending = trace.nodes.filter((node) => node.name.endsWith(`/${name}`) && !node.name.startsWith('∂'));
  return ending.length === 1 ? ending[0] : undefined;
}

/** A lookup that holds these tensors; a name that is not there is left out. */
export async function tensorsOf(trace: Trace, names: readonly string[], values: (id: number) => Promise<Float32Array>): Promise<Lookup> {
  const known = new Map<string, Tensor>();
  for (const name of names) {
    const node = findNode(trace, name);
    if (node) known.set(name, { shape: node.shape, values: await values(node.id) });
  }
  return (name) => known.get(name);
}
