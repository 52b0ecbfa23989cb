// A model’s position encoding, read out of its trace: a table added to the embeddings, rotated queries, or a bias on the
// scores; and a pair of columns of the first two as a point that rotates with its position.
import * as texts from '#messages/figures/positions';
import { NOT_REACHED, cellAt } from '#messages/figures/shared';
import type { Trace, TraceNode } from '../../engine/types';
import { type Place, planeOf } from '../../ui/grid-layout';
import { exact, significant } from '../../ui/numbers';
import { type Flow, isMaskOf } from '../shared/attention/attention-trace';
import { shortName } from '../shared/marks';
import type { ReadValues } from '../shared/provenance';
import type { Table } from '../host/table';
import { wordTable } from '../host/tables';
import { type At, counted } from '../shared/attention/attention-map';

interface PositionTensors {
  /** (T, D) */
  table?: TraceNode;
  rotated?: NonNullable<ReturnType<typeof rotatedOf>>;
  /** Broadcasts against the scores. */
  bias?: TraceNode;
}

/** `read`: values of a node, undefined until reached. */
export function positionsOf(trace: Trace, flow: Flow | null, read: ReadValues): PositionTensors {
  const table = tableOf(trace);
  const bias = flow?.added.find((node) => {
    const values = /mask/i.test(node.name) ? undefined : read(node);
    return values && !isMaskOf(values);
  });
  const rotated = flow && rotatedOf(trace, flow.query.result);
  return { ...(table && { table }), ...(rotated && { rotated }), ...(bias && { bias }) };
}

/** Found by its name. */
const tableOf = ({ nodes }: Trace): TraceNode | undefined =>
  nodes.find(
    ({ phase, shape, name, role }) =>
      /leaf|forward/.test(phase) &&
      shape.length === 2 &&
      /^(P|positions)$/.test(shortName(name)) &&
      role !== 'parameter',
  );

/**
 * Queries before and after the rotation, and the cosines and sines of the angles (T, K/2, 1). The first of a pair becomes
 * first · cosine − second · sine: the only subtraction in the scope of the rotation.
 */
function rotatedOf(trace: Trace, result: TraceNode) {
  const scope = trace.scopes[result.scope];
  if (!scope || !/rotary$/.test(scope.name)) return null;
  const inputs = (node: TraceNode | undefined): TraceNode[] => (node?.inputs ?? []).map((id) => trace.nodes[id]!);
  const inside = trace.nodes
    .slice(scope.first, result.id + 1)
    .filter(({ scope: id, phase }) => id === result.scope && phase === 'forward');
  const difference = inside.find(({ op }) => op === 'subtract');
  const [cosine, sine] = inputs(difference).map((product) => inputs(product).find(({ op }) => op === 'constant'));
  const raw = inputs(inside.find(({ op }) => op === 'reshape'))[0];
  return raw && cosine && sine ? { raw, result, cosine, sine } : null;
}

export interface Rotation {
  point: (p: number) => [number, number];
  /** The point before the rotation; null for a table. */
  raw: ((p: number) => [number, number]) | null;
  /** Cosine and sine of the angle of position k. */
  cosine: (k: number) => number;
  sine: (k: number) => number;
  /** True for a table: one matrix maps every p to p + k. Queries are rotated by p itself. */
  shifts: boolean;
  /** How far the rotated point is from the tensor's. */
  differs: (p: number, k: number) => number;
}

export type Read = (node: TraceNode) => Float32Array | undefined;
type PlaneAt = (node: TraceNode, row: number, column: number) => number;

export const rotationOf = (tensors: PositionTensors, pair: number, read: Read, at: PlaneAt): Rotation | null =>
  tensors.table ? ofTable(tensors.table, pair, read) : ofQueries(tensors, pair, read, at);

/** (x, y) rotated by the angle with this cosine and sine. */
export const rotate = ([x, y]: readonly [number, number], cosine: number, sine: number): [number, number] => [
  cosine * x - sine * y,
  sine * x + cosine * y,
];

/** Largest spread of the scores along any diagonal: 0 if they depend on the distance alone. */
export function diagonalSpread(at: (row: number, column: number) => number, rows: number, columns: number): number {
  let max = 0;
  for (let offset = 1 - rows; offset < columns; offset++) {
    const line = Array.from({ length: rows }, (_, row) => row).filter(
      (row) => row + offset >= 0 && row + offset < columns,
    );
    const values = line.map((row) => at(row, row + offset));
    max = Math.max(max, Math.max(...values) - Math.min(...values));
  }
  return max;
}

const differ = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number =>
  Math.max(Math.abs(a - c), Math.abs(b - d));

/** How far from the unit circle a point of a sinusoidal table may be. */
const ROUNDING = 1e-5;

