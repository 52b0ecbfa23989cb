// <u-alignment .data>: which source word each target word attends to. One cell per pair, the true links outlined.
import { type TemplateResult, html, nothing, svg } from 'lit';
import {
  type AlignmentData,
  type AlignmentLayout,
  agreement,
  argmaxOfRow,
  layOutAlignment,
  rowsWithWeights,
  sumOf,
  truthOf,
  weightAt,
} from '../attention/alignment-layout';
import { alignmentLines, alignmentTable } from './alignment-table';
import { Figure, consumeKey } from '../figure';
import { textWidth } from '../figure-text';
import { cellAfterKey, planeOf } from '../../ui/grid-layout';
import { legend } from '../shared/legend';
import { mark } from '../shared/marks';
import { exact, fixed, shapeText, significant } from '../../ui/numbers';
import { type Palette, type Scale, colorOf, css, inkOn, palette } from '../shared/palette';
import { markTitle } from '../../ui/token';

const LINE = 13;
const FULL: Scale = { map: 'sequential', limit: 1 };
/** Smaller weights are not written into their cells. */
const MIN_LABELLED = 0.045;

interface Cell {
  row: number;
  column: number;
}

export class Alignment extends Figure {
  static override properties = {
    ...Figure.properties,
    data: { attribute: false },
    truth: { type: Boolean },
    cursor: { state: true },
    under: { state: true },
  };

  declare data: AlignmentData | null;
  /** Outlines the true links. */
  declare truth: boolean;
  declare cursor: Cell | null;
  /** The cell under the pointer. */
  declare under: Cell | null;

  #layout: AlignmentLayout | null = null;

  constructor() {
    super();
    this.data = null;
    this.truth = true;
    this.cursor = this.under = null;
  }

  protected get ready(): boolean {
    return this.data !== null;
  }

  protected get heading(): string {
    return this.data?.name ?? '';
  }

  protected override get tensorName(): string | typeof nothing {
    return this.data?.name ?? nothing;
  }

