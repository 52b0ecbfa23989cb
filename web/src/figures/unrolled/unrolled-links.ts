// Paths in an unrolled network: links between cells, attention arcs, and feedback of generated words.
import { GAP, type UnrolledLayout, type Word, footOf, type Strip } from './unrolled-layout';
import type { UnrolledCell } from './unrolled-trace';

const HEAD = 3;

/** From the word of the previous position, between the columns, down to where `position` reads it. */
export function feedbackPath(
  layout: UnrolledLayout,
  network: string,
  position: number,
  widthOf: (text: string) => number,
): Link | null {
  const word = (at: number, read: boolean): Word | undefined =>
    layout.words.find((each) => each.network === network && each.position === at && each.read === read);
  const [from, to] = [word(position - 1, false), word(position, true)];
  if (!from || !to) return null;
  const middle = (from.x + to.x) / 2;
  const [x0, y0] = [Math.min(middle - 4, from.x + widthOf(from.text) / 2 + 4), from.y - 4];
  const [x1, y1] = [Math.max(middle + 4, to.x - widthOf(to.text) / 2 - 4), to.y - 4];
  const line = `M${x0} ${y0}Q${middle} ${y0} ${middle} ${y0 + 8}V${y1 - 8}Q${middle} ${y1} ${x1} ${y1}`;
  return { line, head: `M${x1 - HEAD} ${y1 - HEAD}L${x1} ${y1}L${x1 - HEAD} ${y1 + HEAD}` };
}

export interface Link {
  line: string;
  /** Arrowhead at the end of the line. */
  head: string;
  /** 'round' goes round the strips between its ends, 'handed' from one network to another. */
  kind?: 'round' | 'handed';
}

/** A line from one strip to another. */
export function linkPath(
  layout: UnrolledLayout,
  cells: readonly UnrolledCell[],
  link: { from: number; to: number },
): Link | null {
  const [a, b] = [layout.strips[link.from], layout.strips[link.to]];
  const [from, to] = [cells[link.from], cells[link.to]];
  if (!a || !b || !from || !to) return null;
  if (a.y === b.y) return along(a, b);
  if (from.network !== to.network) return across(layout, a, b, to);
  return from.position === to.position ? upwards(layout, a, b) : onwards(a, b);
}

/** Within a row, in either direction. */
function along(a: Strip, b: Strip): Link {
  const right = b.x > a.x;
  const y = a.y + a.height / 2;
  const [x0, x1] = right ? [a.x + a.width + 2, b.x - 3] : [a.x - 2, b.x + b.width + 3];
  const back = right ? -HEAD : HEAD;
  return { line: `M${x0} ${y}H${x1}`, head: `M${x1 + back} ${y - HEAD}L${x1} ${y}L${x1 + back} ${y + HEAD}` };
}

/** To a higher layer of the same position: straight, beside bars, or round the strips between. */
function upwards(layout: UnrolledLayout, a: Strip, b: Strip): Link {
  const between = layout.rows.some((row) => row.y > b.y && row.y < a.y);
  const [y0, y1] = [a.y - 2, b.y + b.height + 3];
  const x = a.x + a.width * (between ? 0.85 : layout.bars ? 0.1 : 0.5);
  if (!between) return { line: `M${x} ${y0}V${y1}`, head: headUp(x, y1) };
  const out = a.x + a.width + 8;
  return { line: `M${x} ${y0}C${out} ${y0 - 8} ${out} ${y1 + 8} ${x} ${y1}`, head: headUp(x, y1), kind: 'round' };
}

/** To another layer of another position: input feeding goes from the top layer to the bottom layer of the next. */
function onwards(a: Strip, b: Strip): Link {
  const down = b.y > a.y;
  const [x0, x1] = [a.x + a.width * 0.85, b.x + b.width * 0.15];
  const [y0, y1] = down ? [a.y + a.height + 2, b.y - 3] : [a.y - 2, b.y + b.height + 3];
  const bend = (y1 - y0) * 0.75;
  const line = `M${x0} ${y0}C${x0} ${y0 + bend} ${x1} ${y1 - bend} ${x1} ${y1}`;
  return { line, head: down ? headDown(x1, y1) : headUp(x1, y1) };
}

/** From one network to another: to the foot of the position, or from the left into a higher layer. */
function across(layout: UnrolledLayout, a: Strip, b: Strip, to: UnrolledCell): Link {
  const foot = footOf(layout, to.network, to.position);
  const hidden = layout.rows.some((row) => row.network !== to.network && row.y < a.y);
  const start = hidden ? { x: a.x + a.width + 1, y: a.y + a.height / 2 } : { x: a.x + a.width / 2, y: a.y - 2 };
  const rise = hidden ? { x: start.x + 14, y: start.y } : { x: start.x, y: start.y - GAP * 0.6 };
  const lowest = layout.rows.filter((row) => row.network === to.network).at(-1)?.y === b.y;
  if (foot && lowest) {
    const line = `M${start.x} ${start.y}C${rise.x} ${rise.y} ${foot.x} ${foot.y + GAP * 0.75} ${foot.x} ${foot.y + 2}`;
    return { line, head: headUp(foot.x, foot.y + 2), kind: 'handed' };
  }
  const [x, y] = [b.x - 3, b.y + b.height / 2];
  const line = `M${start.x} ${start.y}C${rise.x} ${rise.y} ${x - 26} ${y + GAP} ${x} ${y}`;
  return { line, head: `M${x - HEAD} ${y - HEAD}L${x} ${y}L${x - HEAD} ${y + HEAD}`, kind: 'handed' };
}

const headDown = (x: number, y: number): string => `M${x - HEAD} ${y - HEAD}L${x} ${y}L${x + HEAD} ${y - HEAD}`;
const headUp = (x: number, y: number): string => `M${x - HEAD} ${y + HEAD}L${x} ${y}L${x + HEAD} ${y + HEAD}`;

/** Attention arc: from the foot of a position down to a state, or back over its own row. */
export function arcPath(layout: UnrolledLayout, network: string, position: number, memory: Strip): string {
  const own = layout.rows.find((row) => row.network === network);
  const [x1, y1] = [memory.x + memory.width / 2, memory.y - 3];
  if (own && own.y === memory.y) {
    const strip = layout.strips[own.cells[position] ?? -1];
    const x0 = strip ? strip.x + strip.width / 2 : x1;
    const high = y1 - Math.min(GAP * 0.85, 14 + Math.abs(x0 - x1) * 0.22);
    return `M${x0} ${y1}C${x0} ${high} ${x1} ${high} ${x1} ${y1}`;
  }
  const foot = footOf(layout, network, position) ?? { x: x1, y: 0 };
  const middle = (foot.y + y1) / 2;
  return `M${foot.x} ${foot.y + 3}C${foot.x} ${middle + 6} ${x1} ${middle - 6} ${x1} ${y1}`;
}
