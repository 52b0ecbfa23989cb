// <u-export>: a button that opens three more, to save a tensor as PNG, SVG or CSV. The exporter is loaded on first use.
import { LitElement, type TemplateResult, html } from 'lit';
import type { TraceNode } from '../engine/types';
import type { Format } from './export';
import { palette } from './shared/palette';

const FORMATS: Format[] = ['PNG', 'SVG', 'CSV'];

export class ExportMenu extends LitElement {
  static override properties = {
    node: { attribute: false },
    values: { attribute: false },
    slice: { attribute: false },
    open: { state: true },
  };

  declare node: TraceNode | undefined;
  /** undefined: nothing to export yet. */
  declare values: Float32Array | undefined;
  declare slice: readonly number[];
  declare open: boolean;

  constructor() {
    super();
    this.slice = [];
    this.open = false;
  }

  override createRenderRoot(): this {
    return this;
  }

  override render(): TemplateResult {
    const name = this.node?.name ?? '';
    return html`<span class="export" @keydown=${this.#key}>
      <button
        class="link"
        aria-expanded=${this.open}
        ?disabled=${!this.values}
        @click=${() => (this.open = !this.open)}
      >
        Export
      </button>
      ${
        this.open && this.values
          ? FORMATS.map(
              (format) =>
                html`<button class="link" aria-label="${name} as ${format}" @click=${() => this.#save(format)}>
                  ${format}
                </button>`,
            )
          : ''
      }
    </span>`;
  }

  readonly #key = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.open) return;
    event.stopPropagation();
    this.open = false;
    this.querySelector('button')?.focus();
  };

  async #save(format: Format): Promise<void> {
    const { node, values, slice } = this;
    const { exportTensor } = await import('./export');
    if (node && values) await exportTensor(node, values, slice, format, palette());
  }
}

customElements.define('u-export', ExportMenu);
