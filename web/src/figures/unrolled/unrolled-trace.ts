// Reads an unrolled network out of a trace: its cells by network, layer and position, which cell feeds which, and the
// attention between them. Names are the engine's: encoder.0.t3/h, encoder.0_reverse.t3/z, decoder.t2.0/r, decoder.t2/s.
import type { Trace, TraceNode } from '../../engine/types';
import { isNamed, shortName } from '../shared/marks';
import { onceForEach } from '../../lab/cursor';

/** Where a cell is. */
interface Spot {
  /** "encoder", "decoder" … */
  network: string;
  layer: number;
  reverse: boolean;
  position: number;
}

/** Node ids: the state, and the other named results in execution order. */
export interface UnrolledCell extends Spot {
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

/** What something reads: indexes into `cells`, and ids of the weights α with which it attends to some of them. */
export interface Sources {
  cells: readonly number[];
  weights: readonly number[];
}

/** The logits of one position. */
export interface Output extends Sources {
  network: string;
  position: number;
  /** Node id. */
  logits: number;
}

export interface Unrolled {
  cells: readonly UnrolledCell[];
  /** Index of the cell that computed a node, by node id. */
  owner: ReadonlyMap<number, number>;
  /** What each cell reads, through attention too. */
  reads: readonly Sources[];
  outputs: readonly Output[];
  inputs: readonly Input[];
  /** Indexes into `cells`: `to` reads the state of `from`, not through attention. */
  links: readonly { from: number; to: number }[];
  attention: AttentionRow[];
}

const LAYER_FIRST = /^(.+)\.(\d+)(_reverse)?\.t(\d+)[./]/;
const POSITION_FIRST = /^(.+)\.t(\d+)\.(\d+)[./]/;
const TOP = /^(.+)\.t(\d+)\/s$/;
const ATTENTION = /(^|\.)attention[./]/;
export const isOfAttention = ({ name }: TraceNode): boolean => ATTENTION.test(name);
const LOGITS = /^(.+)\.t(\d+)\/logits$/;

function spotOf(name: string): Spot | null {
  const a = LAYER_FIRST.exec(name);
  if (a) return { network: a[1]!, layer: Number(a[2]), reverse: a[3] !== undefined, position: Number(a[4]) };
  const b = POSITION_FIRST.exec(name);
  return b && { network: b[1]!, layer: Number(b[3]), reverse: false, position: Number(b[2]) };
}

const keyOf = ({ network, layer, reverse, position }: Spot): string =>
  `${network}.${layer}${reverse ? '_reverse' : ''}.t${position}`;

const isState = (node: TraceNode): boolean => /^(h|s)( kept)?$/.test(shortName(node.name));

function cellOf(spot: Spot, nodes: TraceNode[]): UnrolledCell[] {
  const state = nodes.filter(isState).at(-1);
  if (!state) return [];
  const gates = nodes.filter((node) => isNamed(node) && !isState(node) && node.op !== 'constant');
  return [{ ...spot, state: state.id, gates: gates.map(({ id }) => id) }];
}

export const readUnrolled = onceForEach((trace: Trace): Unrolled => {
  const reader = new Reader(trace);
  const { cells, owner } = reader;
  const [inputs, links, attention] = [reader.inputs(), reader.links(), reader.attention()];
  return { cells, owner, inputs, links, attention, reads: reader.reads(), outputs: reader.outputs(attention) };
});

class Reader {
  readonly cells: readonly UnrolledCell[];
  private readonly forward: readonly TraceNode[];
  private readonly spots = new Map<string, { spot: Spot; nodes: TraceNode[] }>();
  /** Index of the cell that computed a node, by node id. */
  readonly owner = new Map<number, number>();

  constructor(private readonly trace: Trace) {
    this.forward = trace.nodes.filter(({ phase }) => phase === 'forward');
    for (const node of this.forward) {
      const top = TOP.exec(node.name);
      const spot = spotOf(node.name) ?? (top && this.highest(top[1]!, Number(top[2])));
      if (spot) this.put(spot, node);
    }
    this.cells = [...this.spots.values()].flatMap(({ spot, nodes }) => cellOf(spot, nodes));
    this.cells.forEach((cell, i) => this.nodesOf(cell).forEach(({ id }) => this.owner.set(id, i)));
  }

  private put(spot: Spot, node: TraceNode): void {
    const found = this.spots.get(keyOf(spot)) ?? { spot, nodes: [] };
    found.nodes.push(node);
    this.spots.set(keyOf(spot), found);
  }

  /** The name of the top layer's state has no layer, only a position. */
  private highest(network: string, position: number): Spot {
    let layer = 0;
    for (const { spot } of this.spots.values())
      if (spot.network === network && spot.position === position) layer = Math.max(layer, spot.layer);
    return { network, layer, reverse: false, position };
  }

  private nodesOf(cell: UnrolledCell): readonly TraceNode[] {
    return this.spots.get(keyOf(cell))?.nodes ?? [];
  }

