// Where the parts of a cell stand: lanes of boxes, pipes and valves above, its values by position below. Pure geometry.
import type { Place } from '../../ui/grid-layout';
import { type Box, type Point, isInside } from '../shared/geometry';
import type { Kind } from './cell-trace';

/** What the cursor moves over: in row 0 the valves, below the tracks by position. */
export type Spot = Place;

/** A box with a value: `what` is its letter, "before" what is carried over. */
export interface ValueBox extends Box {
  what: string;
}
export interface ValveBox extends Box {
  letter: string;
  /** Pixels from its lower edge to the line that its number stands on. */
  label: number;
  /** It passes what the valve keeps back: 1 − z. */
  rest: boolean;
}
/** A pipe to the right; `amount` is what has passed: its letter. */
export interface Pipe {
  from: Point;
  to: Point;
  /** Then up, or down, to here. */
  turn?: number;
  /** Letter of the valve before it: the pipe is as full as the valve is open. */
  valve?: string;
  rest?: boolean;
  amount?: string;
  /** What the plain cell applies to its sum is written on it. */
  applied?: boolean;
}

export interface CellLayout {
  width: number;
  height: number;
  boxes: ValueBox[];
  valves: ValveBox[];
  pipes: Pipe[];
  /** Where what is kept and what is new are added. */
  sum: Point;
  /** One row of bars for each track. */
  tracks: Box[];
  /** Width of a position. */
  column: number;
}

export interface Counts {
  valves: number;
  tracks: number;
  positions: number;
}

export const PIPE = 22;
const BOX = 38;
/** Room above the first lane for the knob of an open valve. */
const TOP = 8;
/** A lane: its valve, and below that its value. Low ones serve where the whole would be too tall. */
interface Lane {
  valve: { width: number; height: number; label: number };
  apart: number;
}
const USUAL: Lane = { valve: { width: 30, height: 40, label: 18 }, apart: 28 };
const LOW: Lane = { valve: { width: 30, height: 28, label: 16 }, apart: 22 };
const NARROWEST = 44;
const WIDEST = 108;
/** Before the tracks: "log h". */
const GUTTER = 34;
const [LOWEST, HIGHEST] = [16, 34];
/** Between tracks. */
const SLIT = 5;
/** Narrowest tracks beside a cell, and column of a cell with tracks beside it: "tanh" fits between two boxes. */
const [CHART, ROOMY] = [200, 88];
/** Below the tracks: numbers of positions. */
const AXIS = 16;
/** At the end of the tracks: half the number of the last position. */
const OVERHANG = 8;

const COLUMNS: Record<Kind, number> = { rnn: 5, gru: 6, lstm: 7 };
const LANES = 3;
/** Height of all lanes. */
const heightOf = ({ valve, apart }: Lane): number => TOP + LANES * (valve.height + apart);

/** The tracks stand below the cell; beside it where there is more room across than down. */
export function layOutCell(
  kind: Kind,
  letters: readonly string[],
  { tracks, positions }: Counts,
  { width, maxHeight }: { width: number; maxHeight: number },
): CellLayout {
  const least = COLUMNS[kind] * NARROWEST;
  const roomy = COLUMNS[kind] * ROOMY;
  const tooTall = maxHeight < heightOf(USUAL) + tracks * LOWEST + AXIS;
  const beside = width >= roomy + CHART && tooTall;
  const lane = tooTall && !beside ? LOW : USUAL;
  const high = heightOf(lane);
  const across = Math.min(COLUMNS[kind] * WIDEST, Math.max(least, beside ? Math.max(roomy, (width * 3) / 5) : width));
  const end = (beside ? width : across) - OVERHANG;
  const { x, y, right } = beside ? { x: across + GUTTER, y: TOP, right: end } : { x: GUTTER, y: high, right: end };
  const room = (beside ? Math.max(high, maxHeight) : maxHeight) - y - AXIS;
  const row = Math.floor(Math.min(HIGHEST, Math.max(LOWEST, room / tracks)));
  const rows = Array.from({ length: tracks }, (_, at) => ({
    ...{ x, y: y + at * row, width: right - x, height: row - SLIT },
  }));
  return {
    ...{ rnn: plain, gru, lstm }[kind](new Grid(across / COLUMNS[kind], lane), letters),
    ...{ width: right + OVERHANG, height: Math.max(high, y + tracks * row + AXIS) },
    ...{ tracks: rows, column: (right - x) / positions },
  };
}

