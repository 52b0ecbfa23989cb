// <u-picture>: the picture that a captioner reads, overlaid with attention weights: of a word of the caption, or of one
// of the picture's own places.
import { type TemplateResult, html, nothing } from 'lit';
import '../host/player.css';
import './picture.css';
import * as texts from '#messages/figures/picture';
import { PAUSE, PLAY } from '#messages/figures/shared';
import type { Selection, Trace } from '../../engine/types';
import { Player } from '../../lab/cursor/player';
import { EOS } from '../../ui/words';
import type { Part, Room, Size } from '../host/contract';
import { LabFigure } from '../host/lab-figure';
import { type Navigation, flatGridNavigation, sliderNavigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { ChangeDetector, attentionAt } from '../shared/follow';
import { argmax } from '../shared/summary';
import { fields, pictureAt, swatches, urlOf } from './picture-drawing';
import { type Grid, placeAt, sideFor } from './picture-layout';
import { type PictureChoice, PictureScene } from './picture-scene';
import { type PictureAttention, readPicture } from './picture-trace';

const MOST = 224;
const LINE = 13;

interface DrawnPicture extends Size {
  grid: Grid;
  /** Size of the text in the places. */
  line: number;
}

/** Its cells are the words of the caption, or the places of the picture. */
export class PictureView extends LabFigure<PictureScene, DrawnPicture, number> implements PictureChoice {
  static override properties = {
    ...LabFigure.properties,
    at: { state: true },
    place: { state: true },
    between: { state: true },
    numbers: { state: true },
  };

  declare at: number;
  declare place: number;
  declare between: boolean;
  /** Writes the weights into the places. */
  declare numbers: boolean;

  protected override readonly frame = 'scene';
  protected override readonly kind = 'scene-drawing';

  #read: { trace: Trace; attention: PictureAttention | null } | null = null;
  #drawn: { values: Float32Array; url: string } | null = null;
  readonly #lastAttention = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<Selection>();
  readonly #player = new Player(
    () => this.#step(),
    () => this.requestUpdate(),
  );

  constructor() {
    super();
    this.at = this.place = 0;
    this.between = this.numbers = false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#player.pause();
  }

  read(): PictureScene | null {
    const { trace, pair } = this.lab;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, attention: readPicture(trace) };
    const attention = this.#read?.attention;
    if (!trace || !attention) return null;
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

  layout({ attention: { picture, grid } }: PictureScene, { width, zoom }: Room): DrawnPicture {
    const side = sideFor(picture.shape.at(-1)!, width, MOST * zoom);
    return { width: side, height: side, grid, line: LINE * zoom };
  }

  draw(scene: PictureScene, { width: side, line }: DrawnPicture): Part[] {
    const { picture } = scene.attention;
    return [pictureAt(picture.name, side, this.#url(scene)), fields(scene, side, this.numbers ? line : null)];
  }

  /** The picture is drawn again only when its values change. */
  #url({ pixels: values, attention: { picture } }: PictureScene): string | undefined {
    if (!values) return undefined;
    if (this.#drawn?.values !== values) this.#drawn = { values, url: urlOf(picture, values) };
    return this.#drawn.url;
  }

  rows(scene: PictureScene): Table[] {
    return [scene.table(this.readout(scene))];
  }

  tell(scene: PictureScene): string {
    return scene.tell();
  }

  tellCell(scene: PictureScene, cell: number): string {
    return scene.tellCell(cell);
  }

  hit({ grid, width }: DrawnPicture, x: number, y: number): number | null {
    return this.between ? placeAt(grid, width, x, y) : null;
  }

  navigation({ attention: { grid, wordWeights }, choice }: PictureScene): Navigation<number> {
    return choice.between
      ? flatGridNavigation(texts.PLACES_OF_PICTURE, grid)
      : sliderNavigation(texts.WORD_OF_CAPTION, wordWeights.length - 1);
  }

  protected override get spot(): number {
    return this.between ? this.place : this.at;
  }

  protected override point(): void {}

  protected override press(place: number | null): void {
    if (place !== null) this.#goToPlace(place);
  }

  protected override go(cell: number): void {
    if (this.between) this.#goToPlace(cell);
    else this.#goToWord(cell);
  }

  /** Selects the place's largest weight in the lab, like a cell of the board. */
  #goToPlace(place: number): void {
    this.place = place;
    const node = this.scene!.node!;
    const weights = this.scene!.weightsOf(node, place) ?? [0];
    this.lab.select(node.name, place * node.shape.at(-1)! + argmax([...weights]));
  }

  /** Moves the bench's cursor along, to the word's largest weight. */
  #goToWord(at: number): void {
    const { wordWeights } = this.scene!.attention;
    this.at = Math.max(0, Math.min(wordWeights.length - 1, at));
    const node = wordWeights[this.at]!;
    const values = this.lab.values(node);
    this.lab.focus({ at: node.name, cell: [...node.shape.slice(1).map(() => 0), values ? argmax([...values]) : 0] });
  }

  protected headingOf(): string {
    return texts.HEADING;
  }

  protected override tensorOf({ node }: PictureScene): string | undefined {
    return node?.name;
  }

  protected override below({ attention: { wordWeights }, caption }: PictureScene): Part {
    if (this.between || !wordWeights.length) return nothing;
    return html`<div class="playing">
      <button type="button" class="btn small" @click=${() => this.#play()}>
        ${this.#player.playing ? PAUSE : PLAY}
      </button>
      <span class="caption" role="group" aria-label=${texts.WORDS_OF_CAPTION}>
        ${caption.map(
          (word, t) =>
            html`<button type="button" class="token" aria-pressed=${t === this.at} @click=${() => this.#goToWord(t)}>
              ${word}
            </button>`,
        )}
      </span>
    </div>`;
  }

  get #last(): number {
    return (this.scene?.attention.wordWeights.length ?? 0) - 1;
  }

  #play(): void {
    if (this.#player.playing) return this.#player.pause();
    if (this.at === this.#last) this.#goToWord(0);
    this.#player.play();
    this.requestUpdate();
  }

  /** False at the end. */
  #step(): boolean {
    this.#goToWord(this.at + 1);
    return this.at < this.#last;
  }

  protected readout(scene: PictureScene): string {
    return scene.tellCell(this.spot);
  }

  protected override legend({ attention: { placeWeights, wordWeights } }: PictureScene): TemplateResult {
    return html`${placeWeights && wordWeights.length ? this.#whose() : nothing}
      <span class="legend"><i class="sym r-weight">α</i><span>0</span>${swatches()}<span>1</span></span>
      <button class="link" aria-pressed=${this.numbers} @click=${() => (this.numbers = !this.numbers)}>
        ${texts.VALUES}
      </button>`;
  }

  #whose(): TemplateResult {
    const choose = (between: boolean): void => this.choose({ between, at: this.at, place: this.place });
    return html`<span class="switch" role="group" aria-label=${texts.WHOSE_ATTENTION}>
      ${[false, true].map(
        (between) =>
          html`<button aria-pressed=${this.between === between} @click=${() => choose(between)}>
            ${between ? texts.PLACES : texts.WORDS}
          </button>`,
      )}
    </span>`;
  }

  /** The weights of every word, not those on show alone. */
  protected override exported(scene: PictureScene): Table[] {
    return [scene.allWeights(this.headingOf())];
  }
}

customElements.define('u-picture', PictureView);
