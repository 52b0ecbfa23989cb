// The host of a figure: a heading with a button that widens the figure to the window, the drawing with its cursor, its
// table twin, a summary for screen readers, and a footer with readout, legend, table switch and export.
import { type PropertyDeclarations, type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import './figure.css';
import './drawing.css';
import './export-menu';
import { MORE, SHOW_AS_FIGURE, SHOW_AS_TABLE, tableOfFigure } from '#messages/figures/host';
import type { Topic } from '../../lab/lab';
import { LabElement, onResize, whileConnected } from '../../ui/lab-element';
import { markOverflow } from '../shared/overflow';
import { moreMenu } from '../../ui/more-menu';
import { onTheme, palette, textZoom } from '../shared/palette';
import { isPress } from '../shared/touch';
import { type Description, type Drawing, type Part, type Room, states } from './contract';
import { type Format, csvFile, pictureFile, save } from './files';
import { Widening, availableHeight, fitted, pointIn, revealIn, spokenCell, svgOf } from './stage';
import { csvTables, htmlTables } from './tables';

let serial = 0;

/** CSS pixels, at the default text size. */
const LINE = 13;

/** `Layout`: what its drawing has besides, which the figure asks it for. */
export abstract class Figure<Scene, Cell, Layout = object> extends LabElement {
  /** Nothing, if its data is given to it. A figure of the lab says more. */
  protected readonly topics: readonly Topic[] = [];
  static override properties: PropertyDeclarations = {
    table: { type: Boolean },
    ...states('page', 'width', 'maxHeight', 'cursor', 'under'),
  };

  /** Shows the table twin instead of the drawing. */
  table = false;
  /** Of the table twin, if that is long. */
  page = 0;
  /** CSS pixels available to the drawing; 0 until measured. */
  width = 0;
  /** Height in CSS pixels at which the whole figure is visible; Infinity where it need not fit. */
  maxHeight = Infinity;
  /** The cell at the cursor; null: none yet. */
  cursor: Cell | null = null;
  /** The cell under the pointer. */
  under: Cell | null = null;

  /** The box around the drawing: how it scrolls, and the look of its cells. */
  protected readonly frame: 'scrolled' | 'matrix' | 'chart' | 'scene' = 'scrolled';
  /** Class of the drawing. */
  protected readonly kind: string = '';
  /** A finger presses when it is put down; else only by a tap, since it may be about to scroll the page. */
  protected readonly pressesAtOnce: boolean = false;
  /** On the stage, the drawing is as large as the room allows. */
  protected readonly fills: boolean = true;

  /** A drawing that is laid out for the room there is: it is not made larger or smaller after that. */
  protected readonly stretches: boolean = false;

  protected scene: Scene | null = null;
  protected plan: (Layout & Drawing<Cell>) | null = null;
  #description: Description<Cell> | null = null;

  /** CSS pixels for one of the drawing. */
  protected scale = 1;
  readonly #uid = `drawing-${++serial}`;
  readonly #widening = new Widening(this, () => this.#measure());

  constructor() {
    super();
    whileConnected(this, () => onTheme(this.onChange));
    // Deferred to the next frame: redrawing in the callback changes sizes again, a loop that browsers report.
    const measure = (): number => requestAnimationFrame(() => this.#measure());
    whileConnected(this, () => onResize(this, measure, this.closest('.pane') ?? this)); // whose height is the figure's
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('figure-host');
  }

  /** What there is to show; null: nothing. Read again at every update. */
  protected abstract read(): Scene | null;
  protected abstract describe(scene: Scene): Description<Cell>;
  protected abstract layOut(scene: Scene, room: Room): Layout & Drawing<Cell>;

  protected head(_scene: Scene): Part {
    return html`<span class="ftitle">${this.#description!.heading}</span>`;
  }
  protected legend(_scene: Scene): Part {
    return nothing;
  }
  /** Of the menu, besides what every figure has there. */
  protected tools(_scene: Scene): Part {
    return nothing;
  }
  /** The controls above the drawing, and the content below it. */
  protected above(_scene: Scene): Part {
    return nothing;
  }
  protected below(_scene: Scene): Part {
    return nothing;
  }

  /** The pointer moved to a cell, or off all of them. */
  protected point(cell: Cell | null, _event: PointerEvent): void {
    this.under = cell;
  }
  protected press(cell: Cell | null, _event: PointerEvent): void {
    if (cell !== null) this.cursor = cell;
  }
  protected lift(): void {}
  protected leave(): void {}
  /** The cursor moves to a cell by a key. */
  protected go(cell: Cell): void {
    [this.cursor, this.under] = [cell, null];
  }
  /** False: Enter does nothing there. */
  protected enter(_cell: Cell): boolean {
    return false;
  }
  /** Keys of the figure itself, before those of the cursor. False: not one of them. */
  protected ownKey(_event: KeyboardEvent): boolean {
    return false;
  }

  /** True while nothing is pointed at or chosen: the line under the drawing is then seen by those who are in the figure. */
  protected rests(_scene: Scene): boolean {
    return this.under === null && this.cursor === null;
  }

  /** The cell at the cursor, unless it is gone. */
  protected get spot(): Cell | null {
    return this.#still(this.cursor);
  }

  get #here(): Cell | null {
    return this.#still(this.under) ?? this.spot;
  }

  #still(cell: Cell | null): Cell | null {
    return cell !== null && this.plan?.navigation.has(cell) ? cell : null;
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    const zoom = textZoom();
    const room = { width: this.width, maxHeight: this.maxHeight, zoom, line: LINE * zoom };
    this.scene = this.read();
    this.#description = this.scene && this.describe(this.scene);
    const { scene } = this;
    if (!scene || !this.width) this.plan = null;
    else if (this.stretches && !this.#widening.wide) [this.plan, this.scale] = [this.layOut(scene, room), 1];
    else [this.plan, this.scale] = fitted(room, (given) => this.layOut(scene, given));
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this;
    if (!scene) return nothing;
    const { tensor, summary } = this.#description!;
    return html`<figure
      class="drawing"
      popover=${this.#widening.wide ? 'auto' : nothing}
      data-tensor=${tensor ?? nothing}
      aria-labelledby="${this.#uid}-name"
      aria-describedby="${this.#uid}-sum"
      @toggle=${this.#widening.toggled}
      @focusout=${this.#widening.left}
    >
      <div class="fhead">
        <div class="thead" id="${this.#uid}-name">${this.head(scene)}</div>
      </div>
      ${this.table ? this.#twin(this.#description!) : this.plan ? this.#drawing(scene, this.plan) : ''}
      ${this.table ? nothing : this.below(scene)}
      <figcaption class="vh" id="${this.#uid}-sum">${summary()}</figcaption>
      ${this.#foot(scene, this.#description!)}
    </figure>`;
  }

  #twin({ heading, tables }: Description<Cell>): TemplateResult {
    return html`<div class="twin" tabindex="0" role="region" aria-label=${tableOfFigure(heading)}>
      ${htmlTables(tables(), this.page, (page) => (this.page = page))}
    </div>`;
  }

  /** The drawing in a box that has the keyboard's focus. */
  #drawing(scene: Scene, plan: Drawing<Cell>): TemplateResult {
    const { role, label, extent, last, first, place } = plan.navigation;
    const [at, slides, id] = [this.spot ?? first, role === 'slider', `${this.#uid}-cell`];
    const text = role === 'region' ? '' : this.#description!.cell(at);
    const spoken = spokenCell(plan.navigation, at, this.spot !== null, id, text);
    return html`${this.above(scene)}
      <div
        class=${this.frame}
        role=${role}
        tabindex="0"
        aria-label=${label}
        aria-rowcount=${extent?.rows ?? nothing}
        aria-colcount=${extent?.columns ?? nothing}
        aria-activedescendant=${spoken === nothing ? nothing : id}
        aria-valuemin=${slides ? 0 : nothing}
        aria-valuemax=${last ?? nothing}
        aria-valuenow=${slides ? (place(at).index ?? 0) : nothing}
        aria-valuetext=${slides ? text : nothing}
        @keydown=${this.#keyed}
        @focus=${() => (this.cursor ??= slides ? null : first)}
        @blur=${() => this.leave()}
        @pointermove=${(event: PointerEvent) => this.point(this.#cellAt(event), event)}
        @pointerleave=${(event: PointerEvent) => this.point(null, event)}
        @pointerdown=${this.#pressed}
        @click=${this.#pressed}
        @pointerup=${() => this.lift()}
        @pointercancel=${() => this.lift()}
      >
        ${svgOf(plan, this.scale, this.#here, this.kind)} ${spoken}
      </div>`;
  }

  #foot(scene: Scene, { heading, readout }: Description<Cell>): TemplateResult {
    return html`<div class="figfoot">
      <span class="sum ${this.rests(scene) ? 'resting' : ''}">${readout(this.#here)}</span>
      ${this.legend(scene)}
      ${moreMenu(`${this.#uid}-more`, MORE, html`${this.tools(scene)} ${this.#tableSwitch} ${this.#export(heading)}`)}
    </div>`;
  }

  get #tableSwitch(): TemplateResult {
    return html`${this.#widening.button}
      <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
        ${this.table ? SHOW_AS_FIGURE : SHOW_AS_TABLE}
      </button>`;
  }

  #export(heading: string): TemplateResult {
    return html`<u-export .name=${heading} .drawn=${!this.table} .save=${this.#save}></u-export>`;
  }

  /** Measures right after the first update, so that frame and drawing appear together and what follows shifts once. */
  override updated(changed: PropertyValues<this>): void {
    if (!this.width) this.#measure();
    const box = this.querySelector<HTMLElement>('.scrolled, .matrix, .twin');
    markOverflow(box);
    if (box && changed.has('cursor')) revealIn(box);
  }

  #measure(): void {
    const inner = this.querySelector<HTMLElement>('figure[popover] > .figfoot');
    this.width = Math.floor((inner ?? this).clientWidth);
    const { wide } = this.#widening;
    this.maxHeight = wide || this.fills ? availableHeight(this, wide) : Infinity;
  }

  get #svg(): SVGSVGElement | null {
    return this.querySelector('svg.drawn');
  }

  /** Where a pointer is in the drawing. */
  protected pointOf(event: PointerEvent): [number, number] | null {
    return this.#svg && pointIn(this.#svg, event);
  }

  #cellAt(event: PointerEvent): Cell | null {
    const at = this.pointOf(event);
    return at && this.plan && this.plan.hit(...at);
  }

  readonly #pressed = (event: PointerEvent): void => {
    if (this.pressesAtOnce ? event.type === 'pointerdown' : isPress(event)) this.press(this.#cellAt(event), event);
  };

  /** A key that the cursor has handled does not also step the trace. */
  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || !(this.ownKey(event) || this.#moves(event))) return;
    event.preventDefault();
    event.stopPropagation();
  };

  #moves({ key, ctrlKey }: KeyboardEvent): boolean {
    const navigation = this.plan?.navigation;
    if (!navigation) return false;
    const from = this.spot ?? navigation.first;
    if (key === 'Enter') return !ctrlKey && this.enter(from);
    const to = navigation.move(from, key, ctrlKey);
    if (to !== null) this.go(to);
    return to !== null;
  }

  readonly #save = async (format: Format): Promise<void> => {
    if (!this.#description) return;
    const { heading, tables, exported = tables } = this.#description;
    if (format === 'CSV') save(csvFile(csvTables(exported())), heading, format);
    else if (this.#svg) save(await pictureFile(this.#svg, heading, format, palette().paper), heading, format);
  };
}

/** A figure whose data is given to it. */
export abstract class DataFigure<Data, Cell> extends Figure<Data, Cell> {
  static override properties = states('data');

  data: Data | null = null;

  protected read(): Data | null {
    return this.data;
  }
}
