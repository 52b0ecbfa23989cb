// The attention layer as lines of matrices. In a product the left factor stands beside the result and the right one
// above it: rows and columns line up with those of the result, and the summed axes meet at the corner.
import { BIAS } from '#messages/figures/dataflow';
import type { TraceNode } from '../../engine/types';
import {
  type AttentionOperands,
  type Flow,
  type Projection,
  headPlane,
  headsOf,
} from '../shared/attention/attention-trace';
import { cellIndex } from '../../ui/grid-layout';
import { ravel } from '../../ui/index-rules';
import { isNamed } from '../shared/marks';

/** A tensor, or one head's part of it, as rows and columns. */
export interface Slab {
  node: TraceNode;
  /** Label, where it is not the tensor's name. */
  label?: string;
  transposed: boolean;
  rows: number;
  columns: number;
  letters: readonly [string, string];
  /** Number of heads stacked behind one another; 1 without heads. */
  heads: number;
  /** Letter for that number: N, or G where heads share in groups. */
  letter: string;
  /** Flat index into the tensor. */
  at: (row: number, column: number) => number;
}

/** How a matrix joins the one before it. */
export type Separator =
  | 'start'
  | 'touch'
  | 'beside'
  | 'apart'
  | Arrow
  /** Signs. */
  | 'plus'
  | 'equals'
  | 'divide';

/** Arrows, each with its own caption. */
export type Arrow = 'softmax' | 'heads' | 'score' | 'phi' | 'sum' | 'max' | 'power' | 'ratio' | 'shrink';

export interface Item {
  separator: Separator;
  slab: Slab;
  /** Right factor of the product that this is the result of, drawn above it, and a bias below the factor. */
  top?: Slab;
  bias?: Slab;
  /** How many items before this one the left factor of that product is. */
  left?: number;
}

export const item = (separator: Separator, slab: Slab): Item => ({ separator, slab });

/** The result of a product with its right factor, so many items after its left one. */
export const product = (slab: Slab, top: Slab, left = 1): Item => ({ separator: 'touch', slab, top, left });

export interface Letters {
  T: string;
  S: string;
  K: string;
  /** Size of the values: Kᵥ where it differs from that of the keys. */
  Kv: string;
}

const sizeOf = (node: TraceNode): number => node.shape.at(-1) ?? 1;

export function lettersOf({ query, key, value }: AttentionOperands): Letters {
  const itself = query.source.id === key.source.id;
  return {
    T: itself ? 'n' : 'T',
    S: itself ? 'n' : 'S',
    K: 'K',
    Kv: sizeOf(value.result) === sizeOf(key.result) ? 'K' : 'Kᵥ',
  };
}

/** Makes the slabs of one head. */
export class Slabs {
  constructor(
    readonly heads: number,
    readonly head: number,
  ) {}

  plane(node: TraceNode, letters: readonly [string, string], label?: string): Slab {
    const plane = headPlane(node, this.head, this.heads);
    const { rows, columns } = plane;
    const heads = node.shape.length > 3 || headsOf(node) === this.heads ? headsOf(node) : 1;
    const at: Slab['at'] = (r, c) => cellIndex(plane, r, c);
    return { node, ...(label && { label }), transposed: false, rows, columns, letters, at, ...this.shared(heads) };
  }

  /** For a tensor of so many heads, or of groups of heads. */
  private shared(heads: number): Pick<Slab, 'heads' | 'letter'> {
    return { heads, letter: heads === this.heads ? 'N' : 'G' };
  }

  /** (in, out); with several heads, only the columns that produce this one. */
  weight({ weight, result, transposed }: Projection, letters: readonly [string, string]): Slab {
    const [out, rows] = transposed ? [weight!.shape[0]!, weight!.shape[1]!] : [weight!.shape[1]!, weight!.shape[0]!];
    const { columns, first, groups } = this.share(out, result);
    const at = (r: number, c: number): number => (transposed ? (first + c) * rows + r : r * out + first + c);
    return { node: weight!, transposed: false, rows, columns, letters, at, ...this.shared(groups) };
  }

  bias({ bias, result }: Projection, letter: string): Slab {
    const { columns, first, groups } = this.share(sizeOf(bias!), result);
    const at: Slab['at'] = (_, c) => first + c;
    return { node: bias!, transposed: false, rows: 1, columns, letters: ['1', letter], at, ...this.shared(groups) };
  }

  private share(out: number, result: TraceNode): { columns: number; first: number; groups: number } {
    const groups = result.shape.length > 3 ? headsOf(result) : 1;
    const group = Math.floor((this.head * groups) / this.heads);
    return { columns: out / groups, first: (group * out) / groups, groups };
  }

