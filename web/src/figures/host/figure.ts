// The host of a figure: a heading with a button that widens the figure to the window, the drawing with its cursor, its
// table twin, a summary for screen readers, and a footer with readout, legend, table switch and export.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import './figure.css';
import './export-menu';
import { SHOW_AS_FIGURE, SHOW_AS_TABLE, tableOfFigure } from '#messages/figures/host';
import type { Topic } from '../../lab/lab';
import { LabElement } from '../../ui/lab-element';
import { markOverflow } from '../shared/overflow';
import { onTheme, palette, textZoom } from '../shared/palette';
import { isPress } from '../shared/touch';
import type { FigureContract, Part, Room, Size } from './contract';
import { type Format, csvFile, pictureFile, save } from './files';
import { availableHeight } from './height';
import type { Navigation } from './navigation';
import { pointIn, revealIn, spokenCell, stageOf } from './stage';
import { type Table, csvTables, htmlTables } from './tables';
import { Widening } from './widening';

let serial = 0;

export abstract class Figure<Scene, Layout extends Size, Cell>
  extends LabElement
  implements FigureContract<Scene, Layout, Cell>
{
  /** Nothing: its data is given to it. A figure of the lab says more. */
  protected readonly topics: readonly Topic[] = [];
  static override properties = {
    table: { type: Boolean },
    page: { state: true },
    width: { state: true },
    maxHeight: { state: true },
    cursor: { state: true },
    under: { state: true },
  };

  /** Shows the table twin instead of the drawing. */
  declare table: boolean;
  /** Of the table twin, if that is long. */
  declare page: number;
  /** CSS pixels available to the drawing; 0 until measured. */
  declare width: number;
  /** Height in CSS pixels at which the whole figure is visible; Infinity where it need not fit. */
  declare maxHeight: number;
  /** The cell at the cursor; null: none yet. */
  declare cursor: Cell | null;
  /** The cell under the pointer. */
  declare under: Cell | null;

  /** The box around the drawing: how it scrolls, and the look of its cells. */
  protected readonly frame: 'scrolled' | 'matrix' | 'chart' | 'scene' = 'scrolled';
  /** Class of the drawing. */
  protected readonly kind: string = '';
  /** A finger presses when it is put down; else only by a tap, since it may be about to scroll the page. */
  protected readonly pressesAtOnce: boolean = false;

  protected scene: Scene | null = null;
  protected plan: Layout | null = null;

  readonly #uid = `drawing-${++serial}`;
  readonly #widening = new Widening(this, () => this.#measure());
  #stopTheme = (): void => {};
  /** Deferred to the next frame: redrawing in the callback changes sizes again, a loop that browsers report. */
  readonly #sized = new ResizeObserver(() => requestAnimationFrame(() => this.#measure()));

  constructor() {
    super();
    this.table = false;
    this.page = 0;
    this.width = 0;
    this.maxHeight = Infinity;
    this.cursor = this.under = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#sized.observe(this);
    this.#stopTheme = onTheme(() => this.requestUpdate());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sized.disconnect();
    this.#stopTheme();
  }

  abstract read(): Scene | null;
  abstract layout(scene: Scene, room: Room): Layout;
  abstract draw(scene: Scene, layout: Layout, here: Cell | null): Part | Part[];
  abstract rows(scene: Scene): Table[];
  abstract tell(scene: Scene): string;
  abstract tellCell(scene: Scene, cell: Cell): string;
  abstract hit(layout: Layout, x: number, y: number): Cell | null;
  abstract navigation(scene: Scene, layout: Layout): Navigation<Cell>;

  /** The figure in a few words: its heading, and the name of exported files. */
  protected abstract headingOf(scene: Scene): string;
  /** The line under the drawing: about the cell that is pointed at or at the cursor, else about the whole figure. */
  protected abstract readout(scene: Scene, here: Cell | null): Part | string;
  protected head(scene: Scene): Part {
    return html`<span class="ftitle">${this.headingOf(scene)}</span>`;
  }
  protected legend(_scene: Scene): Part {
    return nothing;
  }
  /** The controls above the drawing, and the content below it. */
  protected above(_scene: Scene): Part {
    return nothing;
  }
  protected below(_scene: Scene): Part {
    return nothing;
  }
  /** Name of the tensor that the figure shows, if it shows one. */
  protected tensorOf(_scene: Scene): string | undefined {
    return undefined;
  }
  /** What the CSV has: what the table twin has, unless there is more to it. */
  protected exported(scene: Scene): Table[] {
    return this.rows(scene);
  }

  /** The pointer moved to a cell, or off all of them. */
  protected point(cell: Cell | null): void {
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

  protected get room(): Room {
    return { width: this.width, maxHeight: this.maxHeight, zoom: textZoom() };
  }

  /** The cell at the cursor, unless it is gone. */
  protected get spot(): Cell | null {
    return this.#still(this.cursor);
  }

  get #here(): Cell | null {
    return this.#still(this.under) ?? this.spot;
  }

  #still(cell: Cell | null): Cell | null {
    return cell !== null && this.#navigation?.has(cell) ? cell : null;
  }

  get #navigation(): Navigation<Cell> | null {
    return this.scene && this.plan && this.navigation(this.scene, this.plan);
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    this.scene = this.read();
    this.plan = this.scene && this.width ? this.layout(this.scene, this.room) : null;
  }

  override render(): TemplateResult | typeof nothing {
    const { scene } = this;
    if (!scene) return nothing;
    return html`<figure
      class="drawing"
      popover=${this.#widening.wide ? 'auto' : nothing}
      data-tensor=${this.tensorOf(scene) ?? nothing}
      aria-labelledby="${this.#uid}-name"
      aria-describedby="${this.#uid}-sum"
      @toggle=${this.#widening.toggled}
      @focusout=${this.#widening.left}
    >
      <div class="fhead">
        <div class="thead" id="${this.#uid}-name">${this.head(scene)}</div>
        ${this.#widening.button}
      </div>
      ${this.table ? this.#twin(scene) : this.plan ? this.#drawing(scene, this.plan) : ''}
      ${this.table ? nothing : this.below(scene)}
      <figcaption class="vh" id="${this.#uid}-sum">${this.tell(scene)}</figcaption>
      ${this.#foot(scene)}
    </figure>`;
  }

  #twin(scene: Scene): TemplateResult {
    return html`<div class="twin" tabindex="0" role="region" aria-label=${tableOfFigure(this.headingOf(scene))}>
      ${htmlTables(this.rows(scene), this.page, (page) => (this.page = page))}
    </div>`;
  }

  #drawing(scene: Scene, layout: Layout): TemplateResult {
    const navigation = this.navigation(scene, layout);
    const at = this.spot ?? navigation.first;
    const id = `${this.#uid}-cell`;
    const cellText = navigation.role === 'region' ? '' : this.tellCell(scene, at);
    const stage = stageOf(
      { navigation, at, id, cellText, layout, frame: this.frame, kind: this.kind },
      {
        keyed: this.#keyed,
        focused: () => (this.cursor ??= navigation.role === 'slider' ? null : navigation.first),
        left: () => this.leave(),
        moved: (event) => this.point(this.#cellAt(event)),
        out: () => this.point(null),
        pressed: this.#pressed,
        lifted: () => this.lift(),
      },
      this.draw(scene, layout, this.#here),
      spokenCell(navigation, at, this.spot !== null, id, cellText),
    );
    return html`${this.above(scene)} ${stage}`;
  }

  #foot(scene: Scene): TemplateResult {
    return html`<div class="figfoot">
      <span class="sum">${this.readout(scene, this.#here)}</span>
      ${this.legend(scene)}
      <button class="link" aria-pressed=${this.table} @click=${() => (this.table = !this.table)}>
        ${this.table ? SHOW_AS_FIGURE : SHOW_AS_TABLE}
      </button>
      <u-export .name=${this.headingOf(scene)} .drawn=${!this.table} .save=${this.#save}></u-export>
    </div>`;
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
    this.maxHeight = availableHeight(this, this.#widening.wide);
  }

  #cellAt(event: PointerEvent): Cell | null {
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    return drawing && this.plan && this.hit(this.plan, ...pointIn(drawing, event));
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
    const navigation = this.#navigation;
    if (!navigation) return false;
    const from = this.spot ?? navigation.first;
    if (key === 'Enter') return !ctrlKey && this.enter(from);
    const to = navigation.move(from, key, ctrlKey);
    if (to !== null) this.go(to);
    return to !== null;
  }

  readonly #save = async (format: Format): Promise<void> => {
    const { scene } = this;
    if (!scene) return;
    const name = this.headingOf(scene);
    if (format === 'CSV') return save(csvFile(csvTables(this.exported(scene))), name, format);
    const drawing = this.querySelector<SVGSVGElement>('svg.drawn');
    if (drawing) save(await pictureFile(drawing, name, format, palette().paper), name, format);
  };
}
