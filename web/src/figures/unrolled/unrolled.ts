// <u-unrolled>: a recurrent network unrolled, from the trace of a run: every state a strip, an arrow wherever a cell
// reads another's state, and the attention of the position at the cursor.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/unrolled';
import './unrolled.css';
import type { Trace, TraceNode } from '../../engine/types';
import type { Part, Room } from '../host/contract';
import { Figure } from '../host/figure';
import type { Navigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { legend } from '../shared/legend';
import { gradientSymbol, mark, shortName, symbol } from '../shared/marks';
import { palette } from '../shared/palette';
import { widest } from '../shared/text-width';
import { LINE, arcs, feedbacks, flows, norms, readsKey, rowNames, strips, targetOf, words } from './unrolled-drawing';
import { type Spot, type UnrolledLayout, cellAtSpot, layOutUnrolled, spotAfterKey } from './unrolled-layout';
import { openedCell } from './unrolled-opened';
import { Scene, type UnrolledWords, type Values } from './unrolled-scene';
import { cellIn } from './unrolled-strips';
import { stateTable } from './unrolled-table';
import { type AttentionRow, type Unrolled, type UnrolledCell, readUnrolled } from './unrolled-trace';

export class UnrolledNetwork extends Figure<Scene, UnrolledLayout, Spot> {
  protected override readonly topics = ['run', 'cursor', 'selection', 'values'] as const;
  static override properties = {
    ...Figure.properties,
    trace: { attribute: false },
    values: { attribute: false },
    words: { attribute: false },
    example: { type: Number },
    gradient: { type: Boolean },
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
  /** Index of the cell whose gates are on show. */
  declare opened: number | null;

  protected override readonly kind = 'unrolled';

  #read: { trace: Trace; network: Unrolled } | null = null;
  /** The position whose arcs are drawn. */
  #attentionPosition: number | null = null;

  constructor() {
    super();
    this.trace = this.values = this.opened = null;
    this.words = {};
    this.example = 0;
    this.gradient = false;
  }

  read(): Scene | null {
    const trace = this.trace ?? this.lab.trace;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, network: readUnrolled(trace) };
    const network = trace && this.#read?.network;
    if (this.opened !== null && this.opened >= (network?.cells.length ?? 0)) this.opened = null;
    const ofLab = (node: TraceNode) => (this.lab.reached(node) ? this.lab.values(node) : undefined);
    if (!trace || !network?.cells.length) return null;
    return new Scene(trace, network, this.words, this.gradient, this.example, this.values ?? ofLab);
  }

  layout(scene: Scene, { width, zoom }: Room): UnrolledLayout {
    const line = LINE * zoom;
    const { sans } = palette();
    const { cells } = scene.network;
    const names = [...new Set(cells.map((cell) => scene.rowName(cell)))];
    const networks = [...new Set(cells.map(({ network }) => network))];
    const reads = Object.fromEntries(
      networks.map((network) => [network, Array.from(scene.reads(network), (read) => read?.word ?? '')]),
    );
    const texts = [scene.words, reads].flatMap((all) => Object.values(all).flat());
    return layOutUnrolled(scene.network, {
      ...{ width, line, reads, words: scene.words, bars: scene.gradient },
      gutter: Math.ceil(widest(names, line, sans)) + (scene.gradient ? 56 : 28),
      sizes: cells.map((cell) => scene.size(scene.node(cell.state))),
      widest: widest(texts, line, sans, 600),
    });
  }

  draw(scene: Scene, layout: UnrolledLayout, spot: Spot | null): Part[] {
    const index = cellAtSpot(layout, spot);
    const here = scene.network.cells[index ?? -1] ?? null;
    const attention = scene.gradient ? undefined : this.#attention(scene, here);
    return [
      ...flows(scene, layout),
      ...feedbacks(scene, layout),
      arcs(scene, layout, attention),
      ...rowNames(scene, layout),
      strips(scene, layout, { here: index, opened: this.opened }, (cell) => this.#toggle(cell)),
      ...(scene.gradient ? norms(scene, layout) : []),
      ...words(scene, layout, here, attention),
    ];
  }

  rows(scene: Scene): Table[] {
    return [stateTable(scene)];
  }

  tell(scene: Scene): string {
    const rows = this.plan?.rows ?? [];
    const attention = scene.gradient
      ? []
      : scene.network.attention.map((row) => scene.describeAttention(row)).filter(Boolean);
    return [...rows.map((row) => scene.describeRow(row)), attention.length ? texts.attention(attention) : ''].join(' ');
  }

  tellCell(scene: Scene, spot: Spot): string {
    return scene.describe(this.#cellAt(scene, spot) ?? scene.network.cells[0]!);
  }

  hit({ rows, strips: all }: UnrolledLayout, px: number, py: number): Spot | null {
    const strip = all.findLast((each) => {
      const { x, y, width, height } = targetOf(each);
      return px >= x && py >= y && px < x + width && py < y + height;
    });
    if (!strip) return null;
    const row = rows.findIndex(({ cells }) => cells.includes(strip.cell));
    return { row, position: rows[row]!.cells.indexOf(strip.cell), index: Math.max(0, cellIn(strip, px, py, Infinity)) };
  }

  navigation(_scene: Scene, layout: UnrolledLayout): Navigation<Spot> {
    const { rows } = layout;
    const columns = Math.max(...rows.map((row) => row.cells.length));
    return {
      ...{ role: 'grid', label: texts.STATES, extent: { rows: rows.length, columns } },
      first: { row: 0, position: 0 },
      has: (spot) => cellAtSpot(layout, spot) !== null,
      move: (from, key, ctrl) => (ctrl ? null : spotAfterKey(rows, from, key)),
      place: (spot) => ({
        ...{ row: spot.row, column: spot.position },
        expanded: this.opened !== null && this.opened === cellAtSpot(layout, spot),
      }),
    };
  }

  #cellAt(scene: Scene, spot: Spot | null): UnrolledCell | null {
    return this.plan && (scene.network.cells[cellAtSpot(this.plan, spot) ?? -1] ?? null);
  }

  /** Attention of the position at the cursor; if it has none, that of the last one that did, else the first. */
  #attention({ network: { attention } }: Scene, here: UnrolledCell | null): AttentionRow | undefined {
    const own = attention.find(({ network, position }) => network === here?.network && position === here.position);
    if (own) this.#attentionPosition = own.position;
    return own ?? attention.find(({ position }) => position === this.#attentionPosition) ?? attention[0];
  }

  protected headingOf(): string {
    return texts.HEADING;
  }

  protected override head(scene: Scene): TemplateResult {
    const first = scene.node(scene.network.cells[0]!.state);
    return html`<span class="tname"
        >${mark(this.gradient ? 'gradient' : 'state')}<span class="ftitle">${texts.HEADING}</span></span
      >
      <span class="fhint">${this.gradient ? texts.stripsAre(gradientSymbol(first)) : texts.STRIPS_ARE_STATES}</span
      >${this.gradient ? nothing : readsKey(scene)}`;
  }

  protected override below(scene: Scene): Part {
    const cell = this.opened === null ? undefined : scene.network.cells[this.opened];
    if (!cell) return nothing;
    const select = (id: number, index: number): void => this.#select(scene, id, index);
    return openedCell(scene, cell, this.width, this.lab.selection, select);
  }

  /** Selects in the lab, like a cell of the board, so that the inspector and the code follow. */
  #select(scene: Scene, id: number, index: number): void {
    const node = scene.node(id);
    this.lab.select(node.name, this.example * scene.size(node) + (index < scene.size(node) ? index : 0));
  }

  #toggle(cell: number): void {
    this.opened = this.opened === cell ? null : cell;
  }

  protected override press(spot: Spot | null): void {
    const cell = spot && this.scene && this.#cellAt(this.scene, spot);
    if (!cell) return;
    this.cursor = spot;
    this.#select(this.scene!, cell.state, spot.index ?? 0);
  }

  protected override enter(spot: Spot): boolean {
    this.press(spot);
    const index = this.plan && cellAtSpot(this.plan, spot);
    if (index !== null) this.#toggle(index);
    return index !== null;
  }

  protected readout(scene: Scene, spot: Spot | null): string {
    const here = this.#cellAt(scene, spot);
    const attention = this.#attention(scene, here);
    const attends = attention && !this.gradient && (!here || here.network === attention.network);
    const text = attends ? scene.describeAttention(attention) : '';
    return text || (here ? scene.describe(here) : texts.POINT_AT_STATE);
  }

  protected override legend(scene: Scene): TemplateResult {
    const node = scene.node(scene.network.cells[0]!.state);
    const ofAll = { ...node, name: shortName(node.name) };
    return html`${this.#shows()} ${legend(scene.scale(), this.gradient ? gradientSymbol(ofAll) : symbol(ofAll))}
    ${this.#opener()}`;
  }

  #shows(): TemplateResult {
    return html`<div class="switch" role="group" aria-label=${texts.STRIPS_SHOW}>
      ${[false, true].map(
        (gradient) =>
          html`<button aria-pressed=${this.gradient === gradient} @click=${() => (this.gradient = gradient)}>
            ${gradient ? texts.GRADIENTS : texts.VALUES}
          </button>`,
      )}
    </div>`;
  }

  #opener(): TemplateResult {
    const here = this.plan && cellAtSpot(this.plan, this.spot);
    return html`<button
      class="link"
      aria-expanded=${this.opened !== null}
      ?disabled=${here === null && this.opened === null}
      @click=${() => (this.opened = this.opened === null ? here : null)}
    >
      ${this.opened === null ? texts.OPEN_CELL : texts.CLOSE_CELL}
    </button>`;
  }
}

customElements.define('u-unrolled', UnrolledNetwork);
