// Draws a plane of a tensor on a canvas, crisp on any screen.
import type { Lines, Place, Plane, Numerals } from '../../ui/grid-layout';
import { cellAt, cellIndex, chooseNumerals } from '../../ui/grid-layout';
import type { Box } from './geometry';
import { type Palette, type Scale, colorOf, inkOn, shadeOf } from './palette';

export interface Painting {
  plane: Plane;
  lines: Lines;
  /** undefined: not reached yet, drawn hollow. */
  values: ArrayLike<number> | undefined;
  scale: Scale;
  edited: ReadonlySet<number>;
  /** Cells to outline: those that made the cell of interest, and the one under the pointer. */
  lit: ReadonlySet<number>;
  /** The cell with the accent ring: the selected one, or the first while the grid has focus; null for none. */
  focus: number | null;
  /** The reader's text size relative to the default, for the numerals. */
  zoom: number;
}

type Context = CanvasRenderingContext2D;

/** Sizes the canvas to device pixels and draws. `ratio`: device pixels per CSS pixel. */
export function paint(canvas: HTMLCanvasElement, painting: Painting, colors: Palette, ratio: number): void {
  const { x, y } = painting.lines;
  const [width, height] = [x.at(-1) ?? 0, y.at(-1) ?? 0];
  resize(canvas, width, height, ratio);
  const context = canvas.getContext('2d');
  if (!context || !width || !height) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  if (painting.values) paintCells(context, painting, painting.values, colors, ratio);
  else paintHollow(context, painting.lines, colors, ratio);
  outline(context, painting, colors);
  if (painting.focus !== null) ring(context, boxOf(painting, painting.focus, ratio), colors.accent, colors.paper, 2);
}

/** A canvas that keeps its size keeps the layout of the page. */
function resize(canvas: HTMLCanvasElement, width: number, height: number, ratio: number): void {
  const [across, down] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === across && canvas.height === down && canvas.style.width === `${width}px`) return;
  [canvas.width, canvas.height] = [across, down];
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
}

function paintCells(
  context: Context,
  painting: Painting,
  values: ArrayLike<number>,
  colors: Palette,
  ratio: number,
): void {
  const { plane, lines, scale } = painting;
  const numerals = chooseNumerals(context, painting, values, colors.sans);
  const step = Math.max(1, Math.floor(plane.columns / Math.max(1, (lines.x.at(-1) ?? 1) * ratio)));
  for (let row = 0; row < plane.rows; row++)
    for (let column = 0; column < plane.columns; column += step) {
      const index = cellIndex(plane, row, column);
      const value = values[index] ?? 0;
      const box = cellBox(lines, row, column, ratio);
      if (!Number.isFinite(value)) hatch(context, box, colors);
      else fill(context, box, value, scale, colors, numerals !== null);
      if (numerals) numeral(context, box, value, numerals, scale, colors);
      if (painting.edited.has(index)) corner(context, box, colors);
    }
}

/** The inside of a cell: a gap of about one CSS pixel, in whole device pixels, separates cells of 4 pixels or more. */
function cellBox(lines: Lines, row: number, column: number, ratio: number): Box {
  const [x, y] = [lines.x[column] ?? 0, lines.y[row] ?? 0];
  const [w, h] = [(lines.x[column + 1] ?? x) - x, (lines.y[row + 1] ?? y) - y];
  const gap = (length: number): number => (length >= 4 ? Math.max(1, Math.round(ratio)) / ratio : 0);
  return { x, y, width: w - gap(w), height: h - gap(h) };
}

function boxOf({ plane, lines }: Painting, index: number, ratio: number): Box | null {
  const at = cellAt(plane, index);
  return at && cellBox(lines, at.row, at.column, ratio);
}

function fill(context: Context, box: Box, value: number, scale: Scale, colors: Palette, numbered: boolean): void {
  context.fillStyle = shadeOf(value, scale, colors);
  context.fillRect(box.x, box.y, box.width, box.height);
  const faint = Math.abs(value) < scale.limit * 0.01;
  if (value >= 0 || faint || box.width < 2 || box.height < (numbered ? 18 : 5)) return;
  context.fillStyle = colors.paper;
  const y = numbered ? Math.round(box.y + box.height) - 4 : Math.round(box.y + (box.height - 1) / 2);
  context.fillRect(box.x, y, box.width, 1);
}

