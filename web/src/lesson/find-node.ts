// Finds tensors of a finished run by the names that lessons use.
import { findNode } from '../lab/cursor/names';
import type { Lookup, Tensor } from './expression/expression';
import type { Trace, TraceNode } from '../engine/types';

export { findNode };

/** A lookup of these tensors; names missing from the trace are left out. */
export async function tensorsOf(
  trace: Trace,
  names: readonly string[],
  values: (node: TraceNode) => Promise<Float32Array>,
): Promise<Lookup> {
  const known = new Map<string, Tensor>();
  for (const name of names) {
    const node = findNode(trace, name);
    if (node) known.set(name, { shape: node.shape, values: await values(node) });
  }
  return (name) => known.get(name);
}
