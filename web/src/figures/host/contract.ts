// What every figure says. A figure reads its scene, lays it out, draws it, lists it as tables, tells it in words, and
// finds the cell under a point; the host does the rest: size, cursor, keys, pointer, table twin, CSV, PNG and SVG.
import type { TemplateResult, nothing } from 'lit';
import type { Navigation } from './navigation';
import type { Table } from './tables';

export type Part = TemplateResult | typeof nothing;

/** A drawing's size in CSS pixels. */
export interface Size {
  width: number;
  height: number;
  /** Space around it, left and right, above and below. */
  margin?: readonly [x: number, y: number];
}

/** The room a drawing has. */
export interface Room {
  /** CSS pixels. */
  width: number;
  /** Height at which the whole figure is visible; Infinity where it need not fit. */
  maxHeight: number;
  /** The reader's text size relative to the default. */
  zoom: number;
}

/**
 * - `Scene`: what is shown, with the reader's choices, independent of the room
 * - `Layout`: where each part of the scene is drawn
 * - `Cell`: what the cursor moves over, and what a press is about
 */
export interface FigureContract<Scene, Layout extends Size, Cell> {
  /** What there is to show; null: nothing. Read again at every update. */
  read(): Scene | null;
  /** Places the scene in the room. */
  layout(scene: Scene, room: Room): Layout;
  /** SVG elements; `here` is the cell under the pointer, else the one at the cursor. */
  draw(scene: Scene, layout: Layout, here: Cell | null): Part | Part[];
  /** All that is shown, as tables: the table twin and the CSV. */
  rows(scene: Scene): Table[];
  /** All that the drawing shows at a glance, for screen readers. */
  tell(scene: Scene): string;
  /** One cell, for screen readers. */
  tellCell(scene: Scene, cell: Cell): string;
  /** The cell at a point of the drawing; null: none. */
  hit(layout: Layout, x: number, y: number): Cell | null;
  /** How the cursor moves over the cells. */
  navigation(scene: Scene, layout: Layout): Navigation<Cell>;
}
