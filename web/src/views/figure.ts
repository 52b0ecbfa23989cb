// What every figure of the sequence lessons is: a heading with the way to the whole window, a drawing with a cursor, its
// table twin, a spoken summary, and a footer with a line of words, a key, the way to the table and the export.
import { LitElement, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { roomOf } from './figure-room';
import { save, standalone, toPng } from './figure-export';
import { markOverflow } from './overflow';
import { onTheme, palette, textZoom } from './palette';

const FORMATS = ['PNG', 'SVG', 'CSV'] as const;
const CAN_WIDEN = 'popover' in HTMLElement.prototype;
let serial = 0;

export abstract class Figure extends LitElement {
  static override properties = {
    table: { type: Boolean },
    width: { state: true },
    room: { state: true },
    exporting: { state: true },
    wide: { state: true },
  };

  /** Shows the table twin instead of the drawing. */
  declare table: boolean;
  /** CSS pixels that the drawing has; 0 before it is known. */
  declare width: number;
  /** CSS pixels of height in which all of it is seen; Infinity where it is not, whatever it does. */
  declare room: number;
  declare exporting: boolean;
  /** It has the whole window. */
  declare wide: boolean;

  protected readonly uid = `drawing-${++serial}`;
  #stopTheme = (): void => {};
  /** In the next frame: what is drawn anew while sizes are told changes sizes, and browsers complain of the loop. */
  readonly #sized = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()));

  constructor() {
    super();
    this.table = this.exporting = this.wide = false;
    this.width = 0;
    this.room = Infinity;
  }

  override createRenderRoot(): this {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.requestUpdate(); // what it showed when it was taken away is over
    this.#sized.observe(this);
    this.#stopTheme = onTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sized.disconnect();
    this.#stopTheme();
    this.wide = false;
  }

  /** True when there is something to show. */
  protected abstract readonly ready: boolean;
  /** The figure in a few words: its heading, its file's name. */
  protected abstract readonly heading: string;
  protected abstract picture(): TemplateResult;
  protected abstract twin(): TemplateResult;
  /** For those who do not see it: everything that the drawing says at a glance. */
  protected abstract spoken(): string;
  /** The line under the drawing: about the cursor, or else the whole. */
  protected abstract readout(): TemplateResult | string;
  protected abstract csv(): string;
  protected head(): TemplateResult | string {
    return html`<span class="ftitle">${this.heading}</span>`;
  }
  protected key(): TemplateResult | typeof nothing {
    return nothing;
  }
  /** The tensor that the figure shows, where it shows one. */
  protected get tensorName(): string | typeof nothing {
    return nothing;
  }
  protected below(): TemplateResult | typeof nothing {
    return nothing;
  }

  /** How much larger than usual text is wanted. */
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
      popover=${this.wide ? 'auto' : nothing}
      data-tensor=${this.tensorName}
      aria-labelledby="${this.uid}-name"
      aria-describedby="${this.uid}-sum"
      @toggle=${this.#toggled}
      @focusout=${this.#left}
    >
      <div class="fhead">
        <div class="thead" id="${this.uid}-name">${this.head()}</div>
        ${CAN_WIDEN ? html`<button class="link" @click=${this.#widen}>${this.wide ? 'Back' : 'Widen'}</button>` : nothing}
      </div>
      ${shown} ${this.below()}
      <figcaption class="vh" id="${this.uid}-sum">${this.spoken()}</figcaption>
      ${this.#foot()}
    </figure>`;
  }

  /** Its first drawing comes with its frame: nothing below is moved twice. */
  override updated(changed: PropertyValues<this>): void {
    if (changed.has('wide')) this.#promote();
    if (!this.width) this.#measure();
    markOverflow(this.querySelector<HTMLElement>('.scrolled, .matrix, .twin'));
  }

  #measure(): void {
    const inner = this.querySelector<HTMLElement>('figure[popover] > .figfoot');
    this.width = Math.floor((inner ?? this).clientWidth);
    this.room = roomOf(this, this.wide);
  }

  /** In the top layer nothing cuts it, and it goes on living where it stands: only its room there is kept. */
  #promote(): void {
    const figure = this.querySelector('figure');
    if (this.wide) figure?.showPopover();
    else this.style.minHeight = '';
    this.#measure();
  }

  readonly #widen = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement;
    if (!this.wide) this.style.minHeight = `${this.offsetHeight}px`;
    this.wide = !this.wide;
    await this.updateComplete;
    button.focus();
  };

  /** The browser closes it at Escape. */
  readonly #toggled = (event: ToggleEvent): void => {
    if (event.newState === 'closed') this.wide = false;
  };

  /** What lies behind it cannot be seen: whoever goes there has left it. */
  readonly #left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !this.contains(relatedTarget as Node)) this.wide = false;
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

/** True for a key that the cursor of a drawing took: it goes no further, so that it does not step the model. */
export function take(event: KeyboardEvent, done: boolean): void {
  if (!done) return;
  event.preventDefault();
  event.stopPropagation();
}
