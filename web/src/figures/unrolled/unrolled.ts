// <u-unrolled>: a recurrent network unrolled, from the trace of a run: every state a strip, an arrow wherever a cell
// reads another's state, and the attention of the position at the cursor.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/unrolled';
import './unrolled.css';
import type { Selection, Trace, TraceNode } from '../../engine/types';
import { topStops } from '../../lab/stops';
import { select, toggles } from '../../ui/choices';
import { significant } from '../../ui/numbers';
import { states, type Description, type Drawing, type Navigation, type Part, type Room } from '../host/contract';
import { Figure } from '../host/figure';
import { gradientSymbol, legend, mark, shortName, symbol } from '../shared/marks';
import { widest } from '../shared/palette';
import { arcs, feedbacks, flows, norms, readsKey, rowNames, strips, words } from './unrolled-drawing';
import type { Spot, UnrolledLayout } from './unrolled-layout';
import { cellAtSpot, layOutUnrolled, networksOf, outputSpotAt, spotAfterKey, spotAt } from './unrolled-layout';
import { openedCell } from './unrolled-cell';
import { Scene, type UnrolledWords, type Values, stateTable } from './unrolled-scene';
import { type Asked, needsOf, outputAt } from './unrolled-needs';
import { type AttentionRow, type Unrolled, type UnrolledCell, readUnrolled } from './unrolled-trace';

/** A state, or the output of its position: by place, since another run has other cells. */
interface Traced extends Pick<UnrolledCell, 'network' | 'layer' | 'reverse' | 'position'> {
  output: boolean;
}

/** Null where this network has no such place. */
function askedIn(network: Unrolled, traced: Traced | null): Asked | null {
  if (!traced) return null;
  const { position, layer, reverse } = traced;
  const output = traced.output && outputAt(network, traced.network, position);
  if (output) return { output };
  const cell = network.cells.findIndex(
    (each) =>
      each.network === traced.network && each.position === position && each.layer === layer && each.reverse === reverse,
  );
  return cell < 0 || traced.output ? null : { cell };
}

export class UnrolledNetwork extends Figure<Scene, Spot, UnrolledLayout> {
  protected override readonly topics = ['run', 'cursor', 'selection', 'choice', 'values'] as const;
  static override properties = {
    ...states('trace', 'values', 'words', 'opened', 'asked', 'traced'),
    gradient: { type: Boolean },
  };

  /** null: the lab's. */
  trace: Trace | null = null;
  /** Values of a node of that trace; null: the lab's, whose cursor then decides what is reached. */
  values: Values | null = null;
  /** Source and target words, and the vocabulary. */
  words: UnrolledWords = {};
  /** Row of the batch on show. */
  example = 0;
  /** Shows ∂L/∂h instead of h, with its norm. */
  gradient = false;
  /** Gradients have been asked for: the choice stays in sight. */
  asked = false;
  /** What only what it depends on is on show for; null: everything. */
  traced: Traced | null = null;
  /** Index of the cell whose gates are on show. */
  opened: number | null = null;

  protected override readonly kind = 'unrolled';

  /** The position whose arcs are drawn. */
  #attentionPosition: number | null = null;

  /** The cell that was marked on the bench last. */
  #marked: Selection | null = null;

  /** Node of the cursor that was looked at last; gradients show because it was one of theirs. */
  #followed = -1;
  #byCursor = false;

