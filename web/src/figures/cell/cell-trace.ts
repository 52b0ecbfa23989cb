// Reads recurrent cells out of a trace: what each position computes in every layer and direction, by its letter, and what
// flows into the new state. Names are the engine's: cell.0.t3/z is the update gate of layer 0 at position 3.
import { onceForEach } from '../../lab/cursor';
import type { Trace, TraceNode } from '../../engine/types';

export type Kind = 'rnn' | 'gru' | 'lstm';
/** Letters of the gates, in the order of their blocks of rows. */
export const GATES: Record<Kind, readonly string[]> = { rnn: [], gru: ['r', 'z'], lstm: ['i', 'f', 'o'] };
/** Row blocks of a cell's weights: engine/nn/recurrent/cell.h. */
const BLOCKS: Record<Kind, string> = { rnn: 'h', gru: 'rzn', lstm: 'ifgo' };

/** What one position computes. */
export interface CellAt {
  position: number;
  /** What it computes, by letter: h, and r, z, n or i, f, g, o, c. */
  results: Readonly<Record<string, TraceNode>>;
  /** What it reads; and the input of the model that this is a row of, unless it is the state of a lower layer. */
  x: TraceNode;
  input: TraceNode | undefined;
  /** What it carries over: the state before, in an LSTM the memory before. */
  before: TraceNode;
  /** The two parts that are added up to what it carries on: what is kept and what is new; a plain cell has the sum alone. */
  kept?: TraceNode | undefined;
  added?: TraceNode | undefined;
  /** What the gate that keeps leaves for what is new: 1 − z, of a GRU. */
  left?: TraceNode | undefined;
  sum?: TraceNode | undefined;
}

/** One layer in one direction. */
export interface Network {
  /** "cell.0", "cell.0_reverse". */
  name: string;
  kind: Kind;
  hidden: number;
  /** Number of values read at each position. */
  size: number;
  cells: readonly CellAt[];
  /** W (G·H, X), U (G·H, H) and b (G·H). */
  weights: Readonly<Record<'W' | 'U' | 'b', TraceNode>>;
}

/** Row of a unit in W, U and b, in the block of a letter. */
export const rowOf = ({ kind, hidden }: Network, letter: string, unit: number): number =>
  Math.max(0, BLOCKS[kind].indexOf(letter)) * hidden + unit;

const PLACE = /^(.+\.\d+(?:_reverse)?)\.t(\d+)\/(.+)$/;

/** Of every cell that is one of the three kinds; a learner's own cell is none of them. */
export const readCells = onceForEach((trace: Trace): readonly Network[] => {
  const places = new Map<string, Map<number, TraceNode[]>>();
  for (const node of trace.nodes) {
    const [, name, position] = (node.phase === 'forward' && PLACE.exec(node.name)) || [];
    if (name === undefined) continue;
    const cells = places.get(name) ?? places.set(name, new Map()).get(name)!;
    cells.set(Number(position), [...(cells.get(Number(position)) ?? []), node]);
  }
  return [...places].flatMap(([name, cells]) => networkOf(trace, name, cells) ?? []);
});

function networkOf(trace: Trace, name: string, places: ReadonlyMap<number, TraceNode[]>): Network | null {
  const leaf = (letter: string): TraceNode | undefined => trace.nodes.find((node) => node.name === `${name}.${letter}`);
  const [W, U, b] = [leaf('W'), leaf('U'), leaf('b')];
  const cells = [...places].flatMap(([position, nodes]) => (W && cellOf(trace, position, nodes, W)) ?? []);
  const first = cells[0];
  if (!U || !W || !b || !first) return null;
  const [hidden, size] = [U.shape[1] ?? 1, W.shape[1] ?? 1];
  const byPosition = cells.sort((one, other) => one.position - other.position);
  return { name, kind: kindOf(first), hidden, size, cells: byPosition, weights: { W, U, b } };
}

const kindOf = ({ results }: Pick<CellAt, 'results'>): Kind => (results['o'] ? 'lstm' : results['z'] ? 'gru' : 'rnn');

function cellOf(trace: Trace, position: number, nodes: readonly TraceNode[], W: TraceNode): CellAt | null {
  const results = Object.fromEntries(nodes.map((node) => [node.name.split('/').at(-1)!, node]));
  const input = (node: TraceNode | undefined, which: number): TraceNode | undefined =>
    trace.nodes[node?.inputs[which] ?? -1];
  const reads = nodes.find((node) => node.op === 'matmul' && node.inputs[1] === W.id);
  const [x, carried] = [input(reads, 0), results['c'] ?? results['h']];
  if (!x || !carried) return null;
  const [kind, whole] = [kindOf({ results }), input(x, 0)];
  const read = { position, results, x, input: whole?.phase === 'leaf' ? whole : undefined };
  if (kind === 'rnn') {
    const sum = input(carried, 0);
    const before = input(input(sum, 1), 0); // of W x + b and U h + c the second, whose first part is the product
    const product = before && input(before, 0);
    return product && isPlain(carried) ? { ...read, before: product, sum } : null;
  }
  const parts = [input(carried, 0), input(carried, 1)]; // gru: fresh + kept; lstm: kept + added
  const [kept, added] = kind === 'gru' ? parts.toReversed() : parts;
  const before = input(kept, 1);
  const left = kind === 'gru' ? input(added, 0) : undefined;
  return kept && added && before ? { ...read, before, kept, added, left } : null;
}

const isPlain = ({ op }: TraceNode): boolean => op === 'tanh' || op === 'relu';
