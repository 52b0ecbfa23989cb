// Reads an unrolled network out of a trace: its cells by network, layer and position, which cell feeds which, and the
// attention between them. Names are the engine's: encoder.0.t3/h, encoder.0_reverse.t3/z, decoder.t2.0/r, decoder.t2/s.
import type { Trace, TraceNode } from '../../engine/types';
import { isNamed, shortName } from '../shared/marks';
import { onceForEach } from '../../lab/cursor/once';

export interface UnrolledCell {
  /** "encoder", "decoder" … */
  network: string;
  layer: number;
  reverse: boolean;
  position: number;
  /** Node ids: the state, and the other named results in execution order. */
  state: number;
  gates: number[];
}

/** Attention of one position. */
export interface AttentionRow {
  network: string;
  position: number;
  /** Node id of α, and which of its rows. */
  weights: number;
  row: number;
  /** For each weight, the cells whose states it weighs. */
  memory: number[][];
}

/** The token that one position reads. Node ids; −1 for none. */
export interface Input {
  network: string;
  position: number;
  /** Its token id, for each row of the batch. */
  token: number;
  /** Logits of the previous position. */
  previousLogits: number;
}

export interface Unrolled {
  cells: UnrolledCell[];
  inputs: Input[];
  /** Indexes into `cells`: `to` reads the state of `from`, not through attention. */
  links: { from: number; to: number }[];
  attention: AttentionRow[];
}

interface Spot {
  network: string;
  layer: number;
  reverse: boolean;
  position: number;
}

const LAYER_FIRST = /^(.+)\.(\d+)(_reverse)?\.t(\d+)[./]/;
const POSITION_FIRST = /^(.+)\.t(\d+)\.(\d+)[./]/;
const TOP = /^(.+)\.t(\d+)\/s$/;
const ATTENTION = /\.attention[./]/;

function spotOf(name: string): Spot | null {
  const a = LAYER_FIRST.exec(name);
  if (a) return { network: a[1]!, layer: Number(a[2]), reverse: a[3] !== undefined, position: Number(a[4]) };
  const b = POSITION_FIRST.exec(name);
  return b && { network: b[1]!, layer: Number(b[3]), reverse: false, position: Number(b[2]) };
}

const keyOf = (spot: Spot): string =>
  `${spot.network}.${spot.layer}${spot.reverse ? '_reverse' : ''}.t${spot.position}`;

export const readUnrolled = onceForEach((trace: Trace): Unrolled => {
  const spots = new Map<string, { spot: Spot; nodes: TraceNode[] }>();
  const forward = trace.nodes.filter((node) => node.phase === 'forward');
  const put = (spot: Spot, node: TraceNode): void => {
    const key = keyOf(spot);
    const found = spots.get(key) ?? { spot, nodes: [] };
    found.nodes.push(node);
    spots.set(key, found);
  };
  for (const node of forward) {
    const spot = spotOf(node.name);
    if (spot) put(spot, node);
    const top = spot ? null : TOP.exec(node.name);
    if (top) put(highest(spots, top[1]!, Number(top[2])), node);
  }
  const cells = [...spots.values()].flatMap(({ spot, nodes }) => cellOf(spot, nodes));
  const owner = owners(spots, cells);
  const inputs = inputsOf(trace, forward);
  return {
    cells,
    inputs,
    links: linksOf(trace, spots, cells, owner),
    attention: attentionOf(trace, forward, cells, owner),
  };
});

/** A position that reads a token gathers it from the embedding table. */
function inputsOf(trace: Trace, forward: readonly TraceNode[]): Input[] {
  const logits = new Map(forward.filter(({ name }) => name.endsWith('/logits')).map(({ name, id }) => [name, id]));
  return forward.flatMap((node): Input[] => {
    const place = /^(.+)\.t(\d+)\/y$/.exec(node.name);
    const token = trace.nodes[node.inputs[1] ?? -1];
    if (!place || node.op !== 'gather' || !token) return [];
    const [network, position] = [place[1]!, Number(place[2])];
    const previousLogits = logits.get(`${network}.t${position - 1}/logits`) ?? -1;
    return [{ network, position, token: token.id, previousLogits }];
  });
}

/** The name of the top layer's state has no layer, only a position. */
function highest(spots: ReadonlyMap<string, { spot: Spot }>, network: string, position: number): Spot {
  let layer = 0;
  for (const { spot } of spots.values())
    if (spot.network === network && spot.position === position) layer = Math.max(layer, spot.layer);
  return { network, layer, reverse: false, position };
}

