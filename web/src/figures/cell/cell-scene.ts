// What the figure of a cell shows: one unit at one position, what can be dragged there, and its values over all positions.
import * as texts from '#messages/figures/cell';
import type { Edit, Role, TraceNode } from '../../engine/types';
import { fixed, significant, withPower } from '../../ui/numbers';
import type { Table } from '../host/table';
import { type CellAt, type Network, GATES, rowOf } from './cell-trace';

export type Read = (node: TraceNode) => ArrayLike<number> | undefined;

/** What can be dragged: a gate, a weight of the plain cell, or the input. */
export interface Valve {
  letter: string;
  kind: 'gate' | 'weight' | 'input';
  /** The element that a drag overrides. */
  node: TraceNode;
  index: number;
  value: number | undefined;
  least: number;
  most: number;
  /** The reader has set it here. */
  set: boolean;
}

/** Values of one letter by position. */
export interface Track {
  letter: string;
  role: Role;
  values: readonly (number | undefined)[];
  /** From 0 to 1, else from −limit to limit. */
  gate: boolean;
  limit: number;
  /** Its bars are as high as log(1 + |value|): on a plain scale all but the largest would be flat. */
  log: boolean;
  /** Tensor and index of each value. */
  cells: readonly { node: TraceNode | undefined; index: number }[];
  /** Positions at which the reader has set it. */
  set: readonly boolean[];
}

/** A state that exceeds this somewhere is drawn by its logarithm. */
const TALL = 100;
const LARGE = 1e4;

/** "0.66"; if it is large, "4.3 × 10¹³". */
export const short = (value: number): string =>
  Number.isFinite(value) && Math.abs(value) >= LARGE ? withPower(value.toExponential(1)) : fixed(value, 2);

/** Farthest that a weight, and an input, is dragged from 0, unless it is farther. */
const FARTHEST = { weight: 4, input: 1 };
/** The sums at which a gate counts as shut and as open: σ(20) = 1 − 2·10⁻⁹. */
const SHUT = 20;

export class CellScene {
  readonly at: CellAt;

  constructor(
    readonly network: Network,
    readonly unit: number,
    readonly position: number,
    private readonly read: Read,
    private readonly edits: readonly Edit[],
    /** The node with ∂L/∂h; null: gradients are not shown. */
    private readonly gradientOf: ((state: TraceNode) => TraceNode | undefined) | null,
  ) {
    this.at = network.cells[position]!;
  }

  get heading(): string {
    return this.network.kind === 'rnn' ? texts.HEADING_PLAIN : texts.HEADING;
  }
  get last(): number {
    return this.network.cells.length - 1;
  }
  get hasGates(): boolean {
    return this.network.kind !== 'rnn';
  }

  value(node: TraceNode | undefined, index = this.unit): number | undefined {
    return node && this.read(node)?.[index];
  }

  /** Of a result of this position, of what it carries over (`before`) or adds up, and of the input. */
  of(what: string): number | undefined {
    const { at } = this;
    const parts: Record<string, TraceNode | undefined> = { ...at.results, before: at.before, sum: at.sum };
    if (what === 'x') return this.network.size === 1 ? this.value(at.x, 0) : undefined;
    return this.value({ ...parts, kept: at.kept, added: at.added, left: at.left }[what]);
  }

  /** The state before this position. In an LSTM that is not what is carried over on its direct way. */
  get stateBefore(): number | undefined {
    const { kind, cells } = this.network;
    if (kind !== 'lstm') return this.of('before');
    const index = this.position + (this.network.name.endsWith('_reverse') ? 1 : -1);
    return cells[index] ? this.value(cells[index].results['h']) : 0; // before the first position it is 0
  }

