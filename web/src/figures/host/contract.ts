// What a figure is: a scene, which it reads from the lab or is given; a description of the scene; a drawing of it; and how
// its cursor moves over its cells, and how its position is announced to assistive technology.
// The host does the rest: size, keys, pointer, table twin, CSV, PNG and SVG.
import type { TemplateResult, nothing } from 'lit';
import { type Place, cellAfterKey } from '../../ui/grid-layout';
import type { Table } from './table';

export { states } from '../../ui/lab-element';

export type Part = TemplateResult | typeof nothing;

/** The room a drawing has. */
export interface Room {
  /** CSS pixels. */
  width: number;
  /** Height at which the whole figure is visible; Infinity where it need not fit. */
  maxHeight: number;
  /** The reader's text size relative to the default. */
  zoom: number;
  /** Height of a line of text. */
  line: number;
  /** The whole does not fit: a drawing that follows the stop may show the part that the stop is about. */
  inPart?: boolean;
}

/** A scene in words and numbers. A `Cell` is what the cursor moves over, and what a press is about. */
export interface Description<Cell> {
  /** A few words: the figure's heading, and the name of exported files. */
  heading: string;
  /** Name of the tensor that the figure shows, if it shows one. */
  tensor?: string | undefined;
  /** All that the drawing shows at a glance, for screen readers. */
  summary: () => string;
  /** One cell, for screen readers. */
  cell: (cell: Cell) => string;
  /** The line under the drawing: about the cell that is pointed at or at the cursor, else about the whole figure. */
  readout: (here: Cell | null) => Part | string;
  /** All that is shown: the table twin. */
  tables: () => Table[];
  /** What the CSV has, if there is more to it than the table twin shows. */
  exported?: () => Table[];
}

/** A scene placed in the room. */
export interface Drawing<Cell> {
  /** CSS pixels. */
  width: number;
  height: number;
  /** Space around it, left and right, above and below. */
  margin?: readonly [x: number, y: number];
  /** SVG elements; `here` is the cell under the pointer, else the one at the cursor. */
  draw: (here: Cell | null) => Part | Part[];
  /** The cell at a point of the drawing; null: none. */
  hit: (x: number, y: number) => Cell | null;
  /** How the cursor moves over the cells. */
  navigation: Navigation<Cell>;
}

export interface Extent {
  rows: number;
  columns: number;
}

/** Where a cell is, as ARIA counts it but from 0. */
interface CellPlace {
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
  extent?: Extent;
  /** Of a slider: its last value. */
  last?: number;
}

/** The cells of a matrix; `indexOf` gives the flat index into the tensor. */
export const gridNavigation = (
  label: string,
  { rows, columns }: Extent,
  indexOf: (row: number, column: number) => number,
): Navigation<Place> => ({
  ...{ role: 'grid', label, extent: { rows, columns }, first: { row: 0, column: 0 } },
  has: ({ row, column }) => row < rows && column < columns,
  move: (from, key, ctrl) => cellAfterKey({ rows, columns }, from, key, ctrl),
  place: ({ row, column }) => ({ row, column, index: indexOf(row, column) }),
});

/** The same cells by another name: `to` names a cell of the given navigation. */
export const renamed = <From, To>(
  own: Navigation<From>,
  to: (cell: From) => To,
  from: (cell: To) => From,
): Navigation<To> => ({
  ...own,
  first: to(own.first),
  has: (cell) => own.has(from(cell)),
  move: (at, key, ctrl) => {
    const next = own.move(from(at), key, ctrl);
    return next === null ? null : to(next);
  },
  place: (cell) => own.place(from(cell)),
});

/** A grid whose cells are named by their flat index. */
export const flatGridNavigation = (label: string, extent: Extent): Navigation<number> => {
  const indexOf = (row: number, column: number): number => row * extent.columns + column;
  return renamed(
    gridNavigation(label, extent, indexOf),
    ({ row, column }) => indexOf(row, column),
    (at) => ({ row: Math.floor(at / extent.columns), column: at % extent.columns }),
  );
};

/** From 0 to `last`; `keys` are those to the next number and to the previous one, each with its step. */
const numbers = (last: number, keys: Readonly<Record<string, number>>) => ({
  first: 0,
  has: (at: number) => at <= last,
  move(from: number, key: string, ctrl: boolean): number | null {
    const to: Record<string, number> = { Home: 0, End: last };
    const next = to[key] ?? from + (keys[key] ?? NaN);
    return ctrl || Number.isNaN(next) ? null : Math.max(0, Math.min(last, next));
  },
});

/** Entries by index, in a row or below each other. */
export const listNavigation = (label: string, count: number): Navigation<number> => ({
  ...{ role: 'listbox', label, place: () => ({}) },
  ...numbers(count - 1, { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }),
});

/** A number from 0 to `last`: up increases it, a page by a tenth. */
export function sliderNavigation(label: string, last: number): Navigation<number> {
  const page = Math.max(1, Math.round((last + 1) / 10));
  const keys = { ArrowLeft: -1, ArrowDown: -1, PageDown: -page, ArrowRight: 1, ArrowUp: 1, PageUp: page };
  return { ...{ role: 'slider', label, last, place: (index) => ({ index }) }, ...numbers(last, keys) };
}

/** A drawing without a cursor. */
export const noNavigation = (label: string): Navigation<never> => ({
  ...{ role: 'region', label, first: null as never },
  has: () => false,
  move: () => null,
  place: () => ({}),
});
