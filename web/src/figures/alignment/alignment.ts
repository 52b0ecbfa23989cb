// <u-alignment .data>: which source word each target word attends to. One cell per pair, the true links outlined.
import { type TemplateResult, html, nothing } from 'lit';
import { HIDE_TRUE_LINKS, HINT, SHOW_TRUE_LINKS } from '#messages/figures/alignment';
import { cellsOf } from '#messages/figures/shared';
import './alignment.css';
import type { Place } from '../../ui/grid-layout';
import { shapeText } from '../../ui/numbers';
import type { Description, Drawing, Room } from '../host/contract';
import { Figure } from '../host/figure';
import { gridNavigation } from '../host/navigation';
import { type AlignmentData, layOutAlignment, truthOf, widthsOf } from '../shared/attention/alignment-layout';
import { placeIn } from '../shared/attention/attention-map';
import { legend } from '../shared/legend';
import { mark, symbol } from '../shared/marks';
import { FULL } from '../shared/palette';
import { drawn } from './alignment-drawing';
import { alignmentTable, tellAgreement, tellAlignment, tellExactly, tellPair } from './alignment-words';

export class Alignment extends Figure<AlignmentData, Place> {
  static override properties = { ...Figure.properties, data: { attribute: false }, truth: { type: Boolean } };

  data: AlignmentData | null = null;
  /** Outlines the true links. */
  truth = true;

  protected override readonly frame = 'matrix';

  protected read(): AlignmentData | null {
    return this.data;
  }

  protected describe(data: AlignmentData): Description<Place> {
    return {
      heading: data.name,
      tensor: data.name,
      summary: () => tellAlignment(data),
      cell: (at) => tellExactly(data, at),
      readout: (here) => (here ? tellPair(data, here) : tellAgreement(data)),
      tables: () => [alignmentTable(data)],
    };
  }

  protected layOut(data: AlignmentData, { width, maxHeight, line }: Room): Drawing<Place> {
    const { name, source, target } = data;
    const layout = layOutAlignment(widthsOf(source, target, line), width, line, maxHeight);
    return {
      ...layout,
      draw: (here) => drawn(data, layout, this.truth, here),
      hit: (x, y) => placeIn(layout, x, y),
      navigation: gridNavigation(cellsOf(name), layout, (row, column) => row * source.length + column),
    };
  }

  protected override head({ target, source, name }: AlignmentData): TemplateResult {
    return html`<span class="tname">${mark('weight')}${alphaOf(name)}</span>
      <span class="fhint">${HINT}</span>
      <span class="tshape">${shapeText([target.length, source.length])}</span>`;
  }

  protected override legend(data: AlignmentData): TemplateResult {
    return html`${legend(FULL, alphaOf(data.name))} ${truthOf(data).size ? this.#truthSwitch() : nothing}`;
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

const alphaOf = (name: string): TemplateResult => symbol({ name, role: 'weight', op: '' });

customElements.define('u-alignment', Alignment);
