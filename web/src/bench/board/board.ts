// <u-board>: the model's tensors, laid out along the data flow. Tensors not computed yet are hollow. The backward pass
// shows gradients, the update how a parameter changes.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/bench/board';
import { MORE, SHOW_AS_TABLE } from '#messages/figures/host';
import { busyWith } from '#messages/lab';
import './board.css';
import { toggles } from '../../ui/choices';
import type { Phase, Trace, TraceNode } from '../../engine/types';
import { boardRows, updateRows } from './board-layout';
import { tensorSaver } from '../../figures/host/export-menu';
import { shortFormula } from '../../figures/shared/formula';
import './heatmap';
import { bringIntoView } from './into-view';
import { gradientSymbol, legend, symbol } from '../../figures/shared/marks';
import { gradientOf, highlight, namesOf, subjectOf } from '../../figures/shared/summary';
import { tensorsOfLine } from '../code/lines';
import { markOverflow } from '../../figures/shared/overflow';
import { scaleOf } from '../../figures/shared/palette';
import { type CellSets, provenance } from '../../figures/shared/provenance';
import { runOf, shortShape } from '../../ui/tensor-names';
import { type Told, NOTHING_TOLD, toldOn } from './told';
import { View } from '../../figures/host/view';
import { moreMenu } from '../../ui/more-menu';

type Mode = keyof typeof texts.MODES;
/** Default mode of each phase. */
const DEFAULT_MODE: Record<Phase, Mode> = {
  leaf: 'values',
  forward: 'values',
  backward: 'gradients',
  update: 'update',
};
const NONE: ReadonlySet<number> = new Set();

/** CSS pixels taken by the rest of the page, and by a row of tensors apart from its cells. */
const CHROME_HEIGHT = 72;
const HEADER_HEIGHT = 35;
/** A row with at most this many columns leaves room at its end. */
const ROOMY_COLUMNS = 7;

/** Shared by all tensors of one render; nodes by id. */
interface RenderState {
  shown: ReadonlySet<number>;
  lit: CellSets;
  /** Computed by the line of code under the pointer. */
  bright: ReadonlySet<number>;
  /** Being computed at the cursor. */
  now: number;
  rowHeight: number;
  /** What need not be said twice. */
  told: ReadonlyMap<TraceNode, Told>;
}

export class Board extends View {
  protected readonly topics = ['run', 'cursor', 'selection', 'hover', 'values'] as const;
  static override properties = { rows: { type: Array }, mode: { state: true }, table: { state: true } };

  /** Tensor names by row; null: the page's rows, else automatic. */
  rows: string[][] | null = null;
  /** Chosen by the learner; null: the default of the phase. */
  mode: Mode | null = null;
  table = false;

  #phase: Phase = 'leaf';
  #update: TraceNode[][] | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.listen(window, 'resize', this.onChange);
    this.listen(this.lab, 'activity', () => this.lab.trace || this.requestUpdate()); // what it is busy with, while empty
    this.listen(this.lab, 'focused', (event) => void this.#reveal((event as CustomEvent<TraceNode>).detail.name));
    this.listen(this.lab, 'moved', this.#followStep);
  }

  /** Waits two frames, until everything in the panel has rendered the step and has its size. */
  async #reveal(name: string): Promise<void> {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const panel = this.closest<HTMLElement>('.pane');
    if (panel) bringIntoView(panel, name);
  }

