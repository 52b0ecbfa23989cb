// <u-mask>: a mask to paint on: every pressed cell is one edit of it, and the weights beside it follow.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import type { Edit, TraceNode } from '../../engine/types';
import { AttentionFigure } from '../attention/attention-figure';
import {
  type At,
  type MapBox,
  type Place,
  columnLabels,
  mapCells,
  mapNumbers,
  placeIn,
  pointIn,
  ring,
  rowLabels,
} from '../attention/attention-map';
import { wordTable } from '../attention/attention-table';
import { headPlane } from '../attention/attention-trace';
import { type Words, wordsOf } from '../attention/attention-words';
import { consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { textWidth } from '../figure-text';
import { cellAfterKey, cellIndex, planeOf } from '../../ui/grid-layout';
import { legend } from '../shared/legend';
import { type MaskLayout, layOutMask, presetMask } from './mask-layout';
import { presetBar } from './mask-presets';
import { fixed, shortest } from '../../ui/numbers';
import { type Scale, palette } from '../shared/palette';

const LINE = 13;
const FULL: Scale = { map: 'sequential', limit: 1 };
const ADDED: Scale = { map: 'diverging', limit: 1 };

export class MaskPainter extends AttentionFigure {
  static override properties = {
    ...AttentionFigure.properties,
    cursor: { state: true },
    under: { state: true },
    size: { state: true },
  };

  declare cursor: Place | null;
  declare under: Place | null;
  /** Number of keys that are padding, or in a window. */
  declare size: number;

  #layout: MaskLayout | null = null;
  #words: Words = { rows: [], columns: [] };
  /** Painted but not run yet. */
  readonly #pending = new Set<Edit>();
  /** Value that the pointer paints while it is held down, else null. */
  #stroke: number | null = null;
  readonly #lifted = (): void => void (this.#stroke = null);

  constructor() {
    super();
    this.cursor = this.under = null;
    this.size = 1;
  }

  /** The mask, if it is an input of the model. */
  get #mask(): TraceNode | undefined {
    const input = this.lab.info?.inputs.find(({ name, shape }) => name === 'mask' && shape.length === 2);
    return input && this.lab.trace ? this.lab.node(input.name) : undefined;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { weights } = this;
    this.#layout = null;
    if (!weights || !this.#mask) return;
    this.#words = wordsOf(this.lab, weights);
    const { rows, columns } = this.#words;
    this.size = Math.min(this.size, columns.length);
    const measure = (word: string): number => textWidth(word, this.#line, palette().sans, 600);
    const words = { source: columns.map(measure), target: rows.map(measure) };
    if (this.width) this.#layout = layOutMask(words, this.width, this.#line);
  }

  get #line(): number {
    return LINE * this.zoom;
  }

  protected get ready(): boolean {
    const [mask, { weights }] = [this.#mask, this];
    return mask !== undefined && weights !== undefined && mask.shape.join() === weights.shape.slice(-2).join();
  }

  protected readonly heading = 'The mask';

  #index({ row, column: c }: Place): number {
    return row * this.#words.columns.length + c;
  }

  #isHidden(place: Place): boolean {
    const index = this.#index(place);
    const painted = [...this.#edits, ...this.#pending].findLast((edit) => edit.index === index);
    return (painted?.value ?? this.valuesOf(this.#mask)?.[index]) === -Infinity;
  }

  readonly #weightAt = (row: number, c: number): number =>
    cellIndex(headPlane(this.weights!, this.headOnShow, this.heads), row, c);

  protected override head(): TemplateResult {
    return html`<span class="ftitle">${this.heading}</span> ${this.choices()}`;
  }

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    const { rows, columns } = this.#words;
    return html`${this.#presets()}
      <div
        class="matrix"
        role="grid"
        tabindex="0"
        aria-label="Cells of the mask"
        aria-rowcount=${rows.length}
        aria-colcount=${columns.length}
        aria-activedescendant="${this.uid}-cell"
        @keydown=${this.#keyed}
        @focus=${() => (this.cursor ??= { row: 0, column: 0 })}
        @pointerdown=${this.#pressed}
        @pointermove=${this.#moved}
        @pointerup=${this.#lifted}
        @pointercancel=${this.#lifted}
        @pointerleave=${() => (this.under = null)}
      >
        <svg
          class="drawn mask"
          width=${layout.width}
          height=${layout.height}
          viewBox="0 0 ${layout.width} ${layout.height}"
          aria-hidden="true"
        >
          ${this.#drawn(layout)}
        </svg>
        ${this.#spokenCell()}
      </div>`;
  }

  #drawn({ mask, weights, beside, turn }: MaskLayout): TemplateResult {
    const line = this.#line;
    const { rows, columns } = this.#words;
    const [here, values] = [this.under ?? this.cursor, this.valuesOf(this.weights)];
    const named = (box: MapBox, name: string, words: boolean): TemplateResult =>
      svg`<text class="map-name" x=${box.x} y=${box.y - (turn ? 0 : line * 1.7) - (turn ? this.#longest() + 12 : 0)}>${name}</text>
        ${words ? rowLabels(box, rows, line, here?.row ?? -1) : nothing} ${columnLabels(box, columns, turn, line, here?.column ?? -1)}`;
    return svg`<g data-tensor=${this.#mask!.name}>${named(mask, 'added to the scores', true)}
        ${mapCells(mask, this.valuesOf(this.#mask), (r, c) => r * columns.length + c, ADDED)} ${ring(mask, here)}</g>
      <g data-tensor=${this.weights!.name}>${named(weights, 'the weights', !beside)}
        ${mapCells(weights, values, this.#weightAt, FULL)}
        ${weights.cell.width >= line * 2.3 ? mapNumbers(weights, values, this.#weightAt, FULL, line) : nothing} ${ring(weights, here, 'same')}</g>`;
  }

  #longest(): number {
    return Math.max(0, ...this.#words.columns.map((word) => textWidth(word, this.#line, palette().sans, 600)));
  }

  #presets(): TemplateResult {
    const [T, S] = [this.#words.rows.length, this.#words.columns.length];
    return html`<div class="presets" role="group" aria-label="Mask presets">
      ${presetBar(S, this.size, {
        fill: (preset) => void this.#fill(presetMask(preset, T, S, this.size)),
        resize: (size) => (this.size = size),
      })}
      <button class="link" ?disabled=${!this.#edits.length} @click=${() => void this.lab.undoEdit(this.#mask!.name)}>
        Undo
      </button>
    </div>`;
  }

  get #edits(): Edit[] {
    return this.lab.state.edits.filter(({ name }) => name === this.#mask?.name);
  }

  /** Sets the whole mask, replacing what was painted. */
  async #fill(values: number[]): Promise<void> {
    if (await this.lab.setInput(this.#mask!.name, values)) this.#showWeights();
  }

  async #paint(place: Place, value: number): Promise<void> {
    const edit = { name: this.#mask!.name, index: this.#index(place), value };
    this.#pending.add(edit);
    if (await this.lab.edit(edit.name, edit.index, value)) this.#showWeights();
    this.#pending.delete(edit);
  }

  /** Painting is about the weights: moves the cursor to them if it has not reached them. */
  #showWeights(): void {
    const { weights } = this;
    if (weights && !this.lab.reached(weights)) this.lab.moveTo({ node: weights.id, scope: -1 });
  }

  #spot(event: PointerEvent): Place | null {
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    return drawing && this.#layout ? placeIn(this.#layout.mask, ...pointIn(drawing, event)) : null;
  }

  readonly #pressed = (event: PointerEvent): void => {
    const place = this.#spot(event);
    if (!place) return;
    this.cursor = place;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#stroke = this.#isHidden(place) ? 0 : -Infinity;
    void this.#paint(place, this.#stroke);
  };

  readonly #moved = (event: PointerEvent): void => {
    const place = this.#spot(event);
    this.under = place;
    if (!place || this.#stroke === null) return;
    this.cursor = place;
    if (this.#isHidden(place) === (this.#stroke === 0)) void this.#paint(place, this.#stroke);
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const place = this.cursor ?? { row: 0, column: 0 };
    const pressed = event.key === ' ' || event.key === 'Enter';
    if (pressed && !event.repeat) void this.#paint(place, this.#isHidden(place) ? 0 : -Infinity);
    const plane = planeOf([this.#words.rows.length, this.#words.columns.length]);
    const to = cellAfterKey(plane, place, event.key, event.ctrlKey);
    if (to) [this.cursor, this.under] = [to, null];
    consumeKey(event, pressed || to !== null);
  };

  #spokenCell(): TemplateResult {
    const place = this.cursor ?? { row: 0, column: 0 };
    return html`<div role="row" class="vh" aria-rowindex=${place.row + 1}>
      <span
        role="gridcell"
        id="${this.uid}-cell"
        aria-colindex=${place.column + 1}
        aria-selected=${this.cursor !== null}
        data-index=${this.#index(place)}
        >${this.#describe(place)}</span
      >
    </div>`;
  }

  /** "c does not see d", "c sees b, weight 0.31" */
  #describe(place: Place): string {
    const [row, c] = [this.#words.rows[place.row], this.#words.columns[place.column]];
    if (this.#isHidden(place)) return `${row} does not see ${c}`;
    const weight = this.valuesOf(this.weights)?.[this.#weightAt(place.row, place.column)];
    return `${row} sees ${c}${weight === undefined ? '' : `, weight ${fixed(weight, 2)}`}`;
  }

  protected readout(): string {
    const here = this.under ?? this.cursor;
    if (here) return `${this.#describe(here)}.`;
    const { rows } = this.#words;
    const blind = rows.filter((_, row) => this.#visible(row).length === 0);
    if (blind.length)
      return `${blind.join(', ')} ${blind.length > 1 ? 'see nothing: the weights in those rows are 0.' : 'sees nothing: the weights in that row are 0.'}`;
    return 'Press or drag over cells to hide keys.';
  }

  #visible(row: number): string[] {
    return this.#words.columns.filter((_, c) => !this.#isHidden({ row, column: c }));
  }

  protected override key(): TemplateResult {
    return html`<span class="sample"
        ><svg viewBox="0 0 12 12" class="mask-sample" aria-hidden="true"><path d="M.5.5h11v11H.5zM0 12 12 0" /></svg
        >hidden, −∞</span
      >
      ${legend(FULL, html`<i class="sym r-weight">α</i>`)}`;
  }

  protected spoken(): string {
    return this.#words.rows
      .map((word, row) => {
        const visible = this.#visible(row);
        return `${word} sees ${visible.length === this.#words.columns.length ? 'every key' : visible.join(', ') || 'nothing'}.`;
      })
      .join(' ');
  }

  protected twin(): TemplateResult {
    const [mask, weights] = [this.#mask!, this.weights!];
    const inMask: At = (row, c) => row * this.#words.columns.length + c;
    return html`${wordTable(mask.name, 'Added to the scores', this.#words, this.valuesOf(mask), inMask)}
    ${wordTable(weights.name, 'The weights', this.#words, this.valuesOf(weights), this.#weightAt)}`;
  }

  protected csv(): string {
    const { rows, columns } = this.#words;
    const values = this.valuesOf(this.#mask);
    return csvOf([
      ['', ...columns],
      ...rows.map((word, r) => [word, ...columns.map((_, c) => shortest(values?.[r * columns.length + c] ?? NaN))]),
    ]);
  }
}

customElements.define('u-mask', MaskPainter);