function numeral(context: Context, box: Box, value: number, numerals: Numerals, scale: Scale, colors: Palette): void {
  const odd = !Number.isFinite(value);
  const text = numerals.write(value);
  context.font = numerals.font;
  context.fillStyle = odd ? colors.ink : inkOn(colorOf(value, scale, colors));
  const x = box.x + (box.width - context.measureText(text).width) / 2;
  context.fillText(text, Math.round(x), Math.round(box.y + box.height / 2 + numerals.size * 0.36));
}

/** For a value off the scale: −∞, ∞ or NaN. */
function hatch(context: Context, box: Box, colors: Palette): void {
  context.save();
  context.beginPath();
  context.rect(box.x, box.y, box.width, box.height);
  context.clip();
  context.fillStyle = colors.wash;
  context.fillRect(box.x, box.y, box.width, box.height);
  context.beginPath();
  for (let at = -box.height; at < box.width; at += 5) {
    context.moveTo(box.x + at, box.y + box.height);
    context.lineTo(box.x + at + box.height, box.y);
  }
  context.strokeStyle = colors.hollow;
  context.lineWidth = 1;
  context.stroke();
  context.restore();
}

/** Marks an edited cell with a folded corner. */
function corner(context: Context, box: Box, colors: Palette): void {
  const size = Math.min(8, box.width / 2, box.height / 2);
  const right = box.x + box.width;
  context.beginPath();
  context.moveTo(right - size, box.y);
  context.lineTo(right, box.y);
  context.lineTo(right, box.y + size);
  context.closePath();
  context.fillStyle = colors.ink;
  context.fill();
  context.strokeStyle = colors.paper;
  context.lineWidth = 1;
  context.stroke();
}

function paintHollow(context: Context, { x, y }: Lines, colors: Palette, ratio: number): void {
  const line = 1 / ratio;
  const [right, bottom] = [(x.at(-1) ?? 0) - line, (y.at(-1) ?? 0) - line];
  const fine = (x[1] ?? 0) < 4 || (y[1] ?? 0) < 4;
  context.fillStyle = colors.hollow;
  for (const at of fine ? [0, right] : [...x.slice(0, -1), right])
    context.fillRect(Math.min(at, right), 0, line, bottom);
  for (const at of fine ? [0, bottom] : [...y.slice(0, -1), bottom])
    context.fillRect(0, Math.min(at, bottom), right + line, line);
}

/** One line around the lit cells, without lines between neighbours. */
function outline(context: Context, { plane, lines, lit }: Painting, colors: Palette): void {
  if (!lit.size) return;
  context.beginPath();
  for (const index of lit) {
    const at = cellAt(plane, index);
    if (at) outlineCell(context, plane, lines, at, lit);
  }
  context.lineCap = 'square';
  for (const [color, width] of [
    [colors.paper, 4],
    [colors.ink, 1.5],
  ] as const) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
}

/** The sides of a lit cell where its neighbour is not lit. */
function outlineCell(
  context: Context,
  plane: Plane,
  { x, y }: Lines,
  { row, column }: Place,
  lit: Painting['lit'],
): void {
  const isLit = (r: number, c: number): boolean =>
    r >= 0 && r < plane.rows && c >= 0 && c < plane.columns && lit.has(cellIndex(plane, r, c));
  const [up, down] = [isLit(row - 1, column), isLit(row + 1, column)];
  const [left, right] = [isLit(row, column - 1), isLit(row, column + 1)];
  const [x0, x1] = [(x[column] ?? 0) + 0.75, (x[column + 1] ?? 0) - 1.25];
  const [y0, y1] = [(y[row] ?? 0) + 0.75, (y[row + 1] ?? 0) - 1.25];
  const side = (there: boolean, ax: number, ay: number, bx: number, by: number): void => {
    if (there) return;
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
  };
  const [l, r] = [left ? x0 - 1.5 : x0, right ? x1 + 1.5 : x1];
  const [t, b] = [up ? y0 - 1.5 : y0, down ? y1 + 1.5 : y1];
  side(up, l, y0, r, y0);
  side(down, l, y1, r, y1);
  side(left, x0, t, x0, b);
  side(right, x1, t, x1, b);
}

function ring(context: Context, box: Box | null, color: string, paper: string, width: number): void {
  if (!box) return;
  context.strokeStyle = paper;
  context.lineWidth = 1;
  const inner = width + 0.5;
  if (box.width > 10 && box.height > 10)
    context.strokeRect(box.x + inner, box.y + inner, box.width - 2 * inner, box.height - 2 * inner);
  context.strokeStyle = color;
  context.lineWidth = width;
  context.strokeRect(box.x + width / 2, box.y + width / 2, box.width - width, box.height - width);
}