  /** Brings what a step has just computed into view, but scrolls no figure away in which the reader is at work. */
  readonly #followStep = (): void => {
    const node = this.lab.trace?.nodes[this.lab.cursor.node];
    const at = document.activeElement;
    if (node && (this.contains(at) || !at?.closest('figure'))) void this.#reveal(node.name);
  };

  /** A change of phase drops the learner's choice of mode. */
  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace, cursor } = this.lab;
    const phase = trace?.nodes[cursor.node]?.phase ?? 'leaf';
    if (DEFAULT_MODE[phase] !== DEFAULT_MODE[this.#phase]) this.mode = null;
    this.#phase = phase;
    this.#update = trace && !this.rows ? updateRows(trace, cursor) : null;
  }

  override updated(): void {
    markOverflow(this.closest<HTMLElement>('.pane'));
  }

  /** Outside a parameter's update, the update mode falls back to gradients. */
  get shows(): Mode {
    const mode = this.mode ?? DEFAULT_MODE[this.#phase];
    return mode === 'update' && !this.#update ? 'gradients' : mode;
  }

  override render(): TemplateResult | typeof nothing {
    const { trace } = this.lab;
    if (!trace) return html`<p class="hint board-empty">${busyWith(this.lab.busy) || texts.NO_MODEL}</p>`;
    return this.#board(trace);
  }

  #board(trace: Trace): TemplateResult {
    const rows = this.#rows(trace);
    const nodes = rows.flat();
    const state: RenderState = {
      shown: new Set(nodes.map((node) => node.id)),
      lit: this.#lit(trace, nodes),
      bright: this.#ofHoveredLine(trace),
      now: this.#now(nodes),
      told: this.#told(rows),
      rowHeight: rowHeight(rows, this.closest('.pane')?.clientHeight ?? 0, this.shows === 'update'),
    };
    return html`<div
      class="board ${this.shows} ${this.table ? 'as-table' : ''}"
      aria-label=${texts.TENSORS}
      role="group"
    >
      ${rows.map((row) => html`<div class="board-row">${row.map((node) => this.#tensor(trace, node, state, isRoomy(row)))}</div>`)}
      ${this.#bar(trace, nodes)}
    </div>`;
  }

  #told(rows: TraceNode[][]): ReadonlyMap<TraceNode, Told> {
    const run = runOf(this.lab);
    return run
      ? toldOn(
          rows,
          (node) => namesOf(this.lab, node),
          (node) => shortShape(run, node),
        )
      : new Map();
  }

  #rows(trace: Trace): TraceNode[][] {
    if (this.shows === 'update' && this.#update) return this.#update;
    return boardRows(trace, this.rows ?? this.lab.page.board, (name) => this.lab.node(name), this.lab.cursor);
  }

  #tensor(trace: Trace, node: TraceNode, state: RenderState, roomy: boolean): TemplateResult {
    const gradient = this.shows === 'gradients';
    const columns = node.shape.at(-1) ?? 1;
    const drawn = gradient ? node.gradient : node.id;
    return html`<u-heatmap
      compact
      class=${state.bright.has(drawn) ? 'bright' : ''}
      style="--columns:${Math.min(columns, 12)}${roomy ? ';min-width:fit-content' : ''}"
      .name=${node.name}
      .gradient=${gradient}
      .table=${this.table}
      .rowHeight=${state.rowHeight}
      .names=${namesOf(this.lab, node)}
      .told=${state.told.get(node) ?? NOTHING_TOLD}
      .hint=${shortFormula(trace, node, state.shown, (input) => this.lab.values(input))}
      .lit=${state.lit.get(drawn) ?? NONE}
      .now=${drawn === state.now}
    ></u-heatmap>`;
  }

  /** The cells that the one under the pointer, else the selected one, was computed from. */
  #lit(trace: Trace, nodes: TraceNode[]): CellSets {
    const gradients = this.shows === 'gradients';
    const drawn = new Set(nodes.map((node) => (gradients ? node.gradient : node.id)).filter((id) => id >= 0));
    const start = this.#hoveredOrSelected(gradients);
    const node = start && trace.nodes[start.node];
    if (!start || !node || !this.lab.reached(node)) return new Map();
    return provenance(trace, start, drawn, (input) => this.lab.values(input));
  }

  #hoveredOrSelected(gradients: boolean): { node: number; index: number } | null {
    const { hover, selection } = this.lab;
    if (hover.node !== null && hover.index !== null) return { node: hover.node, index: hover.index };
    const node = selection && this.lab.node(selection.node);
    return node ? { node: gradients ? node.gradient : node.id, index: selection.index } : null;
  }

  /** Id of the first shown tensor computed at or after the cursor; −1 if there is none. */
  #now(nodes: TraceNode[]): number {
    const { node } = this.lab.cursor;
    const drawn = nodes.map((n) => (this.shows === 'gradients' ? n.gradient : n.phase === 'leaf' ? -1 : n.id));
    const ahead = drawn.filter((id) => id >= node);
    return node < 0 || !ahead.length ? -1 : Math.min(...ahead);
  }

  #ofHoveredLine(trace: Trace): ReadonlySet<number> {
    const { line } = this.lab.hover;
    return line === null ? NONE : new Set(tensorsOfLine(trace, line).map((node) => node.id));
  }

  /** Until the backward pass is reached, or gradients are asked for, the choice is in the menu. */
  get #offersGradients(): boolean {
    return this.mode !== null || DEFAULT_MODE[this.#phase] !== 'values';
  }

  #modes(): TemplateResult {
    const modes: readonly Mode[] = ['values', 'gradients', ...(this.#update ? (['update'] as const) : [])];
    const nameOf = (mode: Mode): string => texts.MODES[mode];
    return toggles(texts.WHAT_CELLS_SHOW, modes, this.shows, (mode) => (this.mode = mode), nameOf);
  }

  #bar(trace: Trace, nodes: TraceNode[]): TemplateResult {
    const subject = subjectOf(this.lab, trace);
    const chosen = subject ? this.#subjectTensor(trace, subject.node, nodes) : nodes.at(-1);
    const shown = this.#asShown(trace, chosen);
    const values = shown && this.lab.reached(shown) ? this.lab.values(shown) : undefined;
    return html`<div class="figfoot board-bar">
      ${this.#offersGradients ? this.#modes() : nothing}
      ${chosen && values ? this.#caption(chosen, values, subject?.selected ? subject.index : null) : html`<span class="sum"></span>`}
      ${moreMenu(
        this.idOf('board-more'),
        MORE,
        html`
          ${this.#offersGradients ? nothing : this.#gradientsButton()}
          <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
            ${this.table ? texts.SHOW_AS_CELLS : SHOW_AS_TABLE}
          </button>
          <u-export .name=${shown?.name ?? ''} .save=${tensorSaver(shown, values)}></u-export>
        `,
      )}
    </div>`;
  }

  #gradientsButton(): TemplateResult {
    return html`<button class="link" @click=${() => (this.mode = 'gradients')}>${texts.MODES.gradients}</button>`;
  }

  /** The tensor a step is about: for a gradient, the tensor it belongs to, preferably a shown one. */
  #subjectTensor(trace: Trace, node: TraceNode, nodes: TraceNode[]): TraceNode {
    const tensors = node.phase === 'backward' ? gradientOf(trace, node) : [];
    return tensors.find((tensor) => nodes.includes(tensor)) ?? tensors[0] ?? node;
  }

  /** The node whose values a tensor's cells show. */
  #asShown(trace: Trace, tensor: TraceNode | undefined): TraceNode | undefined {
    const gradient = this.shows === 'gradients' && tensor && isOfModel(tensor);
    return gradient ? trace.nodes[tensor.gradient] : tensor;
  }

  /** "∂L/∂c: largest …", with its colour scale. */
  #caption(tensor: TraceNode, values: Float32Array, index: number | null): TemplateResult {
    const gradient = this.shows === 'gradients' && isOfModel(tensor);
    const role = gradient ? 'gradient' : tensor.role;
    const name = gradient ? gradientSymbol(tensor) : symbol(tensor);
    const { row, text } = highlight(tensor, values, role, index, namesOf(this.lab, tensor));
    return html`<span class="sum ${index === null ? 'resting' : ''}">${texts.standsOut(name, row, text)}</span>
      ${legend(scaleOf(role, values), name)}`;
  }
}

/** True if a row leaves room at its end; its tensors are then at least as wide as their headings. */
const isRoomy = (row: TraceNode[]): boolean =>
  row.reduce((sum, node) => sum + Math.max(2, node.shape.at(-1) ?? 1), 0) <= ROOMY_COLUMNS;

/** True for nodes that are replaced by their gradient in gradient mode. */
const isOfModel = ({ phase }: TraceNode): boolean => phase === 'leaf' || phase === 'forward';

/** Rows of a tensor up to which its cells are read; a taller one is a picture. CSS pixels of a cell that can be read. */
const READ_ROWS = 8;
const READABLE = 26;

/** CSS pixels of a cell's height at which the rows of the board fill the pane; in an update tall tensors must fit, too. */
function rowHeight(rows: TraceNode[][], pane: number, update: boolean): number {
  const isRead = rows.flat().every(({ shape }) => (shape.at(-2) ?? 1) <= READ_ROWS);
  const filling = Math.max(isRead ? READABLE : 20, Math.min(48, heightOfCells(rows, pane, READ_ROWS)));
  return update && !isRead ? Math.max(3, Math.min(filling, heightOfCells(rows, pane, Infinity))) : filling;
}

/** The height of a cell if the rows, each of `most` cells at most, share the height of the pane. */
function heightOfCells(rows: TraceNode[][], pane: number, most: number): number {
  const heights = rows.map((row) => Math.max(1, ...row.map((node) => Math.min(most, node.shape.at(-2) ?? 1))));
  const room = pane - CHROME_HEIGHT - rows.length * HEADER_HEIGHT;
  return Math.floor(room / heights.reduce((sum, height) => sum + height, 0));
}

customElements.define('u-board', Board);
