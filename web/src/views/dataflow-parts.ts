// Attention that comes in parts as lines of matrices: the projections, what the part on show adds, and what comes of all.
import type { BlockPart, Blocked, Parted, SumPart, Sums } from './attention-parts';
import { headsOf } from './attention-trace';
import {
  type Item,
  type Letters,
  type Slab,
  Slabs,
  type WordOf,
  lettersOf,
  output,
  plus,
  projections,
  turned,
} from './dataflow-slabs';

export function linesOfPart(layer: Parted, head: number, at: number, wordOf: WordOf = () => 'bias'): Item[][] {
  const slabs = new Slabs(headsOf(layer.query.result), head);
  const letters = lettersOf(layer);
  const own =
    layer.form === 'sums'
      ? sumLines(layer, slabs, letters, layer.parts[at]!)
      : blockLines(layer, slabs, letters, layer.parts[at]!, wordOf);
  return [projections(layer, slabs, letters), ...own].filter((line) => line.length);
}

function sumLines(layer: Sums, slabs: Slabs, letters: Letters, part: SumPart): Item[][] {
  const { T, S, K } = letters;
  const { query, key, queries, keys } = layer;
  const whole = part.key.id === keys.id;
  const features: Item[] = [
    { joint: 'start', slab: slabs.plane(query.result, [T, K]) },
    { joint: 'phi', slab: slabs.plane(queries, [T, K]) },
    { joint: 'apart', slab: slabs.plane(key.result, [S, K]) },
    { joint: 'phi', slab: slabs.plane(keys, [S, K]) },
  ];
  const adds = adding(part, slabs, letters, whole ? S : '1');
  const answers = answering(part, slabs, letters, whole ? T : '1');
  const last = output(layer, slabs, T, letters.Kv);
  if (whole) return [[...features, { joint: 'sum', slab: slabs.plane(part.z, ['1', K]) }], adds, [...answers, ...last]];
  return [
    features,
    adds,
    answers,
    [{ joint: 'start', slab: slabs.plane(layer.context, [T, letters.Kv], 'y') }, ...last],
  ];
}

/** S = φ(k)ᵀ v + S before; z likewise. */
function adding({ key, value, memory, S, z, before }: SumPart, slabs: Slabs, { K, Kv }: Letters, rows: string): Item[] {
  const own = slabs.plane(key, [rows, K], 'φ(k)');
  const product: Item[] = [
    { joint: 'start', slab: turned(own) },
    {
      joint: 'touch',
      slab: slabs.plane(memory, [K, Kv], before && 'φ(k)ᵀ v'),
      top: slabs.plane(value, [rows, Kv], 'v'),
      left: 1,
    },
  ];
  if (!before) return product;
  return [
    ...product,
    { joint: 'plus', slab: slabs.plane(before.S, [K, Kv]) },
    { joint: 'equals', slab: slabs.plane(S, [K, Kv]) },
    { joint: 'apart', slab: own },
    { joint: 'plus', slab: slabs.plane(before.z, ['1', K]) },
    { joint: 'equals', slab: slabs.plane(z, ['1', K]) },
  ];
}

/** y = φ(q) S ÷ φ(q) zᵀ. */
function answering({ query, S, z, over, under, end }: SumPart, slabs: Slabs, { K, Kv }: Letters, rows: string): Item[] {
  return [
    { joint: 'start', slab: slabs.plane(query, [rows, K], 'φ(q)') },
    { joint: 'touch', slab: slabs.plane(over, [rows, Kv]), top: slabs.plane(S, [K, Kv]), left: 1 },
    { joint: 'divide', slab: slabs.plane(under, [rows, '1']), top: turned(slabs.plane(z, ['1', K])), left: 2 },
    { joint: 'equals', slab: slabs.plane(end, [rows, Kv]) },
  ];
}

function blockLines(layer: Blocked, slabs: Slabs, letters: Letters, part: BlockPart, wordOf: WordOf): Item[][] {
  const { T, Kv } = letters;
  const last: Item[] = [
    { joint: 'start', slab: slabs.plane(layer.parts.at(-1)!.end, [T, Kv]) },
    { joint: 'divide', slab: slabs.plane(layer.total, [T, '1'], 'l') },
    { joint: 'equals', slab: slabs.plane(layer.context, [T, Kv]) },
    ...output(layer, slabs, T, Kv),
  ];
  return [scoring(layer, slabs, letters, part, wordOf), ...summing(part, slabs, letters), last];
}

/** e = q kᵀ / √K + mask; m the largest so far; p = exp(e − m). */
function scoring({ query }: Blocked, slabs: Slabs, { T, K }: Letters, part: BlockPart, wordOf: WordOf): Item[] {
  const { key, scores, added, e, m, p } = part;
  const raw = slabs.plane(scores, [T, 'B'], added && 'q kᵀ');
  const masked: Item[] = added
    ? [
        plus(slabs.added(added, [raw.rows, raw.columns], [T, 'B']), wordOf),
        { joint: 'equals', slab: slabs.plane(e, [T, 'B']) },
      ]
    : [];
  return [
    { joint: 'start', slab: slabs.plane(query.result, [T, K]) },
    { joint: 'touch', slab: raw, top: turned(slabs.plane(key, ['B', K], 'k')), left: 1 },
    ...masked,
    { joint: 'max', slab: slabs.plane(m, [T, '1']) },
    { joint: 'power', slab: slabs.plane(p, [T, 'B']) },
  ];
}

/** l = Σ p and o = p v, and what is left of those before. */
function summing({ before, value, p, l, made, end }: BlockPart, slabs: Slabs, { T, Kv }: Letters): Item[][] {
  const column = (node: BlockPart['l'], word?: string): Slab => slabs.plane(node, [T, '1'], word);
  const product = (joint: Item['joint']): Item[] => [
    { joint, slab: slabs.plane(p, [T, 'B']) },
    {
      joint: 'touch',
      slab: slabs.plane(made, [T, Kv], before && 'p v'),
      top: slabs.plane(value, ['B', Kv], 'v'),
      left: 1,
    },
  ];
  if (!before)
    return [
      [...product('start'), { joint: 'apart', slab: slabs.plane(p, [T, 'B']) }, { joint: 'sum', slab: column(l) }],
    ];
  return [
    [
      { joint: 'start', slab: column(before.m) },
      { joint: 'ratio', slab: column(before.r) },
      { joint: 'apart', slab: column(before.l) },
      { joint: 'shrink', slab: column(before.shrunkL, 'r l') },
      { joint: 'plus', slab: column(before.sum, 'Σ p') },
      { joint: 'equals', slab: column(l) },
    ],
    [
      { joint: 'start', slab: slabs.plane(before.o, [T, Kv]) },
      { joint: 'shrink', slab: slabs.plane(before.shrunkO, [T, Kv], 'r o') },
      ...product('plus'),
      { joint: 'equals', slab: slabs.plane(end, [T, Kv]) },
    ],
  ];
}
