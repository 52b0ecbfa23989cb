// <u-grid>: the cells of one tensor on a canvas, with a cell cursor. The board and the heatmap are built from it.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { cellAt as textOfCell, cellsOf } from '#messages/figures/shared';
import type { TraceNode } from '../../engine/types';
import type { Lines, Place, Plane } from '../../ui/grid-layout';
import { cellAfterKey, cellAt, cellIndex, cellUnder, linesOf, planeOf } from '../../ui/grid-layout';
import { LabElement, onResize, states, whileConnected } from '../../ui/lab-element';
import { exact } from '../../ui/numbers';
import { paint } from './paint';
import { onTheme, palette, scaleOf, textZoom } from './palette';
import { type Names, describeCell } from './summary';
import { isPress } from './touch';

const NONE: ReadonlySet<number> = new Set();
/** A key that begins a number: typed on a cell, it begins to edit the cell. */
const BEGINS_NUMBER = /^[\d.,+\-−]$/;
let serial = 0;

export class Grid extends LabElement {
  protected readonly topics = ['run', 'selection', 'hover'] as const;
  static override properties = states('tensor', 'shown', 'held', 'lit', 'slice', 'names', 'words', 'rowHeight');

  /** The tensor whose cells are selected and edited. */
  tensor: TraceNode | undefined;
  /** The node whose values are drawn: the tensor itself, or its gradient; undefined when it has none. */
  shown: TraceNode | undefined;
  /** Its values; undefined: not reached yet, the cells are hollow. */
  held: Float32Array | undefined;
  lit = NONE;
  slice: readonly number[] = [];
  names: Names = {};
  /** The tensor in words, "" if it has none. */
  words = '';
  /** CSS pixels. */
  rowHeight = 20;

  #lines: Lines = { x: [0], y: [0] };
  #drawn: readonly unknown[] = [];
  readonly #id = `cell-${++serial}`;
  /** CSS pixels: observed, since asking for it would lay the page out for every grid. */
  #width = 0;

  constructor() {
    super();
    whileConnected(this, () => onTheme(() => this.#draw()));
    whileConnected(this, () =>
      onResize(this, ([entry]) => {
        this.#width = entry!.borderBoxSize[0]!.inlineSize;
        this.#draw();
      }),
    );
  }

  get plane(): Plane {
    return planeOf(this.tensor?.shape ?? [], this.slice);
  }

  /** Flat index of the selected cell if it is in this tensor, else null. */
  get selected(): number | null {
    const { selection } = this.lab;
    return selection && this.tensor && this.lab.node(selection.node)?.id === this.tensor.id ? selection.index : null;
  }

  /** Where the selected cell is in the window; null if it is not in the plane on show. */
  get chosen(): DOMRect | null {
    const at = this.selected === null ? null : cellAt(this.plane, this.selected);
    const box = this.querySelector('canvas')?.getBoundingClientRect();
    if (!at || !box) return null;
    const { x, y } = this.#lines;
    const [left, top] = [x[at.column] ?? 0, y[at.row] ?? 0];
    return new DOMRect(box.left + left, box.top + top, (x[at.column + 1] ?? left) - left, (y[at.row + 1] ?? top) - top);
  }

  /** Where key navigation starts. Focus selects nothing, or tabbing on to the buttons would replace the selection. */
  get #at(): Place {
    return cellAt(this.plane, this.selected ?? -1) ?? { row: 0, column: 0 };
  }

  override render(): TemplateResult {
    const { rows, columns } = this.plane;
    return html`<div
      class="cells"
      role="grid"
      tabindex="0"
      style="height:${rows * this.rowHeight}px"
      aria-label=${cellsOf(this.shown?.name ?? this.tensor?.name ?? '', this.words)}
      aria-rowcount=${rows}
      aria-colcount=${columns}
      aria-activedescendant=${this.#id}
      @keydown=${this.#key}
      @focus=${this.#draw}
      @blur=${this.#draw}
      @pointerdown=${this.#press}
      @click=${this.#press}
      @pointermove=${this.#point}
      @pointerleave=${() => this.lab.point({})}
      @dblclick=${(event: Event) => this.#askEdit(event)}
    >
      <canvas aria-hidden="true"></canvas>${this.#cursorCell()}
    </div>`;
  }

  /** The cell at the cursor as text for screen readers; the others exist only on the canvas. */
  #cursorCell(): TemplateResult {
    const at = this.#at;
    const index = cellIndex(this.plane, at.row, at.column);
    const value = this.held?.[index];
    const where = describeCell(this.plane, at.row, at.column, this.names);
    return html`<div role="row" class="vh" aria-rowindex=${at.row + 1}>
      <span
        role="gridcell"
        id=${this.#id}
        aria-colindex=${at.column + 1}
        aria-selected=${this.selected === index}
        data-index=${value === undefined ? nothing : index}
        >${textOfCell(where, value === undefined ? value : exact(value))}</span
      >
    </div>`;
  }

