// Attention computed in parts, as lines of matrices: the projections, what the part on show adds, and the final result.
import { BIAS } from '#messages/figures/dataflow';
import type { BlockPart, Blocked, SplitAttention, SumPart, Sums } from '../shared/attention/attention-parts';
import { headsOf } from '../shared/attention/attention-trace';
import {
  type Item,
  type LabelOf,
  type Letters,
  Slabs,
  item,
  lettersOf,
  output,
  plus,
  product,
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
