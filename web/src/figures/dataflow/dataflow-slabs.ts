// The attention layer as lines of matrices. In a product the left factor stands beside the result and the right one
// above it: rows and columns line up with those of the result, and the summed axes meet at the corner. Of attention that is
// computed in parts: the projections, what the part on show adds, and the final result.
import { BIAS, JOIN_HEADS, SCORE } from '#messages/figures/dataflow';
import type { TraceNode } from '../../engine/types';
import { cellIndex } from '../../ui/grid-layout';
import { ravel } from '../../ui/index-rules';
import type { AttentionOperands, Flow, Projection } from '../shared/attention/attention-trace';
import { headPlane, headsOf } from '../shared/attention/attention-trace';
import { isNamed } from '../shared/marks';
import type { BlockPart, Blocked, SplitAttention, SumPart, Sums } from '../shared/attention/attention-parts';

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

/** CSS pixels between matrices that touch. */
export const GAP = 5;

/** What stands between a matrix and the one before it. */
interface Joint {
  /** CSS pixels. */
  space: number;
  sign?: string;
  /** Caption of an arrow. */
  arrow?: string;
}

const JOINTS = {
  start: { space: 0 },
  touch: { space: GAP },
  beside: { space: 20 },
  apart: { space: 40 },
  plus: { space: 34, sign: '+' },
  equals: { space: 34, sign: '=' },
  divide: { space: 34, sign: '÷' },
  softmax: { space: 76, arrow: 'softmax' },
  heads: { space: 76, arrow: JOIN_HEADS },
  score: { space: 76, arrow: SCORE },
  phi: { space: 44, arrow: 'φ' },
  sum: { space: 44, arrow: 'Σ' },
  max: { space: 50, arrow: 'max' },
  power: { space: 86, arrow: 'exp(e − m)' },
  ratio: { space: 92, arrow: 'exp(m − m′)' },
  shrink: { space: 50, arrow: '× r' },
};

/** How a matrix joins the one before it. */
export type Separator = keyof typeof JOINTS;

export const jointOf = (separator: Separator): Joint => JOINTS[separator];

export interface Item {
  separator: Separator;
  slab: Slab;
  /** Right factor of the product that this is the result of, drawn above it, and a bias below the factor. */
  top?: Slab;
  bias?: Slab;
  /** How many items before this one the left factor of that product is. */
  left?: number;
}

const item = (separator: Separator, slab: Slab): Item => ({ separator, slab });

/** The result of a product with its right factor, so many items after its left one. */
const product = (slab: Slab, top: Slab, left = 1): Item => ({ separator: 'touch', slab, top, left });

interface Letters {
  T: string;
  S: string;
  K: string;
  /** Size of the values: Kᵥ where it differs from that of the keys. */
  Kv: string;
}

const sizeOf = (node: TraceNode): number => node.shape.at(-1) ?? 1;

function lettersOf({ query, key, value }: AttentionOperands): Letters {
  const itself = query.source.id === key.source.id;
  return {
    T: itself ? 'n' : 'T',
    S: itself ? 'n' : 'S',
    K: 'K',
    Kv: sizeOf(value.result) === sizeOf(key.result) ? 'K' : 'Kᵥ',
  };
}

