// The rows of a matrix on their two principal axes: in words, as a table, and which way the axes point.
import * as texts from '#messages/figures/map';
import { notReached } from '#messages/figures/shared';
import type { Lab } from '../../lab/lab';
import type { AxesInfo, Reply, Role, TraceNode } from '../../engine/types';
import { fixed, significant } from '../../ui/numbers';
import { marked, sourceColumns } from '../../ui/words';
import type { Table } from '../host/table';
import { wordsOf } from '../shared/attention/attention-map';
import { columnsOf, rowsOf } from '../shared/matrices';

/** Of which matrix. */
export interface Shown {
  tensor: string;
  role: Role;
  columns: number;
  /** Of the rows. */
  names: readonly string[];
  values: Float32Array | undefined;
}

const NEAREST = 3;

export class MapScene {
  /** (rows, 2) */
  readonly points: Float32Array;
  readonly shares: Float32Array;

  /** @param told undefined: the matrix has not been reached, or the engine has not answered. */
  constructor(
    readonly shown: Shown,
    readonly told: Reply<AxesInfo> | undefined,
    before: Float32Array | undefined,
  ) {
    const { points, shares } = told?.ok ? told.value : { points: [], shares: [] };
    const axes = axesLike(Float32Array.from(points), before);
    this.points = Float32Array.from(points, (_, i) => points[i - (i % 2) + axes[i % 2]!.from]! * axes[i % 2]!.sign);
    this.shares = Float32Array.from(shares, (_, axis) => shares[axes[axis]!.from]!);
  }

  get count(): number {
    return this.points.length / 2;
  }

  at(row: number): [x: number, y: number] {
    return [this.points[2 * row]!, this.points[2 * row + 1]!];
  }

  share(axis: 0 | 1): string {
    return `${fixed(100 * this.shares[axis]!, 0)} %`;
  }

  tell(): string {
    const { told, shown, count, shares } = this;
    const { tensor, columns } = shown;
    if (told && !told.ok) return told.message;
    if (!count) return notReached(tensor);
    if (!shares[0]) return texts.allAlike(tensor);
    return texts.mapText(tensor, { rows: count, columns }, [this.share(0), this.share(1)], this.#outermost());
  }

  tellRow(row: number): string {
    const [x, y] = this.at(row);
    const text = texts.pointAt(this.shown.names[row]!, significant(x, 3), significant(y, 3));
    const nearest = this.nearest(row).map((other) => this.shown.names[other]!);
    return nearest.length ? texts.withNearest(text, nearest, this.shown.columns) : text;
  }

  /** The rows that are nearest by all their numbers, the nearest first. */
  nearest(row: number): number[] {
    const { values, columns } = this.shown;
    if (!values) return [];
    const apart = (other: number): number => {
      let squared = 0;
      for (let c = 0; c < columns; c++) squared += (values[row * columns + c]! - values[other * columns + c]!) ** 2;
      return squared;
    };
    const others = Array.from({ length: this.count }, (_, other) => ({ other, apart: apart(other) }));
    const sorted = others.filter(({ other }) => other !== row).sort((a, b) => a.apart - b.apart);
    return sorted.slice(0, NEAREST).map(({ other }) => other);
  }

  table(): Table {
    const { tensor, names } = this.shown;
    return {
      ...{ caption: texts.headingOf(tensor), quiet: true, tensor },
      head: [texts.ROW, ...texts.AXES],
      rows: Array.from({ length: this.count }, (_, row) => ({ heads: [names[row]], cells: this.at(row) })),
    };
  }

  #outermost(): texts.Outermost {
    const most = (by: (row: number) => number): string => {
      const rows = [...Array(this.count).keys()];
      return this.shown.names[rows.reduce((best, row) => (by(row) > by(best) ? row : best))]!;
    };
    return {
      right: most((row) => this.at(row)[0]),
      left: most((row) => -this.at(row)[0]),
      top: most((row) => this.at(row)[1]),
      bottom: most((row) => -this.at(row)[1]),
    };
  }
}

/** Which of the engine's two axes stands here, and which way it points. */
export interface Axis {
  from: number;
  sign: 1 | -1;
}

/**
 * The axes across and up, those nearest to the drawing before. The engine puts the axis of more variance first and points it
 * by its largest number; as the values change, another axis comes to have more, and another number becomes the largest.
 */
export function axesLike(points: Float32Array, before: Float32Array | undefined): readonly [Axis, Axis] {
  /** How much an axis of the points goes along one of the drawing before. */
  const along = (from: number, to: number): number => {
    if (before?.length !== points.length) return from === to ? 1 : 0;
    let sum = 0;
    for (let i = 0; i < points.length; i += 2) sum += points[i + from]! * before[i + to]!;
    return sum;
  };
  const both = (first: number): number => Math.abs(along(first, 0)) + Math.abs(along(1 - first, 1));
  const first = both(1) > both(0) ? 1 : 0;
  const axis = (from: number, to: number): Axis => ({ from, sign: along(from, to) < 0 ? -1 : 1 });
  return [axis(first, 0), axis(1 - first, 1)];
}

/** What the rows of a tensor stand for: the words of a vocabulary or of the pair, else their numbers. */
export function namesOfRows(lab: Lab, node: TraceNode): readonly string[] {
  const rows = rowsOf(node);
  return (
    vocabularyOf(lab, node, rows) ??
    [wordsOf(lab, node).rows, sourceColumns(lab, rows)].find(
      (names) => names.length === rows && names.some((name) => !/^\d+$/.test(name)),
    ) ??
    Array.from({ length: rows }, (_, row) => `${row}`)
  );
}

/** Of an embedding, or of what becomes logits: a row for each word of a side. */
function vocabularyOf({ task }: Lab, { name, role }: TraceNode, rows: number): readonly string[] | undefined {
  if (!task || role !== 'parameter') return undefined;
  const sides = [task.sourceWords, task.targetWords];
  const ordered = /target|decoder|out/.test(name) ? sides.reverse() : sides;
  return ordered.find((words) => words.length === rows)?.map(marked);
}

export const shownOf = (lab: Lab, node: TraceNode, values: Float32Array | undefined): Shown => ({
  ...{ tensor: node.name, role: node.role, columns: columnsOf(node) },
  ...{ names: namesOfRows(lab, node), values },
});
