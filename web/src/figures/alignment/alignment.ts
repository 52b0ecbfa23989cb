// <u-alignment .data>: which source word each target word attends to. One cell per pair, the true links outlined.
import { type TemplateResult, html, nothing } from 'lit';
import { HIDE_TRUE_LINKS, HINT, SHOW_TRUE_LINKS } from '#messages/figures/alignment';
import { cellsOf } from '#messages/figures/shared';
import './alignment.css';
import type { Place } from '../../ui/grid-layout';
import { shapeText } from '../../ui/numbers';
import { type Description, type Drawing, type Room, gridNavigation } from '../host/contract';
import { DataFigure } from '../host/figure';
import type { AlignmentData } from './alignment-scene';
import { alignmentTable, drawn, tellAgreement, tellAlignment, tellExactly, tellPair, truthOf } from './alignment-scene';
import { layOutAlignment, placeIn, widthsOf } from '../shared/attention/attention-map';
import { legend, mark, symbol } from '../shared/marks';
import { FULL } from '../shared/palette';

export class Alignment extends DataFigure<AlignmentData, Place> {
  static override properties = { truth: { type: Boolean } };

  /** Outlines the true links. */
  truth = true;

  protected override readonly frame = 'matrix';

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
