// Tensors of a finished run by the names that lessons use.
import type { Lookup, Tensor } from './expression';
import type { Trace, TraceNode } from '../types';

/** Exact name, or the only one whose path ends in "/name"; "∂e" and "∂attention/e" alike name a gradient. */
export function findNode(trace: Trace, name: string): TraceNode | undefined {
  const exact = trace.nodes.find((node) => node.name === name);
  if (exact) return exact;
  const gradient = name.startsWith('∂');
  const ending = `/${gradient ? name.slice(1) : name}`;
  const found = trace.nodes.filter((node) => node.name.endsWith(ending) && node.name.startsWith('∂') === gradient);
  return found.length === 1 ? found[0] : undefined;
}

/** A lookup that holds these tensors; a name that is not there is left out. */
export async function tensorsOf(trace: Trace, names: string[], values: (id: number) => Promise<Float32Array>): Promise<Lookup> {
  const known = new Map<string, Tensor>();
  for (const name of names) {
    const node = findNode(trace, name);
    if (node) known.set(name, { shape: node.shape, values: await values(node.id) });
  }
  return (name) => known.get(name);
}
