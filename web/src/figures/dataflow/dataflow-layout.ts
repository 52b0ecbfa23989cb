// Layout of the matrices of an attention layer: cell size, line breaks and arrows.
import type { Box, Point } from '../shared/geometry';
import { type Item, type Separator, type Slab, GAP, jointOf } from './dataflow-slabs';

/** Measured before the layout. */
export interface Measures {
  width: number;
  /** Height of a line of text. */
  line: number;
  labelWidth: (slab: Slab) => number;
  /** Number of lines of a label. */
  labelLines: number;
  /** Height in which the whole figure is visible; Infinity if there is none. */
  maxHeight: number;
}

export interface Placed extends Box {
  slab: Slab;
  /** Baseline of the first line of its label; a bias has none. */
  label: Point | null;
  /** Indexes of the left and the top factor of the product that it is; null for other results. */
  factors: readonly [number, number] | null;
}

export interface Sign extends Point {
  separator: Separator;
  width: number;
}

export type DataflowLayout = ReturnType<typeof place>;

const MAX_CELL = 16;
const MIN_CELL = 3;
/** Cells shrink no further than this to make the whole figure visible, or a part of it. */
const MIN_FITTED_CELL = 7;
const MIN_PART_CELL = 5;
/** Below this cell size a line is broken rather than drawn smaller. */
const SMALL_CELL = 11;
/** Offset of each sheet from the one in front, and the maximum number of sheets. */
export const SHEET = 3;
export const SHEETS = 3;

/** A line does not break before these. */
const JOINED: readonly Separator[] = ['touch', 'beside', 'divide'];

export const sheetsOf = ({ heads }: Slab): number => Math.min(heads - 1, SHEETS) * SHEET;

export function layOutDataflow(lines: readonly Item[][], measures: Measures): DataflowLayout {
  const largest = layOutUpTo(MAX_CELL, lines, measures);
  if (largest.height <= measures.maxHeight) return largest;
  for (const arranged of [lines, [asOneLine(lines)]])
    for (let max = largest.cell; max >= MIN_FITTED_CELL; max--) {
      const smaller = layOutUpTo(max, arranged, measures);
      if (smaller.height <= measures.maxHeight) return smaller;
    }
  return largest;
}

/** All lines side by side: tried when they do not fit the height one below the other. */
const asOneLine = (lines: readonly Item[][]): Item[] =>
  lines.flatMap(([first, ...rest], i): Item[] => [{ ...first!, separator: i ? 'apart' : 'start' }, ...rest]);

const layOutUpTo = (max: number, lines: readonly Item[][], measures: Measures): DataflowLayout => {
  const { rows, cell, joined } = arranged(max, lines, measures);
  return place(rows, cell, measures, joined);
};

/** Where the whole is too tall: the row that computes the tensor with the id `now`, and those around it that fit. */
export function layOutPart(lines: readonly Item[][], measures: Measures, now: number): DataflowLayout {
  let best = partUpTo(MAX_CELL, lines, measures, now);
  for (let max = MAX_CELL - 1; max >= MIN_PART_CELL; max--) {
    const smaller = partUpTo(max, lines, measures, now);
    if (best.height > measures.maxHeight || smaller.placed.length > best.placed.length) best = smaller;
  }
  return best;
}

function partUpTo(max: number, lines: readonly Item[][], measures: Measures, now: number): DataflowLayout {
  const { rows, cell } = arranged(max, lines, measures);
  const at = Math.max(
    0,
    rows.findIndex((row) => row.some(({ slab }) => slab.node.id === now)),
  );
  const between = (from: number, to: number): DataflowLayout => place(rows.slice(from, to), cell, measures, false);
  let [from, to, part] = [at, at + 1, between(at, at + 1)];
  for (;;) {
    const larger = [[from - 1, to] as const, [from, to + 1] as const]
      .filter(([first, last]) => first >= 0 && last <= rows.length)
      .find(([first, last]) => between(first, last).height <= measures.maxHeight);
    if (!larger) return part;
    [from, to] = larger;
    part = between(from, to);
  }
}

function arranged(max: number, lines: readonly Item[][], measures: Measures) {
  const deep = lines.reduce(
    (sum, line) => sum + Math.max(...line.map((item) => item.slab.rows + (item.top?.rows ?? 0))),
    0,
  );
  const flat = largestCell(lines, measures, Math.min(max, Math.max(SMALL_CELL, Math.floor(MAX_CELLS_HEIGHT / deep))));
  const segments = lines.flatMap(segmentsOf);
  const broken = largestCell(segments, measures, max);
  const fits = lines.every((line) => widthOf(line, flat, measures) <= measures.width);
  const asOne = fits && flat >= Math.min(broken, SMALL_CELL);
  const cell = asOne ? flat : broken;
  const rows = asOne ? lines.map((line) => [...line]) : lines.flatMap((line) => packed(line, cell, measures));
  return { rows, cell, joined: asOne && rows.length === 2 };
}

/** The pieces between which a line may break. */
export const segmentsOf = (line: readonly Item[]): Item[][] =>
  pieced(line, ({ separator }) => JOINED.includes(separator));

function pieced(line: readonly Item[], stays: (item: Item) => boolean): Item[][] {
  const pieces: Item[][] = [];
  for (const item of line)
    if (pieces.length && stays(item)) pieces.at(-1)!.push(item);
    else pieces.push([item]);
  return pieces;
}

/** Space before an item; an 'apart' item needs none at the start of a row. */
const spaceBefore = ({ separator }: Item, i: number): number =>
  separator === 'apart' && !i ? 0 : jointOf(separator).space;