  override updated(_changed: PropertyValues<this>): void {
    this.#draw();
  }

  #draw(): void {
    const canvas = this.querySelector('canvas');
    if (!canvas || !this.#width) return;
    const ratio = devicePixelRatio || 1;
    const { plane, held: values } = this;
    this.#lines = linesOf(plane, Math.floor(this.#width), plane.rows * this.rowHeight, ratio);
    const pointed = this.shown && this.lab.hover.node === this.shown.id ? this.lab.hover.index : null;
    const lit = pointed === null ? this.lit : new Set([...this.lit, pointed]);
    const edited = this.shown === this.tensor ? this.#edited() : NONE;
    const first = this.contains(document.activeElement) ? cellIndex(plane, 0, 0) : null;
    const [focus, zoom, role] = [this.selected ?? first, textZoom(), this.shown?.role ?? 'state'];
    const marks = JSON.stringify([plane, this.#lines, [...lit], [...edited], focus, zoom, ratio, role]);
    if (!this.#isNew([values, palette(), marks])) return;
    const scale = scaleOf(role, values);
    paint(canvas, { plane, lines: this.#lines, values, scale, edited, lit, focus, zoom }, palette(), ratio);
  }

  /** True unless the same was drawn last time. */
  #isNew(drawing: readonly unknown[]): boolean {
    const same = drawing.every((part, i) => part === this.#drawn[i]);
    this.#drawn = drawing;
    return !same;
  }

  #edited(): ReadonlySet<number> {
    const { lab } = this;
    return new Set(lab.state.edits.filter((e) => lab.node(e.name)?.id === this.tensor?.id).map((e) => e.index));
  }

  #select(cell: Place): void {
    if (this.tensor) this.lab.select(this.tensor.name, cellIndex(this.plane, cell.row, cell.column));
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    if (event.key === 'Enter') return this.#askEdit(event);
    if (!event.ctrlKey && BEGINS_NUMBER.test(event.key)) return this.#askEdit(event, event.key);
    const to = cellAfterKey(this.plane, this.#at, event.key, event.ctrlKey);
    if (!to) return;
    event.preventDefault();
    event.stopPropagation();
    this.#select(to);
  };

  readonly #press = (event: PointerEvent): void => {
    const cell = isPress(event) && this.#under(event);
    if (cell) this.#select(cell);
  };

  readonly #point = (event: PointerEvent): void => {
    const cell = this.#under(event);
    if (!cell || !this.shown) return this.lab.point({});
    this.lab.point({ node: this.shown.id, index: this.held ? cellIndex(this.plane, cell.row, cell.column) : null });
  };

  #under(event: PointerEvent): Place | null {
    const box = this.getBoundingClientRect();
    return cellUnder(this.#lines, event.clientX - box.left, event.clientY - box.top);
  }

  /** Asks the inspector to open its field on the selected cell. */
  #askEdit(event: Event, typed?: string): void {
    event.preventDefault();
    event.stopPropagation();
    this.#select(this.#at);
    this.lab.askEdit(typed);
  }
}

customElements.define('u-grid', Grid);
