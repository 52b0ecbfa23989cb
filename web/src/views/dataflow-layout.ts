// Where the matrices of an attention layer stand: how large a cell is, where a line breaks, where arrows run.
import type { Item, Joint, Slab } from './dataflow-slabs';

/** What is measured before. */
export interface Measures {
  width: number;
  /** Height of a line of text. */
  line: number;
  labelWidth: (slab: Slab) => number;
  /** In how many lines a label is written. */
  labelLines: number;
  /** Height in which all of it is seen, if there is one. */
  room: number;
}

export interface Placed {
  slab: Slab;
  x: number;
  y: number;
  width: number;
  height: number;
  /** Baseline of the first line of its label; a bias has none. */
  label: { x: number; y: number } | null;
  /** Indexes of the left and the top matrix of its product. */
  factors: readonly [number, number] | null;
}

export interface Sign {
  joint: Joint;
  x: number;
  y: number;
  width: number;
}

export interface DataflowLayout {
  cell: number;
  placed: Placed[];
  signs: Sign[];
  /** From where a matrix is made to where it is used in the next line. */
  flows: string[];
  width: number;
  height: number;
}

const LARGEST = 16;
const LEAST = 3;
/** Cells are drawn down to this size so that all is seen at once. */
const CLEAR = 7;
/** Below this a line is rather broken than drawn smaller. */
const SMALL = 11;
const GAP = 5;
/** How far each head behind the one in front sticks out, and how many are drawn. */
export const SHEET = 3;
export const SHEETS = 3;

const ROOM: Record<Joint, number> = {
  start: 0,
  touch: GAP,
  beside: 20,
  apart: 40,
  plus: 34,
  equals: 34,
  divide: 34,
  softmax: 76,
  heads: 76,
  score: 76,
  phi: 44,
  sum: 44,
  max: 50,
  power: 86,
  ratio: 92,
  shrink: 50,
};
/** A line does not break before these. */
const JOINED: readonly Joint[] = ['touch', 'beside', 'divide'];

export const sheetsOf = ({ heads }: Slab): number => Math.min(heads - 1, SHEETS) * SHEET;

export function layOutDataflow(lines: readonly Item[][], measures: Measures): DataflowLayout {
  const largest = layOutUpTo(LARGEST, lines, measures);
  if (largest.height <= measures.room) return largest;
  for (const arranged of [lines, [asOneLine(lines)]])
    for (let most = largest.cell; most >= CLEAR; most--) {
      const smaller = layOutUpTo(most, arranged, measures);
      if (smaller.height <= measures.room) return smaller;
    }
  return largest;
}

/** Where there is more width than height, lines stand side by side. */
const asOneLine = (lines: readonly Item[][]): Item[] =>
  lines.flatMap(([first, ...rest], i): Item[] => [{ ...first!, joint: i ? 'apart' : 'start' }, ...rest]);

function layOutUpTo(most: number, lines: readonly Item[][], measures: Measures): DataflowLayout {
  const deep = lines.reduce(
    (sum, line) => sum + Math.max(...line.map((item) => item.slab.rows + (item.top?.rows ?? 0))),
    0,
  );
  const flat = largestCell(lines, measures, Math.min(most, Math.max(SMALL, Math.floor(TALLEST / deep))));
  const segments = lines.flatMap(segmentsOf);
  const broken = largestCell(segments, measures, most);
  const fits = lines.every((line) => widthOf(line, flat, measures) <= measures.width);
  const asOne = fits && flat >= Math.min(broken, SMALL);
  const cell = asOne ? flat : broken;
  const rows = asOne ? lines.map((line) => [...line]) : lines.flatMap((line) => packed(line, cell, measures));
  return place(rows, cell, measures, asOne && rows.length === 2);
}

/** The pieces between which a line may break. */
export const segmentsOf = (line: readonly Item[]): Item[][] => pieced(line, ({ joint }) => JOINED.includes(joint));

function pieced(line: readonly Item[], stays: (item: Item) => boolean): Item[][] {
  const pieces: Item[][] = [];
  for (const item of line)
    if (pieces.length && stays(item)) pieces.at(-1)!.push(item);
    else pieces.push([item]);
  return pieces;
}

/** Before an item; what stands apart needs none at the start of a row. */
const roomOf = ({ joint }: Item, i: number): number => (joint === 'apart' && !i ? 0 : ROOM[joint]);

/** As many pieces in a row as fit; what stands apart is broken only if it must be. */
function packed(line: readonly Item[], cell: number, measures: Measures): Item[][] {
  const rows: Item[][] = [];
  const pieces = pieced(line, ({ joint }) => joint !== 'apart').flatMap((whole) =>
    widthOf(whole, cell, measures) <= measures.width ? [whole] : segmentsOf(whole),
  );
  for (const piece of pieces) {
    const longer = [...(rows.at(-1) ?? []), ...piece];
    if (rows.length && widthOf(longer, cell, measures) <= measures.width) rows[rows.length - 1] = longer;
    else rows.push(piece);
  }
  return rows;
}

/** At most so large that the cells of all lines are no higher than this together, if that is not small. */
const TALLEST = 400;

function largestCell(lines: readonly (readonly Item[])[], measures: Measures, most: number): number {
  let cell = most;
  while (cell > LEAST && lines.some((line) => widthOf(line, cell, measures) > measures.width)) cell--;
  return cell;
}

