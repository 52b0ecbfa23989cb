// <u-heatmap name="α">: a tensor as a figure with name, shape, cells, spoken summary, table twin and export.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/bench/board';
import { MORE, SHOW_AS_TABLE } from '#messages/figures/host';
import { axes, ofSizes } from '#messages/tensors';
import { NOT_REACHED } from '#messages/figures/shared';
import { cellCount, type ModelInfo, type Role, type Selection, type TraceNode } from '../../engine/types';
import { tensorSaver } from '../../figures/host/export-menu';
import '../../figures/shared/grid';
import { type Plane, cellAt, planeAround, planeOf } from '../../ui/grid-layout';
import { gradientSymbol, legend, mark, symbol } from '../../figures/shared/marks';
import { type Names, areShort, describeCell, headline, shortNames, summarize } from '../../figures/shared/summary';
import { select } from '../../ui/choices';
import { states } from '../../ui/lab-element';
import { shapeText } from '../../ui/numbers';
import { inQuotes, nameOfTensor, runOf, shapeInLetters, shortShape } from '../../ui/tensor-names';
import { scaleOf, textZoom } from '../../figures/shared/palette';
import { tableTwin } from '../../figures/host/table';
import { View } from '../../figures/host/view';
import { NOTHING_TOLD } from './told';
import { moreMenu } from '../../ui/more-menu';

const MAX_HEIGHT = 176;
const NONE: ReadonlySet<number> = new Set();
let serial = 0;

/** Milliseconds of a frame for tables: those of a whole board at once would block the page. */
const SHARE = 12;
let spent = 0;
let frame: Promise<void> | null = null;
let turns = Promise.resolve();

/** Tables take turns: one that finds the share of this frame spent waits for the next. */
const turn = (): Promise<void> => (turns = turns.then(() => (spent < SHARE ? undefined : frame!)));

function inTurn(draw: () => unknown): void {
  const began = performance.now();
  draw();
  spent += performance.now() - began;
  frame ??= new Promise(requestAnimationFrame).then(() => {
    spent = 0;
    frame = null;
  });
}

export class Heatmap extends View {
  protected readonly topics = ['run', 'cursor', 'selection', 'values'] as const;
  static override properties = {
    name: {},
    gradient: { type: Boolean },
    compact: { type: Boolean },
    table: { type: Boolean },
    names: { type: Object },
    ...states('rowHeight', 'hint', 'lit', 'now', 'slice', 'told'),
  };

  /** Tensor name, resolved by lab.node(). */
  name = '';
  /** Shows ∂L/∂tensor instead of the tensor. */
  gradient = false;
  /** Inside a board: no legend, no buttons of its own. */
  compact = false;
  /** Shows the table twin instead of the cells. */
  table = false;
  /** Height of a row of cells in CSS pixels; a tall tensor gets less. */
  rowHeight = 24;
  hint: TemplateResult | null = null;
  lit: ReadonlySet<number> = NONE;
  /** Being computed at the cursor. */
  now = false;
  /** Labels of rows and columns: {"rows": ["je", …], "columns": ["I", …]}. */
  names: Names = {};
  slice: number[] = [];
  /** What others on its board have said already: here it is seen when one points at the tensor or chooses a cell of it. */
  told = NOTHING_TOLD;

  readonly #id = `figure-${++serial}`;
  #followed: Selection | null = null;
  #caption: { values: Float32Array | undefined; of: string; text: string } | null = null;
  #last: { of: string; model: ModelInfo | null; values: Float32Array } | null = null;

  get tensor(): TraceNode | undefined {
    return this.lab.trace ? this.lab.node(this.name) : undefined;
  }

  /** The node whose values are shown; undefined for a gradient that does not exist. */
  get shown(): TraceNode | undefined {
    const { tensor } = this;
    return this.gradient ? this.lab.trace?.nodes[tensor?.gradient ?? -1] : tensor;
  }

  /** undefined while not reached. After a change to the same model, the old values stay until the new ones arrive. */
  get values(): Float32Array | undefined {
    const { shown, lab } = this;
    if (!shown || !lab.reached(shown)) return undefined;
    const values = lab.values(shown);
    if (values) this.#last = { of: shown.name, model: lab.info, values };
    const last = this.#last;
    const same = last?.of === shown.name && last.model === lab.info && last.values.length === cellCount(shown.shape);
    return same ? last.values : undefined;
  }

