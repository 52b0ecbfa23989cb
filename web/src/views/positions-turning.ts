// A pair of numbers as a point that turns with its position: the sines of a table, or the queries of rotary positions.
import type { TraceNode } from '../types';
import { turn } from './positions-layout';
import type { PositionTensors } from './positions-trace';

export interface Turning {
  point: (p: number) => [number, number];
  /** Where it was before it was turned; none for a table. */
  raw: ((p: number) => [number, number]) | null;
  /** Of the angle of position k. */
  cosine: (k: number) => number;
  sine: (k: number) => number;
  /** One matrix leads from every p to p + k: true of a table. Queries are turned by p itself. */
  shifts: boolean;
  /** What the matrix makes of a point, against the tensor. */
  check: (p: number, k: number) => { name: string; differs: number };
}

type Read = (node: TraceNode) => Float32Array | undefined;
type Plane = (node: TraceNode, row: number, column: number) => number;

export const turningOf = (tensors: PositionTensors, pair: number, read: Read, at: Plane): Turning | null =>
  tensors.table ? ofTable(tensors.table, pair, read) : ofQueries(tensors, pair, read, at);

const differ = ([a, b]: readonly [number, number], [c, d]: readonly [number, number]): number =>
  Math.max(Math.abs(a - c), Math.abs(b - d));

/** How far from the circle a point of a table may be that is made of a sine and a cosine. */
const ROUNDING = 1e-5;

/** The matrix that turns by k is made of row k of the table itself: its sine and its cosine. */
function ofTable(table: TraceNode, pair: number, read: Read): Turning | null {
  const values = read(table);
  const [rows = 0, columns = 0] = table.shape;
  if (!values || 2 * pair + 1 >= columns) return null;
  const sine = (k: number): number => values[k * columns + 2 * pair]!;
  const cosine = (k: number): number => values[k * columns + 2 * pair + 1]!;
  for (let p = 0; p < rows; p++) if (Math.abs(Math.hypot(sine(p), cosine(p)) - 1) > ROUNDING) return null;
  if (sine(0) !== 0) return null;
  const point = (p: number): [number, number] => [cosine(p), sine(p)];
  const check = (p: number, k: number): { name: string; differs: number } => ({
    name: `Position ${p} turned by ${k} and position ${p + k}: the pair`,
    differs: differ(turn(point(p), cosine(k), sine(k)), point(p + k)),
  });
  return { point, raw: null, cosine, sine, shifts: true, check };
}

function ofQueries({ turned }: PositionTensors, pair: number, read: Read, at: Plane): Turning | null {
  const [result, raw, cosines, sines] = turned ? [turned.result, turned.raw, turned.cosine, turned.sine].map(read) : [];
  if (!turned || !result || !raw || !cosines || !sines) return null;
  const pairs = turned.result.shape.at(-1)! / 2;
  const pointIn = (node: TraceNode, values: Float32Array, p: number): [number, number] => [
    values[at(node, p, 2 * pair)]!,
    values[at(node, p, 2 * pair + 1)]!,
  ];
  const cosine = (k: number): number => cosines[k * pairs + pair]!;
  const sine = (k: number): number => sines[k * pairs + pair]!;
  const [point, before] = [
    (p: number) => pointIn(turned.result, result, p),
    (p: number) => pointIn(turned.raw, raw, p),
  ];
  const check = (p: number): { name: string; differs: number } => ({
    name: `The query of position ${p}, turned by ${p}, and the engine’s own: the pair`,
    differs: differ(turn(before(p), cosine(p), sine(p)), point(p)),
  });
  return { point, raw: before, cosine, sine, shifts: false, check };
}