type Parts = Pick<CellLayout, 'boxes' | 'valves' | 'pipes' | 'sum'>;

/** Columns from left to right, lanes from top to bottom. */
class Grid {
  constructor(
    private readonly column: number,
    private readonly lane: Lane,
  ) {}

  at = (column: number, lane: number): Point => ({
    x: (column + 0.5) * this.column,
    y: TOP + this.lane.valve.height / 2 + lane * (this.lane.valve.height + this.lane.apart),
  });
  /** The middle of a side of a box there. */
  edge(column: number, lane: number, side: 'left' | 'right' | 'top' | 'bottom'): Point {
    const { x, y } = this.at(column, lane);
    const [dx, dy] = { left: [-1, 0], right: [1, 0], top: [0, -1], bottom: [0, 1] }[side] as [number, number];
    return { x: x + (dx * this.#boxWidth) / 2, y: y + (dy * BOX) / 2 };
  }
  get #boxWidth(): number {
    return Math.min(58, this.column - 4);
  }
  box(what: string, column: number, lane: number): ValueBox {
    const { x, y } = this.at(column, lane);
    return { what, x: x - this.#boxWidth / 2, y: y - BOX / 2, width: this.#boxWidth, height: BOX };
  }
  valve(letter: string, column: number, lane: number, rest = false): ValveBox {
    return this.around(letter, this.at(column, lane), rest);
  }
  /** The input's own, at the end of its box. */
  input(letters: readonly string[], lane: number): ValveBox[] {
    return letters.includes('x') ? [this.around('x', this.edge(0, lane, 'right'), false)] : [];
  }
  private around(letter: string, { x, y }: Point, rest: boolean): ValveBox {
    const { valve } = this.lane;
    return { letter, rest, x: x - valve.width / 2, y: y - valve.height / 2, ...valve };
  }
}

/** h = tanh(w x + u h + b): each weight multiplies what comes along its pipe. */
function plain(grid: Grid, letters: readonly string[]): Parts {
  const weights = letters.filter((letter) => letter !== 'x');
  const inputs = weights.map((letter) => ({ u: 'before', w: 'x', b: '1' })[letter]!);
  const sum = grid.at(2, 0);
  return {
    boxes: [...inputs.map((what, lane) => grid.box(what, 0, lane)), grid.box('sum', 3, 0), grid.box('h', 4, 0)],
    valves: [...weights.map((letter, lane) => grid.valve(letter, 1, lane)), ...grid.input(letters, 1)],
    pipes: [
      ...inputs.flatMap((_, lane): Pipe[] => [
        { from: grid.edge(0, lane, 'right'), to: grid.at(1, lane) },
        { from: grid.at(1, lane), to: { x: sum.x, y: grid.at(1, lane).y }, ...(lane && { turn: sum.y }) },
      ]),
      { from: sum, to: grid.edge(3, 0, 'left') },
      { from: grid.edge(3, 0, 'right'), to: grid.edge(4, 0, 'left'), applied: true },
    ],
    sum,
  };
}

/** h = (1 − z) n + z h, n made of x and of what r lets through of h. */
function gru(grid: Grid, letters: readonly string[]): Parts {
  const [sum, old] = [grid.at(4, 0), grid.edge(0, 0, 'right')];
  const drop = grid.at(0, 0).x;
  return {
    boxes: [grid.box('before', 0, 0), grid.box('x', 0, 2), grid.box('n', 2, 1), grid.box('h', 5, 0)],
    valves: [grid.valve('z', 3, 0), grid.valve('r', 1, 1), grid.valve('z', 3, 1, true), ...grid.input(letters, 2)],
    pipes: [
      { from: old, to: grid.at(3, 0) },
      { from: grid.at(3, 0), to: sum, valve: 'z', amount: 'kept' },
      { from: sum, to: grid.edge(5, 0, 'left') },
      { from: { x: drop, y: grid.edge(0, 0, 'bottom').y }, to: { x: drop, y: grid.at(1, 1).y + PIPE / 2 }, turn: NaN },
      { from: { x: drop, y: grid.at(1, 1).y }, to: grid.at(1, 1) },
      { from: grid.at(1, 1), to: grid.edge(2, 1, 'left'), valve: 'r' },
      { from: grid.edge(0, 2, 'right'), to: grid.at(2, 2), turn: grid.edge(2, 1, 'bottom').y },
      { from: grid.edge(2, 1, 'right'), to: grid.at(3, 1) },
      {
        from: grid.at(3, 1),
        to: { x: sum.x, y: grid.at(3, 1).y },
        turn: sum.y,
        valve: 'z',
        rest: true,
        amount: 'added',
      },
    ],
    sum,
  };
}

/** c = f c + i g, h = o tanh c. */
function lstm(grid: Grid, letters: readonly string[]): Parts {
  const sum = grid.at(3, 0);
  return {
    boxes: [
      ...[grid.box('before', 0, 0), grid.box('stateBefore', 0, 1), grid.box('x', 0, 2)],
      ...[grid.box('g', 1, 1), grid.box('c', 4, 0), grid.box('h', 6, 0)],
    ],
    valves: [grid.valve('i', 2, 1), grid.valve('f', 2, 0), grid.valve('o', 5, 0), ...grid.input(letters, 2)],
    pipes: [
      { from: grid.edge(0, 0, 'right'), to: grid.at(2, 0) },
      { from: grid.at(2, 0), to: sum, valve: 'f', amount: 'kept' },
      { from: sum, to: grid.edge(4, 0, 'left') },
      { from: grid.edge(4, 0, 'right'), to: grid.at(5, 0) },
      { from: grid.at(5, 0), to: grid.edge(6, 0, 'left'), valve: 'o' },
      { from: grid.edge(0, 1, 'right'), to: grid.edge(1, 1, 'left') },
      { from: grid.edge(0, 2, 'right'), to: grid.at(1, 2), turn: grid.edge(1, 1, 'bottom').y },
      { from: grid.edge(1, 1, 'right'), to: grid.at(2, 1) },
      { from: grid.at(2, 1), to: { x: sum.x, y: grid.at(2, 1).y }, turn: sum.y, valve: 'i', amount: 'added' },
    ],
    sum,
  };
}

/** Room for a finger around a valve. */
const AROUND = 8;

/** `letters`: of the valves, in their order. */
export function spotAt(
  { valves, tracks, column }: CellLayout,
  letters: readonly string[],
  x: number,
  y: number,
): Spot | null {
  const valve = valves.find((box) => isInside(grown(box), x, y));
  if (valve) return { row: 0, column: letters.indexOf(valve.letter) };
  const row = tracks.findIndex((box) => isInside({ ...box, height: box.height + SLIT }, x, y));
  return row < 0 ? null : { row: row + 1, column: Math.floor((x - tracks[row]!.x) / column) };
}

const grown = ({ x, y, width, height }: Box): Box => ({
  ...{ x: x - AROUND, y: y - AROUND, width: width + 2 * AROUND, height: height + 2 * AROUND },
});

/** How far up in a valve a pointer is, from 0 to 1. */
export const partUp = (box: Box, y: number): number => Math.max(0, Math.min(1, 1 - (y - box.y) / box.height));

/** The multiple of a step that is nearest. */
export const nearest = (value: number, step: number): number => Number((Math.round(value / step) * step).toFixed(4));

/** The roundest value within this width, the height of a pixel: so a drag does not pass 2 over for 1.94 and 2.07. */
export function roundest(value: number, width: number): number {
  const candidates = [1, 0.1, 0.01].map((step) => nearest(value, step));
  return candidates.find((each) => Math.abs(each - value) <= width / 2) ?? value;
}

/** The spot that an arrow leads to: from a valve down to the position on show. */
export function spotAfter(
  { row, column }: Spot,
  key: string,
  { valves, tracks, positions }: Counts,
  at: number,
): Spot | null {
  const end = (row ? positions : valves) - 1;
  const beside = { ArrowLeft: column - 1, ArrowRight: column + 1, Home: 0, End: end }[key];
  if (beside !== undefined) return { row, column: Math.max(0, Math.min(end, beside)) };
  const next = { ArrowUp: row - 1, ArrowDown: row + 1 }[key];
  if (next === undefined) return null;
  if (next <= 0) return { row: 0, column: row ? 0 : column };
  return { row: Math.min(tracks, next), column: row ? column : at };
}
