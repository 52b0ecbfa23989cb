// <u-alignment .data>: which source word each target word attends to. One cell per pair, the true links outlined.
import { type TemplateResult, html, nothing } from 'lit';
import { HIDE_TRUE_LINKS, HINT, SHOW_TRUE_LINKS } from '#messages/figures/alignment';
import { cellsOf } from '#messages/figures/shared';
import './alignment.css';
import type { Place } from '../../ui/grid-layout';
import { shapeText } from '../../ui/numbers';
import type { Part, Room } from '../host/contract';
import { Figure } from '../host/figure';
import { type Navigation, gridNavigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { type AlignmentData, layOutAlignment, truthOf } from '../shared/attention/alignment-layout';
import { placeIn } from '../shared/attention/attention-map';
import { legend } from '../shared/legend';
import { mark } from '../shared/marks';
import { palette } from '../shared/palette';
import { textWidth } from '../shared/text-width';
import { type DrawnAlignment, FULL, cells, labels, links, ring } from './alignment-drawing';
import { alignmentTable, tellAgreement, tellAlignment, tellExactly, tellPair } from './alignment-words';

const LINE = 13;

export class Alignment extends Figure<AlignmentData, DrawnAlignment, Place> {
  static override properties = { ...Figure.properties, data: { attribute: false }, truth: { type: Boolean } };

  declare data: AlignmentData | null;
  /** Outlines the true links. */
  declare truth: boolean;

  protected override readonly frame = 'matrix';

  constructor() {
    super();
    this.data = null;
    this.truth = true;
  }

  read(): AlignmentData | null {
    return this.data;
  }

  layout({ source, target }: AlignmentData, { width, maxHeight, zoom }: Room): DrawnAlignment {
    const line = LINE * zoom;
    const measure = (word: string): number => textWidth(word, line, palette().sans, 600);
    const words = { source: source.map(measure), target: target.map(measure) };
    return { ...layOutAlignment(words, width, line, maxHeight), rows: target.length, columns: source.length, line };
  }

  draw(data: AlignmentData, layout: DrawnAlignment, here: Place | null): Part[] {
    const outlines = this.truth ? links(data, layout) : [];
    return [labels(data, layout, here), ...cells(data, layout), ...outlines, ring(layout, here)];
  }

  rows(data: AlignmentData): Table[] {
    return [alignmentTable(data)];
  }

  tell(data: AlignmentData): string {
    return tellAlignment(data);
  }

  tellCell(data: AlignmentData, at: Place): string {
    return tellExactly(data, at);
  }

  hit(layout: DrawnAlignment, x: number, y: number): Place | null {
    return placeIn(layout, x, y);
  }

  navigation({ name, source, target }: AlignmentData): Navigation<Place> {
    const extent = { rows: target.length, columns: source.length };
    return gridNavigation(cellsOf(name), extent, (row, column) => row * source.length + column);
  }

  protected headingOf({ name }: AlignmentData): string {
    return name;
  }

  protected override tensorOf({ name }: AlignmentData): string {
    return name;
  }

  protected override head({ target, source, name }: AlignmentData): TemplateResult {
    return html`<span class="tname">${mark('weight')}<i class="sym r-weight">${name.split('/').at(-1)}</i></span>
      <span class="fhint">${HINT}</span>
      <span class="tshape">${shapeText([target.length, source.length])}</span>`;
  }

  protected readout(data: AlignmentData, here: Place | null): string {
    return here ? tellPair(data, here) : tellAgreement(data);
  }

  protected override legend(data: AlignmentData): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">${data.name.split('/').at(-1)}</i>`)}
    ${truthOf(data).size ? this.#truthSwitch() : nothing}`;
  }

  #truthSwitch(): TemplateResult {
    return html`<button class="link truth-switch" aria-pressed=${this.truth} @click=${() => (this.truth = !this.truth)}>
      <svg viewBox="0 0 14 12" aria-hidden="true">
        <path d="M.75.75h12.5v10.5H.75z" />
        <path class="corner" d="M0 0h7L0 7z" />
      </svg>
      ${this.truth ? HIDE_TRUE_LINKS : SHOW_TRUE_LINKS}
    </button>`;
  }
}

customElements.define('u-alignment', Alignment);
