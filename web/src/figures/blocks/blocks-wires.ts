// The wires inside a box: down to the next row, or around on the right. Wires from one source share a route.
import { type Box, spread } from '../shared/geometry';
import type { Flow } from './blocks-trace';

export interface Wire {
  /** Index of the box it is drawn in, −1 for the model. */
  parent: number;
  residual: boolean;
  /** The results it carries. */
  nodes: number[];
  line: string;
  head: string;
}

/** Contents of a box, row by row; a source of −1 is the top of the box, a target past the last block its bottom. */
export interface Level {
  rows: number[][];
  flows: Flow[];
  sums: ReadonlySet<number>;
  /** Of the rows, without the lanes. */
  width: number;
  /** Lane of each route that goes around, by `routeKey`. */
  lanes: Map<string, number>;
  pitch: number;
}

/** Key of a route: shared by all results of a block; of the flows that enter the box, by those of one result. */
export const routeKey = ({ from, nodes }: Flow): string => (from < 0 ? `in:${nodes.join()}` : `${from}`);

type Point = [x: number, y: number];

const TRACK = 6;
const MIN_GAP = 13;
const ROUND = 4;

export interface Wires {
  /** Height of the gap above each row, and below the last. */
  gaps: number[];
  /** Filled in by the caller: top and bottom of each row; the last top is the bottom of the box. */
  tops: number[];
  ends: number[];
  drawn: (parent: number) => Wire[];
}

interface Run extends Flow {
  start: number;
  end: number;
  around: boolean;
  /** The x of its start and of its end. */
  out: number;
  in: number;
}

export function wiresOf(level: Level, places: readonly Box[], area: Omit<Box, 'height'>): Wires {
  const { rows } = level;
  const rowOf = new Map(rows.flatMap((row, r) => row.map((i): [number, number] => [i, r])));
  const middle = (i: number): number => places[i]!.x + places[i]!.width / 2;
  const runs = level.flows.map((flow): Run => {
    const [start, end] = [rowOf.get(flow.from) ?? -1, rowOf.get(flow.to) ?? rows.length];
    const around = level.lanes.has(routeKey(flow)) && (flow.residual || end !== start + 1);
    return { ...flow, start, end, around, out: flow.from < 0 ? NaN : middle(flow.from), in: 0 };
  });
  const laneX = (flow: Flow): number => area.x + level.width + 8 + (level.lanes.get(routeKey(flow)) ?? 0) * level.pitch;
  settle(runs, places, area, level.width, laneX);
  const tracks = tracksOf(runs, rows.length);
  const gaps = tracks.map((list) => MIN_GAP + list.length * TRACK);
  const wires: Wires = { gaps, tops: [], ends: [], drawn: () => [] };
  const track = (gap: number, flow: Flow): number => {
    const above = gap ? wires.ends[gap - 1]! : area.y;
    return above + 4 + (1 + tracks[gap]!.indexOf(routeKey(flow))) * TRACK;
  };
  wires.drawn = (parent) =>
    runs.map((run) => {
      const points = pointsOf(run, wires, area.y, places, level.sums, track, laneX);
      return { parent, residual: run.residual, nodes: run.nodes, line: rounded(points), head: headAt(points) };
    });
  return wires;
}

/** Sets where wires arrive: as near as possible below where they come from, without overlap. */
function settle(
  runs: Run[],
  places: readonly Box[],
  area: { x: number; width: number },
  width: number,
  laneX: (flow: Flow) => number,
): void {
  for (const to of new Set(runs.map((run) => run.to))) {
    const own = runs.filter((run) => run.to === to && !(run.residual && run.around));
    const place = places[to] ?? { x: area.x, width };
    const [left, right] = [place.x + 6, place.x + place.width - 6];
    const from = (run: Run): number =>
      run.around ? laneX(run) : Number.isNaN(run.out) ? place.x + place.width / 2 : run.out;
    own.sort((a, b) => from(a) - from(b));
    const gap = Math.min(10, (right - left) / Math.max(1, own.length));
    const at = spread(own.map(from), gap, [], [left, right]);
    own.forEach((run, k) => (run.in = at[k]!));
  }
  // A flow that enters the box comes straight down from its top.
  for (const run of runs) if (Number.isNaN(run.out)) run.out = run.around ? laneX(run) : run.in;
}

/** By gap: the routes with a horizontal segment in it. */
function tracksOf(runs: readonly Run[], rows: number): string[][] {
  const tracks = Array.from({ length: rows + 1 }, (): string[] => []);
  const need = (gap: number, run: Run): void => {
    if (!tracks[gap]!.includes(routeKey(run))) tracks[gap]!.push(routeKey(run));
  };
  for (const run of runs) {
    if (!run.around && Math.abs(run.out - run.in) < 1) continue;
    if (!run.around || run.from >= 0) need(run.start + 1, run);
    if (run.around && !run.residual) need(run.end, run);
  }
  return tracks;
}

function pointsOf(
  run: Run,
  { tops, ends }: Wires,
  top: number,
  places: readonly Box[],
  sums: ReadonlySet<number>,
  track: (gap: number, flow: Flow) => number,
  laneX: (flow: Flow) => number,
): Point[] {
  const from = run.from < 0 ? top : places[run.from]!.y + places[run.from]!.height;
  const start: Point = [run.out, Math.min(from, ends[run.start] ?? from)];
  const arrive = tops[run.end]!;
  if (!run.around) {
    if (Math.abs(run.out - run.in) < 1) return [start, [run.out, arrive]];
    const y = track(run.start + 1, run);
    return [start, [run.out, y], [run.in, y], [run.in, arrive]];
  }
  const lane = laneX(run);
  const y = run.from < 0 ? start[1] : track(run.start + 1, run);
  const down: Point[] = run.from < 0 ? [[lane, start[1]]] : [start, [run.out, y], [lane, y]];
  if (run.residual && sums.has(run.to)) {
    const place = places[run.to]!;
    const middle = place.y + place.height / 2;
    return [...down, [lane, middle], [place.x + place.width, middle]];
  }
  const last = track(run.end, run);
  return [...down, [lane, last], [run.in, last], [run.in, arrive]];
}

const two = (value: number): number => Math.round(value * 100) / 100;

/** A polyline with rounded corners. */
function rounded(points: readonly Point[]): string {
  return points
    .map(([x, y], i) => {
      const [before, after] = [points[i - 1], points[i + 1]];
      if (!before || !after) return `${before ? 'L' : 'M'}${two(x)} ${two(y)}`;
      const towards = ([px, py]: Point): Point => {
        const length = Math.hypot(px - x, py - y);
        const part = Math.min(ROUND, length / 2) / (length || 1);
        return [two(x + (px - x) * part), two(y + (py - y) * part)];
      };
      return `L${towards(before).join(' ')}Q${two(x)} ${two(y)} ${towards(after).join(' ')}`;
    })
    .join('');
}

/** An arrowhead at the last point, in the direction of the last segment. */
function headAt(points: readonly Point[]): string {
  const [[px, py], [x, y]] = points.slice(-2) as [Point, Point];
  const length = Math.hypot(x - px, y - py) || 1;
  const [dx, dy] = [((x - px) / length) * 4, ((y - py) / length) * 4];
  const side = (sign: number): string => `${two(x - dx - sign * dy * 0.75)} ${two(y - dy + sign * dx * 0.75)}`;
  return `M${side(1)}L${two(x)} ${two(y)}L${side(-1)}`;
}
