// <u-dataflow>: the data flow of an attention layer, each tensor drawn to its shape, from the trace of the run.
import { type PropertyValues, type TemplateResult, html } from 'lit';
import type { Trace, TraceNode } from '../../engine/types';
import { numberChoice } from '../attention/attention-choice';
import { AttentionFigure } from '../attention/attention-figure';
import { type SplitAttention, partsOf, splitAttentionsOf } from '../attention/attention-parts';
import { type Flow, flowOf, isMaskOf } from '../attention/attention-trace';
import { type Spot, dataflow, slabLetters, slabName, slabShape, slabText, tables } from './dataflow-drawing';
import { type DataflowLayout, layOutDataflow } from './dataflow-layout';
import { linesOfPart } from './dataflow-parts';
import { type Item, type Slab, linesOf } from './dataflow-slabs';
import { consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { textWidth } from '../figure-text';
import { hover } from '../shared/hover';
import { namesOf } from '../shared/labels';
import { column, exact, shortest } from '../../ui/numbers';
import { palette } from '../shared/palette';
import { headline, tuple } from '../shared/summary';
import { isPress } from '../shared/touch';

const LINE = 12.5;
/** CSS pixels. */
const NARROW = 480;
const MARGIN = 6;

export class Dataflow extends AttentionFigure {
  static override properties = { ...AttentionFigure.properties, cursor: { state: true }, at: { state: true } };

  /** Index of the matrix at the keyboard's cursor. */
  declare cursor: number | null;
  /** Part on show (a position, or a block of keys): the last that the bench's cursor entered, or the one chosen. */
  declare at: number;

  #flow: Flow | SplitAttention | null = null;
  #lastNode = -1;
  #layout: DataflowLayout | null = null;

  constructor() {
    super();
    this.cursor = null;
    this.at = Infinity;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { trace } = this.lab;
    this.#flow = trace && this.weights ? (flowOf(trace, this.weights) ?? partsOf(trace, this.weights)) : null;
    this.#followCursor();
    this.#layout = this.#flow && this.width ? this.#layOut() : null;
    if (this.#layout) this.cursor = this.cursor === null ? null : Math.min(this.cursor, this.#layout.placed.length - 1);
  }

  protected get ready(): boolean {
    return this.#flow !== null;
  }

  protected readonly heading = 'The attention layer';

  /** Only attention whose data flow is in the trace: a mean over heads has none. */
  protected override attentionsIn(trace: Trace): TraceNode[] {
    return [...super.attentionsIn(trace).filter((weights) => flowOf(trace, weights)), ...splitAttentionsOf(trace)];
  }

  get #parts(): SplitAttention['parts'] {
    return this.#flow && 'parts' in this.#flow ? this.#flow.parts : [];
  }

  get #partOnShow(): number {
    return Math.min(this.at, this.#parts.length - 1);
  }

  /** Shows the part that the bench's cursor moves into. */
  #followCursor(): void {
    const { node } = this.lab.cursor;
    const [first] = this.#parts;
    if (!first || node === this.#lastNode) return;
    this.#lastNode = node;
    const now = this.#parts.findIndex(({ end }) => node <= end.id);
    if (now >= 0 && node >= first.key.id) this.follow({ at: now });
  }

  get #lines(): Item[][] {
    const flow = this.#flow!;
    return 'parts' in flow
      ? linesOfPart(flow, this.headOnShow, this.#partOnShow, this.#labelOf)
      : linesOf(flow, this.headOnShow, this.#labelOf);
  }

  readonly #labelOf = (node: TraceNode): string => (isMaskOf(this.lab.values(node)) ? 'mask' : 'bias');

  get #line(): number {
    return LINE * this.zoom;
  }

  #layOut(): DataflowLayout {
    const { sans } = palette();
    const line = this.#line;
    const small = (text: string): number => textWidth(text, line * 0.9, sans);
    const labelWidth = (slab: Slab): number => {
      const { base, sub, sup } = slabName(slab);
      const name = textWidth(`${base}${sub}${sup}`, line * 1.1, sans);
      const beside =
        this.#labelLines < 3 ? name + 14 + small(slabShape(slab)) : Math.max(name, small(slabShape(slab))) + 6;
      return Math.ceil(Math.max(beside, small(slabLetters(slab)) + 6));
    };
    const measures = {
      ...{ width: this.width - 2 * MARGIN, maxHeight: this.maxHeight, line },
      ...{ labelWidth, labelLines: this.#labelLines },
    };
    return layOutDataflow(this.#lines, measures);
  }

  /** In a narrow figure the shape stands below the name. */
  get #labelLines(): number {
    return this.width < NARROW * this.zoom ? 3 : 2;
  }

  get #placed(): DataflowLayout['placed'] {
    return this.#layout?.placed ?? [];
  }

  /** Id of the tensor that the operation at the cursor contributes to: the next one on show; −1 for none. */
  get #now(): number {
    const { node } = this.lab.cursor;
    const ahead = this.#placed.map(({ slab }) => slab.node).filter(({ id, phase }) => phase !== 'leaf' && id >= node);
    return node < 0 || !ahead.length ? -1 : Math.min(...ahead.map(({ id }) => id));
  }

  /** The hovered cell, else the selected one, wherever it is drawn. */
  get #spots(): Spot[] {
    const { selection } = this.lab;
    const { node, index } = hover.now;
    const chosen = selection && this.lab.node(selection.node);
    if (node !== null && index !== null && this.#placed.some(({ slab }) => slab.node.id === node))
      return this.#find(node, index);
    return chosen ? this.#find(chosen.id, selection.index) : [];
  }

  #find(node: number, index: number): Spot[] {
    return this.#placed.flatMap(({ slab }, placed) => {
      if (slab.node.id !== node) return [];
      for (let row = 0; row < slab.rows; row++)
        for (let c = 0; c < slab.columns; c++) if (slab.at(row, c) === index) return [{ placed, row, column: c }];
      return [];
    });
  }

  protected override head(): TemplateResult {
    const kind = this.#flow && 'form' in this.#flow && this.#flow.form === 'blocks' ? 'Block' : 'Position';
    return html`<span class="ftitle">${this.heading}</span> ${this.choices()}
      ${numberChoice(kind, this.#parts.length, this.#partOnShow, (at) => this.choose({ at }))}`;
  }

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    const here = layout.placed[this.cursor ?? 0]!;
    return html`<div
      class="scrolled"
      role="listbox"
      tabindex="0"
      aria-label="Tensors of the layer"
      aria-activedescendant="${this.uid}-here"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= 0)}
      @blur=${() => (this.cursor = null)}
    >
      <svg
        class="drawn dataflow"
        width=${layout.width}
        height=${layout.height}
        viewBox="-6 -1 ${layout.width + 12} ${layout.height + 2}"
        style="max-width:none;width:${layout.width + 12}px;height:${layout.height + 2}px"
        aria-hidden="true"
        @pointerdown=${this.#pressed}
        @click=${this.#pressed}
        @pointermove=${(event: PointerEvent) => this.#pointed(this.#under(event))}
        @pointerleave=${() => hover.set({})}
      >
        ${dataflow(layout, this.#line, {
          values: ({ node }) => this.valuesOf(node),
          labelLines: this.#labelLines,
          now: this.#now,
          spots: this.#spots,
          cursor: this.cursor ?? -1,
        })}
      </svg>
      <span class="vh" role="option" id="${this.uid}-here" aria-selected=${this.cursor !== null}
        >${this.#describe(here.slab)}</span
      >
    </div>`;
  }

  /** "Q, n × K = 4 × 3: largest …" */
  #describe(slab: Slab): string {
    const values = this.valuesOf(slab.node);
    const text = values
      ? headline(slab.node, values, slab.node.role, null, namesOf(this.lab.trace!, slab.node))
      : 'not reached yet';
    return `${slabText(slab)}, ${slabLetters(slab)} = ${slabShape(slab)}: ${text}`;
  }

  #under(event: PointerEvent): Spot | null {
    const layout = this.#layout;
    const box = this.querySelector('svg.drawn')?.getBoundingClientRect();
    if (!layout || !box) return null;
    const [px, py] = [event.clientX - box.left - 6, event.clientY - box.top - 1];
    const placed = layout.placed.findIndex(
      ({ x, y, width, height }) => px >= x && py >= y && px < x + width && py < y + height,
    );
    const at = layout.placed[placed];
    if (!at) return null;
    return { placed, row: Math.floor((py - at.y) / layout.cell), column: Math.floor((px - at.x) / layout.cell) };
  }

  #pointed(spot: Spot | null): void {
    const slab = spot && this.#placed[spot.placed]?.slab;
    const reached = slab && this.lab.reached(slab.node);
    hover.set(slab ? { node: slab.node.id, index: reached ? slab.at(spot.row, spot.column) : null } : {});
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (!isPress(event)) return;
    const spot = this.#under(event);
    const drawn = (event.target as Element).closest<SVGElement>('.slab')?.dataset.placed;
    const { slab } = this.#placed[spot?.placed ?? Number(drawn)] ?? {};
    if (!slab) return;
    this.cursor = spot?.placed ?? Number(drawn);
    this.focusCell(slab.node, spot ? slab.at(spot.row, spot.column) : slab.at(0, 0));
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const last = this.#placed.length - 1;
    const now = this.cursor ?? 0;
    const to = { ArrowLeft: now - 1, ArrowUp: now - 1, ArrowRight: now + 1, ArrowDown: now + 1, Home: 0, End: last }[
      event.key
    ];
    if (to !== undefined) this.cursor = Math.max(0, Math.min(last, to));
    const { slab } = this.#placed[now] ?? {};
    const opened = event.key === 'Enter' && slab !== undefined;
    if (opened) this.focusCell(slab.node, slab.at(0, 0));
    consumeKey(event, to !== undefined || opened);
  };

  protected readout(): string {
    const spot = this.#spots[0];
    const slab = spot && this.#placed[spot.placed]?.slab;
    if (!slab) return 'Press a tensor to go to its step.';
    const value = this.valuesOf(slab.node)?.[slab.at(spot.row, spot.column)];
    return `${slabText(slab)}${tuple([spot.row, spot.column])} ${value === undefined ? 'has not been reached yet' : `= ${exact(value)}`}${this.#factorsOf(spot)}`;
  }

  /** ", from row 1 of Q and column 2 of Kᵀ"; "" unless the cell is one of a product. */
  #factorsOf({ placed, row, column: c }: Spot): string {
    const { factors } = this.#placed[placed]!;
    const [left, top] = factors ? [this.#placed[factors[0]], this.#placed[factors[1]]] : [];
    return left && top ? `, from row ${row} of ${slabText(left.slab)} and column ${c} of ${slabText(top.slab)}` : '';
  }

  /** Each tensor once; transposed only if it is drawn no other way. */
  get #slabs(): Slab[] {
    const all = this.#lines.flatMap((line) =>
      line.flatMap(({ slab, top, bias }) => [slab, ...(top ? [top] : []), ...(bias ? [bias] : [])]),
    );
    const key = ({ node, columns, transposed }: Slab): string => `${node.id} ${transposed ? 'transposed' : columns}`;
    const known = new Set(all.filter(({ transposed }) => !transposed).map(({ node }) => node.id));
    const seen = new Set<string>();
    return all.filter(
      (slab) => !(slab.transposed && known.has(slab.node.id)) && !seen.has(key(slab)) && seen.add(key(slab)),
    );
  }

  protected spoken(): string {
    const texts = this.#slabs.map((slab) => this.#describe(slab));
    return `${texts.length} tensors. ${texts.join('. ')}.`;
  }

  #rows(slab: Slab, write: (values: number[]) => string[]): string[][] {
    const values = this.valuesOf(slab.node);
    const columns = Array.from({ length: slab.columns }, (_, c) => {
      const list = Array.from({ length: slab.rows }, (__, r) => values?.[slab.at(r, c)] ?? NaN);
      return values ? write(list) : list.map(() => '');
    });
    return Array.from({ length: slab.rows }, (_, r) => columns.map((list) => list[r]!));
  }

  protected twin(): TemplateResult {
    return html`${tables(this.#slabs, (slab) => this.#rows(slab, column))}`;
  }

  protected csv(): string {
    const lines = this.#slabs.flatMap((slab) =>
      this.#rows(slab, (values) => values.map(shortest)).map((row, r) => [slab.node.name, r, ...row]),
    );
    return csvOf([['tensor', 'row'], ...lines]);
  }
}

customElements.define('u-dataflow', Dataflow);