const slotOf = ({ slab, top }: Item, cell: number, { labelWidth }: Measures): number =>
  Math.max(slab.columns * cell + sheetsOf(slab), labelWidth(slab), top ? labelWidth(top) : 0);

const widthOf = (line: readonly Item[], cell: number, measures: Measures): number =>
  line.reduce((sum, item, i) => sum + roomOf(item, i) + slotOf(item, cell, measures), 0);

const topHeight = ({ top, bias }: Item, cell: number): number =>
  top ? (top.rows + (bias ? 1 : 0)) * cell + (bias ? 2 : 0) + GAP : 0;

function place(rows: readonly Item[][], cell: number, measures: Measures, joined: boolean): DataflowLayout {
  const { line, labelLines } = measures;
  const layout: DataflowLayout = { cell, placed: [], signs: [], flows: [], width: 0, height: 0 };
  const firsts: number[] = [];
  let y = 0;
  for (const row of rows) {
    firsts.push(layout.placed.length);
    const above = Math.max(0, ...row.map((item) => topHeight(item, cell) + (item.top ? sheetsOf(item.top) : 0)));
    const band = y + above + (above ? (labelLines + 0.4) * line : sheetsOf(row[0]!.slab));
    const end = placeRow(row, band, cell, measures, layout);
    layout.width = Math.max(layout.width, end);
    const deepest = Math.max(...row.map(({ slab }) => slab.rows)) * cell;
    layout.height = band + deepest + (labelLines + 0.5) * line;
    y = layout.height + (joined ? 2.4 : 1.2) * line;
  }
  const { placed } = layout;
  if (joined) layout.flows = flowsOf(placed.slice(0, firsts[1]), placed.slice(firsts[1]), labelLines * line);
  return layout;
}

function placeRow(
  row: readonly Item[],
  band: number,
  cell: number,
  measures: Measures,
  layout: DataflowLayout,
): number {
  const { line } = measures;
  const at: number[] = [];
  let x = 0;
  row.forEach((item, i) => {
    const room = roomOf(item, i);
    const middle = band + (item.slab.rows * cell) / 2;
    if (room > ROOM.beside && item.joint !== 'apart')
      layout.signs.push({ joint: item.joint, x, y: middle, width: room });
    x += room;
    const slot = slotOf(item, cell, measures);
    const [width, height] = [item.slab.columns * cell, item.slab.rows * cell];
    const isLeft = row[i + 1]?.joint === 'touch' && !item.top;
    const left = x + (isLeft ? Math.max(0, slot - width - sheetsOf(item.slab)) : 0);
    const top = item.top ? placeTop(item, left, band, cell, measures, layout) : -1;
    const factor = at[i - (item.left ?? 0)];
    at.push(layout.placed.length);
    layout.placed.push({
      slab: item.slab,
      x: left,
      y: band,
      width,
      height,
      label: { x, y: band + height + 1.15 * line },
      factors: item.left && factor !== undefined ? [factor, top] : null,
    });
    x += slot;
  });
  return x;
}

/** The right matrix of a product, and the bias, above the result; the index of the former. */
function placeTop(
  item: Item,
  x: number,
  band: number,
  cell: number,
  { line, labelLines }: Measures,
  layout: DataflowLayout,
): number {
  const { top, bias } = item as Item & { top: Slab };
  const size = (slab: Slab): { width: number; height: number } => ({
    width: slab.columns * cell,
    height: slab.rows * cell,
  });
  const y = band - topHeight(item, cell);
  if (bias)
    layout.placed.push({ slab: bias, x, y: y + top.rows * cell + 2, ...size(bias), label: null, factors: null });
  layout.placed.push({
    slab: top,
    x,
    y,
    ...size(top),
    label: { x, y: y - sheetsOf(top) - (labelLines - 0.55) * line },
    factors: null,
  });
  return layout.placed.length - 1;
}

/** Lanes that do not cross: of those that run to the right the last turns first, of those to the left the first. */
function flowsOf(made: readonly Placed[], used: readonly Placed[], labelHeight: number): string[] {
  const pairs = made
    .filter(({ factors }) => factors)
    .flatMap((from) =>
      used.filter(({ slab, factors }) => !factors && slab.node.id === from.slab.node.id).map((to) => ({ from, to })),
    );
  const middle = ({ x, width }: Placed): number => Math.round(x + width / 2);
  const ends = pairs.map(({ from, to }) => ({
    from: middle(from),
    to: middle(to),
    y: foot(from, labelHeight),
    end: head(to, labelHeight),
  }));
  const right = ends.filter(({ from, to }) => to >= from).sort((a, b) => b.from - a.from);
  const left = ends.filter(({ from, to }) => to < from).sort((a, b) => a.from - b.from);
  const [start, stop] = [Math.max(...ends.map(({ y }) => y)), Math.min(...ends.map(({ end }) => end))];
  const step = (stop - start - 4) / (Math.max(right.length, left.length) + 1);
  const path = ({ from, to, y, end }: (typeof ends)[number], lane: number): string =>
    `M${from} ${y}V${Math.round(start + (lane + 1) * step)}H${to}V${end}m-3.5 -5l3.5 5l3.5 -5`;
  return [...right.map(path), ...left.map(path)];
}

/** Below what is written under a matrix, and above what is written over one. */
const foot = ({ y, height }: Placed, labelHeight: number): number => y + height + labelHeight + 5;
const head = ({ y, slab, label }: Placed, labelHeight: number): number =>
  y - sheetsOf(slab) - (label && label.y < y ? labelHeight + 8 : 4);
