// Layout of nested boxes. Within a box, a block stands below everything it reads, and blocks of equal rank share a row
// while they fit. A wire goes down to the next row, or around on the right where it skips rows; wires from one source share
// a route. Pure geometry, in CSS pixels.
import { type Box, spread } from '../shared/geometry';
import type { Block, Blocks, Flow, Inside } from './blocks-trace';

export interface Placed extends Box {
  block: Block;
  /** Index of the enclosing box, −1 for the model. */
  parent: number;
  depth: number;
  open: boolean;
  /** A residual sum, drawn as a circle. */
  sum: boolean;
}

export type BlocksLayout = ReturnType<typeof layOutBlocks>;

interface Measures {
  width: number;
  /** Height of a line of text. */
  line: number;
  /** Minimum width of a closed box, and its number of text lines. */
  minWidth: (block: Block) => number;
  lines: (block: Block) => number;
}

const PAD = 8;
const BETWEEN = 10;
const LANE = 9;

export function layOutBlocks(blocks: Blocks, open: ReadonlySet<string>, measures: Measures) {
  const { width, line } = measures;
  const paper = new Paper(blocks, open, measures);
  const height = Math.ceil(paper.level(undefined, -1, { x: 1, y: 1, width: width - 2 })) + 1;
  return { placed: paper.placed, wires: paper.wires, width, height, line };
}

type Area = Omit<Box, 'height'>;

class Paper {
  readonly placed: Placed[] = [];
  readonly wires: Wire[] = [];

  constructor(
    private readonly blocks: Blocks,
    private readonly open: ReadonlySet<string>,
    private readonly measures: Measures,
  ) {}

  /** Lays out the contents of a box; returns the y at which they end. */
  level(box: Block | undefined, parent: number, area: Area): number {
    const inside = this.blocks.inside(box);
    const flows = [...inside.flows];
    if (box)
      inside.blocks.forEach((block, i) => {
        if (this.blocks.escapes(block, box))
          flows.push({ from: i, to: inside.blocks.length, nodes: [block.output!.id], residual: false });
      });
    const sums = new Set(flows.filter(({ residual }) => residual).map(({ to }) => to));
    const level = this.rowsFor(inside, flows, sums, area);
    const depth = parent < 0 ? 0 : this.placed[parent]!.depth + 1;
    const places = inside.blocks.map((block, i): Placed => ({
      ...{ block, parent, depth, open: this.isOpen(block), sum: sums.has(i) },
      ...{ x: 0, y: 0, width: 0, height: 0 },
    }));
    this.spreadOut(level, places, area);
    const wires = new Wires(level, places, area);
    let y = area.y;
    level.rows.forEach((row, r) => {
      y += wires.gaps[r]!;
      wires.tops.push(y);
      y = Math.max(...row.map((i) => this.put(places[i]!, y)));
      wires.ends.push(y);
    });
    const end = y + (box ? wires.gaps.at(-1)! : 0);
    wires.tops.push(end);
    this.wires.push(...wires.drawn(parent));
    return end;
  }

  private isOpen({ key, scopes }: Block): boolean {
    return scopes.size > 0 && this.open.has(key);
  }

  /** Places a block at this y, with its contents if it is open. Returns its bottom edge. */
  private put(place: Placed, y: number): number {
    const { line } = this.measures;
    place.y = y;
    const index = this.placed.push(place) - 1;
    if (!place.open) place.height = place.sum ? line * 1.5 : line * (0.6 + 1.15 * this.measures.lines(place.block));
    else {
      const head = line * (place.block.count > 1 ? 3 : 1.9);
      const inner = { x: place.x + PAD, y: y + head, width: place.width - 2 * PAD };
      place.height = this.level(place.block, index, inner) - y;
    }
    return y + place.height;
  }

  /** Rows, with as many lanes on the right as their wires need; the lanes take width from the rows. */
  private rowsFor(inside: Inside, flows: Inside['flows'], sums: ReadonlySet<number>, area: Area): Level {
    const ranks = ranksOf(inside);
    for (let lanes = 0; ; lanes++) {
      const pitch = Math.min(LANE, (area.width * 0.3) / Math.max(1, lanes));
      const width = area.width - (lanes ? lanes * pitch + 4 : 0);
      const rows = this.rows(inside.blocks, ranks, sums, width);
      const rowOf = new Map(rows.flatMap((row, r) => row.map((i): [number, number] => [i, r])));
      const level: Level = { rows, rowOf, flows, sums, width, lanes: new Map(), pitch };
      if (assignLanes(level) <= lanes) return level;
    }
  }

