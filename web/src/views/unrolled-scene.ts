// What the figure of an unrolled network tells: its values, its gradients, and both in words.
import { cellCount, type Trace, type TraceNode } from '../types';
import { significant } from './numbers';
import { type Scale, scaleOf } from './palette';
import { argmax } from './summary';
import { networksOf } from './unrolled-layout';
import { norm } from './unrolled-strips';
import type { Input, Look, Unrolled, UnrolledCell } from './unrolled-trace';

export interface UnrolledWords {
  source?: readonly string[];
  target?: readonly string[];
  /** By its number. */
  vocabulary?: readonly string[];
  /** The model wrote the target itself, reading each word that it had written. */
  written?: boolean;
}

/** What a position reads: a word of its own is the one that the position before came to. */
export interface Read {
  word: string;
  own: boolean;
}

/** Values of a node, undefined where not reached. */
export type Values = (node: TraceNode) => Float32Array | undefined;

export class Scene {
  /** Words by network; positions are counted where there are none. */
  readonly words: Readonly<Record<string, string[]>>;

  constructor(
    readonly trace: Trace,
    readonly network: Unrolled,
    private readonly given: UnrolledWords,
    /** The strips show ∂L/∂h in place of h. */
    readonly gradient: boolean,
    /** Which row of the batch is on show. */
    readonly example: number,
    private readonly read: Values,
  ) {
    this.words = wordsOf(network, given);
  }

  node(id: number): TraceNode {
    return this.trace.nodes[id]!;
  }

  /** The node that a strip shows: the tensor, or its gradient; undefined where there is none. */
  shown(id: number): TraceNode | undefined {
    return this.gradient ? this.trace.nodes[this.node(id).gradient] : this.node(id);
  }

  /** One row of the batch. */
  values(node: TraceNode | undefined): Float32Array | undefined {
    if (!node) return undefined;
    const all = this.read(node);
    if (node.shape.length < 2) return all;
    const size = this.size(node);
    return all?.subarray(this.example * size, (this.example + 1) * size);
  }

  /** How many numbers a row of the batch has. */
  size = (node: TraceNode): number => cellCount(node.shape.slice(1));

  /** What the strip of a cell shows. */
  strip(cell: UnrolledCell): Float32Array | undefined {
    return this.values(this.shown(cell.state));
  }

  weights(look: Look): Float32Array | undefined {
    const all = this.values(this.node(look.weights));
    return all?.subarray(look.row * look.memory.length, (look.row + 1) * look.memory.length);
  }

  /** One scale for all strips. */
  scale(): Scale {
    return scaleOf(
      'state',
      this.network.cells.flatMap((cell) => [...(this.strip(cell) ?? [])]),
    );
  }

  /** "encoder", "encoder →", "encoder, layer 1 ←". */
  rowName(row: Pick<UnrolledCell, 'network' | 'layer' | 'reverse'>): string {
    const of = this.network.cells.filter(({ network }) => network === row.network);
    const layer = of.some((cell) => cell.layer > 0) ? `, layer ${row.layer}` : '';
    const way = of.some(({ reverse }) => reverse) ? (row.reverse ? ' ←' : ' →') : '';
    return `${row.network}${layer}${way}`;
  }

  word({ network, position }: Pick<UnrolledCell, 'network' | 'position'>): string {
    return this.words[network]?.[position] ?? `${position}`;
  }

  /** By position; undefined where it is not reached. Empty for a network that is not told word by word. */
  reads(network: string): (Read | undefined)[] {
    const reads: (Read | undefined)[] = [];
    for (const input of this.network.inputs) if (input.network === network) reads[input.position] = this.readOf(input);
    return reads;
  }

  private readOf({ position, token: id, before }: Input): Read | undefined {
    const token = this.read(this.node(id))?.[this.example];
    if (token === undefined) return undefined;
    const logits = before < 0 ? undefined : this.values(this.node(before)); // may still be on their way
    const own = this.given.written === true && position > 0 && (!logits || argmax([...logits]) === token);
    return { word: this.given.vocabulary?.[token] ?? `${token}`, own };
  }

  /** "It reads <bos>, then the teacher's c, h, then its own e."; empty without words that are read. */
  readsTale(network: string): string {
    const parts: string[] = [];
    let who = '';
    for (const [t, read] of this.reads(network).entries()) {
      const now = t === 0 ? 'first' : read?.own ? 'its own' : 'the teacher’s';
      if (read) parts.push(now === who || t === 0 ? read.word : `then ${now} ${read.word}`);
      who = now;
    }
    return parts.length ? `It reads ${parts.join(', ')}.` : '';
  }

  /** "encoder →, am: norm 2.31, 0.9 at [4] is the largest". */
  tale(cell: UnrolledCell): string {
    const values = this.strip(cell);
    const what = `${this.rowName(cell)}, ${this.word(cell)}`;
    if (!values) return `${what}: ${this.shown(cell.state) ? 'not reached yet' : 'no gradient'}`;
    const top = argmax([...values].map(Math.abs));
    const size = `${this.gradient ? '‖∂L/∂h‖' : 'norm'} ${significant(norm(values), 3)}`;
    return `${what}: ${size}, ${significant(values[top] ?? 0, 3)} at [${top}] is the largest`;
  }

  /** "étudiant looks at student 0.91, a 0.05"; empty while not reached. */
  lookTale(look: Look): string {
    const weights = this.weights(look);
    if (!weights) return '';
    const seen = look.memory.map((cells, j) => {
      const cell = this.network.cells[cells[0] ?? -1];
      return { word: cell ? this.word(cell) : `${j}`, weight: weights[j] ?? 0 };
    });
    const most = seen.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
    if (!most.length) return `${this.word(look)} looks at nothing`;
    const first = most.slice(0, 3);
    return `${this.word(look)} looks at ${first.map(({ word, weight }) => `${word} ${significant(weight, 2)}`).join(', ')}`;
  }

  /** "encoder → 6 positions", and for gradients the norms along it. */
  rowTale(row: Pick<UnrolledCell, 'network' | 'layer' | 'reverse'> & { cells: readonly number[] }): string {
    const cells = row.cells.flatMap((at) => this.network.cells[at] ?? []);
    const reads = row.layer === 0 && !row.reverse ? this.readsTale(row.network) : '';
    if (!this.gradient) return `${this.rowName(row)}: ${cells.length} positions. ${reads}`.trim();
    const norms = cells.flatMap((cell) => {
      const values = this.strip(cell);
      return values ? [`${this.word(cell)} ${significant(norm(values), 2)}`] : [];
    });
    return `Norms of the gradient, ${this.rowName(row)}: ${norms.join(', ') || 'not reached yet'}.`;
  }
}

function wordsOf({ cells }: Unrolled, { source, target }: UnrolledWords): Record<string, string[]> {
  const names = networksOf(cells);
  const entries = names.map((name, i) => {
    const writes = i > 0 || name.startsWith('decoder');
    const given = writes ? target : (source ?? (names.length < 2 ? target : undefined));
    const count = 1 + Math.max(...cells.filter(({ network }) => network === name).map(({ position }) => position));
    return [name, Array.from({ length: count }, (_, t) => given?.[t] ?? `${t}`)];
  });
  return Object.fromEntries(entries);
}