  /** A tensor added to the scores, broadcast to this head's (T, S). */
  added(node: TraceNode, [rows, columns]: readonly [number, number], letters: readonly [string, string]): Slab {
    const lead = node.shape.slice(0, -2).map((size, i, all) => (i === all.length - 1 && size > 1 ? this.head : 0));
    const [high, wide] = [(node.shape.at(-2) ?? 1) > 1, sizeOf(node) > 1];
    const at = (r: number, c: number): number =>
      ravel([...lead, high ? r : 0, wide ? c : 0].slice(-node.shape.length), node.shape);
    return { node, transposed: false, rows, columns, letters, heads: 1, letter: '', at };
  }

  /** The contexts of all heads, concatenated along the columns. */
  joined(node: TraceNode, letters: readonly [string, string]): Slab {
    const [rows, size] = [node.shape.at(-2) ?? 1, sizeOf(node)];
    const at = (r: number, c: number): number =>
      cellIndex(headPlane(node, Math.floor(c / size), this.heads), r, c % size);
    return { node, transposed: false, rows, columns: size * this.heads, letters, heads: 1, letter: '', at };
  }
}

export const transposed = (slab: Slab): Slab => ({
  ...slab,
  transposed: true,
  rows: slab.columns,
  columns: slab.rows,
  letters: [slab.letters[1], slab.letters[0]],
  at: (r, c) => slab.at(c, r),
});

/** Label of an unnamed tensor that is added to the scores. */
export type LabelOf = (node: TraceNode) => string;

/** First the projections, grouped by source, then the attention itself. */
export function linesOf(flow: Flow, head: number, labelOf: LabelOf = () => BIAS): Item[][] {
  const slabs = new Slabs(headsOf(flow.weights), head);
  const letters = lettersOf(flow);
  return [projections(flow, slabs, letters), attentionItems(flow, slabs, letters, labelOf)].filter(
    (line) => line.length,
  );
}

export function projections({ query, key, value }: AttentionOperands, slabs: Slabs, { T, S, K, Kv }: Letters): Item[] {
  const projected = [
    { of: query, rows: T, columns: K },
    { of: key, rows: S, columns: K },
    { of: value, rows: S, columns: Kv },
  ].filter(({ of }) => of.weight);
  const items: Item[] = [];
  let start = -1;
  projected.forEach(({ of, rows, columns }, i) => {
    const fresh = of.source.id !== projected[i - 1]?.of.source.id;
    if (fresh) start = items.push(item(i ? 'apart' : 'start', slabs.plane(of.source, [rows, 'D']))) - 1;
    const left = items.length - start;
    items.push({
      ...product(slabs.plane(of.result, [rows, columns]), slabs.weight(of, ['D', columns]), left),
      ...(!fresh && { separator: 'beside' }),
      ...(of.bias && { bias: slabs.bias(of, columns) }),
    });
  });
  return items;
}

function attentionItems(flow: Flow, slabs: Slabs, { T, S, K, Kv }: Letters, labelOf: LabelOf): Item[] {
  const keys = slabs.plane(flow.key.result, [S, K]);
  const scores = slabs.plane(flow.scores, [T, S]);
  const shape = [scores.rows, scores.columns] as const;
  return [
    item('start', slabs.plane(flow.query.result, [T, K])),
    ...(flow.isProduct ? [product(scores, transposed(keys))] : [item('beside', keys), item('score', scores)]),
    ...flow.added.map((node) => plus(slabs.added(node, shape, [T, S]), labelOf)),
    item('softmax', slabs.plane(flow.weights, [T, S])),
    product(slabs.plane(flow.context, [T, Kv]), slabs.plane(flow.value.result, [S, Kv])),
    ...output(flow, slabs, T, Kv),
  ];
}

/** A term added to the scores. */
export const plus = (slab: Slab, labelOf: LabelOf): Item =>
  item('plus', isNamed(slab.node) ? slab : { ...slab, label: labelOf(slab.node) });

export function output(
  { output: projection, context }: AttentionOperands,
  slabs: Slabs,
  T: string,
  Kv: string,
): Item[] {
  if (!projection) return [];
  const width = slabs.heads > 1 ? `N${Kv}` : Kv;
  return [
    ...(slabs.heads > 1 ? [item('heads', slabs.joined(context, [T, width]))] : []),
    {
      ...product(slabs.plane(projection.result, [T, 'D']), slabs.weight(projection, [width, 'D'])),
      ...(projection.bias && { bias: slabs.bias(projection, 'D') }),
    },
  ];
}