  private rows(
    blocks: readonly Block[],
    ranks: readonly number[],
    sums: ReadonlySet<number>,
    width: number,
  ): number[][] {
    const order = blocks.map((_, i) => i).sort((a, b) => ranks[a]! - ranks[b]! || a - b);
    const rows: number[][] = [];
    let used = 0;
    for (const [at, i] of order.entries()) {
      const alone = this.isOpen(blocks[i]!) || sums.has(i);
      const need = alone ? width : this.measures.minWidth(blocks[i]!) + BETWEEN;
      if (ranks[i] !== ranks[order[at - 1] ?? -1] || used + need > width + BETWEEN) used = 0;
      if (!used) rows.push([]);
      rows.at(-1)!.push(i);
      used += need;
    }
    return rows;
  }

  /** Closed boxes get their minimum width plus a share of the free space, centred; an open box takes the full width. */
  private spreadOut({ rows, width }: Level, places: Placed[], area: Area): void {
    for (const row of rows) {
      const widths = row.map((i) => this.minWidthOf(places[i]!, width));
      const free = width - widths.reduce((a, b) => a + b, 0) - BETWEEN * (row.length - 1);
      const more = Math.max(0, Math.min(free / row.length, this.measures.line * 3));
      let x = area.x + Math.max(0, (free - more * row.length) / 2);
      row.forEach((i, k) => {
        const grows = places[i]!.open || places[i]!.sum ? 0 : more;
        places[i]!.x = x + (more - grows) / 2;
        places[i]!.width = widths[k]! + grows;
        x += widths[k]! + more + BETWEEN;
      });
    }
  }

  private minWidthOf({ open, sum, block }: Placed, width: number): number {
    return open ? width : sum ? this.measures.line * 1.5 : Math.min(width, this.measures.minWidth(block));
  }
}

/** Row rank by block: below everything it reads; an input directly above its first reader. */
function ranksOf({ blocks, flows }: Inside): number[] {
  const ranks = blocks.map(() => 0);
  blocks.forEach((_, i) => {
    for (const { from, to } of flows) if (to === i && from >= 0) ranks[i] = Math.max(ranks[i]!, ranks[from]! + 1);
  });
  blocks.forEach((block, i) => {
    const readers = flows.filter(({ from }) => from === i).map(({ to }) => ranks[to]!);
    if (block.input && readers.length) ranks[i] = Math.min(...readers) - 1;
  });
  return ranks;
}

/** Assigns a lane to every route that goes around, short ones innermost. Returns the number of lanes. */
function assignLanes(level: Level): number {
  const { rowOf } = level;
  const spans = new Map<string, { from: number; to: number }>();
  for (const flow of level.flows) {
    const { from, to, residual } = flow;
    const [start, end] = [rowOf.get(from) ?? -1, rowOf.get(to) ?? level.rows.length];
    if (end === start + 1 && !residual) continue;
    const known = spans.get(routeKey(flow));
    spans.set(routeKey(flow), { from: start, to: Math.max(end, known?.to ?? 0) });
  }
  const taken: { from: number; to: number }[][] = [];
  const sorted = [...spans].sort(([, a], [, b]) => a.to - a.from - (b.to - b.from) || a.from - b.from);
  for (const [route, span] of sorted) {
    const free = taken.findIndex((lane) => lane.every(({ from, to }) => to <= span.from || span.to <= from));
    const lane = free < 0 ? taken.push([]) - 1 : free;
    taken[lane]!.push(span);
    level.lanes.set(route, lane);
  }
  return taken.length;
}

interface Wire {
  /** Index of the box it is drawn in, −1 for the model. */
  parent: number;
  residual: boolean;
  /** The results it carries. */
  nodes: number[];
  line: string;
  head: string;
}

/** Contents of a box, row by row; a source of −1 is the top of the box, a target past the last block its bottom. */
interface Level {
  rows: number[][];
  /** Row by block. */
  rowOf: ReadonlyMap<number, number>;
  flows: Flow[];
  sums: ReadonlySet<number>;
  /** Of the rows, without the lanes. */
  width: number;
  /** Lane of each route that goes around, by `routeKey`. */
  lanes: Map<string, number>;
  pitch: number;
}

/** Key of a route: shared by all results of a block; of the flows that enter the box, by those of one result. */
const routeKey = ({ from, nodes }: Flow): string => (from < 0 ? `in:${nodes.join()}` : `${from}`);

type Point = [x: number, y: number];

const TRACK = 6;
const MIN_GAP = 13;
const ROUND = 4;

interface Run extends Flow {
  start: number;
  end: number;
  around: boolean;
  /** The x of its start and of its end. */
  out: number;
  in: number;
}

