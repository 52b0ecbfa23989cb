// Contents of the figure of an unrolled network: values, gradients, words, sentences about them, and its table.
import * as texts from '#messages/figures/unrolled';
import { cellCount, type Trace, type TraceNode } from '../../engine/types';
import { significant, exact } from '../../ui/numbers';
import { type Scale, scaleOf } from '../shared/palette';
import { argmax } from '../shared/summary';
import { networksOf, norm, type Word } from './unrolled-layout';
import { normOf, readReturned } from './unrolled-flow';
import type { Needs } from './unrolled-needs';
import type { AttentionRow, Input, Unrolled, UnrolledCell } from './unrolled-trace';
import type { Table, TableCell, TableRow } from '../host/table';

export interface UnrolledWords {
  source?: readonly string[];
  target?: readonly string[];
  /** By token id. */
  vocabulary?: readonly string[];
  /** The model generated the target itself, reading each token that it generated. */
  generated?: boolean;
}

/** The word that a position reads; `own` if the model generated it at the previous position. */
export interface Read {
  word: string;
  own: boolean;
}

/** Values of a node; undefined until reached. */
export type Values = (node: TraceNode) => Float32Array | undefined;

/** The id of what fills a row up to the length of the longest: it is not learnt. */
const PAD = 0;

export class Scene {
  /** Words by network; the position where there is no word. */
  readonly words: Readonly<Record<string, string[]>>;

