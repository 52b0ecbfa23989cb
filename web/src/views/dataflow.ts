// <u-dataflow>: an attention layer as the way of its tensors, each drawn to its shape, from the trace of the run.
import { type PropertyValues, type TemplateResult, html } from 'lit';
import type { Trace, TraceNode } from '../types';
import { numberChoice } from './attention-choice';
import { AttentionFigure } from './attention-figure';
import { type Parted, partedLooksOf, partsOf } from './attention-parts';
import { type Flow, flowOf, isMaskOf } from './attention-trace';
import { type Spot, dataflow, slabLetters, slabName, slabShape, slabWords, tables } from './dataflow-drawing';
import { type DataflowLayout, layOutDataflow } from './dataflow-layout';
import { linesOfPart } from './dataflow-parts';
import { type Item, type Slab, linesOf } from './dataflow-slabs';
import { take } from './figure';
import { csvOf } from './figure-export';
import { textWidth } from './figure-text';
import { hover } from './hover';
import { namesOf } from './labels';
import { column, exact, shortest } from './numbers';
import { palette } from './palette';
import { headline, tuple } from './summary';
import { isPress } from './touch';

const LINE = 12.5;
/** CSS pixels. */
const NARROW = 480;
const MARGIN = 6;

export class Dataflow extends AttentionFigure {
  static override properties = { ...AttentionFigure.properties, cursor: { state: true }, at: { state: true } };

  /** Which of the matrices the keys stand on. */
  declare cursor: number | null;
  /** Which position, or block of keys, is on show of what comes in parts: that in which the bench stands or stood. */
  declare at: number;

  #flow: Flow | Parted | null = null;
  #stood = -1;
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
    this.#comeAlong();
    this.#layout = this.#flow && this.width ? this.#layOut() : null;
    if (this.#layout) this.cursor = this.cursor === null ? null : Math.min(this.cursor, this.#layout.placed.length - 1);
  }

  protected get ready(): boolean {
    return this.#flow !== null;
  }

  protected readonly heading = 'The attention layer';

  /** The looks whose way there is to draw: a mean of heads has none. */
  protected override looksIn(trace: Trace): TraceNode[] {
    return [...super.looksIn(trace).filter((look) => flowOf(trace, look)), ...partedLooksOf(trace)];
  }

  get #parts(): Parted['parts'] {
    return this.#flow && 'parts' in this.#flow ? this.#flow.parts : [];
  }

  get #partOnShow(): number {
    return Math.min(this.at, this.#parts.length - 1);
  }

  /** Where the bench comes into another part, that one is shown. */
  #comeAlong(): void {
    const { node } = this.lab.cursor;
    const [first] = this.#parts;
    if (!first || node === this.#stood) return;
    this.#stood = node;
    const now = this.#parts.findIndex(({ end }) => node <= end.id);
    if (now >= 0 && node >= first.key.id) this.follow({ at: now });
  }

  get #lines(): Item[][] {
    const flow = this.#flow!;
    return 'parts' in flow
      ? linesOfPart(flow, this.headOnShow, this.#partOnShow, this.#wordOf)
      : linesOf(flow, this.headOnShow, this.#wordOf);
  }

  readonly #wordOf = (node: TraceNode): string => (isMaskOf(this.lab.values(node)) ? 'mask' : 'bias');

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
      ...{ width: this.width - 2 * MARGIN, room: this.room, line },
      ...{ labelWidth, labelLines: this.#labelLines },
    };
    return layOutDataflow(this.#lines, measures);
  }

  /** In a narrow figure numbers stand under the name. */
  get #labelLines(): number {
    return this.width < NARROW * this.zoom ? 3 : 2;
  }

  get #placed(): DataflowLayout['placed'] {
    return this.#layout?.placed ?? [];
  }

  /** The tensor that the operation at the cursor works towards: the next of those on show; −1 for none. */
  get #now(): number {
    const { node } = this.lab.cursor;
    const ahead = this.#placed.map(({ slab }) => slab.node).filter(({ id, phase }) => phase !== 'leaf' && id >= node);
    return node < 0 || !ahead.length ? -1 : Math.min(...ahead.map(({ id }) => id));
  }

  /** The cell under the pointer, or else the selected one, wherever it is drawn. */
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
        >${this.#words(here.slab)}</span
      >
    </div>`;
  }

  /** "Q, n × K = 4 × 3: largest …" */
  #words(slab: Slab): string {
    const values = this.valuesOf(slab.node);
    const told = values
      ? headline(slab.node, values, slab.node.role, null, namesOf(this.lab.trace!, slab.node))
      : 'not reached yet';
    return `${slabWords(slab)}, ${slabLetters(slab)} = ${slabShape(slab)}: ${told}`;
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
    this.lead(slab.node, spot ? slab.at(spot.row, spot.column) : slab.at(0, 0));
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
    if (opened) this.lead(slab.node, slab.at(0, 0));
    take(event, to !== undefined || opened);
  };

  protected readout(): string {
    const spot = this.#spots[0];
    const slab = spot && this.#placed[spot.placed]?.slab;
    if (!slab) return 'Press a tensor to go to its step.';
    const value = this.valuesOf(slab.node)?.[slab.at(spot.row, spot.column)];
    return `${slabWords(slab)}${tuple([spot.row, spot.column])} ${value === undefined ? 'is not reached yet' : `= ${exact(value)}`}${this.#made(spot)}`;
  }

  /** " = row 1 of Q · column 2 of Kᵀ" */
  #made({ placed, row, column: c }: Spot): string {
    const { factors } = this.#placed[placed]!;
    const [left, top] = factors ? [this.#placed[factors[0]], this.#placed[factors[1]]] : [];
    return left && top ? `, from row ${row} of ${slabWords(left.slab)} and column ${c} of ${slabWords(top.slab)}` : '';
  }

  /** Each tensor once, as it lies in memory. */
  get #slabs(): Slab[] {
    const all = this.#lines.flatMap((line) =>
      line.flatMap(({ slab, top, bias }) => [slab, ...(top ? [top] : []), ...(bias ? [bias] : [])]),
    );
    const key = ({ node, columns, turned }: Slab): string => `${node.id} ${turned ? 'turned' : columns}`;
    const known = new Set(all.filter(({ turned }) => !turned).map(({ node }) => node.id));
    const seen = new Set<string>();
    return all.filter(
      (slab) => !(slab.turned && known.has(slab.node.id)) && !seen.has(key(slab)) && seen.add(key(slab)),
    );
  }

  protected spoken(): string {
    const said = this.#slabs.map((slab) => this.#words(slab));
    return `${said.length} tensors. ${said.join('. ')}.`;
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
