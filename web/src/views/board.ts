// <u-board>: the model's tensors, each where the data flows through it. What is not computed yet is hollow; in the
// backward pass every tensor shows its gradient, and in the update a parameter what becomes of it.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { narrow } from '../narrow';
import type { Phase, Trace, TraceNode } from '../types';
import { boardRows } from './board-layout';
import './export-menu';
import { hint } from './formula';
import './heatmap';
import { hover } from './hover';
import { bringIntoView } from './into-view';
import { legend } from './legend';
import { namesOf } from './labels';
import { tensorsOfLine } from './lines';
import { gradientSymbol, shortName, symbol } from './marks';
import { markOverflow } from './overflow';
import { scaleOf } from './palette';
import { type CellSets, provenance } from './provenance';
import { gradientOf, subjectOf } from './subject';
import { headline } from './summary';
import { updateRows } from './update-rows';
import { View } from './view';

type Mode = 'values' | 'gradients' | 'update';
const WORDS: Record<Mode, string> = { values: 'Values', gradients: 'Gradients', update: 'Update' };
/** What the cells show in each phase. */
const USUAL: Record<Phase, Mode> = { leaf: 'values', forward: 'values', backward: 'gradients', update: 'update' };
const NONE: ReadonlySet<number> = new Set();

/** CSS pixels: what the page needs beside the board, and a row of tensors beside its cells. */
const REST = 456;
const HEADER = 35;
/** Columns of a row, beside which there is room. */
const ROOMY = 7;

/** What the tensors of one drawing have in common; nodes by id. */
interface Look {
  shown: ReadonlySet<number>;
  lit: CellSets;
  /** Computed by the line of code under the pointer. */
  bright: ReadonlySet<number>;
  /** Being computed at the cursor. */
  now: number;
  rowHeight: number;
}

export class Board extends View {
  static override properties = {
    rows: { type: Array },
    show: {},
    mode: { state: true },
    table: { state: true },
  };

  /** Names in rows; null: as the page says, else from the trace. */
  declare rows: string[][] | null;
  /** "weights": only attention weights, larger. */
  declare show: 'all' | 'model' | 'weights';
  /** What the learner asked for; null: what is usual in the phase. */
  declare mode: Mode | null;
  declare table: boolean;

  #phase: Phase = 'leaf';
  #update: TraceNode[][] | null = null;
  readonly #resized = (): void => this.requestUpdate();

