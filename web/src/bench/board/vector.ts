// <u-vector>: a tensor as a narrow coloured strip inside a line of text. Decorative, hidden from assistive tools.
import { LitElement, type TemplateResult, html } from 'lit';
import type { Role } from '../../engine/types';
import { linesOf, planeOf } from '../../ui/grid-layout';
import { paint } from '../../figures/shared/paint';
import { onTheme, palette, scaleOf } from '../../figures/shared/palette';

const NONE: ReadonlySet<number> = new Set();
const SIZE = { width: 30, height: 8 };
const MAX_CELLS = 30;

export class Vector extends LitElement {
  static override properties = {
    values: { attribute: false },
    shape: { attribute: false },
    kind: { attribute: false },
  };

  /** undefined: not reached, drawn hollow. Of a matrix only the first row is drawn. */
  values: Float32Array | undefined;
  shape: readonly number[] = [];
  kind: Role = 'state';
  #stopTheme = (): void => {};

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#stopTheme = onTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#stopTheme();
  }

  override render(): TemplateResult {
    return html`<canvas aria-hidden="true" style="width:${SIZE.width}px;height:${SIZE.height}px"></canvas>`;
  }

  override updated(): void {
    const canvas = this.querySelector('canvas');
    if (!canvas) return;
    const ratio = devicePixelRatio || 1;
    const plane = planeOf([Math.min(this.shape.at(-1) ?? 1, MAX_CELLS)]);
    const lines = linesOf(plane, SIZE.width, SIZE.height, ratio);
    const scale = scaleOf(this.kind, this.values);
    paint(
      canvas,
      { plane, lines, values: this.values, scale, edited: NONE, lit: NONE, focus: null, zoom: 1 },
      palette(),
      ratio,
    );
  }
}

customElements.define('u-vector', Vector);
