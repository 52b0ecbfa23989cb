// Finds in a trace the attention that never holds all weights at once: linear attention, where queries are multiplied
// by sums over the keys, and block attention, an online softmax over blocks of keys. It comes in parts, one per
// position or block; a sum over all keys at once is a single part.
import type { Trace, TraceNode } from '../../../engine/types';
import { type AttentionOperands, type Projection, Reader, isProduct, pathOf } from './attention-trace';
import { shortName } from '../marks';

/** S = φ(k)ᵀ v, z = Σ φ(k), y = φ(q) S / φ(q) z: over all positions, or for one, added to the sums before it. */
export type SumPart = ReturnType<PartsReader['sumPart']>;

export interface Sums extends AttentionOperands {
  form: 'sums';
  /** φ(q) and φ(k) of all positions. */
  queries: TraceNode;
  keys: TraceNode;
  parts: SumPart[];
}

/** The largest score m, l = Σ exp(e − m) and o = Σ exp(e − m) v after a block of keys, from those before it. */
export type BlockPart = ReturnType<PartsReader['blockPart']>;

export interface Blocked extends AttentionOperands {
  form: 'blocks';
  /** Divisor of the last o: the last l, or 1 where that is 0. */
  total: TraceNode;
  parts: BlockPart[];
}

export type SplitAttention = Sums | Blocked;

/** One tensor for each such attention in the forward pass: φ(q), or the context of block attention. */
export const splitAttentionsOf = (trace: Trace): TraceNode[] =>
  trace.nodes.filter(({ phase, name, op }) => {
    const own = shortName(name);
    return phase === 'forward' && (own === 'φ(q)' || (own === 'c' && op === 'divide'));
  });

class PartsReader extends Reader {
  read(attention: TraceNode): SplitAttention | null {
    return shortName(attention.name) === 'c' ? this.blocked(attention) : this.sums(attention);
  }

  /** The tensor called `own` under the same path. */
  private sibling(tensor: TraceNode, own: string): TraceNode | undefined {
    return this.trace.nodes.find(({ name }) => name === `${pathOf(tensor)}/${own}`);
  }

  private sums(queries: TraceNode): Sums | null {
    const [keys, context] = [this.sibling(queries, 'φ(k)'), this.sibling(queries, 'y')];
    if (!keys || !context) return null;
    const ends = context.op === 'concat' ? this.inputs(context) : [context];
    const parts = ends.map((end) => this.sumPart(end));
    return { form: 'sums', queries, keys, parts, ...this.operandsOf(queries, keys, parts[0]!.value, context) };
  }

  /** `memory` is φ(k)ᵀ v; S itself in the first part. */
  sumPart(end: TraceNode) {
    const [numerator, denominator] = this.pair(end);
    const [query, S] = this.pair(numerator);
    const [, z] = this.pair(denominator);
    const memory = S.op === 'add' ? this.pair(S)[1] : S;
    const [key, value] = this.pair(memory);
    const before = S.op === 'add' ? { S: this.pair(S)[0], z: this.pair(z)[0] } : undefined;
    return { query, key, value, memory, S, z, before, numerator, denominator, end };
  }

  private blocked(context: TraceNode): Blocked | null {
    const [last, total] = this.pair(context);
    const parts: BlockPart[] = [];
    for (let end: TraceNode | undefined = last; end; end = parts[0]!.before?.o) parts.unshift(this.blockPart(end));
    const { scores, key, value } = parts[0]!;
    const [query] = this.pair(this.product(scores));
    return { form: 'blocks', total, parts, ...this.operandsOf(query, key, value, context) };
  }

  /** Scores, the mask `added` to them, and their sum e; without a mask e is the scores. `pv` is o itself in the first block. */
  blockPart(end: TraceNode) {
    const [rescaledO, pv] = end.op === 'add' ? this.pair(end) : [undefined, end];
    const [p, value] = this.pair(pv);
    const e = this.first(this.first(p));
    const [scores, added] = e.op === 'add' ? this.pair(e) : [e, undefined];
    const [, key] = this.pair(this.product(scores));
    const [m, l] = [this.sibling(end, 'm')!, this.sibling(end, 'l')!];
    const before = rescaledO && this.before(rescaledO, l);
    return { key, value, scores, added, e, m, p, l, pv, before, end };
  }

  /** The state before a block: m, which r comes from, and l and o, which r rescales. */
  private before(rescaledO: TraceNode, l: TraceNode) {
    const [o, r] = this.pair(rescaledO);
    const [rescaledL, sum] = this.pair(l);
    return { m: this.first(this.first(r)), l: this.first(rescaledL), o, r, rescaledL, sum, rescaledO };
  }

  private operandsOf(query: TraceNode, key: TraceNode, value: TraceNode, context: TraceNode): AttentionOperands {
    const projected = (node: TraceNode, own: string): Projection =>
      this.projection(
        this.path(node, ({ name }) => name === `${pathOf(context)}/${own}`, true).at(-1) ?? this.named(node),
      );
    return {
      query: projected(query, 'q'),
      key: projected(key, 'k'),
      value: projected(value, 'v'),
      context,
      output: this.output(context),
    };
  }

  private product(node: TraceNode): TraceNode {
    return this.path(node, isProduct).at(-1)!;
  }

  private first(node: TraceNode): TraceNode {
    return this.inputs(node)[0]!;
  }

  private pair(node: TraceNode): [TraceNode, TraceNode] {
    return this.inputs(node) as [TraceNode, TraceNode];
  }
}

const cache = new WeakMap<TraceNode, SplitAttention | null>();

/** The parts of one of `splitAttentionsOf`; null if they are not found. */
export function partsOf(trace: Trace, attention: TraceNode): SplitAttention | null {
  if (!cache.has(attention)) cache.set(attention, new PartsReader(trace).read(attention));
  return cache.get(attention)!;
}
