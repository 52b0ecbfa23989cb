// <u-export>: a button that opens three more, to save something as PNG, SVG or CSV.
import { type TemplateResult, html } from 'lit';
import { EXPORT, exportAs } from '#messages/figures/host';
import type { TraceNode } from '../../engine/types';
import { PlainElement, states } from '../../ui/lab-element';
import type { Format } from './files';

const FORMATS: readonly Format[] = ['PNG', 'SVG', 'CSV'];

export class ExportMenu extends PlainElement {
  static override properties = states('name', 'save', 'drawn', 'open');

  /** What is saved. */
  name = '';
  /** undefined: there is nothing to save yet. */
  save: ((format: Format) => Promise<void>) | undefined;
  /** It can be saved as a picture. */
  drawn = true;
  open = false;

  override render(): TemplateResult {
    return html`<span class="export" @keydown=${this.#key}>
      <button class="link" aria-expanded=${this.open} ?disabled=${!this.save} @click=${() => (this.open = !this.open)}>
        ${EXPORT}
      </button>
      ${this.open && this.save ? FORMATS.map((format) => this.#button(format)) : ''}
    </span>`;
  }

  #button(format: Format): TemplateResult {
    return html`<button
      class="link"
      ?disabled=${format !== 'CSV' && !this.drawn}
      aria-label=${exportAs(this.name, format)}
      @click=${() => void this.save?.(format)}
    >
      ${format}
    </button>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.open) return;
    event.stopPropagation();
    this.open = false;
    this.querySelector('button')?.focus();
  };
}

customElements.define('u-export', ExportMenu);

/** Saves a tensor; the exporter is loaded on first use. undefined: there is nothing to save yet. */
export const tensorSaver = (
  node: TraceNode | undefined,
  values: Float32Array | undefined,
  slice: readonly number[] = [],
): ExportMenu['save'] =>
  node && values && (async (format) => (await import('./tensor-file')).exportTensor({ node, values, slice }, format));
