// Attention without all weights at once, as it is found in a trace: sums over the keys, which queries are multiplied by
// (linear attention), and keys taken block by block (an online softmax). It comes in parts, position by position or
// block by block; a sum over all keys at once is a single part.
import type { Trace, TraceNode } from '../types';
import { type Looked, type Projection, Reader, isProduct, pathOf } from './attention-trace';
import { shortName } from './marks';

/** S = φ(k)ᵀ v, z = Σ φ(k), y = φ(q) S / φ(q) z: of all positions, or of one, added to what came before. */
export interface SumPart {
  /** Of φ(q), φ(k) and v what this part takes. */
  query: TraceNode;
  key: TraceNode;
  value: TraceNode;
  /** φ(k)ᵀ v: S itself where nothing came before. */
  memory: TraceNode;
  S: TraceNode;
  z: TraceNode;
  before?: { S: TraceNode; z: TraceNode };
  over: TraceNode;
  under: TraceNode;
  end: TraceNode;
}

export interface Sums extends Looked {
  form: 'sums';
  /** φ(q) and φ(k), of all positions. */
  queries: TraceNode;
  keys: TraceNode;
  parts: SumPart[];
}

/** m, l and o after a block of keys, from those before it. */
export interface BlockPart {
  /** Of the keys and values what this part takes. */
  key: TraceNode;
  value: TraceNode;
  /** Scores, what is added to them, and the sum of both; without it the scores themselves. */
  scores: TraceNode;
  added?: TraceNode;
  e: TraceNode;
  m: TraceNode;
  p: TraceNode;
  l: TraceNode;
  /** p v: o itself in the first block. */
  made: TraceNode;
  before?: {
    m: TraceNode;
    l: TraceNode;
    o: TraceNode;
    r: TraceNode;
    shrunkL: TraceNode;
    sum: TraceNode;
    shrunkO: TraceNode;
  };
  end: TraceNode;
}

export interface Blocked extends Looked {
  form: 'blocks';
  /** What the last o is divided by. */
  total: TraceNode;
  parts: BlockPart[];
}

export type Parted = Sums | Blocked;

/** One tensor of each such look of the forward pass: φ(q), or the context of blocks. */
export const partedLooksOf = (trace: Trace): TraceNode[] =>
  trace.nodes.filter(({ phase, name, op }) => {
    const own = shortName(name);
    return phase === 'forward' && (own === 'φ(q)' || (own === 'c' && op === 'divide'));
  });

class PartsReader extends Reader {
  read(look: TraceNode): Parted | null {
    return shortName(look.name) === 'c' ? this.blocked(look) : this.sums(look);
  }

  /** What stands beside a tensor, by its own name. */
  private beside(tensor: TraceNode, own: string): TraceNode | undefined {
    return this.trace.nodes.find(({ name }) => name === `${pathOf(tensor)}/${own}`);
  }

  private sums(queries: TraceNode): Sums | null {
    const [keys, context] = [this.beside(queries, 'φ(k)'), this.beside(queries, 'y')];
    if (!keys || !context) return null;
    const ends = context.op === 'concat' ? this.inputs(context) : [context];
    const parts = ends.map((end) => this.sumPart(end));
    return { form: 'sums', queries, keys, parts, ...this.looked(queries, keys, parts[0]!.value, context) };
  }

  private sumPart(end: TraceNode): SumPart {
    const [over, under] = this.pair(end);
    const [query, S] = this.pair(over);
    const [, z] = this.pair(under);
    const memory = S.op === 'add' ? this.pair(S)[1] : S;
    const [key, value] = this.pair(memory);
    const before = S.op === 'add' && { S: this.pair(S)[0], z: this.pair(z)[0] };
    return { query, key, value, memory, S, z, ...(before && { before }), over, under, end };
  }

  private blocked(context: TraceNode): Blocked | null {
    const [last, total] = this.pair(context);
    const parts: BlockPart[] = [];
    for (let end: TraceNode | undefined = last; end; end = parts[0]!.before?.o) parts.unshift(this.blockPart(end));
    const { scores, key, value } = parts[0]!;
    const [query] = this.pair(this.product(scores));
    return { form: 'blocks', total, parts, ...this.looked(query, key, value, context) };
  }

  private blockPart(end: TraceNode): BlockPart {
    const [shrunkO, made] = end.op === 'add' ? this.pair(end) : [undefined, end];
    const [p, value] = this.pair(made);
    const e = this.first(this.first(p));
    const [scores, added] = e.op === 'add' ? this.pair(e) : [e, undefined];
    const [, key] = this.pair(this.product(scores));
    const [m, l] = [this.beside(end, 'm')!, this.beside(end, 'l')!];
    return {
      key,
      value,
      scores,
      ...(added && { added }),
      e,
      m,
      p,
      l,
      made,
      ...(shrunkO && { before: this.before(shrunkO, l) }),
      end,
    };
  }

  /** What a block found: the largest score r came from, the sums that it shrinks. */
  private before(shrunkO: TraceNode, l: TraceNode): NonNullable<BlockPart['before']> {
    const [o, r] = this.pair(shrunkO);
    const [shrunkL, sum] = this.pair(l);
    return { m: this.first(this.first(r)), l: this.first(shrunkL), o, r, shrunkL, sum, shrunkO };
  }

  private looked(query: TraceNode, key: TraceNode, value: TraceNode, context: TraceNode): Looked {
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

const known = new WeakMap<TraceNode, Parted | null>();

/** What stands behind one of `partedLooksOf`. */
export function partsOf(trace: Trace, look: TraceNode): Parted | null {
  if (!known.has(look)) known.set(look, new PartsReader(trace).read(look));
  return known.get(look)!;
}