  constructor() {
    super();
    this.rows = null;
    this.show = 'all';
    this.mode = null;
    this.table = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('resize', this.#resized);
    this.lab.addEventListener('focused', this.#bringIntoView);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('resize', this.#resized);
    this.lab.removeEventListener('focused', this.#bringIntoView);
  }

  /** Once all that stands in the panel shows the step, and has its size. */
  readonly #bringIntoView = async (event: Event): Promise<void> => {
    const { name } = (event as CustomEvent<TraceNode>).detail;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const panel = this.closest<HTMLElement>('.panel');
    if (panel) bringIntoView(panel, name);
  };

  /** Going from one phase to the other drops what the learner asked for. */
  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace, cursor } = this.lab;
    const phase = trace?.nodes[cursor.node]?.phase ?? 'leaf';
    if (USUAL[phase] !== USUAL[this.#phase]) this.mode = null;
    this.#phase = phase;
    this.#update = trace && !this.rows ? updateRows(trace, cursor) : null;
  }

  override updated(): void {
    markOverflow(this.closest<HTMLElement>('.panel'));
  }

  /** Before the first parameter is updated all gradients are looked at. */
  get shows(): Mode {
    const mode = this.mode ?? USUAL[this.#phase];
    return mode === 'update' && !this.#update ? 'gradients' : mode;
  }

  override render(): TemplateResult | typeof nothing {
    const { trace } = this.lab;
    if (!trace) return html`<p class="hint board-empty">${this.lab.busy ?? 'There is no model yet.'}</p>`;
    return this.show === 'weights' ? this.#weights(trace) : this.#board(trace);
  }

  #weights(trace: Trace): TemplateResult {
    const weights = trace.nodes.filter((node) => node.phase === 'forward' && node.role === 'weight');
    const named = weights.filter((node) => shortName(node.name) === 'α');
    const list = named.length ? named : weights.slice(-1);
    if (!list.length) return html`<p class="hint">This model makes no attention weights.</p>`;
    return html`<div class="board">
      ${list.map((node) => html`<u-heatmap .name=${node.name} .rowHeight=${28} .names=${namesOf(trace, node)}></u-heatmap>`)}
    </div>`;
  }

  #board(trace: Trace): TemplateResult {
    const rows = this.#rows(trace);
    const nodes = rows.flat();
    const look: Look = {
      shown: new Set(nodes.map((node) => node.id)),
      lit: this.#lit(trace, nodes),
      bright: this.#ofHoveredLine(trace),
      now: this.#now(nodes),
      rowHeight: this.shows === 'update' ? lowest(rows) : heightOf(rows),
    };
    return html`<div
      class="board ${this.shows} ${this.table ? 'as-table' : ''}"
      aria-label="Tensors of the model"
      role="group"
    >
      ${rows.map((row) => html`<div class="board-row">${row.map((node) => this.#tensor(trace, node, look, isRoomy(row)))}</div>`)}
      ${this.#bar(trace, nodes)}
    </div>`;
  }

  #rows(trace: Trace): TraceNode[][] {
    if (this.shows === 'update' && this.#update) return this.#update;
    return boardRows(trace, this.rows ?? this.lab.page.board, (name) => this.lab.node(name), this.lab.cursor);
  }

  #tensor(trace: Trace, node: TraceNode, look: Look, roomy: boolean): TemplateResult {
    const gradient = this.shows === 'gradients';
    const columns = node.shape.at(-1) ?? 1;
    const drawn = gradient ? node.gradient : node.id;
    return html`<u-heatmap
      compact
      class=${look.bright.has(drawn) ? 'bright' : ''}
      style="--columns:${Math.min(columns, 12)}${roomy ? ';min-width:fit-content' : ''}"
      .name=${node.name}
      .gradient=${gradient}
      .table=${this.table}
      .rowHeight=${look.rowHeight}
      .names=${namesOf(trace, node)}
      .hint=${hint(trace, node, look.shown, (input) => this.lab.values(input))}
      .lit=${look.lit.get(drawn) ?? NONE}
      .now=${drawn === look.now}
    ></u-heatmap>`;
  }

  /** The cells behind the one under the pointer, or else behind the selected one. */
  #lit(trace: Trace, nodes: TraceNode[]): CellSets {
    const gradients = this.shows === 'gradients';
    const drawn = new Set(nodes.map((node) => (gradients ? node.gradient : node.id)).filter((id) => id >= 0));
    const start = this.#looked(gradients);
    const node = start && trace.nodes[start.node];
    if (!start || !node || !this.lab.reached(node)) return new Map();
    return provenance(trace, start, drawn, (input) => this.lab.values(input));
  }

  #looked(gradients: boolean): { node: number; index: number } | null {
    const { now } = hover;
    if (now.node !== null && now.index !== null) return { node: now.node, index: now.index };
    const { selection } = this.lab;
    const node = selection && this.lab.node(selection.node);
    return node ? { node: gradients ? node.gradient : node.id, index: selection.index } : null;
  }

  /** The tensor that the operation at the cursor works towards: the next of those on show; −1 for none. */
  #now(nodes: TraceNode[]): number {
    const { node } = this.lab.cursor;
    const drawn = nodes.map((n) => (this.shows === 'gradients' ? n.gradient : n.phase === 'leaf' ? -1 : n.id));
    const ahead = drawn.filter((id) => id >= node);
    return node < 0 || !ahead.length ? -1 : Math.min(...ahead);
  }

  #ofHoveredLine(trace: Trace): ReadonlySet<number> {
    const { line } = hover.now;
    return line === null ? NONE : new Set(tensorsOfLine(trace, line).map((node) => node.id));
  }

  #bar(trace: Trace, nodes: TraceNode[]): TemplateResult {
    const subject = subjectOf(this.lab, trace);
    const chosen = subject ? this.#toldOf(trace, subject.node, nodes) : nodes.at(-1);
    const shown = this.#asShown(trace, chosen);
    const values = shown && this.lab.reached(shown) ? this.lab.values(shown) : undefined;
    return html`<div class="figfoot board-bar">
      <div class="switch" role="group" aria-label="What the cells show">
        ${(['values', 'gradients', ...(this.#update ? (['update'] as const) : [])] as const).map(
          (mode) =>
            html`<button aria-pressed=${this.shows === mode} @click=${() => (this.mode = mode)}>
              ${WORDS[mode]}
            </button>`,
        )}
      </div>
      ${chosen && values ? this.#said(trace, chosen, values, subject?.selected ? subject.index : null) : html`<span class="sum"></span>`}
      <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
        ${this.table ? 'Show as cells' : 'Show as table'}
      </button>
      <u-export .node=${shown} .values=${values}></u-export>
    </div>`;
  }

  /** The tensor that a step is about: of a gradient the one it belongs to, rather one of those on show. */
  #toldOf(trace: Trace, node: TraceNode, nodes: TraceNode[]): TraceNode {
    const tensors = node.phase === 'backward' ? gradientOf(trace, node) : [];
    return tensors.find((tensor) => nodes.includes(tensor)) ?? tensors[0] ?? node;
  }

  /** The node whose values the cells of a tensor show. */
  #asShown(trace: Trace, tensor: TraceNode | undefined): TraceNode | undefined {
    const gradient = this.shows === 'gradients' && tensor && isOfModel(tensor);
    return gradient ? trace.nodes[tensor.gradient] : tensor;
  }

  /** "∂L/∂c: largest …", and its scale. */
  #said(trace: Trace, tensor: TraceNode, values: Float32Array, index: number | null): TemplateResult {
    const gradient = this.shows === 'gradients' && isOfModel(tensor);
    const role = gradient ? 'gradient' : tensor.role;
    const name = gradient ? gradientSymbol(tensor) : symbol(tensor);
    const text = headline(tensor, values, role, index, namesOf(trace, tensor));
    const words = text.charAt(0).toLowerCase() + text.slice(1);
    return html`<span class="sum">${name}${words.startsWith('row') ? ',' : ':'} ${words}</span>
      ${legend(scaleOf(role, values), name)}`;
  }
}

/** True if a row leaves room at its end: its tensors are then at least as wide as their headings. */
const isRoomy = (row: TraceNode[]): boolean =>
  row.reduce((sum, node) => sum + Math.max(2, node.shape.at(-1) ?? 1), 0) <= ROOMY;

/** True for what has a gradient of its own to show in place of it. */
const isOfModel = ({ phase }: TraceNode): boolean => phase === 'leaf' || phase === 'forward';

/** Row height in CSS pixels at which tensors of any height have room above the transport. */
function lowest(rows: TraceNode[][]): number {
  const cells = rows.reduce((sum, row) => sum + Math.max(1, ...row.map((node) => node.shape.at(-2) ?? 1)), 0);
  const room = innerHeight - REST - rows.length * HEADER;
  return Math.max(3, Math.min(heightOf(rows), Math.floor(room / cells)));
}

/** Row height in CSS pixels at which the rows of the board fill the room above the transport. */
function heightOf(rows: TraceNode[][]): number {
  const cells = rows.reduce(
    (sum, row) => sum + Math.max(1, ...row.map((node) => Math.min(8, node.shape.at(-2) ?? 1))),
    0,
  );
  if (narrow.matches) return 22;
  const room = innerHeight - REST - rows.length * HEADER;
  return Math.max(18, Math.min(36, Math.floor(room / cells)));
}

customElements.define('u-board', Board);