  /** A position that reads a token gathers it from the embedding table. */
  inputs(): Input[] {
    const logits = new Map(
      this.forward.filter(({ name }) => name.endsWith('/logits')).map(({ name, id }) => [name, id]),
    );
    return this.forward.flatMap((node): Input[] => {
      const place = /^(.+)\.t(\d+)\/y$/.exec(node.name);
      const token = this.trace.nodes[node.inputs[1] ?? -1];
      if (!place || node.op !== 'gather' || !token) return [];
      const [network, position] = [place[1]!, Number(place[2])];
      const previousLogits = logits.get(`${network}.t${position - 1}/logits`) ?? -1;
      return [{ network, position, token: token.id, previousLogits }];
    });
  }

  links(): { from: number; to: number }[] {
    return this.cells.flatMap((cell, to) => this.sources(this.outside(cell, to)).map((from) => ({ from, to })));
  }

  reads(): Sources[] {
    return this.cells.map((cell, at) => this.sourcesOf(this.outside(cell, at)));
  }

  /** What a cell reads and has not computed. */
  private outside(cell: UnrolledCell, at: number): number[] {
    const read = this.nodesOf(cell).flatMap(({ inputs }) => inputs);
    return read.filter((id) => this.owner.get(id) !== at);
  }

  /**
   * The logits of each position. Where all positions' are one tensor, each reads the top state of its own position, and
   * those that its row of the attention weighs.
   */
  outputs(attention: readonly AttentionRow[]): Output[] {
    const each = this.forward.flatMap(({ name, id }): Output[] => {
      const [, network, position] = LOGITS.exec(name) ?? [];
      return network ? [{ network, position: Number(position), logits: id, ...this.sourcesOf([id]) }] : [];
    });
    const all = this.forward.find(({ name }) => name === 'logits');
    return each.length || !all ? each : this.outputsIn(all, attention);
  }

  private outputsIn({ id: logits }: TraceNode, attention: readonly AttentionRow[]): Output[] {
    const top = Math.max(...this.cells.map(({ layer }) => layer));
    return this.cells.flatMap(({ network, layer, position }, at): Output[] => {
      if (layer < top) return [];
      const row = attention.find((each) => each.network === network && each.position === position);
      const before = row?.memory.slice(0, position).flat() ?? [];
      return [{ network, position, logits, cells: [at, ...before], weights: row ? [row.weights] : [] }];
    });
  }

  private sourcesOf(from: readonly number[]): Sources {
    const weights = new Set<number>();
    const cells = this.sources(from, ({ id, name }) => {
      if (shortName(name) === 'α') weights.add(id);
      return true;
    });
    return { cells, weights: [...weights] };
  }

  /** Cells that these nodes read from, walking back through nodes that belong to none; not through attention unless told. */
  private sources(from: readonly number[], passes = (node: TraceNode): boolean => !isOfAttention(node)): number[] {
    const found = new Set<number>();
    const seen = new Set<number>();
    const waiting = [...from];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const node = this.trace.nodes[id];
      if (!node || seen.has(id)) continue;
      seen.add(id);
      const cell = this.owner.get(id);
      if (cell !== undefined) found.add(cell);
      else if (passes(node)) waiting.push(...node.inputs);
    }
    return [...found].sort((a, b) => a - b);
  }

  /** One α per position where there are such; else the rows of a single α of a network that attends to itself. */
  attention(): AttentionRow[] {
    const each = this.forward.flatMap((node): AttentionRow[] => {
      const place = /^(.+)\.t(\d+)\.attention\/α$/.exec(node.name);
      const memory = place && this.memoryOf(node);
      if (!place || !memory) return [];
      return [{ network: place[1]!, position: Number(place[2]), weights: node.id, row: 0, memory }];
    });
    return each.length ? each : this.forward.flatMap((node) => this.selfAttentionOf(node));
  }

  /** α (…, T, T), one row per position; a single row belongs to the last position. */
  private selfAttentionOf(node: TraceNode): AttentionRow[] {
    const { id, name, shape } = node;
    const memory = shortName(name) === 'α' ? this.memoryOf(node) : null;
    const network = this.cells[memory?.[0]?.[0] ?? -1]?.network;
    if (!memory || !network) return [];
    const rows = shape.length > 1 ? (shape.at(-2) ?? 1) : 1;
    const positionOf = (row: number): number => (rows === 1 ? memory.length - 1 : row);
    return Array.from({ length: rows }, (_, row) => ({ network, position: positionOf(row), weights: id, row, memory }));
  }

  /** The context is α times a memory, which concatenates one state per weight; null if there is no such memory. */
  private memoryOf(weights: TraceNode): number[][] | null {
    const { nodes } = this.trace;
    const length = weights.shape.at(-1) ?? 0;
    const context = this.forward.find(({ inputs }) => inputs[0] === weights.id && inputs.length === 2);
    let node = nodes[context?.inputs[1] ?? -1];
    while (node && !(node.op === 'concat' && node.inputs.length === length)) node = nodes[node.inputs[0] ?? -1];
    if (!node && length === 1 && context) return [this.sources([context.inputs[1]!])];
    return node ? node.inputs.map((id) => this.sources([id])) : null;
  }
}