class Wires {
  /** Height of the gap above each row, and below the last. */
  readonly gaps: readonly number[];
  /** Filled in by the caller: top and bottom of each row; the last top is the bottom of the box. */
  readonly tops: number[] = [];
  readonly ends: number[] = [];
  private readonly runs: readonly Run[];
  /** By gap: the routes with a horizontal segment in it. */
  private readonly tracks: readonly string[][];

  constructor(
    private readonly level: Level,
    private readonly places: readonly Box[],
    private readonly area: Area,
  ) {
    this.runs = level.flows.map((flow) => this.runOf(flow));
    this.settle();
    this.tracks = this.routesInGaps();
    this.gaps = this.tracks.map((list) => MIN_GAP + list.length * TRACK);
  }

  drawn(parent: number): Wire[] {
    return this.runs.map((run) => {
      const points = this.pointsOf(run);
      return { parent, residual: run.residual, nodes: run.nodes, line: rounded(points), head: headAt(points) };
    });
  }

  private runOf(flow: Flow): Run {
    const { rows, rowOf, lanes } = this.level;
    const [start, end] = [rowOf.get(flow.from) ?? -1, rowOf.get(flow.to) ?? rows.length];
    const around = lanes.has(routeKey(flow)) && (flow.residual || end !== start + 1);
    const from = this.places[flow.from];
    return { ...flow, start, end, around, out: from ? from.x + from.width / 2 : NaN, in: 0 };
  }

  private laneX(flow: Flow): number {
    const { width, lanes, pitch } = this.level;
    return this.area.x + width + 8 + (lanes.get(routeKey(flow)) ?? 0) * pitch;
  }

  private track(gap: number, flow: Flow): number {
    const above = gap ? this.ends[gap - 1]! : this.area.y;
    return above + 4 + (1 + this.tracks[gap]!.indexOf(routeKey(flow))) * TRACK;
  }

  /** Sets where wires arrive: as near as possible below where they come from, without overlap. */
  private settle(): void {
    const { runs } = this;
    for (const to of new Set(runs.map((run) => run.to))) {
      const own = runs.filter((run) => run.to === to && !(run.residual && run.around));
      const place = this.places[to] ?? { x: this.area.x, width: this.level.width };
      const [left, right] = [place.x + 6, place.x + place.width - 6];
      const from = (run: Run): number =>
        run.around ? this.laneX(run) : Number.isNaN(run.out) ? place.x + place.width / 2 : run.out;
      own.sort((a, b) => from(a) - from(b));
      const gap = Math.min(10, (right - left) / Math.max(1, own.length));
      const at = spread(own.map(from), gap, [], [left, right]);
      own.forEach((run, k) => (run.in = at[k]!));
    }
    // A flow that enters the box comes straight down from its top.
    for (const run of runs) if (Number.isNaN(run.out)) run.out = run.around ? this.laneX(run) : run.in;
  }

  private routesInGaps(): string[][] {
    const tracks = Array.from({ length: this.level.rows.length + 1 }, (): string[] => []);
    const need = (gap: number, run: Run): void => {
      if (!tracks[gap]!.includes(routeKey(run))) tracks[gap]!.push(routeKey(run));
    };
    for (const run of this.runs) {
      if (!run.around && Math.abs(run.out - run.in) < 1) continue;
      if (!run.around || run.from >= 0) need(run.start + 1, run);
      if (run.around && !run.residual) need(run.end, run);
    }
    return tracks;
  }

  private pointsOf(run: Run): Point[] {
    const place = this.places[run.from];
    const from = place ? place.y + place.height : this.area.y;
    const start: Point = [run.out, Math.min(from, this.ends[run.start] ?? from)];
    const arrive = this.tops[run.end]!;
    if (!run.around) {
      if (Math.abs(run.out - run.in) < 1) return [start, [run.out, arrive]];
      const y = this.track(run.start + 1, run);
      return [start, [run.out, y], [run.in, y], [run.in, arrive]];
    }
    const lane = this.laneX(run);
    const y = run.from < 0 ? start[1] : this.track(run.start + 1, run);
    const down: Point[] = run.from < 0 ? [[lane, start[1]]] : [start, [run.out, y], [lane, y]];
    if (run.residual && this.level.sums.has(run.to)) {
      const sum = this.places[run.to]!;
      const middle = sum.y + sum.height / 2;
      return [...down, [lane, middle], [sum.x + sum.width, middle]];
    }
    const last = this.track(run.end, run);
    return [...down, [lane, last], [run.in, last], [run.in, arrive]];
  }
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
