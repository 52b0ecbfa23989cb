// <u-picture>: the picture that a captioner reads, overlaid with attention weights: of a word of the caption, or of one
// of the picture's own places. A press of a field opens a palette: what is chosen there is painted, and the model reads it.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import './picture.css';
import * as texts from '#messages/figures/picture';
import { PAUSE, PLAY } from '#messages/figures/shared';
import type { Selection, Trace } from '../../engine/types';
import { toggles } from '../../ui/choices';
import { EOS } from '../../ui/words';
import type { Description, Drawing, Part, Room } from '../host/contract';
import { flatGridNavigation, states } from '../host/contract';
import { PlayedFigure } from '../host/played-figure';
import { ChangeDetector, attentionAt } from '../shared/follow';
import { markOverflow } from '../shared/overflow';
import { alphaSymbol } from '../shared/marks';
import { argmax } from '../shared/summary';
import type { PictureAttention, PictureChoice } from './picture-scene';
import { EMPTY, openAt, spoken, thingButtons } from './picture-palette';
import {
  PictureScene,
  fields,
  pictureAt,
  placeAt,
  placeBox,
  readPicture,
  sideFor,
  swatches,
  urlOf,
} from './picture-scene';

const MOST = 224;

/** Its cells are the words of the caption, or the places of the picture. */
export class PictureView extends PlayedFigure<PictureScene> implements PictureChoice {
  static override properties = states('place', 'between', 'numbers', 'painting');

  place = 0;
  between = false;
  /** Writes the weights into the places. */
  numbers = false;
  /** The palette is open. */
  painting = false;

  protected override readonly frame = 'scene';
  protected override readonly kind = 'scene-drawing';

  #drawn: { values: Float32Array; url: string } | null = null;
  readonly #lastAttention = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<Selection>();
  /** Fields are painted one after the other, each on what the one before has left. */
  #painted: Promise<unknown> = Promise.resolve();
  /** Sources before and after each painted field, as texts. */
  readonly #strokes: { before: string; after: string }[] = [];

  protected read(): PictureScene | null {
    const { trace, pair } = this.lab;
    const attention = trace && readPicture(trace);
    if (!attention) return null;
    const { wordWeights, placeWeights, grid } = attention;
    this.#followBench(trace, attention);
    this.at = Math.min(this.at, Math.max(0, wordWeights.length - 1));
    this.place = Math.min(this.place, grid.rows * grid.columns - 1);
    this.between = placeWeights !== undefined && (this.between || !wordWeights.length);
    const target = pair?.target ?? [];
    const caption = wordWeights.map((_, t) => target[t] ?? (t === target.length ? EOS : `${t}`));
    const choice = { at: this.at, place: this.place, between: this.between };
    return new PictureScene(attention, choice, caption, pair?.source, (node) => this.reached(node));
  }