  protected override async scheduleUpdate(): Promise<void> {
    if (!this.table) return void super.scheduleUpdate();
    await turn();
    inTurn(() => super.scheduleUpdate());
  }

  /** Shows the slice of a cell selected from elsewhere, by a step of the text or by a link. */
  override willUpdate(_changed: PropertyValues<this>): void {
    const { selection } = this.lab;
    if (selection === this.#followed) return;
    this.#followed = selection;
    const { tensor } = this;
    if (!selection || !tensor || tensor.shape.length < 3 || this.lab.node(selection.node)?.id !== tensor.id) return;
    this.slice = [...planeAround(tensor.shape, selection.index).slice];
  }

  override render(): TemplateResult | typeof nothing {
    const { tensor, shown, values } = this;
    if (!tensor) return nothing;
    const plane = planeOf(tensor.shape, this.slice);
    const role: Role = this.gradient ? 'gradient' : tensor.role;
    const now = this.now || (shown !== undefined && this.lab.cursor.node === shown.id);
    const state = values ? 'reached' : 'hollow';
    return html`<figure
      class="tensor ${state} ${now ? 'now' : ''} ${this.#chosen === null ? '' : 'chosen'}"
      data-tensor=${shown?.name ?? tensor.name}
      aria-labelledby="${this.#id}-name"
      aria-describedby="${this.#id}-sum"
    >
      <div class="thead" id="${this.#id}-name">
        <span class="tname">${mark(role)}${this.#symbol(tensor)}</span>
        <span class="thint">${this.#remark(tensor)}</span>
        ${this.#shape(tensor)}
      </div>
      ${this.#chooser(tensor)} ${this.#body(tensor, plane, values)}
      <figcaption class="vh" id="${this.#id}-sum">${this.#summary(plane, values, role)}</figcaption>
      ${this.compact ? '' : this.#foot(tensor, role, values)}
    </figure>`;
  }

  /** "T × S = 6 × 5": in short on a board, in full beside the pointer. */
  #shape(tensor: TraceNode): TemplateResult {
    const run = runOf(this.lab);
    const whole = run ? shapeInLetters(run, tensor) : shapeText(tensor.shape);
    if (!run || !this.compact) return html`<span class="tshape">${whole}</span>`;
    const { letters, sizes } = shortShape(run, tensor);
    const numbers = letters.length ? ofSizes(shapeText(sizes)) : shapeText(sizes);
    return html`<span class="tshape" title=${whole}
      >${axes(letters)}<span class=${this.told.sizes ? 'told' : ''}>${numbers}</span></span
    >`;
  }

