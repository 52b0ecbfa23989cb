// Where two runs on the same input part: both traces are walked by the names of their tensors, in the order of the first.
import { unwrap } from '../../../engine/refused';
import type { RemoteSession } from '../../../engine/remote';
import { cellCount, type PairInfo, type Reply, type TextPair, type Trace, type TraceNode } from '../../../engine/types';
import { isNamed } from '../../../lab/cursor';

/** A finished run, and its values. */
export interface Traced {
  trace: Trace;
  valuesOf(ids: readonly number[]): Promise<Reply<Float32Array>[]>;
}

/** A tensor with different values in the two runs. */
export interface Gap {
  name: string;
  shape: readonly number[];
  /** A parameter or an input: nothing was computed yet. */
  isLeaf: boolean;
  /** How many of its values differ. */
  count: number;
  /** Flat index of the largest difference, and the value of each run there. */
  index: number;
  values: readonly [number, number];
}

/** The session's model reads the pair, or runs on its own input. Throws Refused. */
export async function tracedBy(
  session: RemoteSession,
  pair: TextPair | null,
): Promise<Traced & { read: PairInfo | null }> {
  const read = pair && (await unwrap(session.read(...pair)));
  if (!pair) await unwrap(session.run([]));
  return { read, trace: await unwrap(session.trace()), valuesOf: (ids) => session.batch('values', ids) };
}

export interface Difference {
  /** Tensors of one name and one shape that were compared, bit for bit: all up to the first that differs. */
  compared: number;
  /** Null: all are the same. */
  gap: Gap | null;
  /** The first tensor that both have, in different shapes. */
  reshaped: { name: string; shapes: readonly [readonly number[], readonly number[]] } | null;
  /** The first tensor that only one of them has, of each. */
  only: readonly [string | null, string | null];
}

/** Tensors whose values are asked for in one message; the first that differs is mostly an early one. */
const AT_ONCE = 50;

type Twins = readonly [TraceNode, TraceNode];

/** Inputs, parameters and the results that have a name: constants and unnamed results are called after their operations. */
const tensorsOf = ({ nodes }: Trace): TraceNode[] =>
  nodes.filter((node) => (node.phase === 'leaf' || node.phase === 'forward') && isNamed(node));

const sameShape = ([a, b]: Twins): boolean => a.shape.join() === b.shape.join();

/** Null if a run's values could not be read. */
export async function firstDifference(a: Traced, b: Traced): Promise<Difference | null> {
  const [ours, theirs] = [tensorsOf(a.trace), tensorsOf(b.trace)];
  const [mine, other] = [ours, theirs].map((all) => new Map(all.map((node) => [node.name, node])));
  const twins = ours.flatMap((node): Twins[] => (other!.has(node.name) ? [[node, other!.get(node.name)!]] : []));
  const reshaped = twins.find((both) => !sameShape(both));
  const found = await firstGap(a, b, twins.filter(sameShape));
  return (
    found && {
      ...found,
      reshaped: reshaped ? { name: reshaped[0].name, shapes: [reshaped[0].shape, reshaped[1].shape] } : null,
      only: [firstNotIn(other!, ours), firstNotIn(mine!, theirs)],
    }
  );
}

const firstNotIn = (others: ReadonlyMap<string, unknown>, all: readonly TraceNode[]): string | null =>
  all.find(({ name }) => !others.has(name))?.name ?? null;

async function firstGap(
  a: Traced,
  b: Traced,
  twins: readonly Twins[],
): Promise<Pick<Difference, 'compared' | 'gap'> | null> {
  for (let from = 0; from < twins.length; from += AT_ONCE) {
    const some = twins.slice(from, from + AT_ONCE);
    const idsOf = (side: 0 | 1): number[] => some.map((both) => both[side].id);
    const [xs, ys] = await Promise.all([a.valuesOf(idsOf(0)), b.valuesOf(idsOf(1))]);
    for (const [i, [node]] of some.entries()) {
      const [x, y] = [xs[i]!, ys[i]!];
      if (!x.ok || !y.ok) return null;
      const gap = gapIn(node, x.value, y.value);
      if (gap) return { compared: from + i + 1, gap };
    }
  }
  return { compared: twins.length, gap: null };
}

/** NaN, and an infinity of the other sign, are as far apart as can be. */
const apart = (x: number, y: number): number => (Object.is(x, y) ? -1 : Math.abs(x - y));

export function gapIn({ name, shape, phase }: TraceNode, a: Float32Array, b: Float32Array): Gap | null {
  let [index, count, largest] = [-1, 0, -1];
  for (let i = 0; i < cellCount(shape); i++) {
    const size = apart(a[i]!, b[i]!);
    if (size === -1) continue;
    count++;
    const isLarger = index < 0 || size > largest || (Number.isNaN(size) && !Number.isNaN(largest));
    if (isLarger) [index, largest] = [i, size];
  }
  return count ? { name, shape, isLeaf: phase === 'leaf', count, index, values: [a[index]!, b[index]!] } : null;
}
