// <u-unrolled>: a recurrent network unrolled, from the trace of a run: every state a strip, an arrow wherever a cell
// reads another's state, and the attention of the position at the cursor.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { type Lab, theLab } from '../../lab/lab';
import type { Trace, TraceNode } from '../../engine/types';
import { Figure, consumeKey } from '../figure';
import { widest } from '../figure-text';
import { legend } from '../shared/legend';
import { gradientSymbol, shortName, mark, symbol } from '../shared/marks';
import { palette } from '../shared/palette';
import { isPress } from '../shared/touch';
import { LINE, arcs, feedbacks, flows, norms, openedCell, readsKey, rowNames, strips, words } from './unrolled-drawing';
import { type Strip, type UnrolledLayout, layOutUnrolled, spotAfterKey } from './unrolled-layout';
import { Scene, type UnrolledWords, type Values } from './unrolled-scene';
import { cellIn } from './unrolled-strips';
import { stateLines, stateTable } from './unrolled-table';
import { type AttentionRow, type Unrolled, type UnrolledCell, readUnrolled } from './unrolled-trace';

export class UnrolledNetwork extends Figure {
  static override properties = {
    ...Figure.properties,
    trace: { attribute: false },
    values: { attribute: false },
    words: { attribute: false },
    example: { type: Number },
    gradient: { type: Boolean },
    cursor: { state: true },
    opened: { state: true },
  };

  /** null: the lab's. */
  declare trace: Trace | null;
  /** Values of a node of that trace; null: the lab's, whose cursor then decides what is reached. */
  declare values: Values | null;
  /** Source and target words, and the vocabulary. */
  declare words: UnrolledWords;
  /** Row of the batch on show. */
  declare example: number;
  /** Shows ∂L/∂h instead of h, with its norm. */
  declare gradient: boolean;
  declare cursor: { row: number; position: number } | null;
  /** Index of the cell whose gates are on show. */
  declare opened: number | null;

  #read: { trace: Trace; network: Unrolled } | null = null;
  #scene: Scene | null = null;
  #layout: UnrolledLayout | null = null;
  /** The position whose arcs are drawn. */
  #attentionPosition: number | null = null;
  readonly #again = (): void => this.requestUpdate();

  constructor() {
    super();
    this.trace = this.values = this.cursor = this.opened = null;
    this.words = {};
    this.example = 0;
    this.gradient = false;
  }

  get lab(): Lab {
    return theLab();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.lab.addEventListener('change', this.#again);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.lab.removeEventListener('change', this.#again);
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    const trace = this.trace ?? this.lab.trace;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, network: readUnrolled(trace) };
    const network = trace && this.#read?.network;
    const read = this.values ?? ((node: TraceNode) => (this.lab.reached(node) ? this.lab.values(node) : undefined));
    const some = trace && network?.cells.length;
    this.#scene = some ? new Scene(trace, network, this.words, this.gradient, this.example, read) : null;
    this.#layout = this.#scene && this.width ? this.#layOut(this.#scene) : null;
    if (this.opened !== null && this.opened >= (network?.cells.length ?? 0)) this.opened = null;
  }

  protected get ready(): boolean {
    return this.#scene !== null;
  }

