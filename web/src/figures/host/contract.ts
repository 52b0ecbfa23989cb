// What a figure is: a scene, which it reads from the lab or is given; a description of the scene; and a drawing of it.
// The host does the rest: size, cursor, keys, pointer, table twin, CSV, PNG and SVG.
import type { TemplateResult, nothing } from 'lit';
import type { Navigation } from './navigation';
import type { Table } from './tables';

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