/** Fills each row with as many pieces as fit; a group between 'apart' joints breaks only if it is too wide. */
function packed(line: readonly Item[], cell: number, measures: Measures): Item[][] {
  const rows: Item[][] = [];
  const pieces = pieced(line, ({ separator }) => separator !== 'apart').flatMap((whole) =>
    widthOf(whole, cell, measures) <= measures.width ? [whole] : segmentsOf(whole),
  );
  for (const piece of pieces) {
    const longer = [...(rows.at(-1) ?? []), ...piece];
    if (rows.length && widthOf(longer, cell, measures) <= measures.width) rows[rows.length - 1] = longer;
    else rows.push(piece);
  }
  return rows;
}

/** Limits the cell size so that the cells of all lines are at most this high in total, but not below SMALL_CELL. */
const MAX_CELLS_HEIGHT = 400;

function largestCell(lines: readonly (readonly Item[])[], measures: Measures, max: number): number {
  let cell = max;
  while (cell > MIN_CELL && lines.some((line) => widthOf(line, cell, measures) > measures.width)) cell--;
  return cell;
}

const slotOf = ({ slab, top }: Item, cell: number, { labelWidth }: Measures): number =>
  Math.max(slab.columns * cell + sheetsOf(slab), labelWidth(slab), top ? labelWidth(top) : 0);

const widthOf = (line: readonly Item[], cell: number, measures: Measures): number =>
  line.reduce((sum, item, i) => sum + spaceBefore(item, i) + slotOf(item, cell, measures), 0);

const topHeight = ({ top, bias }: Item, cell: number): number =>
  top ? (top.rows + (bias ? 1 : 0)) * cell + (bias ? 2 : 0) + GAP : 0;

function place(rows: readonly Item[][], cell: number, measures: Measures, joined: boolean) {
  const { line, labelLines } = measures;
  const placed: Placed[] = [];
  const signs: Sign[] = [];
  const firsts: number[] = [];
  let [width, height, y] = [0, 0, 0];
  for (const items of rows) {
    firsts.push(placed.length);
    const above = Math.max(0, ...items.map((item) => topHeight(item, cell) + (item.top ? sheetsOf(item.top) : 0)));
    const band = y + above + (above ? (labelLines + 0.4) * line : sheetsOf(items[0]!.slab));
    const row = placeRow(items, band, cell, measures, placed.length);
    placed.push(...row.placed);
    signs.push(...row.signs);
    width = Math.max(width, row.width);
    height = band + Math.max(...items.map(({ slab }) => slab.rows)) * cell + (labelLines + 0.5) * line;
    y = height + (joined ? 2.4 : 1.2) * line;
  }
  /** Arrow paths from where a matrix is computed to where the next line uses it. */
  const flows = joined ? flowsOf(placed.slice(0, firsts[1]), placed.slice(firsts[1]), labelLines * line) : [];
  return { cell, placed, signs, flows, width, height, line, labelLines };
}

/** `first`: index of the row's first matrix among those of the layout. */
function placeRow(row: readonly Item[], band: number, cell: number, measures: Measures, first: number) {
  const placed: Placed[] = [];
  const signs: Sign[] = [];
  const at: number[] = [];
  let x = 0;
  row.forEach((item, i) => {
    const space = spaceBefore(item, i);
    if (space > jointOf('beside').space && item.separator !== 'apart')
      signs.push({ separator: item.separator, x, y: band + (item.slab.rows * cell) / 2, width: space });
    x += space;
    const left = x + indentOf(item, row[i + 1], cell, measures);
    placed.push(...aboveOf(item, left, band, cell, measures));
    const factor = at[i - (item.left ?? 0)];
    const top = item.top ? first + placed.length - 1 : -1;
    const height = item.slab.rows * cell;
    at.push(first + placed.length);
    placed.push({
      ...{ slab: item.slab, x: left, y: band, width: item.slab.columns * cell, height },
      label: { x, y: band + height + 1.15 * measures.line },
      factors: item.left && factor !== undefined ? [factor, top] : null,
    });
    x += slotOf(item, cell, measures);
  });
  return { placed, signs, width: x };
}

/** A left factor stands at the right end of its slot, beside the right one. */
function indentOf(item: Item, next: Item | undefined, cell: number, measures: Measures): number {
  if (next?.separator !== 'touch' || item.top) return 0;
  return Math.max(0, slotOf(item, cell, measures) - item.slab.columns * cell - sheetsOf(item.slab));
}

/** Above the result of a product: the bias, if there is one, then the right factor. */
function aboveOf(item: Item, x: number, band: number, cell: number, { line, labelLines }: Measures): Placed[] {
  const { top, bias } = item;
  if (!top) return [];
  const y = band - topHeight(item, cell);
  const label = { x, y: y - sheetsOf(top) - (labelLines - 0.55) * line };
  const factor = { slab: top, x, y, width: top.columns * cell, height: top.rows * cell, label, factors: null };
  if (!bias) return [factor];
  const below = { x, y: y + factor.height + 2, width: bias.columns * cell, height: bias.rows * cell };
  return [{ slab: bias, ...below, label: null, factors: null }, factor];
}

/** Arrows on lanes that do not cross: the rightmost of those going right turns first, the leftmost of those left. */
function flowsOf(sources: readonly Placed[], used: readonly Placed[], labelHeight: number): string[] {
  const pairs = sources
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

/** Ends of an arrow: below the label under a matrix, and above the label over one. */
const foot = ({ y, height }: Placed, labelHeight: number): number => y + height + labelHeight + 5;
const head = ({ y, slab, label }: Placed, labelHeight: number): number =>
  y - sheetsOf(slab) - (label && label.y < y ? labelHeight + 8 : 4);