  /** Flat index of the chosen cell, if it is one of this tensor. */
  get #chosen(): number | null {
    const { selection } = this.lab;
    return selection && this.lab.node(selection.node)?.id === this.tensor?.id ? selection.index : null;
  }

  /** What the cells are, for screen readers. */
  #words(node: TraceNode | undefined): string {
    const run = runOf(this.lab);
    const words = run && node && nameOfTensor(run, node);
    return words ? inQuotes(words) : '';
  }

  /** Cached: summarising a large tensor is slow. */
  #summary(plane: Plane, values: Float32Array | undefined, role: Role): string {
    const of = JSON.stringify([plane.slice, this.names]);
    if (this.#caption?.values !== values || this.#caption?.of !== of)
      this.#caption = { values, of, text: summarize(plane, values, role, this.names) };
    return this.#caption.text;
  }

  #symbol(tensor: TraceNode): TemplateResult {
    return this.gradient ? gradientSymbol(tensor) : symbol(tensor);
  }

  #remark(tensor: TraceNode): TemplateResult | string {
    if (this.gradient && tensor.gradient < 0) return texts.NO_GRADIENT;
    return this.gradient || !this.hint ? '' : html`= ${this.hint}`;
  }

  #body(tensor: TraceNode, plane: Plane, values: Float32Array | undefined): TemplateResult {
    const { shown } = this;
    if (this.table && this.gradient && !shown) return html``;
    if (this.table) return tableTwin({ ...tensor, name: shown?.name ?? tensor.name }, plane, values, this.names);
    const most = Math.floor((MAX_HEIGHT * textZoom()) / plane.rows);
    const rowHeight = Math.max(3, Math.min(Math.round(this.rowHeight * textZoom()), most));
    const grid = html`<u-grid
      .tensor=${tensor}
      .shown=${shown}
      .held=${values}
      .lit=${this.lit}
      .slice=${plane.slice}
      .names=${this.names}
      .words=${this.#words(shown ?? tensor)}
      .rowHeight=${rowHeight}
    ></u-grid>`;
    const names = this.compact ? shortNames(this.names, innerWidth, innerHeight) : this.names;
    return names.rows || names.columns ? this.#labelled(grid, plane, rowHeight, names) : grid;
  }

  #labelled(grid: TemplateResult, plane: Plane, rowHeight: number, names: Names): TemplateResult {
    const { rows = [], columns = [] } = names;
    const at = this.lab.selection && this.tensor?.name === this.lab.selection.node ? this.lab.selection.index : -1;
    const here = cellAt(plane, at);
    const label = (text: string | undefined, on: boolean): TemplateResult =>
      html`<span class=${on ? 'on' : ''}><span>${text ?? ''}</span></span>`;
    const { told } = this;
    const above = html`<div
      class="cols ${told.columns ? 'told' : ''}"
      aria-hidden="true"
      style="grid-template-columns:repeat(${plane.columns},minmax(0,1fr))"
    >
      ${columns.map((text, i) => label(text, here?.column === i))}
    </div>`;
    return html`<div class="labelled ${this.compact || areShort(columns) ? '' : 'leaning'}">
      ${columns.length ? above : ''}
      <div class="rows ${told.rows ? 'told' : ''}" aria-hidden="true" style="grid-auto-rows:${rowHeight}px">
        ${rows.map((text, i) => label(text, here?.row === i))}
      </div>
      ${grid}
    </div>`;
  }

  /** Name of the slice axis: 4-D scores and weights are per head unless the lesson labels them. */
  #sliceName({ role, shape }: TraceNode): string {
    const heads = shape.length === 4 && (role === 'score' || role === 'weight');
    return this.names.slice ?? (heads ? texts.HEAD : texts.axisAt(shape.length - 3));
  }

  /** Selects the visible slice of a tensor with three or four axes. */
  #chooser(tensor: TraceNode): TemplateResult | typeof nothing {
    const lead = tensor.shape.slice(0, -2);
    if (lead.every((size) => size === 1)) return nothing;
    const { slice } = planeOf(tensor.shape, this.slice);
    const named = lead.length - 1;
    const list = (size: number, axis: number): TemplateResult => {
      const choose = (i: number): number[] => (this.slice = [...slice].with(axis, i));
      const nameOf = (i: number): string => (axis === named && this.names.slices?.[i]) || String(i);
      return select([...Array(size).keys()], slice[axis]!, choose, nameOf);
    };
    return html`<div class="slices">
      ${lead.map((size, axis) =>
        size === 1
          ? nothing
          : html`<label>${axis === named ? this.#sliceName(tensor) : texts.axisAt(axis)} ${list(size, axis)}</label>`,
      )}
    </div>`;
  }

  #foot(tensor: TraceNode, role: Role, values: Float32Array | undefined): TemplateResult {
    return html`<div class="figfoot">
      <span class="sum">${values ? headline(tensor, values, role, this.#chosen, this.names) : NOT_REACHED}</span>
      ${legend(scaleOf(role, values), this.#symbol(tensor))}
      ${moreMenu(
        this.idOf(`more-${tensor.id}`),
        MORE,
        html`
          <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
            ${this.table ? texts.SHOW_AS_CELLS : SHOW_AS_TABLE}
          </button>
          <u-export .name=${this.shown?.name ?? ''} .save=${tensorSaver(this.shown, values, this.slice)}></u-export>
        `,
      )}
    </div>`;
  }

  /** "[1, 2]" for the selected cell of this tensor, else "". */
  static where(tensor: TraceNode, index: number, names: Names = {}): string {
    const plane = planeAround(tensor.shape, index);
    const at = cellAt(plane, index);
    return at ? describeCell(plane, at.row, at.column, names) : '';
  }
}

customElements.define('u-heatmap', Heatmap);
