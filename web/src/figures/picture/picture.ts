// <u-picture>: the picture that a captioner reads, overlaid with attention weights: of a word of the caption, or of one
// of the picture's own places.
import { type TemplateResult, html, nothing } from 'lit';
import './picture.css';
import * as texts from '#messages/figures/picture';
import { PAUSE, PLAY } from '#messages/figures/shared';
import type { Selection, Trace } from '../../engine/types';
import { toggles } from '../../ui/choices';
import { EOS } from '../../ui/words';
import type { Description, Drawing, Part, Room } from '../host/contract';
import { flatGridNavigation, sliderNavigation, states } from '../host/contract';
import { PlayedFigure } from '../host/played-figure';
import { ChangeDetector, attentionAt } from '../shared/follow';
import { alphaSymbol } from '../shared/marks';
import { argmax } from '../shared/summary';
import type { PictureAttention, PictureChoice } from './picture-scene';
import { PictureScene, fields, pictureAt, placeAt, readPicture, sideFor, swatches, urlOf } from './picture-scene';

const MOST = 224;

/** Its cells are the words of the caption, or the places of the picture. */
export class PictureView extends PlayedFigure<PictureScene> implements PictureChoice {
  static override properties = states('place', 'between', 'numbers');

  place = 0;
  between = false;
  /** Writes the weights into the places. */
  numbers = false;

  protected override readonly frame = 'scene';
  protected override readonly kind = 'scene-drawing';

  #drawn: { values: Float32Array; url: string } | null = null;
  readonly #lastAttention = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<Selection>();

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
    const readout = (): string => scene.tellCell(this.spot);
    return {
      heading: texts.HEADING,
      tensor: scene.node?.name,
      summary: () => scene.tell(),
      cell: (cell) => scene.tellCell(cell),
      readout,
      tables: () => [scene.table(readout())],
      exported: () => [scene.allWeights(texts.HEADING)],
    };
  }

  protected layOut(scene: PictureScene, { width, maxHeight, zoom, line }: Room): Drawing<number> {
    const { picture, grid, wordWeights } = scene.attention;
    const { between } = scene.choice;
    const side = sideFor(picture.shape.at(-1)!, Math.min(width, maxHeight), MOST * zoom);
    return {
      ...{ width: side, height: side },
      draw: () => [pictureAt(picture.name, side, this.#url(scene)), fields(scene, side, this.numbers ? line : null)],
      hit: (x, y) => (between ? placeAt(grid, side, x, y) : null),
      navigation: between
        ? flatGridNavigation(texts.PLACES_OF_PICTURE, grid)
        : sliderNavigation(texts.WORD_OF_CAPTION, wordWeights.length - 1),
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
    return this.between ? this.place : this.at;
  }

  protected override go(cell: number): void {
    if (this.between) this.#goToPlace(cell);
    else this.goTo(cell);
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

  protected override below({ attention: { wordWeights }, caption }: PictureScene): Part {
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