/** Makes the slabs of one head. */
class Slabs {
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

const transposed = (slab: Slab): Slab => ({
  ...slab,
  transposed: true,
  rows: slab.columns,
  columns: slab.rows,
  letters: [slab.letters[1], slab.letters[0]],
  at: (r, c) => slab.at(c, r),
});

/** Label of an unnamed tensor that is added to the scores. */
type LabelOf = (node: TraceNode) => string;

/** First the projections, grouped by source, then the attention itself. */
export function linesOf(flow: Flow, head: number, labelOf: LabelOf = () => BIAS): Item[][] {
  const slabs = new Slabs(headsOf(flow.weights), head);
  const letters = lettersOf(flow);
  return [projections(flow, slabs, letters), attentionItems(flow, slabs, letters, labelOf)].filter(
    (line) => line.length,
  );
}

function projections({ query, key, value }: AttentionOperands, slabs: Slabs, { T, S, K, Kv }: Letters): Item[] {
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
const plus = (slab: Slab, labelOf: LabelOf): Item =>
  item('plus', isNamed(slab.node) ? slab : { ...slab, label: labelOf(slab.node) });

function output({ output: projection, context }: AttentionOperands, slabs: Slabs, T: string, Kv: string): Item[] {
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

export function linesOfPart(layer: SplitAttention, head: number, at: number, labelOf: LabelOf = () => BIAS): Item[][] {
  const slabs = new Slabs(headsOf(layer.query.result), head);
  const letters = lettersOf(layer);
  const own =
    layer.form === 'sums'
      ? sumLines(layer, slabs, letters, layer.parts[at]!)
      : blockLines(layer, slabs, letters, layer.parts[at]!, labelOf);
  return [projections(layer, slabs, letters), ...own].filter((line) => line.length);
}

function sumLines(layer: Sums, slabs: Slabs, letters: Letters, part: SumPart): Item[][] {
  const { T, S, K, Kv } = letters;
  const { query, key, queries, keys, context } = layer;
  const whole = part.key.id === keys.id;
  const features = [
    item('start', slabs.plane(query.result, [T, K])),
    item('phi', slabs.plane(queries, [T, K])),
    item('apart', slabs.plane(key.result, [S, K])),
    item('phi', slabs.plane(keys, [S, K])),
  ];
  const adds = adding(part, slabs, letters, whole ? S : '1');
  const answers = answering(part, slabs, letters, whole ? T : '1');
  const last = output(layer, slabs, T, Kv);
  return whole
    ? [[...features, item('sum', slabs.plane(part.z, ['1', K]))], adds, [...answers, ...last]]
    : [features, adds, answers, [item('start', slabs.plane(context, [T, Kv], 'y')), ...last]];
}

/** S = φ(k)ᵀ v + the previous S; z likewise. */
function adding({ key, value, memory, S, z, before }: SumPart, slabs: Slabs, { K, Kv }: Letters, rows: string): Item[] {
  const own = slabs.plane(key, [rows, K], 'φ(k)');
  const added = slabs.plane(memory, [K, Kv], before && 'φ(k)ᵀ v');
  const first = [item('start', transposed(own)), product(added, slabs.plane(value, [rows, Kv], 'v'))];
  if (!before) return first;
  return [
    ...first,
    item('plus', slabs.plane(before.S, [K, Kv])),
    item('equals', slabs.plane(S, [K, Kv])),
    item('apart', own),
    item('plus', slabs.plane(before.z, ['1', K])),
    item('equals', slabs.plane(z, ['1', K])),
  ];
}

/** y = φ(q) S ÷ φ(q) zᵀ. */
function answering(part: SumPart, slabs: Slabs, { K, Kv }: Letters, rows: string): Item[] {
  const divisor = product(slabs.plane(part.denominator, [rows, '1']), transposed(slabs.plane(part.z, ['1', K])), 2);
  return [
    item('start', slabs.plane(part.query, [rows, K], 'φ(q)')),
    product(slabs.plane(part.numerator, [rows, Kv]), slabs.plane(part.S, [K, Kv])),
    { ...divisor, separator: 'divide' },
    item('equals', slabs.plane(part.end, [rows, Kv])),
  ];
}

function blockLines(layer: Blocked, slabs: Slabs, letters: Letters, part: BlockPart, labelOf: LabelOf): Item[][] {
  const { T, Kv } = letters;
  const last = [
    item('start', slabs.plane(layer.parts.at(-1)!.end, [T, Kv])),
    item('divide', slabs.plane(layer.total, [T, '1'], 'l')),
    item('equals', slabs.plane(layer.context, [T, Kv])),
    ...output(layer, slabs, T, Kv),
  ];
  return [scoring(layer, slabs, letters, part, labelOf), ...summing(part, slabs, letters), last];
}

/** e = q kᵀ / √K + mask; m is the running row maximum; p = exp(e − m). */
function scoring({ query }: Blocked, slabs: Slabs, { T, K }: Letters, part: BlockPart, labelOf: LabelOf): Item[] {
  const { key, scores, added, e, m, p } = part;
  const raw = slabs.plane(scores, [T, 'B'], added && 'q kᵀ');
  const mask = added && plus(slabs.added(added, [raw.rows, raw.columns], [T, 'B']), labelOf);
  return [
    item('start', slabs.plane(query.result, [T, K])),
    product(raw, transposed(slabs.plane(key, ['B', K], 'k'))),
    ...(mask ? [mask, item('equals', slabs.plane(e, [T, 'B']))] : []),
    item('max', slabs.plane(m, [T, '1'])),
    item('power', slabs.plane(p, [T, 'B'])),
  ];
}

/** l = Σ p and o = p v, plus the previous l and o scaled by r = exp(m − m′), m before this block and m′ after. */
function summing({ before, value, p, l, pv, end }: BlockPart, slabs: Slabs, { T, Kv }: Letters): Item[][] {
  const weights = slabs.plane(p, [T, 'B']);
  const weighted = product(slabs.plane(pv, [T, Kv], before && 'p v'), slabs.plane(value, ['B', Kv], 'v'));
  const total = slabs.plane(l, [T, '1']);
  if (!before) return [[item('start', weights), weighted, item('apart', weights), item('sum', total)]];
  return [
    [
      item('start', slabs.plane(before.m, [T, '1'])),
      item('ratio', slabs.plane(before.r, [T, '1'])),
      item('apart', slabs.plane(before.l, [T, '1'])),
      item('shrink', slabs.plane(before.rescaledL, [T, '1'], 'r l')),
      item('plus', slabs.plane(before.sum, [T, '1'], 'Σ p')),
      item('equals', total),
    ],
    [
      item('start', slabs.plane(before.o, [T, Kv])),
      item('shrink', slabs.plane(before.rescaledO, [T, Kv], 'r o')),
      item('plus', weights),
      weighted,
      item('equals', slabs.plane(end, [T, Kv])),
    ],
  ];
}