/** Row k of the table itself holds the sine and cosine of the rotation by k; null for a table that does not. */
function ofTable(table: TraceNode, pair: number, read: Read): Rotation | null {
  const values = read(table);
  const [rows = 0, columns = 0] = table.shape;
  if (!values || 2 * pair + 1 >= columns) return null;
  const sine = (k: number): number => values[k * columns + 2 * pair]!;
  const cosine = (k: number): number => values[k * columns + 2 * pair + 1]!;
  for (let p = 0; p < rows; p++) if (Math.abs(Math.hypot(sine(p), cosine(p)) - 1) > ROUNDING) return null;
  if (sine(0) !== 0) return null;
  const point = (p: number): [number, number] => [cosine(p), sine(p)];
  const differs = (p: number, k: number): number => differ(rotate(point(p), cosine(k), sine(k)), point(p + k));
  return { point, raw: null, cosine, sine, shifts: true, differs };
}

function ofQueries({ rotated }: PositionTensors, pair: number, read: Read, at: PlaneAt): Rotation | null {
  const [result, raw, cosines, sines] = rotated
    ? [rotated.result, rotated.raw, rotated.cosine, rotated.sine].map(read)
    : [];
  if (!rotated || !result || !raw || !cosines || !sines) return null;
  const pairs = rotated.result.shape.at(-1)! / 2;
  const pointIn = (node: TraceNode, values: Float32Array, p: number): [number, number] => [
    values[at(node, p, 2 * pair)]!,
    values[at(node, p, 2 * pair + 1)]!,
  ];
  const cosine = (k: number): number => cosines[k * pairs + pair]!;
  const sine = (k: number): number => sines[k * pairs + pair]!;
  const [point, before] = [
    (p: number) => pointIn(rotated.result, result, p),
    (p: number) => pointIn(rotated.raw, raw, p),
  ];
  const differs = (p: number): number => differ(rotate(before(p), cosine(p), sine(p)), point(p));
  return { point, raw: before, cosine, sine, shifts: false, differs };
}

interface Choice {
  /** Index of the pair of columns drawn as waves and as a point. */
  pair: number;
  /** The point rotates from this position by this many. */
  from: number;
  shift: number;
}

export class PositionsScene {
  readonly values: Float32Array | undefined;
  readonly extent: { rows: number; columns: number };
  /** The choice, clamped to this model's sizes. */
  readonly choice: Choice;
  readonly rotation: Rotation | null;

  constructor(
    readonly tensors: PositionTensors,
    /** The tensor drawn as a map. */
    readonly node: TraceNode,
    wanted: Choice,
    readonly read: Read,
    readonly planeAt: PlaneAt,
  ) {
    this.values = read(node);
    this.extent = planeOf(node.shape);
    this.choice = this.#within(wanted);
    this.rotation = rotationOf(tensors, this.choice.pair, read, planeAt);
  }

  #within({ pair, from, shift }: Choice): Choice {
    const { rows, columns } = this.extent;
    const start = Math.min(from, rows - 1);
    const most = Math.max(0, Math.floor(columns / 2) - 1);
    return { pair: Math.min(pair, most), from: start, shift: Math.min(shift, rows - 1 - start) };
  }

  readonly at: At = (row, c) => this.planeAt(this.node, row, c);

  get hasPairs(): boolean {
    const { table, rotated } = this.tensors;
    return (table !== undefined && table.shape[1]! > 1) || (rotated !== undefined && !table);
  }

  get isBias(): boolean {
    return this.tensors.bias === this.node;
  }

  get heading(): string {
    const { table, rotated } = this.tensors;
    return table ? texts.TABLE : rotated ? texts.ROTATED_QUERIES : texts.DISTANCE_BIAS;
  }

  tellPlace({ row, column }: Place): string {
    const value = this.values?.[this.at(row, column)];
    if (value === undefined) return NOT_REACHED;
    const where = this.isBias ? texts.positionAndKey : texts.positionAndColumn;
    return cellAt(where(row, column), exact(value));
  }

  /** The summary of the map. */
  get size(): string {
    const { rows, columns } = this.extent;
    return (this.isBias ? texts.biasOf : texts.valuesOf)(this.heading, rows, columns);
  }

  /** How far the rotated point is from the tensor's; "" without a rotation. */
  tellRotation(): string {
    if (!this.rotation) return '';
    const { from, shift } = this.choice;
    const most = significant(this.rotation.differs(from, shift), 2);
    return this.rotation.shifts ? texts.shiftDiffers(from, shift, most) : texts.queryDiffers(from, most);
  }

  table(): Table {
    const words = { rows: counted(this.extent.rows), columns: counted(this.extent.columns) };
    return wordTable(this.node.name, this.heading, words, this.values, this.at);
  }
}
