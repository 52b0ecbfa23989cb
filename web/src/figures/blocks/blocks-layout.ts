// Layout of nested boxes. Within a box, a block stands below everything it reads, and blocks of equal rank share a row
// while they fit; a wire that skips rows goes around on the right. Pure geometry, in CSS pixels.
import type { Box } from '../shared/geometry';
import type { Block, Blocks, Inside } from './blocks-trace';
import { type Level, type Wire, routeKey, wiresOf } from './blocks-wires';

export interface Placed extends Box {
  block: Block;
  /** Index of the enclosing box, −1 for the model. */
  parent: number;
  depth: number;
  open: boolean;
  /** A residual sum, drawn as a circle. */
  sum: boolean;
}

export interface BlocksLayout {
  placed: Placed[];
  wires: Wire[];
  width: number;
  height: number;
  /** Height of a line of text. */
  line: number;
}

export interface Measures {
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

export function layOutBlocks(blocks: Blocks, open: ReadonlySet<string>, measures: Measures): BlocksLayout {
  const layout: BlocksLayout = { placed: [], wires: [], width: measures.width, height: 0, line: measures.line };
  const paper = new Paper(blocks, open, measures, layout);
  layout.height = Math.ceil(paper.level(undefined, -1, { x: 1, y: 1, width: measures.width - 2 })) + 1;
  return layout;
}

type Area = Omit<Box, 'height'>;

class Paper {
  constructor(
    private readonly blocks: Blocks,
    private readonly open: ReadonlySet<string>,
    private readonly measures: Measures,
    private readonly layout: BlocksLayout,
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
    const depth = parent < 0 ? 0 : this.layout.placed[parent]!.depth + 1;
    const places = inside.blocks.map((block, i): Placed => ({
      ...{ block, parent, depth, open: this.isOpen(block), sum: sums.has(i) },
      ...{ x: 0, y: 0, width: 0, height: 0 },
    }));
    this.spreadOut(level, places, area);
    const wires = wiresOf(level, places, area);
    let y = area.y;
    level.rows.forEach((row, r) => {
      y += wires.gaps[r]!;
      wires.tops.push(y);
      y = Math.max(...row.map((i) => this.put(places[i]!, y)));
      wires.ends.push(y);
    });
    const end = y + (box ? wires.gaps.at(-1)! : 0);
    wires.tops.push(end);
    this.layout.wires.push(...wires.drawn(parent));
    return end;
  }

  private isOpen({ key, scopes }: Block): boolean {
    return scopes.size > 0 && this.open.has(key);
  }

  /** Places a block at this y, with its contents if it is open. Returns its bottom edge. */
  private put(place: Placed, y: number): number {
    const { line } = this.measures;
    place.y = y;
    const index = this.layout.placed.push(place) - 1;
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
      const level: Level = { rows, flows, sums, width, lanes: new Map(), pitch };
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
  const rowOf = new Map(level.rows.flatMap((row, r) => row.map((i): [number, number] => [i, r])));
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
