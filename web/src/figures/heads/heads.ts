// <u-heads>: the heads of an attention layer side by side, with their words; the front one enlarged, with its weights.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import type { TraceNode } from '../../engine/types';
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
import { attentionName, headPlane } from '../attention/attention-trace';
import { type Words, wordsOf } from '../attention/attention-words';
import { consumeKey } from '../figure';
import { csvOf } from '../figure-export';
import { textWidth } from '../figure-text';
import { cellAfterKey, cellIndex, planeOf } from '../../ui/grid-layout';
import { type HeadsLayout, layOutHeads } from './heads-layout';
import { legend, promptKey } from '../shared/legend';
import { mark } from '../shared/marks';
import { exact, fixed, shapeText, shortest, significant } from '../../ui/numbers';
import { type Scale, palette } from '../shared/palette';
import { argmax, entropyBits } from '../shared/summary';
import { isPress } from '../shared/touch';

const LINE = 13;
const FULL: Scale = { map: 'sequential', limit: 1 };

export class Heads extends AttentionFigure {
  static override properties = { ...AttentionFigure.properties, cursor: { state: true }, under: { state: true } };

  declare cursor: Place | null;
  /** The cell under the pointer, in any head. */
  declare under: Place | null;

  #layout: HeadsLayout | null = null;
  #words: Words = { rows: [], columns: [] };

  constructor() {
    super();
    this.cursor = this.under = null;
  }

  override willUpdate(changed: PropertyValues<this>): void {
    super.willUpdate(changed);
    const { weights } = this;
    this.#layout = null;
    if (!weights) return;
    this.#words = wordsOf(this.lab, weights);
    const { rows, columns } = this.#words;
    if (this.cursor)
      this.cursor = {
        row: Math.min(this.cursor.row, rows.length - 1),
        column: Math.min(this.cursor.column, columns.length - 1),
      };
    if (this.width) this.#layout = this.#layOut(this.#words);
  }

  protected override show(cell: readonly number[]): void {
    this.cursor = { row: cell.at(-2)!, column: cell.at(-1)! };
  }