  constructor(
    readonly trace: Trace,
    readonly network: Unrolled,
    private readonly allWords: UnrolledWords,
    /** The strips show ∂L/∂h in place of h. */
    readonly gradient: boolean,
    /** Which row of the batch is on show. */
    readonly example: number,
    private readonly read: Values,
    /** Null: everything is on show. */
    readonly needs: Needs | null = null,
  ) {
    this.words = wordsOf(network, { ...allWords, target: allWords.target ?? this.#texts() });
  }

  /** Rows of the batch. */
  get examples(): number {
    return this.node(this.network.cells[0]!.state).shape[0] ?? 1;
  }

  /** The tokens of a row that reads a text as it is on the bench, with nothing beside it that says its words. */
  #texts(): string[] | undefined {
    const { vocabulary, source } = this.allWords;
    const read = this.trace.nodes.find(({ name }) => name === 'target_in');
    const ids = vocabulary && !source && networksOf(this.network.cells).length === 1 ? this.values(read) : undefined;
    return ids && Array.from(ids, (id) => vocabulary![id] ?? `${id}`);
  }

  /** The loss of this row alone: the mean of −log p of its tokens. Undefined before it is reached, where none counts, and with one row. */
  get loss(): number | undefined {
    const each = this.trace.nodes.find(({ name }) => name.endsWith('cross_entropy/negate'));
    const targets = this.trace.nodes.find(({ name }) => name === 'target_out');
    if (this.examples < 2 || each?.shape.length !== 2) return undefined;
    const [losses, ids] = [this.values(each), this.values(targets)];
    const counted = losses?.filter((_, i) => ids?.[i] !== PAD);
    if (!counted?.length || !ids) return undefined;
    return counted.reduce((sum, loss) => sum + loss, 0) / counted.length;
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

  /** Number of values in a row of the batch. */
  size = (node: TraceNode): number => cellCount(node.shape.slice(1));

  /** Values in the strip of a cell. */
  strip(cell: UnrolledCell): Float32Array | undefined {
    return this.values(this.shown(cell.state));
  }

  /** The norm of the gradient that comes back along an arrow; undefined where it is not reached, or not told apart. */
  returned(link: number): number | undefined {
    const parts = readReturned(this.trace)[link];
    return parts && normOf(parts, (id) => this.values(this.node(id)));
  }

  /** False for what fades, as what was asked for does not depend on it. */
  needsCell = (cell: number): boolean => this.needs?.cells.has(cell) ?? true;
  needsRow = ({ weights }: AttentionRow): boolean => this.needs?.weights.has(weights) ?? true;
  needsLink = ({ from, to }: Unrolled['links'][number]): boolean => this.needsCell(from) && this.needsCell(to);
  /** A word, as it is read; one above the words that are read is what was asked for, or the model's own and read again. */
  needsWord({ network, position, read }: Pick<Word, 'network' | 'position' | 'read'>): boolean {
    if (!this.needs) return true;
    const isAt = (each: Pick<UnrolledCell, 'network' | 'position'>): boolean =>
      each.network === network && each.position === position;
    const own = [...this.needs.cells].some((at) => isAt(this.network.cells[at]!));
    const written = !read && this.network.inputs.some((each) => each.network === network);
    if (!written) return own;
    const next = this.needsWord({ network, position: position + 1, read: true });
    const { asked } = this.needs;
    return ('output' in asked && isAt(asked.output)) || (next && this.reads(network)[position + 1]?.own === true);
  }

  /** "The output decoder, cow depends on 9 of 14 states: encoder 6 of 6, decoder 3 of 8."; "" if nothing was asked. */
  describeNeeds(): string {
    if (!this.needs) return '';
    const { asked, cells } = this.needs;
    const isOutput = 'output' in asked;
    const at = isOutput ? asked.output : this.network.cells[asked.cell]!;
    const parts = networksOf(this.network.cells).map((name) => {
      const all = this.network.cells.flatMap(({ network }, i) => (network === name ? [i] : []));
      return { network: name, needed: all.filter((i) => cells.has(i)).length, of: all.length };
    });
    return texts.dependsOn(
      texts.state(this.rowName({ layer: 0, reverse: false, ...at }), this.word(at)),
      isOutput,
      parts,
    );
  }

  weights(row: AttentionRow): Float32Array | undefined {
    const all = this.values(this.node(row.weights));
    return all?.subarray(row.row * row.memory.length, (row.row + 1) * row.memory.length);
  }

  /** One scale for all strips. */
  scale(): Scale {
    const values = this.network.cells.flatMap((cell) => [...(this.strip(cell) ?? [])]);
    return scaleOf('state', values);
  }

  /** "encoder", "encoder →", "encoder, layer 1 ←". */
  rowName(row: Pick<UnrolledCell, 'network' | 'layer' | 'reverse'>): string {
    const of = this.network.cells.filter(({ network }) => network === row.network);
    const layer = of.some((cell) => cell.layer > 0) ? row.layer : undefined;
    const arrow = of.some(({ reverse }) => reverse) ? (row.reverse ? '←' : '→') : '';
    return texts.rowName(row.network, layer, arrow);
  }

  word({ network, position }: Pick<UnrolledCell, 'network' | 'position'>): string {
    return this.words[network]?.[position] ?? `${position}`;
  }

  /** Input words by position; undefined until reached. Empty for a network that does not embed tokens step by step. */
  reads(network: string): (Read | undefined)[] {
    const reads: (Read | undefined)[] = [];
    for (const input of this.network.inputs) if (input.network === network) reads[input.position] = this.readOf(input);
    return reads;
  }

  /** What the model would write at a position where the target has another word; undefined until its logits are reached. */
  wrote({ network, position }: Pick<UnrolledCell, 'network' | 'position'>): string | undefined {
    const reads = this.network.inputs.some((input) => input.network === network);
    const output = this.network.outputs.find((each) => each.network === network && each.position === position);
    const logits = reads && output && this.values(this.node(output.logits));
    if (!logits) return undefined;
    const token = argmax([...logits]);
    const word = this.allWords.vocabulary?.[token] ?? `${token}`;
    return word === this.words[network]?.[position] ? undefined : word;
  }

  private readOf({ position, token: id, previousLogits }: Input): Read | undefined {
    const token = this.read(this.node(id))?.[this.example];
    if (token === undefined) return undefined;
    const logits = previousLogits < 0 ? undefined : this.values(this.node(previousLogits)); // may still be on their way
    const own = this.allWords.generated === true && position > 0 && (!logits || argmax([...logits]) === token);
    return { word: this.allWords.vocabulary?.[token] ?? `${token}`, own };
  }

  /** "It reads <bos>, then the teacher’s c and h, then its own e."; "" if it reads no words. */
  describeReads(network: string): string {
    const [first, ...rest] = this.reads(network).flatMap((read) => read ?? []);
    const runs: texts.Reads[] = [];
    for (const { word, own: isOwn } of rest) {
      if (runs.at(-1)?.isOwn !== isOwn) runs.push({ words: [], isOwn });
      runs.at(-1)!.words.push(word);
    }
    return first ? texts.reads(first.word, runs) : '';
  }

  /** "encoder →, am: norm 2.31, largest magnitude 0.9 at [4]". */
  describe(cell: UnrolledCell): string {
    const values = this.strip(cell);
    const [row, word] = [this.rowName(cell), this.word(cell)];
    if (!values) return (this.shown(cell.state) ? texts.stateNotReached : texts.stateWithoutGradient)(row, word);
    const at = argmax([...values].map(Math.abs));
    const largest = significant(values[at] ?? 0, 3);
    const told = texts.stateAndValues(row, word, {
      ...{ norm: significant(norm(values), 3), isGradient: this.gradient, largest, at },
    });
    return this.gradient ? [told, ...this.describeReturned(cell)].join('; ') : told;
  }

  /** "0.31 comes back from decoder, cow", for each arrow from this cell. */
  describeReturned(cell: UnrolledCell): string[] {
    const { cells, links } = this.network;
    return links.flatMap(({ from, to }, i) => {
      const size = cells[from] === cell ? this.returned(i) : undefined;
      const later = cells[to]!;
      return size === undefined ? [] : texts.comesBack(significant(size, 3), this.rowName(later), this.word(later));
    });
  }

  /** "étudiant attends to student 0.91, a 0.05"; "" until reached. */
  describeAttention(row: AttentionRow): string {
    const weights = this.weights(row);
    if (!weights) return '';
    const words = row.memory.map((cells, j) => {
      const cell = this.network.cells[cells[0] ?? -1];
      return { word: cell ? this.word(cell) : `${j}`, weight: weights[j] ?? 0 };
    });
    const most = words.filter(({ weight }) => weight > 0).sort((a, b) => b.weight - a.weight);
    const first = most.slice(0, 3).map(({ word, weight }) => `${word} ${significant(weight, 2)}`);
    return texts.attends(this.word(row), first);
  }

  /** "encoder →: 6 positions.", then the words it reads; for gradients the norms along the row. */
  describeRow(row: Pick<UnrolledCell, 'network' | 'layer' | 'reverse'> & { cells: readonly number[] }): string {
    const cells = row.cells.flatMap((at) => this.network.cells[at] ?? []);
    const reads = row.layer === 0 && !row.reverse ? this.describeReads(row.network) : '';
    const name = this.rowName(row);
    if (!this.gradient) return `${texts.rowLength(name, cells.length)} ${reads}`.trim();
    const norms = cells.flatMap((cell) => {
      const values = this.strip(cell);
      return values ? [`${this.word(cell)} ${significant(norm(values), 2)}`] : [];
    });
    return texts.gradientNorms(name, norms);
  }
}

function wordsOf({ cells }: Unrolled, { source, target }: UnrolledWords): Record<string, string[]> {
  const names = networksOf(cells);
  const entries = names.map((name, i) => {
    const writes = i > 0 || name.startsWith('decoder');
    const words = writes ? target : (source ?? (names.length < 2 ? target : undefined));
    const count = 1 + Math.max(...cells.filter(({ network }) => network === name).map(({ position }) => position));
    return [name, Array.from({ length: count }, (_, t) => words?.[t] ?? `${t}`)];
  });
  return Object.fromEntries(entries);
}

export function stateTable(scene: Scene): Table {
  const { cells, inputs } = scene.network;
  const { state, word, reads, norm: ofNorm, back, needed } = texts.STATE_COLUMNS;
  const size = Math.max(...cells.map((cell) => scene.size(scene.node(cell.state))));
  return {
    caption: texts.CAPTION,
    quiet: true,
    head: [
      ...[state, word, ...(scene.needs ? [needed] : []), ...(inputs.length ? [reads] : []), ofNorm],
      ...[...(scene.gradient ? [back] : []), ...Array(size).keys()],
    ],
    rows: cells.map((cell, at) => stateRow(scene, cell, at)),
  };
}

function stateRow(scene: Scene, cell: UnrolledCell, at: number): TableRow {
  const values = scene.strip(cell);
  const start = scene.example * scene.size(scene.node(cell.state));
  const size = values && norm(values);
  const reads: TableCell[] = scene.network.inputs.length ? [{ value: readWords(scene, cell), kind: 'reads' }] : [];
  return {
    tensor: scene.shown(cell.state)?.name,
    heads: [scene.rowName(cell), writtenWord(scene, cell)],
    cells: [
      ...(scene.needs ? [{ value: texts.isNeeded(scene.needsCell(at)), kind: 'reads' }] : []),
      ...reads,
      { value: size, text: size === undefined ? '' : significant(size, 4) },
      ...(scene.gradient ? [{ value: scene.describeReturned(cell).join('; '), kind: 'reads' }] : []),
      ...Array.from(values ?? [], (value, i) => ({ value, text: exact(value), index: start + i })),
    ],
  };
}

/** "f in place of d" */
function writtenWord(scene: Scene, cell: UnrolledCell): string {
  const wrote = scene.wrote(cell);
  return wrote === undefined ? scene.word(cell) : texts.wroteInstead(wrote, scene.word(cell));
}

/** "c, the teacher’s" */
function readWords(scene: Scene, { network, position }: UnrolledCell): string {
  const read = scene.reads(network)[position];
  if (!read || position === 0) return read?.word ?? '';
  return texts.readWord(read.word, read.own);
}
