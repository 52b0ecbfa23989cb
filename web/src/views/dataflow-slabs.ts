// The attention layer as lines of matrices. In a product the left matrix stands beside the result, the right one above it,
// so that rows continue in rows, columns in columns, and the sides that are summed over meet at the corner.
import type { TraceNode } from '../types';
import { type Flow, type Looked, type Projection, headPlane, headsOf } from './attention-trace';
import { cellIndex } from './grid-layout';
import { ravel } from './index-rules';
import { isNamed } from './marks';

/** A tensor, or what of it belongs to one head, as rows and columns. */
export interface Slab {
  node: TraceNode;
  /** What it is called here, where that is not its name. */
  word?: string;
  turned: boolean;
  rows: number;
  columns: number;
  letters: readonly [string, string];
  /** Heads that lie one behind the other; 1 for what has none. */
  heads: number;
  /** Of their number: G where heads share in groups. */
  letter: string;
  /** Flat index into the tensor. */
  at: (row: number, column: number) => number;
}

/** How a matrix stands to the one before it. */
export type Joint =
  | 'start'
  | 'touch'
  | 'beside'
  | 'apart'
  | Arrow
  /** Signs. */
  | 'plus'
  | 'equals'
  | 'divide';

/** Each has its word. */
export type Arrow = 'softmax' | 'heads' | 'score' | 'phi' | 'sum' | 'max' | 'power' | 'ratio' | 'shrink';

export interface Item {
  joint: Joint;
  slab: Slab;
  /** The right matrix of the product that this is the result of, and a bias under it. */
  top?: Slab;
  bias?: Slab;
  /** How many items before this stands the left matrix of that product. */
  left?: number;
}

export interface Letters {
  T: string;
  S: string;
  K: string;
  /** Of the values, where they have another size than the keys. */
  Kv: string;
}

const sizeOf = (node: TraceNode): number => node.shape.at(-1) ?? 1;

export function lettersOf({ query, key, value }: Looked): Letters {
  const itself = query.source.id === key.source.id;
  return {
    T: itself ? 'n' : 'T',
    S: itself ? 'n' : 'S',
    K: 'K',
    Kv: sizeOf(value.result) === sizeOf(key.result) ? 'K' : 'Kᵥ',
  };
}

/** What one of the heads has. */
export class Slabs {
  constructor(
    readonly heads: number,
    readonly head: number,
  ) {}

  plane(node: TraceNode, letters: readonly [string, string], word?: string): Slab {
    const plane = headPlane(node, this.head, this.heads);
    const { rows, columns } = plane;
    const heads = node.shape.length > 3 || headsOf(node) === this.heads ? headsOf(node) : 1;
    return {
      node,
      ...(word && { word }),
      turned: false,
      rows,
      columns,
      letters,
      heads,
      letter: this.letter(heads),
      at: (r, c) => cellIndex(plane, r, c),
    };
  }

  private letter(groups: number): string {
    return groups === this.heads ? 'N' : 'G';
  }

  /** Rows in, columns out; of many heads those columns that make this one. */
  weight({ weight, result, turned }: Projection, letters: readonly [string, string]): Slab {
    const [out, rows] = turned ? [weight!.shape[0]!, weight!.shape[1]!] : [weight!.shape[1]!, weight!.shape[0]!];
    const { columns, first, groups } = this.share(out, result);
    const at = (r: number, c: number): number => (turned ? (first + c) * rows + r : r * out + first + c);
    return { node: weight!, turned: false, rows, columns, letters, heads: groups, letter: this.letter(groups), at };
  }

  bias({ bias, result }: Projection, letter: string): Slab {
    const { columns, first, groups } = this.share(sizeOf(bias!), result);
    return {
      node: bias!,
      turned: false,
      rows: 1,
      columns,
      letters: ['1', letter],
      heads: groups,
      letter: this.letter(groups),
      at: (_, c) => first + c,
    };
  }

  private share(out: number, result: TraceNode): { columns: number; first: number; groups: number } {
    const groups = result.shape.length > 3 ? headsOf(result) : 1;
    const group = Math.floor((this.head * groups) / this.heads);
    return { columns: out / groups, first: (group * out) / groups, groups };
  }

