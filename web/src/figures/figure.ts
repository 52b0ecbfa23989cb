// Base class of the figures: a heading with a button that widens the figure to the window, a drawing with a cursor, its
// table twin, a summary for screen readers, and a footer with readout, key, table switch and export.
import { LitElement, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { availableHeight } from './figure-height';
import { save, standalone, toPng } from './figure-export';
import { markOverflow } from './shared/overflow';
import { onTheme, palette, textZoom } from './shared/palette';

const FORMATS = ['PNG', 'SVG', 'CSV'] as const;
const CAN_WIDEN = 'popover' in HTMLElement.prototype;
let serial = 0;

export abstract class Figure extends LitElement {
  static override properties = {
    table: { type: Boolean },
    width: { state: true },
    maxHeight: { state: true },
    exporting: { state: true },
    widened: { state: true },
  };

  /** Shows the table twin instead of the drawing. */
  declare table: boolean;
  /** CSS pixels available to the drawing; 0 until measured. */
  declare width: number;
  /** Height in CSS pixels at which the whole figure is visible; Infinity where it need not fit. */
  declare maxHeight: number;
  declare exporting: boolean;
  /** Widened to the window. */
  declare widened: boolean;

  protected readonly uid = `drawing-${++serial}`;
  #stopTheme = (): void => {};
  /** Deferred to the next frame: redrawing in the callback changes sizes again, a loop that browsers report. */
  readonly #sized = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()));

  constructor() {
    super();
    this.table = this.exporting = this.widened = false;
    this.width = 0;
    this.maxHeight = Infinity;
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // what was drawn before it was disconnected may be stale
    this.#sized.observe(this);
    this.#stopTheme = onTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sized.disconnect();
    this.#stopTheme();
    this.widened = false;
  }

  /** True when there is something to show. */
  protected abstract readonly ready: boolean;
  /** The figure in a few words: its heading, and the name of exported files. */
  protected abstract readonly heading: string;
  protected abstract picture(): TemplateResult;
  protected abstract twin(): TemplateResult;
  /** For screen readers: everything that the drawing shows at a glance. */
  protected abstract spoken(): string;
  /** The line under the drawing: about what is at the cursor, else about the whole figure. */
  protected abstract readout(): TemplateResult | string;
  protected abstract csv(): string;
  protected head(): TemplateResult | string {
    return html`<span class="ftitle">${this.heading}</span>`;
  }
  protected key(): TemplateResult | typeof nothing {
    return nothing;
  }
  /** Name of the tensor that the figure shows, if it shows one. */
  protected get tensorName(): string | typeof nothing {
    return nothing;
  }
  protected belowDrawing(): TemplateResult | typeof nothing {
    return nothing;
  }

  /** The reader's text size relative to the default. */
  protected get zoom(): number {
    return textZoom();
  }

  override render(): TemplateResult | typeof nothing {
    if (!this.ready) return nothing;
    const shown = this.table
      ? html`<div class="twin" tabindex="0" role="region" aria-label="Table: ${this.heading}">${this.twin()}</div>`
      : this.width
        ? this.picture()
        : '';
    return html`<figure
      class="drawing"
      popover=${this.widened ? 'auto' : nothing}
      data-tensor=${this.tensorName}
      aria-labelledby="${this.uid}-name"
      aria-describedby="${this.uid}-sum"
      @toggle=${this.#toggled}
      @focusout=${this.#left}
    >
      <div class="fhead">
        <div class="thead" id="${this.uid}-name">${this.head()}</div>
        ${CAN_WIDEN ? html`<button class="link" @click=${this.#widen}>${this.widened ? 'Shrink' : 'Widen'}</button>` : nothing}
      </div>
      ${shown} ${this.belowDrawing()}
      <figcaption class="vh" id="${this.uid}-sum">${this.spoken()}</figcaption>
      ${this.#foot()}
    </figure>`;
  }

  /** Measures right after the first update, so that frame and drawing appear together and what follows shifts once. */
  override updated(changed: PropertyValues<this>): void {
    if (changed.has('widened')) this.#promote();
    if (!this.width) this.#measure();
    markOverflow(this.querySelector<HTMLElement>('.scrolled, .matrix, .twin'));
  }

  #measure(): void {
    const inner = this.querySelector<HTMLElement>('figure[popover] > .figfoot');
    this.width = Math.floor((inner ?? this).clientWidth);
    this.maxHeight = availableHeight(this, this.widened);
  }

  /** In the top layer nothing clips the figure, and it keeps its place in the DOM; min-height reserves its space. */
  #promote(): void {
    const figure = this.querySelector('figure');
    if (this.widened) figure?.showPopover();
    else this.style.minHeight = '';
    this.#measure();
  }

  readonly #widen = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement;
    if (!this.widened) this.style.minHeight = `${this.offsetHeight}px`;
    this.widened = !this.widened;
    await this.updateComplete;
    button.focus();
  };

  /** The browser closes the popover on Escape. */
  readonly #toggled = (event: ToggleEvent): void => {
    if (event.newState === 'closed') this.widened = false;
  };

  /** What lies behind a widened figure is hidden, so moving focus there closes it. */
  readonly #left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !this.contains(relatedTarget as Node)) this.widened = false;
  };

  #foot(): TemplateResult {
    return html`<div class="figfoot">
      <span class="sum">${this.readout()}</span>
      ${this.key()}
      <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
        ${this.table ? 'Show as figure' : 'Show as table'}
      </button>
      <span class="export" @keydown=${this.#closeExport}>
        <button class="link" aria-expanded=${this.exporting} @click=${() => (this.exporting = !this.exporting)}>
          Export
        </button>
        ${this.exporting ? FORMATS.map((format) => this.#exportButton(format)) : nothing}
      </span>
    </div>`;
  }

  #exportButton(format: (typeof FORMATS)[number]): TemplateResult {
    return html`<button
      class="link"
      ?disabled=${format !== 'CSV' && this.table}
      aria-label="${this.heading} as ${format}"
      @click=${() => void this.#export(format)}
    >
      ${format}
    </button>`;
  }

  readonly #closeExport = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !this.exporting) return;
    event.stopPropagation();
    this.exporting = false;
    this.querySelector<HTMLElement>('.export button')?.focus();
  };

  async #export(format: (typeof FORMATS)[number]): Promise<void> {
    if (format === 'CSV') return save(new Blob([this.csv()], { type: 'text/csv' }), this.heading, format);
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    if (!drawing) return;
    const svg = standalone(drawing, this.heading, palette().paper);
    const { width, height } = drawing.viewBox.baseVal;
    const blob = format === 'SVG' ? new Blob([svg], { type: 'image/svg+xml' }) : await toPng(svg, width, height);
    save(blob, this.heading, format);
  }
}

/** Stops a key that a drawing's cursor has handled (`done`), so that it does not also step the trace. */
export function consumeKey(event: KeyboardEvent, done: boolean): void {
  if (!done) return;
  event.preventDefault();
  event.stopPropagation();
}