  /** Follows the bench's cursor to a word, or to the attention between places; and the selection to its place. */
  #followBench(trace: Trace, { wordWeights, placeWeights }: PictureAttention): void {
    const attentions = placeWeights ? [...wordWeights, placeWeights] : wordWeights;
    const attention = this.#lastAttention.next(attentionAt(trace, this.lab.cursor, attentions)?.name);
    const cell = this.#selected.next(this.lab.selection);
    const name = attentions.find((each) => each.name === cell?.node)?.name ?? attention;
    const between = name === placeWeights?.name;
    if (name === undefined) this.follow({});
    else if (!between) this.follow({ between, at: wordWeights.findIndex((word) => word.name === name) });
    else
      this.follow({
        between,
        ...(cell?.node === name && { place: Math.floor(cell.index / placeWeights!.shape.at(-1)!) }),
      });
  }

  protected describe(scene: PictureScene): Description<number> {
    const readout = (): string => scene.tellCell(this.between ? this.place : this.at);
    return {
      heading: texts.HEADING,
      tensor: scene.node?.name,
      summary: () => scene.tell(),
      cell: (cell) => (this.between ? scene.tellCell(cell) : scene.tellField(cell)),
      readout,
      tables: () => [scene.table(readout())],
      exported: () => [scene.allWeights(texts.HEADING)],
    };
  }

  protected layOut(scene: PictureScene, { width, maxHeight, zoom, line }: Room): Drawing<number> {
    const { picture, grid } = scene.attention;
    const side = sideFor(picture.shape.at(-1)!, Math.min(width, maxHeight), MOST * zoom);
    return {
      ...{ width: side, height: side },
      draw: () => [
        pictureAt(picture.name, side, this.#url(scene)),
        fields(scene, side, this.numbers ? line : null, this.#marked),
      ],
      hit: (x, y) => placeAt(grid, side, x, y),
      navigation: flatGridNavigation(this.#canPaint ? texts.FIELDS_TO_PAINT : texts.PLACES_OF_PICTURE, grid),
    };
  }

  /** The picture is drawn again only when its values change. */
  #url({ pixels: values, attention: { picture } }: PictureScene): string | undefined {
    if (!values) return undefined;
    if (this.#drawn?.values !== values) this.#drawn = { values, url: urlOf(picture, values) };
    return this.#drawn.url;
  }

  protected get last(): number {
    return this.scene!.attention.wordWeights.length - 1;
  }

  protected override get spot(): number {
    return this.place;
  }

  /** The field to frame: the place whose weights are shown, or the one under the pointer, at the keyboard or to be painted. */
  get #marked(): number | null {
    if (this.between || this.painting) return this.place;
    return this.under ?? (this.cursor === null ? null : this.place);
  }

  protected override point(place: number | null): void {
    this.under = this.#canPaint ? place : null;
  }

  protected override leave(): void {
    this.cursor = null;
  }

  /** The palette opens with the click: opened earlier, it would be closed by the end of the press. */
  protected override press(place: number | null, event: PointerEvent): void {
    if (place === null) return;
    if (this.between && place !== this.place) return this.#goToPlace(place);
    this.place = place;
    if (event.type === 'click') this.#open();
    else this.addEventListener('click', () => this.#open(), { once: true });
  }

  protected override go(place: number): void {
    if (this.between) this.#goToPlace(place);
    else this.place = this.cursor = place;
  }

  protected override ownKey({ key, ctrlKey }: KeyboardEvent): boolean {
    if (!this.#canPaint) return false;
    if (ctrlKey && key === 'z') this.#undo();
    else if (ctrlKey) return false;
    else if (key === 'Enter' || key === ' ') this.#open();
    else if (key === 'Delete' || key === 'Backspace') this.#paint(EMPTY);
    else return false;
    return true;
  }

  /** True if the source is a scene: a word for each place. */
  get #canPaint(): boolean {
    const { task, pair } = this.lab;
    return !!task?.sourceWords.includes(EMPTY) && pair?.source.length === this.scene?.places;
  }

  get #palette(): HTMLElement | null {
    return this.querySelector('.palette');
  }

  #open(): void {
    const drawn = this.querySelector('svg.drawn');
    const { scene, plan } = this;
    if (!this.#canPaint || !drawn || !scene || !plan) return;
    const { left, top, width } = drawn.getBoundingClientRect();
    const box = placeBox(scene.attention.grid, this.place, width);
    this.painting = true;
    void this.updateComplete.then(
      () => this.#palette && openAt(this.#palette, new DOMRect(left + box.x, top + box.y, box.width, box.height)),
    );
  }

  /** The target is left to the model, which writes its caption anew. */
  #paint(thing: string): void {
    const { place } = this;
    this.#change((words) => {
      const after = this.#textOf(words.map((word, i) => (i === place ? thing : word)));
      this.#strokes.push({ before: this.#textOf(words), after });
      return after;
    });
  }

  /** Undefined if the picture has changed in another way since. */
  get #lastStroke(): { before: string } | undefined {
    const last = this.#strokes.at(-1);
    return last?.after === this.#textOf(this.lab.pair?.source ?? []) ? last : undefined;
  }

  readonly #undo = (): void => this.#change(() => this.#lastStroke && this.#strokes.pop()!.before);

  #change(next: (words: readonly string[]) => string | undefined): void {
    this.#palette?.hidePopover();
    this.#painted = this.#painted.then(() => {
      const source = next(this.lab.pair?.source ?? []);
      return source === undefined ? null : this.lab.read(source, '');
    });
  }

  #textOf(words: readonly string[]): string {
    return words.join(this.lab.task?.separator);
  }

  /** Selects the place's largest weight in the lab, like a cell of the board. */
  #goToPlace(place: number): void {
    this.place = place;
    const node = this.scene!.node!;
    const weights = this.scene!.weightsOf(node, place) ?? [0];
    this.lab.select(node.name, place * node.shape.at(-1)! + argmax([...weights]));
  }

  /** Moves the bench's cursor along, to the word's largest weight. */
  protected goTo(at: number): void {
    const { wordWeights } = this.scene!.attention;
    this.at = Math.max(0, Math.min(wordWeights.length - 1, at));
    const node = wordWeights[this.at]!;
    const values = this.lab.values(node);
    this.lab.focus({ at: node.name, cell: [...node.shape.slice(1).map(() => 0), values ? argmax([...values]) : 0] });
  }

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    const row = this.querySelector<HTMLElement>('.playing');
    if (row && changed.has('at')) this.#reveal(row);
    markOverflow(row);
  }

  /** On a phone the words are a row that scrolls sideways: brings the chosen one to its middle. */
  #reveal(row: HTMLElement): void {
    const word = row.querySelector('.token[aria-pressed="true"]')?.getBoundingClientRect();
    const box = row.getBoundingClientRect();
    if (word) row.scrollLeft += word.left + word.width / 2 - box.left - box.width / 2;
  }

  protected override below(scene: PictureScene): Part {
    return html`${this.#words(scene)} ${this.#canPaint ? this.#things(scene) : nothing}`;
  }

  /** The menu of a field: all that it can hold. */
  #things(scene: PictureScene): TemplateResult {
    const things = this.lab.task!.sourceWords.filter((word) => word === EMPTY || spoken(word) !== word);
    return html`<div
      class="palette"
      popover
      role="group"
      aria-label=${texts.paintField(scene.where(this.place))}
      @toggle=${(event: ToggleEvent) => (this.painting = event.newState === 'open')}
    >
      ${thingButtons(things, this.lab.pair?.source[this.place], (thing) => this.#paint(thing), this.#lastStroke ? this.#undo : null)}
    </div>`;
  }

  #words({ attention: { wordWeights }, caption }: PictureScene): Part {
    if (this.between || !wordWeights.length) return nothing;
    return html`<div class="playing">
      ${this.playButton(PLAY, PAUSE)}
      <span class="caption" role="group" aria-label=${texts.WORDS_OF_CAPTION}>
        ${caption.map(
          (word, t) =>
            html`<button type="button" class="token" aria-pressed=${t === this.at} @click=${() => this.goTo(t)}>
              ${word}
            </button>`,
        )}
      </span>
    </div>`;
  }

  protected override legend({ attention: { placeWeights, wordWeights } }: PictureScene): TemplateResult {
    return html`${placeWeights && wordWeights.length ? this.#whose() : nothing}
      <span class="legend">${alphaSymbol}<span>0</span>${swatches()}<span>1</span></span>
      <button class="link" aria-pressed=${this.numbers} @click=${() => (this.numbers = !this.numbers)}>
        ${texts.VALUES}
      </button>`;
  }

  #whose(): TemplateResult {
    const choose = (between: boolean): void => this.choose({ between, at: this.at, place: this.place });
    const nameOf = (between: boolean): string => (between ? texts.PLACES : texts.WORDS);
    return toggles(texts.WHOSE_ATTENTION, [false, true], this.between, choose, nameOf);
  }
}

customElements.define('u-picture', PictureView);