const isState = (node: TraceNode): boolean => /^(h|s)( kept)?$/.test(shortName(node.name));

function cellOf(spot: Spot, nodes: TraceNode[]): UnrolledCell[] {
  const state = nodes.filter(isState).at(-1);
  if (!state) return [];
  const gates = nodes.filter((node) => isNamed(node) && !isState(node) && node.op !== 'constant');
  return [{ ...spot, state: state.id, gates: gates.map(({ id }) => id) }];
}

/** Index of the cell that computed a node, by node id. */
function owners(
  spots: ReadonlyMap<string, { nodes: TraceNode[] }>,
  cells: readonly UnrolledCell[],
): ReadonlyMap<number, number> {
  const owner = new Map<number, number>();
  cells.forEach((cell, i) => spots.get(keyOf(cell))?.nodes.forEach((node) => owner.set(node.id, i)));
  return owner;
}

/** Cells that these nodes read from, walking back through nodes that belong to none, but not through attention. */
function sourceCells(trace: Trace, from: readonly number[], owner: ReadonlyMap<number, number>): number[] {
  const found = new Set<number>();
  const seen = new Set<number>();
  const waiting = [...from];
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const node = trace.nodes[id];
    if (!node || seen.has(id)) continue;
    seen.add(id);
    const cell = owner.get(id);
    if (cell !== undefined) found.add(cell);
    else if (!ATTENTION.test(node.name)) waiting.push(...node.inputs);
  }
  return [...found].sort((a, b) => a - b);
}

function linksOf(
  trace: Trace,
  spots: ReadonlyMap<string, { nodes: TraceNode[] }>,
  cells: readonly UnrolledCell[],
  owner: ReadonlyMap<number, number>,
): Unrolled['links'] {
  return cells.flatMap((cell, to) => {
    const own = spots.get(keyOf(cell))?.nodes ?? [];
    const outside = own.flatMap(({ inputs }) => inputs).filter((id) => owner.get(id) !== to);
    return sourceCells(trace, outside, owner).map((from) => ({ from, to }));
  });
}

/** One α per position where there are such; else the rows of a single α of a network that attends to itself. */
function attentionOf(
  trace: Trace,
  forward: readonly TraceNode[],
  cells: readonly UnrolledCell[],
  owner: ReadonlyMap<number, number>,
): AttentionRow[] {
  const each = forward.flatMap((node): AttentionRow[] => {
    const place = /^(.+)\.t(\d+)\.attention\/α$/.exec(node.name);
    const memory = place && memoryOf(trace, forward, node, owner);
    return place && memory
      ? [{ network: place[1]!, position: Number(place[2]), weights: node.id, row: 0, memory }]
      : [];
  });
  return each.length ? each : forward.flatMap((node) => selfAttentionOf(trace, forward, node, cells, owner));
}

/** α (…, T, T), one row per position; a single row belongs to the last position. */
function selfAttentionOf(
  trace: Trace,
  forward: readonly TraceNode[],
  node: TraceNode,
  cells: readonly UnrolledCell[],
  owner: ReadonlyMap<number, number>,
): AttentionRow[] {
  const memory = shortName(node.name) === 'α' ? memoryOf(trace, forward, node, owner) : null;
  const network = cells[memory?.[0]?.[0] ?? -1]?.network;
  if (!memory || !network) return [];
  const rows = node.shape.length > 1 ? (node.shape.at(-2) ?? 1) : 1;
  return Array.from({ length: rows }, (_, row) => ({
    network,
    position: rows === 1 ? memory.length - 1 : row,
    weights: node.id,
    row,
    memory,
  }));
}

/** The context is α times a memory, which concatenates one state per weight; null if there is no such memory. */
function memoryOf(
  trace: Trace,
  forward: readonly TraceNode[],
  weights: TraceNode,
  owner: ReadonlyMap<number, number>,
): number[][] | null {
  const length = weights.shape.at(-1) ?? 0;
  const context = forward.find((node) => node.inputs[0] === weights.id && node.inputs.length === 2);
  let node = trace.nodes[context?.inputs[1] ?? -1];
  while (node && !(node.op === 'concat' && node.inputs.length === length)) node = trace.nodes[node.inputs[0] ?? -1];
  if (!node && length === 1 && context) return [sourceCells(trace, [context.inputs[1]!], owner)];
  return node ? node.inputs.map((id) => sourceCells(trace, [id], owner)) : null;
}