  get #here(): Cell | null {
    const { data } = this;
    const here = this.under ?? this.cursor;
    return data && here && here.row < data.target.length && here.column < data.source.length ? here : null;
  }

  protected override head(): TemplateResult {
    const { target, source, name } = this.data!;
    return html`<span class="tname">${mark('weight')}<i class="sym r-weight">${name.split('/').at(-1)}</i></span>
      <span class="fhint">each row is a target word, each column a source word</span>
      <span class="tshape">${shapeText([target.length, source.length])}</span>`;
  }

  protected picture(): TemplateResult {
    const data = this.data!;
    const colors = palette();
    const line = LINE * this.zoom;
    const measure = (word: string): number => textWidth(word, line, colors.sans, 600);
    const words = { source: data.source.map(measure), target: data.target.map(measure) };
    const layout = (this.#layout = layOutAlignment(words, this.width, line, this.maxHeight));
    return html`<div
      class="matrix"
      role="grid"
      tabindex="0"
      aria-label="Cells of ${data.name}"
      aria-rowcount=${data.target.length}
      aria-colcount=${data.source.length}
      aria-activedescendant="${this.uid}-cell"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= { row: 0, column: 0 })}
      @pointermove=${(event: PointerEvent) => (this.under = this.#cellUnder(event))}
      @pointerleave=${() => (this.under = null)}
      @pointerdown=${(event: PointerEvent) => (this.cursor = this.#cellUnder(event) ?? this.cursor)}
    >
      <svg
        class="drawn"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${this.#heads(data, layout, line)} ${this.#cells(data, layout, colors, line)}
        ${this.truth ? this.#links(data, layout, colors) : nothing} ${this.#ring(layout)}
      </svg>
      ${this.#spokenCell(data)}
    </div>`;
  }

  #heads({ source, target }: AlignmentData, { cell, x, y, turn }: AlignmentLayout, line: number): TemplateResult {
    const here = this.#here;
    const head = (j: number): string => {
      const middle = x + (j + 0.5) * cell.width;
      if (turn === 0) return `translate(${middle} ${y - line * 0.55})`;
      const aside = turn === -90 ? line * 0.35 : 0;
      return `translate(${middle + aside} ${y - 7}) rotate(${turn})`;
    };
    return svg`
      ${source.map(
        (word, j) =>
          svg`<text class="token-word ${here?.column === j ? 'on' : ''}" text-anchor=${turn ? 'start' : 'middle'} transform=${head(j)}>${word}${markTitle(word)}</text>`,
      )}
      ${target.map(
        (word, t) =>
          svg`<text class="token-word ${here?.row === t ? 'on' : ''}" text-anchor="end" x=${x - 9} y=${y + (t + 0.5) * cell.height + line * 0.34}>${word}${markTitle(word)}</text>`,
      )}`;
  }

  #cells(data: AlignmentData, layout: AlignmentLayout, colors: Palette, line: number): TemplateResult[] {
    const { cell, x, y, numbered } = layout;
    const S = data.source.length;
    return Array.from({ length: data.target.length * S }, (_, i) => {
      const weight = data.weights[i] ?? NaN;
      const [left, top] = [x + (i % S) * cell.width, y + Math.floor(i / S) * cell.height];
      if (Number.isNaN(weight))
        return svg`<rect class="hollow" x=${left + 0.5} y=${top + 0.5} width=${cell.width - 2} height=${cell.height - 2}></rect>`;
      const color = colorOf(weight, FULL, colors);
      const written = numbered && weight >= MIN_LABELLED;
      return svg`<rect x=${left} y=${top} width=${cell.width - 1} height=${cell.height - 1} fill=${css(color)}></rect>
        ${written ? svg`<text class="number" text-anchor="middle" fill=${inkOn(color)} x=${left + (cell.width - 1) / 2} y=${top + cell.height / 2 + line * 0.32}>${fixed(weight, 2)}</text>` : nothing}`;
    });
  }

  /** A true link: an outline inside its cell, with the upper left corner filled. */
  #links(data: AlignmentData, { cell, x, y }: AlignmentLayout, colors: Palette): TemplateResult[] {
    const S = data.source.length;
    const corner = Math.min(8, cell.height / 3);
    return [...truthOf(data)].map((index) => {
      const [left, top] = [x + (index % S) * cell.width, y + Math.floor(index / S) * cell.height];
      const box = (inset: number): string =>
        `M${left + inset} ${top + inset}h${cell.width - 1 - 2 * inset}v${cell.height - 1 - 2 * inset}h${-(cell.width - 1 - 2 * inset)}z`;
      return svg`<g class="truth"><path fill="none" stroke=${colors.paper} stroke-width="3" d=${box(1.5)}></path>
        <path fill="none" stroke=${colors.ink} stroke-width="1.25" d=${box(0.6)}></path>
        <path fill=${colors.ink} stroke=${colors.paper} stroke-width="1" d="M${left} ${top}h${corner + 2.5}l${-(corner + 2.5)} ${corner + 2.5}z"></path></g>`;
    });
  }

  #ring({ cell, x, y }: AlignmentLayout): TemplateResult | typeof nothing {
    const here = this.#here;
    if (!here) return nothing;
    const [left, top] = [x + here.column * cell.width, y + here.row * cell.height];
    return svg`<rect class="here" x=${left} y=${top} width=${cell.width - 1} height=${cell.height - 1}></rect>`;
  }

  /** The cell at the cursor as text for screen readers; the others exist only in the drawing. */
  #spokenCell(data: AlignmentData): TemplateResult {
    const { row, column } = this.cursor ?? { row: 0, column: 0 };
    return html`<div role="row" class="vh" aria-rowindex=${row + 1}>
      <span
        role="gridcell"
        id="${this.uid}-cell"
        aria-colindex=${column + 1}
        aria-selected=${this.cursor !== null}
        data-index=${row * data.source.length + column}
        >${this.#describe({ row, column })}: ${exact(weightAt(data, row, column))}</span
      >
    </div>`;
  }

  #cellUnder(event: PointerEvent): Cell | null {
    const box = this.querySelector('svg.drawn')?.getBoundingClientRect();
    if (!box || !this.#layout || !this.data) return null;
    const { cell, x, y } = this.#layout;
    const column = Math.floor((event.clientX - box.left - x) / cell.width);
    const row = Math.floor((event.clientY - box.top - y) / cell.height);
    const inside = column >= 0 && row >= 0 && column < this.data.source.length && row < this.data.target.length;
    return inside ? { row, column } : null;
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (!this.data || event.altKey || event.metaKey) return;
    const plane = planeOf([this.data.target.length, this.data.source.length]);
    const to = cellAfterKey(plane, this.cursor ?? { row: 0, column: 0 }, event.key, event.ctrlKey);
    if (to) [this.cursor, this.under] = [to, null];
    consumeKey(event, to !== null);
  };

  #describe({ row, column }: Cell): string {
    const { source, target } = this.data!;
    const link = truthOf(this.data!).has(row * source.length + column) ? ' (true link)' : '';
    const weight = weightAt(this.data!, row, column);
    if (!Number.isFinite(weight)) return `${target[row]} has no attention weights yet`;
    return `${target[row]} attends to ${source[column]} with weight ${fixed(weight, 2)}${link}`;
  }

  protected readout(): string {
    const here = this.#here;
    if (!this.data) return '';
    return here ? this.#describe(here) : this.#agreement();
  }

  #agreement(): string {
    const { right, of } = agreement(this.data!);
    if (!of) return 'Point at a cell to read it.';
    return `${right} of ${of} words attend most to a true link.`;
  }

  protected override key(): TemplateResult {
    const has = truthOf(this.data!).size > 0;
    return html`${legend(FULL, html`<i class="sym r-weight">${this.data!.name.split('/').at(-1)}</i>`)}
    ${
      has
        ? html`<button class="link truth-switch" aria-pressed=${this.truth} @click=${() => (this.truth = !this.truth)}>
            <svg viewBox="0 0 14 12" aria-hidden="true">
              <path d="M.75.75h12.5v10.5H.75z" />
              <path class="corner" d="M0 0h7L0 7z" />
            </svg>
            ${this.truth ? 'Hide true links' : 'Show true links'}
          </button>`
        : nothing
    }`;
  }

  protected spoken(): string {
    const { data } = this;
    if (!data) return '';
    const truth = truthOf(data);
    const S = data.source.length;
    const rows = rowsWithWeights(data).map((t) => {
      const word = data.target[t];
      const best = argmaxOfRow(data, t);
      const link = truth.has(t * S + best) ? ', a true link' : '';
      return `${word} attends most to ${data.source[best]}, ${fixed(weightAt(data, t, best), 2)}${link}.`;
    });
    return [this.#sums(data), truth.size ? this.#agreement() : '', ...rows].filter(Boolean).join(' ');
  }

  #sums(data: AlignmentData): string {
    const rows = rowsWithWeights(data);
    if (!rows.length) return 'No row has been reached yet.';
    if (rows.every((t) => Math.abs(sumOf(data, t) - 1) < 1e-4)) return 'Every row sums to 1.';
    return rows.map((t) => `Row ${data.target[t]} sums to ${significant(sumOf(data, t), 4)}.`).join(' ');
  }

  protected twin(): TemplateResult {
    return alignmentTable(this.data!);
  }

  protected csv(): string {
    return alignmentLines(this.data!);
  }
}

customElements.define('u-alignment', Alignment);