  /** What is added to the scores, as far as it meets those of this head. */
  added(node: TraceNode, [rows, columns]: readonly [number, number], letters: readonly [string, string]): Slab {
    const lead = node.shape.slice(0, -2).map((size, i, all) => (i === all.length - 1 && size > 1 ? this.head : 0));
    const [high, wide] = [(node.shape.at(-2) ?? 1) > 1, sizeOf(node) > 1];
    const at = (r: number, c: number): number =>
      ravel([...lead, high ? r : 0, wide ? c : 0].slice(-node.shape.length), node.shape);
    return { node, turned: false, rows, columns, letters, heads: 1, letter: '', at };
  }

  /** The contexts of all heads side by side. */
  joined(node: TraceNode, letters: readonly [string, string]): Slab {
    const [rows, size] = [node.shape.at(-2) ?? 1, sizeOf(node)];
    const at = (r: number, c: number): number =>
      cellIndex(headPlane(node, Math.floor(c / size), this.heads), r, c % size);
    return { node, turned: false, rows, columns: size * this.heads, letters, heads: 1, letter: '', at };
  }
}

export const turned = (slab: Slab): Slab => ({
  ...slab,
  turned: true,
  rows: slab.columns,
  columns: slab.rows,
  letters: [slab.letters[1], slab.letters[0]],
  at: (r, c) => slab.at(c, r),
});

/** What is added to the scores is called, where it has no name of its own. */
export type WordOf = (node: TraceNode) => string;

/** The projections, those of one source together; then the look itself. */
export function linesOf(flow: Flow, head: number, wordOf: WordOf = () => 'bias'): Item[][] {
  const slabs = new Slabs(headsOf(flow.weights), head);
  const letters = lettersOf(flow);
  return [projections(flow, slabs, letters), look(flow, slabs, letters, wordOf)].filter((line) => line.length);
}

export function projections({ query, key, value }: Looked, slabs: Slabs, { T, S, K, Kv }: Letters): Item[] {
  const made = [
    { of: query, rows: T, columns: K },
    { of: key, rows: S, columns: K },
    { of: value, rows: S, columns: Kv },
  ].filter(({ of }) => of.weight);
  const items: Item[] = [];
  let start = -1;
  made.forEach(({ of, rows, columns }, i) => {
    const fresh = of.source.id !== made[i - 1]?.of.source.id;
    if (fresh) {
      start = items.length;
      items.push({ joint: i ? 'apart' : 'start', slab: slabs.plane(of.source, [rows, 'D']) });
    }
    items.push({
      joint: fresh ? 'touch' : 'beside',
      slab: slabs.plane(of.result, [rows, columns]),
      top: slabs.weight(of, ['D', columns]),
      ...(of.bias && { bias: slabs.bias(of, columns) }),
      left: items.length - start,
    });
  });
  return items;
}

function look(flow: Flow, slabs: Slabs, { T, S, K, Kv }: Letters, wordOf: WordOf): Item[] {
  const keys = slabs.plane(flow.key.result, [S, K]);
  const scores = slabs.plane(flow.scores, [T, S]);
  const shape = [scores.rows, scores.columns] as const;
  const scored: Item[] = flow.isProduct
    ? [{ joint: 'touch', slab: scores, top: turned(keys), left: 1 }]
    : [
        { joint: 'beside', slab: keys },
        { joint: 'score', slab: scores },
      ];
  return [
    { joint: 'start', slab: slabs.plane(flow.query.result, [T, K]) },
    ...scored,
    ...flow.added.map((node) => plus(slabs.added(node, shape, [T, S]), wordOf)),
    { joint: 'softmax', slab: slabs.plane(flow.weights, [T, S]) },
    { joint: 'touch', slab: slabs.plane(flow.context, [T, Kv]), top: slabs.plane(flow.value.result, [S, Kv]), left: 1 },
    ...output(flow, slabs, T, Kv),
  ];
}

/** What is added to scores. */
export const plus = (slab: Slab, wordOf: WordOf): Item => ({
  joint: 'plus',
  slab: isNamed(slab.node) ? slab : { ...slab, word: wordOf(slab.node) },
});

export function output({ output: made, context }: Looked, slabs: Slabs, T: string, Kv: string): Item[] {
  if (!made) return [];
  const width = slabs.heads > 1 ? `N${Kv}` : Kv;
  const together: Item[] = slabs.heads > 1 ? [{ joint: 'heads', slab: slabs.joined(context, [T, width]) }] : [];
  return [
    ...together,
    {
      joint: 'touch',
      slab: slabs.plane(made.result, [T, 'D']),
      top: slabs.weight({ ...made, result: made.result }, [width, 'D']),
      ...(made.bias && { bias: slabs.bias(made, 'D') }),
      left: 1,
    },
  ];
}
