// Tensors of a finished run by the names that lessons use.
import { findNode } from '../stepper/names';
import type { Lookup, Tensor } from './expression';
import type { Trace } from '../types';

export { findNode };

/** A lookup that holds these tensors; a name that is not there is left out. */
export async function tensorsOf(
  trace: Trace,
  names: readonly string[],
  values: (id: number) => Promise<Float32Array>,
): Promise<Lookup> {
  const known = new Map<string, Tensor>();
  for (const name of names) {
    const node = findNode(trace, name);
    if (node) known.set(name, { shape: node.shape, values: await values(node.id) });
  }
  return (name) => known.get(name);
}
