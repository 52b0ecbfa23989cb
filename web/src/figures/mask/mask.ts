// <u-mask>: a mask to paint on: every pressed cell is one edit of it, and the weights beside it follow.
import { type TemplateResult, html } from 'lit';
import * as texts from '#messages/figures/mask';
import './mask.css';
import type { Edit, TraceNode } from '../../engine/types';
import { type Place, cellIndex } from '../../ui/grid-layout';
import { select } from '../../ui/choices';
import { AttentionFigure } from '../host/lab-figure';
import { gridNavigation, states, type Description, type Drawing, type Room } from '../host/contract';
import { placeIn, widthsOf, wordsOf } from '../shared/attention/attention-map';
import { headPlane } from '../shared/attention/attention-trace';
import { alphaLegend } from '../shared/marks';
import { type Preset, MaskScene, drawn, layOutMask, presetMask } from './mask-scene';

const PRESETS: readonly Preset[] = ['none', 'causal', 'padding', 'window'];

export class MaskPainter extends AttentionFigure<MaskScene, Place> {
  static override properties = states('size');

  /** Number of keys that are padding, or in a window. */
  size = 1;

  protected override readonly frame = 'matrix';
  protected override readonly kind = 'mask';
  protected override readonly pressesAtOnce = true;

  /** Painted but not run yet. */
  readonly #pending = new Set<Edit>();
  /** Value that the pointer paints while it is held down, else null. */
  #stroke: number | null = null;

  /** The mask, if it is an input of the model. */
  get #mask(): TraceNode | undefined {
    const input = this.lab.info?.inputs.find(({ name, shape }) => name === 'mask' && shape.length === 2);
    return input && this.lab.trace ? this.lab.node(input.name) : undefined;
  }

  protected read(): MaskScene | null {
    const [mask, { weights }] = [this.#mask, this];
    if (!mask || !weights || mask.shape.join() !== weights.shape.slice(-2).join()) return null;
    const { rows, columns } = wordsOf(this.lab, weights);
    this.size = Math.min(this.size, columns.length);
    const weightAt = (row: number, c: number): number =>
      cellIndex(headPlane(weights, this.headOnShow, this.heads), row, c);
    const [added, values] = [this.valuesOf(mask), this.valuesOf(weights)];
    const valueAt = (index: number): number | undefined => this.#valueAt(mask, index);
    return new MaskScene(mask, weights, { rows, columns }, added, values, weightAt, valueAt);
  }

  #valueAt(mask: TraceNode, index: number): number | undefined {
    const painted = [...this.#edits, ...this.#pending].findLast((edit) => edit.index === index);
    return painted?.value ?? this.valuesOf(mask)?.[index];
  }

  protected describe(scene: MaskScene): Description<Place> {
    return {
      heading: texts.THE_MASK,
      summary: () => scene.tell(),
      cell: (place) => texts.seesKey(scene.pairAt(place)),
      readout: (here) => (here ? texts.seesKeySentence(scene.pairAt(here)) : scene.tellBlind() || texts.PRESS_OR_DRAG),
      tables: () => scene.tables(),
    };
  }

  protected layOut(scene: MaskScene, { width, line }: Room): Drawing<Place> {
    const { rows, columns } = scene.words;
    const layout = layOutMask(widthsOf(columns, rows, line), width, line);
    return {
      ...layout,
      draw: (here) => drawn(scene, layout, here),
      hit: (x, y) => placeIn(layout.mask, x, y),
      navigation: gridNavigation(texts.CELLS_OF_MASK, layout.mask, scene.at),
    };
  }

  protected override head(scene: MaskScene): TemplateResult {
    return html`${super.head(scene)} ${this.choices()}`;
  }

  protected override above({ words }: MaskScene): TemplateResult {
    const [T, S] = [words.rows.length, words.columns.length];
    const sizes = Array.from({ length: S }, (_, i) => i + 1);
    const sizeList = select(sizes, this.size, (size) => (this.size = size), String, texts.NUMBER_OF_KEYS);
    return html`<div class="presets" role="group" aria-label=${texts.MASK_PRESETS}>
      ${PRESETS.map(
        (preset) =>
          html`<button class="btn" @click=${() => void this.#fill(presetMask(preset, T, S, this.size))}>
            ${texts.PRESETS[preset]}
          </button>`,
      )}
      <label class="choice">${texts.paddingOrWindow(this.size, sizeList)}</label>
      <button class="link" ?disabled=${!this.#edits.length} @click=${() => void this.lab.undoEdit(this.#mask!.name)}>
        ${texts.UNDO}
      </button>
    </div>`;
  }

  get #edits(): Edit[] {
    return this.lab.state.edits.filter(({ name }) => name === this.#mask?.name);
  }

  /** Sets the whole mask, replacing what was painted. */
  async #fill(values: number[]): Promise<void> {
    if (await this.lab.setInput(this.#mask!.name, values)) this.#showWeights();
  }

  async #paint({ row, column }: Place, value: number): Promise<void> {
    const edit = { name: this.#mask!.name, index: this.scene!.at(row, column), value };
    this.#pending.add(edit);
    if ((await this.lab.edit(edit.name, edit.index, value)).ok) this.#showWeights();
    this.#pending.delete(edit);
  }

  /** Painting is about the weights: moves the cursor to them if it has not reached them. */
  #showWeights(): void {
    const { weights } = this;
    if (weights && !this.lab.reached(weights)) this.lab.moveTo({ node: weights.id, scope: -1 });
  }

  protected override press(place: Place | null, event: PointerEvent): void {
    if (!place) return;
    this.cursor = place;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#stroke = this.scene!.isHidden(place) ? 0 : -Infinity;
    void this.#paint(place, this.#stroke);
  }

  protected override point(place: Place | null): void {
    this.under = place;
    if (!place || this.#stroke === null) return;
    this.cursor = place;
    if (this.scene!.isHidden(place) === (this.#stroke === 0)) void this.#paint(place, this.#stroke);
  }

  protected override lift(): void {
    this.#stroke = null;
  }

  protected override ownKey({ key, repeat }: KeyboardEvent): boolean {
    if (key !== ' ' && key !== 'Enter') return false;
    const place = this.spot ?? { row: 0, column: 0 };
    if (!repeat) void this.#paint(place, this.scene!.isHidden(place) ? 0 : -Infinity);
    return true;
  }

  /** That a word sees nothing is a warning. */
  protected override rests(scene: MaskScene): boolean {
    return super.rests(scene) && !scene.tellBlind();
  }

  protected override legend(): TemplateResult {
    return html`<span class="legend"
        ><svg viewBox="0 0 12 12" class="mask-sample" aria-hidden="true"><path d="M.5.5h11v11H.5zM0 12 12 0" /></svg
        >${texts.HIDDEN}</span
      >
      ${alphaLegend()}`;
  }
}

customElements.define('u-mask', MaskPainter);
