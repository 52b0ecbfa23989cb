// Attention computed in parts, as lines of matrices: the projections, what the part on show adds, and the final result.
import { BIAS } from '#messages/figures/dataflow';
import type { BlockPart, Blocked, SplitAttention, SumPart, Sums } from '../shared/attention/attention-parts';
import { headsOf } from '../shared/attention/attention-trace';
import {
  type Item,
  type LabelOf,
  type Letters,
  type Slab,
  Slabs,
  lettersOf,
  output,
  plus,
  projections,
  transposed,
} from './dataflow-slabs';

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
  const { T, S, K } = letters;
  const { query, key, queries, keys } = layer;
  const whole = part.key.id === keys.id;
  const features: Item[] = [
    { separator: 'start', slab: slabs.plane(query.result, [T, K]) },
    { separator: 'phi', slab: slabs.plane(queries, [T, K]) },
    { separator: 'apart', slab: slabs.plane(key.result, [S, K]) },
    { separator: 'phi', slab: slabs.plane(keys, [S, K]) },
  ];
  const adds = adding(part, slabs, letters, whole ? S : '1');
  const answers = answering(part, slabs, letters, whole ? T : '1');
  const last = output(layer, slabs, T, letters.Kv);
  if (whole)
    return [[...features, { separator: 'sum', slab: slabs.plane(part.z, ['1', K]) }], adds, [...answers, ...last]];
  return [
    features,
    adds,
    answers,
    [{ separator: 'start', slab: slabs.plane(layer.context, [T, letters.Kv], 'y') }, ...last],
  ];
}

/** S = φ(k)ᵀ v + the previous S; z likewise. */
function adding({ key, value, memory, S, z, before }: SumPart, slabs: Slabs, { K, Kv }: Letters, rows: string): Item[] {
  const own = slabs.plane(key, [rows, K], 'φ(k)');
  const product: Item[] = [
    { separator: 'start', slab: transposed(own) },
    {
      separator: 'touch',
      slab: slabs.plane(memory, [K, Kv], before && 'φ(k)ᵀ v'),
      top: slabs.plane(value, [rows, Kv], 'v'),
      left: 1,
    },
  ];
  if (!before) return product;
  return [
    ...product,
    { separator: 'plus', slab: slabs.plane(before.S, [K, Kv]) },
    { separator: 'equals', slab: slabs.plane(S, [K, Kv]) },
    { separator: 'apart', slab: own },
    { separator: 'plus', slab: slabs.plane(before.z, ['1', K]) },
    { separator: 'equals', slab: slabs.plane(z, ['1', K]) },
  ];
}

/** y = φ(q) S ÷ φ(q) zᵀ. */
function answering(
  { query, S, z, numerator, denominator, end }: SumPart,
  slabs: Slabs,
  { K, Kv }: Letters,
  rows: string,
): Item[] {
  return [
    { separator: 'start', slab: slabs.plane(query, [rows, K], 'φ(q)') },
    { separator: 'touch', slab: slabs.plane(numerator, [rows, Kv]), top: slabs.plane(S, [K, Kv]), left: 1 },
    {
      separator: 'divide',
      slab: slabs.plane(denominator, [rows, '1']),
      top: transposed(slabs.plane(z, ['1', K])),
      left: 2,
    },
    { separator: 'equals', slab: slabs.plane(end, [rows, Kv]) },
  ];
}

function blockLines(layer: Blocked, slabs: Slabs, letters: Letters, part: BlockPart, labelOf: LabelOf): Item[][] {
  const { T, Kv } = letters;
  const last: Item[] = [
    { separator: 'start', slab: slabs.plane(layer.parts.at(-1)!.end, [T, Kv]) },
    { separator: 'divide', slab: slabs.plane(layer.total, [T, '1'], 'l') },
    { separator: 'equals', slab: slabs.plane(layer.context, [T, Kv]) },
    ...output(layer, slabs, T, Kv),
  ];
  return [scoring(layer, slabs, letters, part, labelOf), ...summing(part, slabs, letters), last];
}

/** e = q kᵀ / √K + mask; m is the running row maximum; p = exp(e − m). */
function scoring({ query }: Blocked, slabs: Slabs, { T, K }: Letters, part: BlockPart, labelOf: LabelOf): Item[] {
  const { key, scores, added, e, m, p } = part;
  const raw = slabs.plane(scores, [T, 'B'], added && 'q kᵀ');
  const masked: Item[] = added
    ? [
        plus(slabs.added(added, [raw.rows, raw.columns], [T, 'B']), labelOf),
        { separator: 'equals', slab: slabs.plane(e, [T, 'B']) },
      ]
    : [];
  return [
    { separator: 'start', slab: slabs.plane(query.result, [T, K]) },
    { separator: 'touch', slab: raw, top: transposed(slabs.plane(key, ['B', K], 'k')), left: 1 },
    ...masked,
    { separator: 'max', slab: slabs.plane(m, [T, '1']) },
    { separator: 'power', slab: slabs.plane(p, [T, 'B']) },
  ];
}

/** l = Σ p and o = p v, plus the previous l and o scaled by r = exp(m − m′), m before this block and m′ after. */
function summing({ before, value, p, l, pv, end }: BlockPart, slabs: Slabs, { T, Kv }: Letters): Item[][] {
  const column = (node: BlockPart['l'], label?: string): Slab => slabs.plane(node, [T, '1'], label);
  const product = (separator: Item['separator']): Item[] => [
    { separator, slab: slabs.plane(p, [T, 'B']) },
    {
      separator: 'touch',
      slab: slabs.plane(pv, [T, Kv], before && 'p v'),
      top: slabs.plane(value, ['B', Kv], 'v'),
      left: 1,
    },
  ];
  if (!before)
    return [
      [
        ...product('start'),
        { separator: 'apart', slab: slabs.plane(p, [T, 'B']) },
        { separator: 'sum', slab: column(l) },
      ],
    ];
  return [
    [
      { separator: 'start', slab: column(before.m) },
      { separator: 'ratio', slab: column(before.r) },
      { separator: 'apart', slab: column(before.l) },
      { separator: 'shrink', slab: column(before.rescaledL, 'r l') },
      { separator: 'plus', slab: column(before.sum, 'Σ p') },
      { separator: 'equals', slab: column(l) },
    ],
    [
      { separator: 'start', slab: slabs.plane(before.o, [T, Kv]) },
      { separator: 'shrink', slab: slabs.plane(before.rescaledO, [T, Kv], 'r o') },
      ...product('plus'),
      { separator: 'equals', slab: slabs.plane(end, [T, Kv]) },
    ],
  ];
}