  /** Only called when there is something to show. */
  get #shown(): Scene {
    return this.#scene!;
  }

  protected readonly heading = 'The network, unrolled';

  #layOut(scene: Scene): UnrolledLayout {
    const line = LINE * this.zoom;
    const { sans } = palette();
    const { cells } = scene.network;
    const names = [...new Set(cells.map((cell) => scene.rowName(cell)))];
    const networks = [...new Set(cells.map(({ network }) => network))];
    const reads = Object.fromEntries(
      networks.map((network) => [network, Array.from(scene.reads(network), (read) => read?.word ?? '')]),
    );
    return layOutUnrolled(scene.network, {
      width: this.width,
      line,
      gutter: Math.ceil(widest(names, line, sans)) + (this.gradient ? 56 : 28),
      sizes: cells.map((cell) => scene.size(scene.node(cell.state))),
      words: scene.words,
      reads,
      widest: widest(
        [scene.words, reads].flatMap((all) => Object.values(all).flat()),
        line,
        sans,
        600,
      ),
      bars: this.gradient,
    });
  }

  get #hereIndex(): number | null {
    const cell = this.#layout?.rows[this.cursor?.row ?? -1]?.cells[this.cursor?.position ?? -1];
    return cell === undefined || cell < 0 ? null : cell;
  }

  get #here(): UnrolledCell | null {
    return this.#shown.network.cells[this.#hereIndex ?? -1] ?? null;
  }

  /** Attention of the position at the cursor; if it has none, that of the last one that did, else the first. */
  get #attention(): AttentionRow | undefined {
    const { attention } = this.#shown.network;
    const here = this.#here;
    const own = attention.find(({ network, position }) => network === here?.network && position === here.position);
    if (own) this.#attentionPosition = own.position;
    return own ?? attention.find(({ position }) => position === this.#attentionPosition) ?? attention[0];
  }

  protected override head(): TemplateResult {
    const first = this.#shown.node(this.#shown.network.cells[0]!.state);
    return html`<span class="tname"
        >${mark(this.gradient ? 'gradient' : 'state')}<span class="ftitle">${this.heading}</span></span
      >
      <span class="fhint"
        >${this.gradient ? html`each strip is ${gradientSymbol(first)}, the bar its norm` : 'each strip is a state, each column a position'}</span
      >${this.gradient ? nothing : readsKey(this.#shown)}`;
  }

  protected picture(): TemplateResult {
    const [scene, layout] = [this.#shown, this.#layout!];
    const [here, attention] = [this.#here, this.#attention];
    const events = { press: this.#pressed, open: (strip: Strip) => this.#toggle(strip.cell) };
    return html`<div
      class="scrolled"
      role="grid"
      tabindex="0"
      aria-label="States of the network"
      aria-rowcount=${layout.rows.length}
      aria-colcount=${Math.max(...layout.rows.map((row) => row.cells.length))}
      aria-activedescendant="${this.uid}-cell"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= { row: 0, position: 0 })}
    >
      <svg
        class="drawn unrolled"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${flows(scene, layout)} ${feedbacks(scene, layout)} ${this.gradient ? nothing : arcs(scene, layout, attention)}
        ${rowNames(scene, layout)} ${strips(scene, layout, { here: this.#hereIndex, opened: this.opened }, events)}
        ${this.gradient ? norms(scene, layout) : nothing}
        ${words(scene, layout, here, this.gradient ? undefined : attention)}
      </svg>
      ${this.#spokenCell(here)}
    </div>`;
  }

  #spokenCell(here: UnrolledCell | null): TemplateResult {
    return html`<div role="row" class="vh" aria-rowindex=${(this.cursor?.row ?? 0) + 1}>
      <span
        role="gridcell"
        id="${this.uid}-cell"
        aria-colindex=${(this.cursor?.position ?? 0) + 1}
        aria-selected=${here !== null}
        aria-expanded=${this.opened !== null && this.opened === this.#hereIndex}
        >${this.#shown.describe(here ?? this.#shown.network.cells[0]!)}</span
      >
    </div>`;
  }

  protected override belowDrawing(): TemplateResult | typeof nothing {
    const cell = this.opened === null || this.table ? undefined : this.#shown.network.cells[this.opened];
    if (!cell) return nothing;
    const select = (id: number, index: number): void => this.#select(id, index);
    return openedCell(this.#shown, cell, this.width, this.lab.selection, select);
  }

  /** Selects in the lab, like a cell of the board, so that the inspector and the code follow. */
  #select(id: number, index: number): void {
    const node = this.#shown.node(id);
    this.lab.select(node.name, this.example * this.#shown.size(node) + index);
  }

  #toggle(cell: number): void {
    this.opened = this.opened === cell ? null : cell;
  }

  readonly #pressed = (event: PointerEvent, strip: Strip): void => {
    if (!isPress(event)) return;
    const cell = this.#shown.network.cells[strip.cell]!;
    const row = this.#layout!.rows.findIndex((each) => each.cells.includes(strip.cell));
    const box = this.querySelector('svg.drawn')!.getBoundingClientRect();
    const size = this.#shown.size(this.#shown.node(cell.state));
    const index = cellIn(strip, event.clientX - box.left, event.clientY - box.top, size);
    this.cursor = { row, position: cell.position };
    this.#select(cell.state, Math.max(0, index));
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (!this.#layout || event.altKey || event.metaKey || event.ctrlKey) return;
    if (event.key === 'Enter') return this.#entered(event);
    const to = spotAfterKey(this.#layout.rows, this.cursor ?? { row: 0, position: 0 }, event.key);
    if (to) this.cursor = to;
    consumeKey(event, to !== null);
  };

  #entered(event: KeyboardEvent): void {
    const index = this.#hereIndex;
    if (index === null) return;
    this.#select(this.#shown.network.cells[index]!.state, 0);
    this.#toggle(index);
    consumeKey(event, true);
  }

  /** Scrolls a wide network inside the figure to the cursor. */
  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const box = this.querySelector('.scrolled');
    const strip = this.#layout?.strips[this.#hereIndex ?? -1];
    if (!changed.has('cursor') || !box || !strip || !box.contains(document.activeElement)) return;
    const end = strip.x + strip.width + 12;
    if (end > box.scrollLeft + box.clientWidth) box.scrollLeft = end - box.clientWidth;
    if (strip.x - 12 < box.scrollLeft) box.scrollLeft = strip.x - 12;
  }

  protected readout(): string {
    const [here, attention] = [this.#here, this.#attention];
    const text =
      attention && !this.gradient && (!here || here.network === attention.network)
        ? this.#shown.describeAttention(attention)
        : '';
    return text || (here ? this.#shown.describe(here) : 'Point at a state to read it.');
  }

  protected override key(): TemplateResult {
    const node = this.#shown.node(this.#shown.network.cells[0]!.state);
    const ofAll = { ...node, name: shortName(node.name) };
    const here = this.#hereIndex;
    return html`<div class="switch" role="group" aria-label="What the strips show">
        ${[false, true].map(
          (gradient) =>
            html`<button aria-pressed=${this.gradient === gradient} @click=${() => (this.gradient = gradient)}>
              ${gradient ? 'Gradients' : 'Values'}
            </button>`,
        )}
      </div>
      ${legend(this.#shown.scale(), this.gradient ? gradientSymbol(ofAll) : symbol(ofAll))}
      <button
        class="link"
        aria-expanded=${this.opened !== null}
        ?disabled=${here === null && this.opened === null}
        @click=${() => (this.opened = this.opened === null ? here : null)}
      >
        ${this.opened === null ? 'Open cell' : 'Close cell'}
      </button>`;
  }

  protected spoken(): string {
    const scene = this.#shown;
    const rows = this.#layout?.rows ?? [];
    const attention = this.gradient
      ? []
      : scene.network.attention.map((row) => scene.describeAttention(row)).filter(Boolean);
    return [...rows.map((row) => scene.describeRow(row)), attention.length ? `${attention.join('; ')}.` : ''].join(' ');
  }

  protected twin(): TemplateResult {
    return stateTable(this.#shown, this.heading);
  }

  protected csv(): string {
    return stateLines(this.#shown);
  }
}

customElements.define('u-unrolled', UnrolledNetwork);
