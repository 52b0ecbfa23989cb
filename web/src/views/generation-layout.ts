// The drawing of a text being written: words that flow in lines, each over the weight it is given, and bars of what is
// likely next. Pure geometry, in CSS pixels.

export interface Chip {
  x: number;
  y: number;
  width: number;
}

export interface Group {
  /** Where the heading stands. */
  label: { x: number; y: number };
  chips: Chip[];
}

export interface GenerationLayout {
  groups: Group[];
  bars: { label: { x: number; y: number }; x: number; y: number[]; width: number };
  /** Height of the cell of a weight, under its word. */
  cell: number;
  width: number;
  height: number;
}

const GAP = 3;

/** Bars are left out, the least likely first, where the room is too low for all; so many stay. */
const LEAST_BARS = 3;

/** @param groups The widths of their words. @param bars How many. @param names The width of the widest of their words. */
export function layOutGeneration(
  groups: readonly (readonly number[])[],
  bars: number,
  names: number,
  { width, line, gutter, room = Infinity }: { width: number; line: number; gutter: number; room?: number },
): GenerationLayout {
  const narrow = width < line * 40;
  const left = narrow ? 0 : gutter;
  const cell = line * 1.5;
  let y = 0;
  const heading = (): { x: number; y: number } => {
    const label = { x: 0, y: y + line };
    if (narrow) y += line * 1.5;
    return label;
  };
  const placed = groups.map((words): Group => {
    const label = heading();
    const chips: Chip[] = [];
    let x = left;
    for (const word of words) {
      const wide = Math.max(line * 2.6, word + 8);
      if (x > left && x + wide > width) [x, y] = [left, y + line * 1.45 + cell + 6];
      chips.push({ x, y, width: wide });
      x += wide + GAP;
    }
    y += line * 1.45 + cell + line;
    return { label, chips };
  });
  const label = heading();
  const start = left + names + 10;
  const fitting = Math.max(LEAST_BARS, Math.floor((room - y - 2) / (line * 1.5)));
  const rows = Array.from({ length: Math.min(bars, fitting) }, (_, i) => y + i * line * 1.5);
  return {
    groups: placed,
    bars: { label, x: start, y: rows, width: Math.max(20, width - start - line * 4) },
    cell,
    width,
    height: Math.ceil(y + rows.length * line * 1.5) + 2,
  };
}
