// Queries, keys and values of two numbers each as arrows, with the weights that the engine made of them: read from a
// trace, in words, and as a table.
import * as texts from '#messages/figures/arrows';
import type { TraceNode } from '../../engine/types';
import { cellIndex } from '../../ui/grid-layout';
import { fixed, significant } from '../../ui/numbers';
import type { Table, TableRow } from '../host/table';
import { type Flow, hasPlanarKeys, headPlane, isPlanar } from '../shared/attention/attention-trace';
import type { Point } from '../shared/geometry';

export type Side = 'query' | 'key' | 'value';

/** A vector of two numbers; the first is at `index` of `node`. */
export interface Arrow extends Point {
  of: Side;
  /** Of its key or value among all; 0 for the query. */
  place: number;
  name: string;
  node: TraceNode;
  index: number;
}

export const lengthOf = ({ x, y }: Point): number => Math.hypot(x, y);

/** In degrees, 0 to 180; null: one of them has no direction. */
export function angleBetween(a: Point, b: Point): number | null {
  const lengths = lengthOf(a) * lengthOf(b);
  if (!lengths) return null;
  const cosine = (a.x * b.x + a.y * b.y) / lengths;
  return (Math.acos(Math.max(-1, Math.min(1, cosine))) * 180) / Math.PI;
}

/** The corners of the convex hull, counterclockwise (Andrew's monotone chain). */
export function hullOf(points: readonly Point[]): Point[] {
  const sorted = [...points].sort((a, b) => a.x - b.x || a.y - b.y);
  const turn = (o: Point, a: Point, b: Point): number => (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
  const half = (all: readonly Point[]): Point[] => {
    const chain: Point[] = [];
    for (const point of all) {
      while (chain.length > 1 && turn(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...half(sorted), ...half(sorted.reverse())];
}

/** What one query sees. */
export interface Look {
  flow: Flow;
  /** The row of the query, and its head among all. */
  row: number;
  head: number;
  heads: number;
  /** Of the keys, and of the values. */
  names: readonly string[];
}

type Read = (node: TraceNode | undefined) => Float32Array | undefined;

export class ArrowsScene {
  readonly query: Arrow | null;
  readonly keys: readonly Arrow[];
  readonly values: readonly Arrow[];
  /** By key; undefined until reached. */
  readonly scores: readonly number[] | undefined;
  readonly weights: readonly number[] | undefined;
  /** Where the values are planar. */
  readonly context: Point | undefined;

  constructor(
    readonly look: Look,
    read: Read,
    /** The output that the loss asks for, if there is one. */
    readonly target: Point | undefined,
    /** The token that a decoder writes with this look; "" if there is none. */
    readonly written: string,
    /** An arrow that is being moved, and where it is. */
    moved: (arrow: Arrow) => Point | undefined,
  ) {
    const { flow, row, names } = look;
    const arrows = (of: Side, node: TraceNode, rows: readonly number[]): Arrow[] => {
      const values = isPlanar(node) ? read(node) : undefined;
      if (!values) return [];
      return rows.map((place) => {
        const index = this.#indexOf(node, place, 0);
        const [name, at] = [names[place] ?? '', { x: values[index]!, y: values[index + 1]! }];
        const arrow = { of, place: of === 'query' ? 0 : place, name: of === 'query' ? texts.QUERY : name, node, index };
        return { ...arrow, ...(moved({ ...arrow, ...at }) ?? at) };
      });
    };
    const all = names.map((_, i) => i);
    const planar = hasPlanarKeys(flow);
    this.query = (planar && arrows('query', flow.query.result, [row])[0]) || null;
    this.keys = planar ? arrows('key', flow.key.result, all) : [];
    this.values = arrows('value', flow.value.result, all);
    const rowOf = (node: TraceNode, columns: number): number[] | undefined => {
      const [values, start] = [read(node), this.#indexOf(node, row, 0)];
      return values && Array.from(values.subarray(start, start + columns));
    };
    this.scores = rowOf(flow.scores, names.length);
    this.weights = rowOf(flow.weights, names.length);
    const [x, y] = (this.values.length && rowOf(flow.context, 2)) || [];
    this.context = x === undefined || y === undefined ? undefined : { x, y };
  }

  #indexOf(node: TraceNode, row: number, column: number): number {
    return cellIndex(headPlane(node, this.look.head, this.look.heads), row, column);
  }

  /** The query, the keys, the values: what the cursor moves over. */
  get arrows(): readonly Arrow[] {
    return [...(this.query ? [this.query] : []), ...this.keys, ...this.values];
  }

  /** In degrees, from the query to a key. */
  angleTo(key: Arrow): number | null {
    return this.query && angleBetween(this.query, key);
  }

  tellArrow(arrow: Arrow): string {
    const length = fixed(lengthOf(arrow), 2);
    if (arrow.of === 'query') return texts.queryHas(length, this.#at(arrow));
    const weight = this.weights && fixed(this.weights[arrow.place]!, 2);
    if (arrow.of === 'value') return texts.valueHas(arrow.name, this.#at(arrow), weight);
    const angle = this.angleTo(arrow);
    const score = this.scores && significant(this.scores[arrow.place]!, 3);
    return texts.keyHas(arrow.name, length, angle === null ? null : fixed(angle, 0), score, weight);
  }

  tell(): string {
    const { query, keys, values, weights, context } = this;
    const told = keys.map((key) => this.tellArrow(key));
    const whole = weights
      ? texts.weightsAre(
          this.look.names,
          weights.map((weight) => fixed(weight, 2)),
        )
      : '';
    const reached = context && texts.contextIs(this.#at(context), values.length);
    const parts = [query && this.tellArrow(query), ...told, keys.length ? '' : whole, reached];
    return [...parts, this.written && texts.modelWrites(this.written)].filter(Boolean).join(' ');
  }

  #at = ({ x, y }: Point): string => `(${fixed(x, 2)}, ${fixed(y, 2)})`;

  /** One row for each arrow, and for the context. */
  table(): Table {
    const { context, look, scores, weights } = this;
    const row = (
      head: string,
      { x, y }: Point,
      node: TraceNode,
      index: number,
      ...more: TableRow['cells']
    ): TableRow => ({
      heads: [head],
      tensor: node.name,
      cells: [{ value: x, index }, { value: y, index: index + 1 }, lengthOf({ x, y }), ...more],
    });
    const rows = this.arrows.map((arrow) => {
      const { of, place, name, node, index } = arrow;
      const angle = of === 'key' ? (this.angleTo(arrow) ?? undefined) : undefined;
      const rated = of === 'query' ? [] : [of === 'key' ? scores?.[place] : undefined, weights?.[place]];
      return row(texts.nameOf(of, name), arrow, node, index, angle, ...rated);
    });
    const { flow } = look;
    return {
      caption: texts.TABLE,
      head: texts.TABLE_HEAD,
      rows: context
        ? [...rows, row(texts.CONTEXT, context, flow.context, this.#indexOf(flow.context, look.row, 0))]
        : rows,
    };
  }
}