  override willUpdate(changed: PropertyValues<this>): void {
    const { trace, cursor, selection } = this.lab;
    if (!this.trace && trace && cursor.node !== this.#followed) this.#follow(trace, (this.#followed = cursor.node));
    if (!this.trace && trace && selection !== this.#marked) this.#followWeight(trace, (this.#marked = selection));
    super.willUpdate(changed);
  }

  /** A cursor that comes to the gradient of a state brings the gradients; one that comes to a state takes them away again. */
  #follow(trace: Trace, at: number): void {
    const states = readUnrolled(trace)?.cells.map(({ state }) => state) ?? [];
    const ofGradient = states.some((state) => trace.nodes[state]!.gradient === at);
    if (ofGradient && !this.gradient) this.gradient = this.#byCursor = true;
    else if (this.#byCursor && states.includes(at)) this.gradient = this.#byCursor = false;
  }

  /** A weight that is marked on the bench brings the arcs of its position, in place of what was pressed here before. */
  #followWeight(trace: Trace, marked: Selection | null): void {
    const rows = readUnrolled(trace).attention.filter(({ weights }) => trace.nodes[weights]!.name === marked?.node);
    if (!marked || !rows.length) return;
    const row = Math.floor(marked.index / rows[0]!.memory.length) % rows.length;
    [this.#attentionPosition, this.cursor] = [rows[row]!.position, null];
  }

  protected read(): Scene | null {
    const trace = this.trace ?? this.lab.trace;
    const network = trace && readUnrolled(trace);
    if (this.opened !== null && this.opened >= (network?.cells.length ?? 0)) this.opened = null;
    const ofLab = (node: TraceNode) => (this.lab.reached(node) ? this.lab.values(node) : undefined);
    if (!trace || !network?.cells.length) return null;
    const asked = askedIn(network, this.traced);
    const needs = asked && needsOf(network, asked);
    const rows = trace.nodes[network.cells[0]!.state]!.shape[0] ?? 1;
    this.example = Math.min(this.lab.state.shown[this.localName]?.at ?? 0, rows - 1);
    return new Scene(trace, network, this.words, this.gradient, this.example, this.values ?? ofLab, needs);
  }

  protected describe(scene: Scene): Description<Spot> {
    return {
      heading: texts.HEADING,
      summary: () => this.#summary(scene),
      cell: (spot) => scene.describe(this.#cellAt(scene, spot) ?? scene.network.cells[0]!),
      readout: (spot) => this.#readout(scene, this.#cellAt(scene, spot)),
      tables: () => [stateTable(scene)],
    };
  }

  #summary(scene: Scene): string {
    const rows = this.plan?.rows ?? [];
    const attention = scene.gradient
      ? []
      : scene.network.attention.map((row) => scene.describeAttention(row)).filter(Boolean);
    const parts = [...rows.map((row) => scene.describeRow(row)), attention.length ? texts.attention(attention) : ''];
    return [scene.describeNeeds(), ...parts].join(' ').trim();
  }

  #readout(scene: Scene, here: UnrolledCell | null): string {
    if (scene.needs && (!this.under || this.under.output)) return scene.describeNeeds();
    const attention = this.#attention(scene, here);
    const attends = attention && !this.gradient && (!here || here.network === attention.network);
    const text = attends ? scene.describeAttention(attention) : '';
    return text || (here ? scene.describe(here) : '');
  }

  protected layOut(scene: Scene, { width, maxHeight, line, inPart }: Room): UnrolledLayout & Drawing<Spot> {
    const { cells } = scene.network;
    const names = [...new Set(cells.map((cell) => scene.rowName(cell)))];
    const reads = Object.fromEntries(
      networksOf(cells).map((name) => [name, Array.from(scene.reads(name), (read) => read?.word ?? '')]),
    );
    const texts = [scene.words, reads].flatMap((all) => Object.values(all).flat());
    const layout = layOutUnrolled(scene.network, {
      ...{ maxHeight, inPart, width, line, reads, words: scene.words, bars: scene.gradient },
      gutter: Math.ceil(widest(names, line)) + (scene.gradient ? 56 : 28),
      sizes: cells.map((cell) => scene.size(scene.node(cell.state))),
      widest: widest(texts, line, 600),
    });
    return {
      ...layout,
      draw: (spot) => this.#draw(scene, layout, spot),
      hit: (x, y) => spotAt(layout, x, y) ?? outputSpotAt(layout, scene.network.outputs, x, y),
      navigation: this.#navigation(layout),
    };
  }

  #draw(scene: Scene, layout: UnrolledLayout, spot: Spot | null): Part[] {
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

  #navigation(layout: UnrolledLayout): Navigation<Spot> {
    const { rows } = layout;
    const columns = Math.max(...rows.map((row) => row.cells.length));
    return {
      ...{ role: 'grid', label: texts.STATES, extent: { rows: rows.length, columns } },
      first: { row: 0, column: 0 },
      has: (spot) => cellAtSpot(layout, spot) !== null,
      move: (from, key, ctrl) => (ctrl ? null : spotAfterKey(rows, from, key)),
      place: ({ row, column }) => {
        const expanded = this.opened !== null && this.opened === cellAtSpot(layout, { row, column });
        return { row, column, expanded };
      },
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

  protected override head(scene: Scene): TemplateResult {
    const first = scene.node(scene.network.cells[0]!.state);
    return html`<span class="tname"
        >${mark(this.gradient ? 'gradient' : 'state')}<span class="ftitle">${texts.HEADING}</span></span
      >
      <span class="fhint"
        >${this.gradient ? [texts.stripsAre(gradientSymbol(first)), '; ', texts.ARROWS_ARE_GRADIENTS] : texts.STRIPS_ARE_STATES}</span
      >${this.gradient ? nothing : readsKey(scene)}`;
  }

  /** Any row of a batch: the one before, the next, or from a list, each told by its words. */
  protected override above(scene: Scene): Part {
    const { examples: count, loss } = scene;
    if (count < 2) return nothing;
    const show = (at: number): void => this.lab.choose(this.localName, { at });
    const button = (to: number, name: string, sign: string): TemplateResult =>
      html`<button
        type="button"
        class="btn small"
        aria-label=${name}
        ?disabled=${to < 0 || to >= count}
        @click=${() => show(to)}
      >
        ${sign}
      </button>`;
    const rows = [...Array(count).keys()];
    return html`<div class="row example">
      ${button(this.example - 1, texts.ROW_BEFORE, '‹')}
      ${select(rows, this.example, show, (at) => texts.rowOfBatch(at + 1, count), texts.ROW_OF_BATCH)}
      ${button(this.example + 1, texts.NEXT_ROW, '›')}
      <span class="hint" role="status">${loss === undefined ? nothing : texts.lossOfRow(significant(loss, 3))}</span>
    </div>`;
  }

  protected override below(scene: Scene): Part {
    const cell = this.opened === null ? undefined : scene.network.cells[this.opened];
    if (!cell) return nothing;
    const select = (id: number, index: number): void => this.#select(scene, id, index);
    return openedCell(scene, cell, this.width, this.lab.selection, select);
  }

  /** Only what this depends on; everything again, if it is on show for that already. */
  #ask({ network, layer, reverse, position }: UnrolledCell, output: boolean): void {
    const traced = { network, layer, reverse, position, output };
    const isAgain = JSON.stringify(traced) === JSON.stringify(this.traced);
    this.traced = isAgain ? null : traced;
  }

  /** Selects in the lab, like a cell of the board, so that the inspector and the code follow. */
  #select(scene: Scene, id: number, index: number): void {
    const node = scene.node(id);
    this.lab.select(node.name, this.example * scene.size(node) + (index < scene.size(node) ? index : 0));
  }

