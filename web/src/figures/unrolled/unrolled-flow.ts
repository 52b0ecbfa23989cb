// The gradient that comes back along each arrow of an unrolled network: the part of ∂L/∂(what the later cell reads of the
// earlier one) that reached it through the later cell alone. Its parts are tensors of the backward pass.
import type { Trace, TraceNode } from '../../engine/types';
import { onceForEach } from '../../lab/cursor';
import { isOfAttention, readUnrolled, type Unrolled } from './unrolled-trace';

/** For each tensor of the earlier cell, the nodes whose sum comes back to it along the arrow. */
export type Returned = readonly (readonly number[])[];

/** By link; undefined where the trace does not tell its part from others, or nothing comes back. */
export const readReturned = onceForEach((trace: Trace) => new Reader(trace, readUnrolled(trace)).returned());

class Reader {
  /** Ids of the forward nodes that read a node, once for each place in which they read it, in the order of backward. */
  private readonly readers = new Map<number, number[]>();

  constructor(
    private readonly trace: Trace,
    private readonly network: Unrolled,
  ) {
    for (const { id, phase, inputs, gradient } of trace.nodes) {
      if (phase !== 'forward' || gradient < 0) continue;
      for (const input of inputs) this.readers.set(input, [id, ...(this.readers.get(input) ?? [])]);
    }
  }

  returned(): (Returned | undefined)[] {
    const { links, owner } = this.network;
    const owned = new Map<number, number[]>();
    for (const [id, cell] of owner) owned.set(cell, [...(owned.get(cell) ?? []), id]);
    return links.map(({ from, to }) => this.along(owned.get(from) ?? [], from, to));
  }

  private along(tensors: readonly number[], from: number, to: number): Returned | undefined {
    const found: number[][] = [];
    for (const id of tensors) {
      const outside = (this.readers.get(id) ?? []).filter((reader) => this.network.owner.get(reader) !== from);
      const reached = outside.map((reader) => this.heads(reader));
      if (!reached.some((heads) => heads.has(to))) continue;
      if (reached.some((heads) => heads.has(to) && heads.size > 1)) return undefined;
      const parts = this.parts(this.trace.nodes[id]!);
      if (!parts) return undefined;
      const all = this.readers.get(id)!;
      found.push(parts.filter((_, i) => this.heads(all[i]!).has(to)));
    }
    return found.length ? found : undefined;
  }

  /** What each reader sends back. Gradients add up one after the other, in the order in which they arrive. */
  private parts({ id, gradient }: TraceNode): number[] | undefined {
    const parts: number[] = [];
    let sum = this.trace.nodes[gradient];
    for (let left = (this.readers.get(id) ?? []).length - 1; left > 0; left--) {
      if (sum?.op !== 'accumulate') return undefined;
      parts.unshift(sum.inputs[1]!);
      sum = this.trace.nodes[sum.inputs[0]!];
    }
    return sum && [sum.id, ...parts];
  }

  /** The cells that a reader is of, or leads to: not through others, and not through attention, which has no arrow. */
  private heads(reader: number): ReadonlySet<number> {
    const found = new Set<number>();
    const seen = new Set([reader]);
    for (const id of seen) {
      const cell = this.network.owner.get(id);
      if (cell !== undefined) found.add(cell);
      else if (!isOfAttention(this.trace.nodes[id]!)) for (const next of this.readers.get(id) ?? []) seen.add(next);
    }
    return found;
  }
}

/** The norm of all that comes back along an arrow; undefined until all of it is known. */
export function normOf(returned: Returned, read: (id: number) => ArrayLike<number> | undefined): number | undefined {
  let squares = 0;
  for (const parts of returned) {
    const values = parts.map(read);
    for (let i = 0; i < (values[0]?.length ?? 0); i++)
      squares += values.reduce((sum, part) => sum + (part?.[i] ?? NaN), 0) ** 2;
    if (values.some((part) => part === undefined)) return undefined;
  }
  return Math.sqrt(squares);
}