  #layOut({ rows, columns }: Words): HeadsLayout {
    const line = LINE * this.zoom;
    const measure = (word: string): number => textWidth(word, line, palette().sans, 600);
    const words = { source: columns.map(measure), target: rows.map(measure) };
    return layOutHeads({ heads: this.heads, words, width: this.width, line });
  }

  protected get ready(): boolean {
    return this.weights !== undefined;
  }

  protected get heading(): string {
    return this.weights ? `${attentionName(this.weights)}: heads` : '';
  }

  protected override get tensorName(): string | typeof nothing {
    return this.weights?.name ?? nothing;
  }

  get #node(): TraceNode {
    return this.weights!;
  }

  get #here(): Place | null {
    const here = this.under ?? this.cursor;
    return here && here.row < this.#words.rows.length && here.column < this.#words.columns.length ? here : null;
  }

  #at(head: number): At {
    const plane = headPlane(this.#node, head, this.heads);
    return (row, c) => cellIndex(plane, row, c);
  }

  #weight(head: number, { row, column: c }: Place): number {
    return this.valuesOf(this.#node)?.[this.#at(head)(row, c)] ?? NaN;
  }

  protected override head(): TemplateResult {
    return html`<span class="tname">${mark('weight')}<i class="sym r-weight">α</i></span> ${this.choices()}
      <span class="tshape">${shapeText(this.#node.shape)}</span>`;
  }

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    const { rows, columns } = this.#words;
    return html`<div
      class="matrix"
      role="grid"
      tabindex="0"
      aria-label="Cells of ${this.#node.name}, head ${this.headOnShow}"
      aria-rowcount=${rows.length}
      aria-colcount=${columns.length}
      aria-activedescendant="${this.uid}-cell"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= { row: 0, column: 0 })}
      @pointermove=${(event: PointerEvent) => (this.under = this.#spot(event)?.place ?? null)}
      @pointerleave=${() => (this.under = null)}
      @pointerdown=${this.#pressed}
      @click=${this.#pressed}
    >
      <svg
        class="drawn"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${layout.small.map((box, head) => this.#small(box, head, layout))} ${this.#large(layout)}
      </svg>
      ${this.#spokenCell()}
    </div>`;
  }

  #small(box: MapBox, head: number, { across, worded }: HeadsLayout): TemplateResult {
    const line = LINE * this.zoom;
    const [here, on] = [this.#here, head === this.headOnShow];
    const [wide, high] = [box.columns * box.cell.width, box.rows * box.cell.height];
    return svg`<g class="head-map" data-head=${head}>
      <text class="token-word ${on ? 'on' : ''}" x=${box.x} y=${box.y + high + line * 1.1}>head ${head}</text>
      ${worded ? this.#columnsAt(box, -90) : nothing} ${worded && head % across === 0 ? this.#rowsAt(box) : nothing}
      ${mapCells(box, this.valuesOf(this.#node), this.#at(head), FULL)}
      ${on ? svg`<rect class="chosen" x=${box.x - 2.5} y=${box.y - 2.5} width=${wide + 4} height=${high + 4}></rect>` : nothing}
      ${ring(box, here)}
    </g>`;
  }

  #rowsAt(box: MapBox): TemplateResult[] {
    const { rows, promptRange } = this.#words;
    return rowLabels(box, rows, LINE * this.zoom, this.#here?.row ?? -1, promptRange);
  }

  #columnsAt(box: MapBox, turn: number): TemplateResult[] {
    const { columns, promptRange } = this.#words;
    return columnLabels(box, columns, turn, LINE * this.zoom, this.#here?.column ?? -1, promptRange);
  }

  #large({ large, turn, numbered }: HeadsLayout): TemplateResult {
    const line = LINE * this.zoom;
    const [here, values] = [this.#here, this.valuesOf(this.#node)];
    const at = this.#at(this.headOnShow);
    return svg`${this.#rowsAt(large)} ${this.#columnsAt(large, turn)}
      ${mapCells(large, values, at, FULL)} ${numbered ? mapNumbers(large, values, at, FULL, line) : nothing} ${ring(large, here)}`;
  }

  #spokenCell(): TemplateResult {
    const place = this.cursor ?? { row: 0, column: 0 };
    return html`<div role="row" class="vh" aria-rowindex=${place.row + 1}>
      <span
        role="gridcell"
        id="${this.uid}-cell"
        aria-colindex=${place.column + 1}
        aria-selected=${this.cursor !== null}
        data-index=${this.#at(this.headOnShow)(place.row, place.column)}
        >${this.#describe(place)}: ${exact(this.#weight(this.headOnShow, place))}</span
      >
    </div>`;
  }

  /** The cell under the pointer, and the head it belongs to. */
  #spot(event: PointerEvent): { place: Place; head: number } | null {
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    const layout = this.#layout;
    if (!drawing || !layout) return null;
    const [px, py] = pointIn(drawing, event);
    const own = placeIn(layout.large, px, py);
    if (own) return { place: own, head: this.headOnShow };
    const places = layout.small.map((box) => placeIn(box, px, py));
    const head = places.findIndex(Boolean);
    return head < 0 ? null : { place: places[head]!, head };
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (!isPress(event)) return;
    const spot = this.#spot(event);
    const drawn = (event.target as Element).closest<SVGElement>('.head-map')?.dataset.head;
    if (drawn !== undefined) this.choose({ front: Number(drawn) });
    if (spot) this.lab.select(this.#node.name, this.#at(spot.head)(spot.place.row, spot.place.column));
  };

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey) return;
    const turn = { PageUp: -1, PageDown: 1 }[event.key];
    if (turn) this.choose({ front: Math.max(0, Math.min(this.heads - 1, this.headOnShow + turn)) });
    const plane = planeOf([this.#words.rows.length, this.#words.columns.length]);
    const to = cellAfterKey(plane, this.cursor ?? { row: 0, column: 0 }, event.key, event.ctrlKey);
    if (to) [this.cursor, this.under] = [to, null];
    consumeKey(event, to !== null || turn !== undefined);
  };

  /** "it attends to animal with weight 0.62" */
  #describe(place: Place): string {
    const [row, c] = [this.#words.rows[place.row], this.#words.columns[place.column]];
    const weight = this.#weight(this.headOnShow, place);
    return Number.isFinite(weight)
      ? `${row} attends to ${c} with weight ${fixed(weight, 2)}`
      : `${row} has no attention weights yet`;
  }

  protected readout(): string {
    const here = this.#here;
    if (!here) return this.heads > 1 ? 'Point at a cell to read it in every head.' : 'Point at a cell to read it.';
    if (this.heads < 2 || !Number.isFinite(this.#weight(0, here))) return this.#describe(here);
    const all = [...Array(this.heads).keys()].map((head) => fixed(this.#weight(head, here), 2));
    return `${this.#words.rows[here.row]} attends to ${this.#words.columns[here.column]} with weights ${all.join(', ')} in heads 0 to ${this.heads - 1}`;
  }

  protected override key(): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">α</i>`)} ${this.#words.promptRange ? promptKey : nothing}`;
  }

  protected spoken(): string {
    const values = this.valuesOf(this.#node);
    if (!values) return `${this.heads} heads, not reached yet.`;
    return [...Array(this.heads).keys()].map((head) => this.#spokenHead(head)).join(' ');
  }

  #spokenHead(head: number): string {
    const rows = this.#words.rows.map((word, row) => {
      const weights = this.#words.columns.map((_, c) => this.#weight(head, { row, column: c }));
      const most = argmax(weights);
      if (!(weights[most]! > 0)) return `${word} attends to nothing`;
      return `${word} most to ${this.#words.columns[most]}, ${fixed(weights[most]!, 2)}, entropy ${significant(entropyBits(weights), 2)} bits`;
    });
    return `Head ${head}: ${rows.join('; ')}.`;
  }

  protected twin(): TemplateResult {
    const values = this.valuesOf(this.#node);
    const heads = [...Array(this.heads).keys()];
    return html`${heads.map((head) => wordTable(this.#node.name, `Head ${head}`, this.#words, values, this.#at(head)))}`;
  }

  protected csv(): string {
    const { rows, columns } = this.#words;
    const lines = [...Array(this.heads).keys()].flatMap((head) =>
      rows.map((word, row) => [head, word, ...columns.map((_, c) => shortest(this.#weight(head, { row, column: c })))]),
    );
    return csvOf([['head', '', ...columns], ...lines]);
  }
}

customElements.define('u-heads', Heads);