  #toggle(cell: number): void {
    this.opened = this.opened === cell ? null : cell;
  }

  /** Escape shows everything again. */
  protected override ownKey({ key }: KeyboardEvent): boolean {
    if (key !== 'Escape' || !this.traced) return false;
    this.traced = null;
    return true;
  }

  protected override press(spot: Spot | null): void {
    const cell = spot && this.scene && this.#cellAt(this.scene, spot);
    if (!cell) return;
    this.cursor = spot;
    if (spot.output) return this.#ask(cell, true);
    this.#select(this.scene!, cell.state, spot.index ?? 0);
  }

  protected override enter(spot: Spot): boolean {
    this.press(spot);
    const index = this.plan && cellAtSpot(this.plan, spot);
    if (index !== null) this.#toggle(index);
    return index !== null;
  }

  protected override legend(scene: Scene): TemplateResult {
    const node = scene.node(scene.network.cells[0]!.state);
    const ofAll = { ...node, name: shortName(node.name) };
    return html`${this.#offersGradients ? this.#shows() : nothing}
    ${legend(scene.scale(), this.gradient ? gradientSymbol(ofAll) : symbol(ofAll))}`;
  }

  /** Until the lab's backward pass is reached, or gradients are asked for, the choice is in the menu. */
  get #offersGradients(): boolean {
    const { trace, cursor } = this.lab;
    return (
      this.trace !== null ||
      this.gradient ||
      this.asked ||
      /backward|update/.test(trace?.nodes[cursor.node]?.phase ?? '')
    );
  }

  #shows(): TemplateResult {
    const nameOf = (gradient: boolean): string => (gradient ? texts.GRADIENTS : texts.VALUES);
    const show = (gradient: boolean): void => void (this.gradient = gradient);
    return toggles(texts.STRIPS_SHOW, [false, true], this.gradient, show, nameOf);
  }

  /** Goes on to the stop by which all of them are reached. */
  #askForGradients({ trace, network }: Scene): void {
    [this.gradient, this.asked] = [true, true];
    const last = Math.max(...network.cells.map(({ state }) => trace.nodes[state]!.gradient));
    const stop = topStops(trace).find((each) => last <= each.last);
    if (!this.trace && last >= 0 && stop && !this.lab.reached(trace.nodes[last]!)) this.lab.moveTo(stop.cursor);
  }

  /** What the state at the cursor depends on, and its output. */
  #asks({ network }: Scene, here: number | null): Part {
    const cell = here === null ? undefined : network.cells[here];
    const button = (text: string, act: () => void): TemplateResult =>
      html`<button class="link" @click=${act}>${text}</button>`;
    const hasOutput = cell && outputAt(network, cell.network, cell.position);
    return html`${cell ? button(texts.WHAT_STATE_NEEDS, () => this.#ask(cell, false)) : nothing}
    ${hasOutput ? button(texts.WHAT_OUTPUT_NEEDS, () => this.#ask(cell, true)) : nothing}
    ${this.traced ? button(texts.SHOW_ALL, () => (this.traced = null)) : nothing}`;
  }

  protected override tools(scene: Scene): TemplateResult {
    const here = this.plan && cellAtSpot(this.plan, this.spot);
    const show = (): void => this.#askForGradients(scene);
    return html`${this.#offersGradients ? nothing : html`<button class="link" @click=${show}>${texts.GRADIENTS}</button>`}<button
        class="link"
        aria-expanded=${this.opened !== null}
        ?disabled=${here === null && this.opened === null}
        @click=${() => (this.opened = this.opened === null ? here : null)}
      >
        ${this.opened === null ? texts.OPEN_CELL : texts.CLOSE_CELL}
      </button>
      ${this.#asks(scene, here)}`;
  }
}

customElements.define('u-unrolled', UnrolledNetwork);
