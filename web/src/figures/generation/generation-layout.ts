// Layout of a text being generated: words wrapped into lines, each above its attention weight, and bars of the
// likeliest next tokens. Pure geometry, in CSS pixels.

export interface Chip {
  x: number;
  y: number;
  width: number;
}

export interface Group {
  /** Start of the heading, on its baseline. */
  label: { x: number; y: number };
  chips: Chip[];
}

export interface GenerationLayout {
  groups: Group[];
  bars: { label: { x: number; y: number }; x: number; y: number[]; width: number };
  /** Height of a weight's cell, below its word. */
  cell: number;
  width: number;
  height: number;
  /** Height of a line of text. */
  line: number;
}

const GAP = 3;

/** Minimum number of bars where the height does not fit all; the least likely are left out. */
const MIN_BARS = 3;

/** @param groups Word widths of each group. @param bars Number of bars. @param names Width of the widest bar label. */
export function layOutGeneration(
  groups: readonly (readonly number[])[],
  bars: number,
  names: number,
  { width, line, gutter, maxHeight = Infinity }: { width: number; line: number; gutter: number; maxHeight?: number },
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
  const fitting = Math.max(MIN_BARS, Math.floor((maxHeight - y - 2) / (line * 1.5)));
  const rows = Array.from({ length: Math.min(bars, fitting) }, (_, i) => y + i * line * 1.5);
  return {
    groups: placed,
    bars: { label, x: start, y: rows, width: Math.max(20, width - start - line * 4) },
    ...{ cell, width, line },
    height: Math.ceil(y + rows.length * line * 1.5) + 2,
  };
}
