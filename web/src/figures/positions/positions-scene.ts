// The positions of a model, with the pair of columns and the positions that are chosen.
import * as texts from '#messages/figures/positions';
import { NOT_REACHED, cellAt } from '#messages/figures/shared';
import type { TraceNode } from '../../engine/types';
import { type Place, planeOf } from '../../ui/grid-layout';
import { exact, significant } from '../../ui/numbers';
import { type Table, wordTable } from '../host/tables';
import type { At } from '../shared/attention/attention-map';
import { counted } from '../shared/attention/attention-words';
import { type Rotation, rotationOf, type PositionTensors } from './positions-trace';

export interface Choice {
  /** Index of the pair of columns drawn as waves and as a point. */
  pair: number;
  /** The point rotates from this position by this many. */
  from: number;
  shift: number;
}

export type Read = (node: TraceNode) => Float32Array | undefined;
type PlaneAt = (node: TraceNode, row: number, column: number) => number;

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