  get valves(): readonly Valve[] {
    const { kind } = this.network;
    return [...GATES[kind].map((letter) => this.#gate(letter)), ...this.#weights(), ...this.#input()];
  }

  #gate(letter: string, at = this.at): Valve {
    const node = at.results[letter]!;
    const [value, set] = [this.value(node), this.#isSet(node.name, this.unit)];
    return { letter, kind: 'gate', node, index: this.unit, value, least: 0, most: 1, set };
  }

  /** Of the plain cell: the unit's own weight of the old state, the weight of the input if that is one number, the bias. */
  #weights(): Valve[] {
    const { weights, hidden, size } = this.network;
    if (this.hasGates) return [];
    return [
      this.#signed('u', 'weight', weights.U, this.unit * hidden + this.unit),
      ...(size === 1 ? [this.#signed('w', 'weight', weights.W, this.unit)] : []),
      this.#signed('b', 'weight', weights.b, this.unit),
    ];
  }

  #input(): Valve[] {
    const { input, position } = this.at;
    return input && this.network.size === 1 ? [this.#signed('x', 'input', input, position)] : [];
  }

  #signed(letter: string, kind: 'weight' | 'input', node: TraceNode, index: number): Valve {
    const value = this.value(node, index);
    const most = Math.max(FARTHEST[kind], Math.ceil(Math.abs(value ?? 0)));
    return { letter, kind, node, index, value, least: -most, most, set: this.#isSet(node.name, index) };
  }

  #isSet(name: string, index: number): boolean {
    return this.edits.some((edit) => edit.name === name && edit.index === index);
  }

  /** The gate of a track at a position. */
  gateAt(letter: string, position: number): Valve {
    return this.#gate(letter, this.network.cells[position]!);
  }

  /** The bias that gives a gate this value here, whatever else it adds up; null until its sum is known. */
  biasFor({ letter, node }: Valve, wanted: number, sumOf: (gate: TraceNode) => TraceNode | undefined): Edit | null {
    const { b } = this.network.weights;
    const index = rowOf(this.network, letter, this.unit);
    const [sum, bias] = [this.value(sumOf(node)), this.value(b, index)];
    if (sum === undefined || bias === undefined) return null;
    const target = Math.max(-SHUT, Math.min(SHUT, Math.log(wanted / (1 - wanted))));
    return { name: b.name, index, value: bias + target - sum };
  }

  get tracks(): readonly Track[] {
    const { kind, size } = this.network;
    const states = kind === 'lstm' ? ['c', 'h'] : ['h'];
    return [
      ...(size === 1 ? [this.#track('x', 'input', ({ x }) => x, 0)] : []),
      ...GATES[kind].map((letter) => this.#track(letter, 'weight', ({ results }) => results[letter])),
      ...states.map((letter) => this.#track(letter, 'state', ({ results }) => results[letter])),
      ...(this.gradientOf ? [this.#track('∂h', 'gradient', ({ results }) => this.gradientOf!(results['h']!))] : []),
    ];
  }

  #track(letter: string, role: Role, nodeAt: (cell: CellAt) => TraceNode | undefined, index = this.unit): Track {
    const cells = this.network.cells.map((cell) =>
      letter === 'x' && cell.input ? { node: cell.input, index: cell.position } : { node: nodeAt(cell), index },
    );
    const values = cells.map((cell) => this.value(cell.node, cell.index));
    const sizes = values.map((value) => Math.abs(value ?? 0)).filter(Number.isFinite);
    const limit = role === 'gradient' ? Math.max(...sizes, 1e-30) : Math.max(1, ...sizes);
    const set = cells.map((cell) => cell.node !== undefined && this.#isSet(cell.node.name, cell.index));
    return { letter, role, values, gate: role === 'weight', limit, log: role === 'state' && limit > TALL, cells, set };
  }

  number = (value: number | undefined): string => (value === undefined ? '' : short(value));

  /** What the cell does here, as its formula with the numbers in it: "h₃ = (1 − 0.53) · 0.12 + 0.53 · 0.31 = 0.28". */
  formula(): string {
    const [n, letters] = [(what: string) => this.number(this.of(what)), this.network.kind];
    const carried = letters === 'lstm' ? 'c' : 'h';
    if (this.of(carried) === undefined) return texts.valueAt(carried, this.at.position, undefined);
    if (letters === 'rnn') return `h = ${this.at.results['h']!.op}(${n('sum')}) = ${n('h')}`;
    if (letters === 'gru') return `h = (1 − ${n('z')}) · ${n('n')} + ${n('z')} · ${n('before')} = ${n('h')}`;
    const memory = `c = ${n('f')} · ${n('before')} + ${n('i')} · ${n('g')} = ${n('c')}`;
    return `${memory}, h = ${n('o')} · tanh(${n('c')}) = ${n('h')}`;
  }

  summary(): string {
    const { kind } = this.network;
    const value = (letter: string, number: number | undefined): string[] =>
      number === undefined ? [] : [texts.named(letter, significant(number, 3))];
    const here = [
      ...this.valves.flatMap((valve) => value(valve.letter, valve.value)),
      ...(kind === 'lstm' ? ['g', 'c', 'h'] : kind === 'gru' ? ['n', 'h'] : ['h']).flatMap((each) =>
        value(each, this.of(each)),
      ),
    ];
    const spans = this.tracks.flatMap(({ letter, values }) => {
      const known = values.filter((each) => each !== undefined);
      if (!known.length) return [];
      return [texts.span(letter, significant(Math.min(...known), 3), significant(Math.max(...known), 3))];
    });
    return texts.summary(texts.CELLS[kind], this.unit, this.at.position, this.last, [...here, ...spans]);
  }

  /** A value of a track in words. */
  tell({ letter, values }: Track, position: number): string {
    const value = values[position];
    const text = value === undefined ? undefined : significant(value, 4);
    return texts.valueAt(letter, this.network.cells[position]!.position, text);
  }

  table(): Table {
    const { tracks } = this;
    return {
      caption: texts.caption(texts.CELLS[this.network.kind], this.unit),
      quiet: true,
      head: [texts.POSITION, ...tracks.map(({ letter }) => letter)],
      rows: this.network.cells.map(({ position }, row) => ({
        heads: [position],
        cells: tracks.map(({ values, cells }) => ({ value: values[row], index: cells[row]!.index })),
      })),
    };
  }
}
