// How a figure's cursor moves over its cells, and how its position is announced to assistive technology.
import { type Place, cellAfterKey, planeOf } from '../../ui/grid-layout';

/** Where a cell is, as ARIA counts it but from 0. */
export interface CellPlace {
  row?: number;
  column?: number;
  /** Flat index into the tensor. */
  index?: number;
  /** Depth in a tree, the root at 1. */
  level?: number;
  /** Whether what can be opened is open. */
  expanded?: boolean | undefined;
}

export interface Navigation<Cell> {
  role: 'grid' | 'tree' | 'listbox' | 'slider' | 'region';
  label: string;
  /** Where the cursor starts. */
  first: Cell;
  /** False for a cell that is gone. */
  has(cell: Cell): boolean;
  /** The cell that a key leads to; null: the key moves nothing. */
  move(from: Cell, key: string, ctrl: boolean): Cell | null;
  place(cell: Cell): CellPlace;
  /** Of a grid. */
  extent?: { rows: number; columns: number };
  /** Of a slider: its last value. */
  last?: number;
}

/** The cells of a matrix; `indexOf` gives the flat index into the tensor. */
export function gridNavigation(
  label: string,
  extent: { rows: number; columns: number },
  indexOf?: (row: number, column: number) => number,
): Navigation<Place> {
  const plane = planeOf([extent.rows, extent.columns]);
  return {
    ...{ role: 'grid', label, extent, first: { row: 0, column: 0 } },
    has: ({ row, column }) => row < extent.rows && column < extent.columns,
    move: (from, key, ctrl) => cellAfterKey(plane, from, key, ctrl),
    place: ({ row, column }) => ({ row, column, ...(indexOf && { index: indexOf(row, column) }) }),
  };
}

const BACK = ['ArrowLeft', 'ArrowUp'];
const AHEAD = ['ArrowRight', 'ArrowDown'];

/** From 0 to `last`: `up` are the keys to the next number, `down` those to the previous one. */
function numberAfterKey(from: number, last: number, key: string, down: readonly string[], up: readonly string[]) {
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const step = up.includes(key) ? 1 : down.includes(key) ? -1 : 0;
  return step ? Math.max(0, Math.min(last, from + step)) : null;
}

/** Entries by index, in a row or below each other. */
export const listNavigation = (label: string, count: number): Navigation<number> => ({
  ...{ role: 'listbox', label, first: 0 },
  has: (at) => at < count,
  move: (from, key, ctrl) => (ctrl ? null : numberAfterKey(from, count - 1, key, BACK, AHEAD)),
  place: () => ({}),
});

/** A number from 0 to `last`: up increases it. */
export const sliderNavigation = (label: string, last: number): Navigation<number> => ({
  ...{ role: 'slider', label, first: 0, last },
  has: (at) => at <= last,
  move: (from, key, ctrl) =>
    ctrl ? null : numberAfterKey(from, last, key, ['ArrowLeft', 'ArrowDown'], ['ArrowRight', 'ArrowUp']),
  place: (at) => ({ index: at }),
});

/** A grid whose cells are named by their flat index. */
export function flatGridNavigation(label: string, extent: { rows: number; columns: number }): Navigation<number> {
  const grid = gridNavigation(label, extent);
  const { columns } = extent;
  const placeOf = (at: number): Place => ({ row: Math.floor(at / columns), column: at % columns });
  return {
    ...{ role: 'grid', label, extent, first: 0 },
    has: (at) => grid.has(placeOf(at)),
    move: (from, key, ctrl) => {
      const to = grid.move(placeOf(from), key, ctrl);
      return to && to.row * columns + to.column;
    },
    place: (at) => ({ ...placeOf(at), index: at }),
  };
}

/** A drawing without a cursor. */
export const noNavigation = (label: string): Navigation<never> => ({
  ...{ role: 'region', label, first: null as never },
  has: () => false,
  move: () => null,
  place: () => ({}),
});
