// <u-generation>: a text as it is generated. For one position: the words of the text and of the source with their
// attention weights, and the likeliest next tokens. Play steps through the positions, and the bench's cursor with it.
import { type TemplateResult, html, nothing } from 'lit';
import './generation.css';
import * as texts from '#messages/figures/generation';
import { HEAD } from '#messages/figures/host';
import { LAYER } from '#messages/figures/shared';
import { kindOf } from '../../engine/kinds';
import type { Trace, TraceNode } from '../../engine/types';
import { marked, sourceColumns, targetWords, topOf } from '../../ui/words';
import { type Description, type Drawing, type Part, type Room, sliderNavigation, states } from '../host/contract';
import { numberSelect } from '../host/lab-figure';
import { PlayedFigure } from '../host/played-figure';
import { ChangeDetector, attentionAt, forwardOf } from '../shared/follow';
import { isInside } from '../shared/geometry';
import { alphaLegend, promptKey } from '../shared/marks';
import { widest, wordWidth } from '../shared/palette';
import type { GenerationTrace, Words } from './generation-scene';
import { Costs, GenerationScene, tablesOf, valuesOf, layerOf, readGeneration } from './generation-scene';
import { bars, boxOf, layOutGeneration, wordsOf } from './generation-drawing';

const POSITION = /^decoder\.t(\d+)[./]/;

/** Its cells are the positions of the text; on show is the one whose next token is predicted. */
export class Generation extends PlayedFigure<GenerationScene> {
  static override properties = states('layer', 'front');

  /** Index of the attention within its sort, counted from the last; and of its head. */
  layer = 0;
  front = 0;

  protected override readonly kind = 'generation';

  readonly #layers = new ChangeDetector<number>();
  readonly #positions = new ChangeDetector<string>();
  readonly #costs = new Costs(
    (positions) => this.lab.engine.generationCost(positions),
    () => this.requestUpdate(),
  );

  protected read(): GenerationScene | null {
    const { trace } = this.lab;
    const generation = trace && readGeneration(trace);
    if (!generation) return null;
    this.#followBench(trace, generation);
    this.at = Math.min(this.at, generation.positions - 1);
    const choice = { at: this.at, layer: this.layer, head: this.front };
    const probabilities = (node: TraceNode): Float32Array | undefined => this.lab.probabilities(node);
    return new GenerationScene(generation, this.#words, choice, (node) => this.reached(node), probabilities);
  }

  get #words(): Words {
    const { words, promptLength } = targetWords(this.lab);
    return {
      target: this.lab.pair ? words : undefined,
      promptLength,
      source: (width: number) => sourceColumns(this.lab, width),
      vocabulary: this.lab.task?.targetWords.map(marked),
    };
  }

  /** Follows the bench's cursor to its layer and, in a recurrent decoder, to its position. */
  #followBench(trace: Trace, generation: GenerationTrace): void {
    const { cursor } = this.lab;
    const weights = generation.attentions.flatMap(({ nodes }) => nodes);
    const attention = attentionAt(trace, cursor, weights);
    const layer = this.#layers.next(attention && layerOf(generation, attention));
    const node = trace.nodes[cursor.node];
    const position = this.#positions.next(node && POSITION.exec(forwardOf(trace, node).name)?.[1]);
    this.follow({ ...(layer !== undefined && { layer }), ...(position && { at: Number(position) }) });
  }

  protected get last(): number {
    return (this.scene?.generation.positions ?? 1) - 1;
  }

  protected describe(scene: GenerationScene): Description<number> {
    return {
      heading: texts.HEADING,
      summary: () => texts.atPosition(this.at, this.last, scene.describe()),
      cell: () => scene.describe(),
      readout: () => scene.describe(),
      tables: () => tablesOf(scene),
      exported: () => [valuesOf(scene, texts.HEADING)],
    };
  }

  protected layOut(scene: GenerationScene, { width, maxHeight, line }: Room): Drawing<number> {
    const likely = scene.likely.map(({ id }) => scene.word(id));
    const groups = scene.groups.map(({ words }) => words.map((word) => wordWidth(word, line)));
    const size = { width, line, gutter: line * 5, maxHeight };
    const layout = layOutGeneration(groups, Math.max(1, likely.length), widest(likely, line, 600), size);
    const written = layout.groups.at(-1)!.chips; // the text is the last group
    return {
      ...layout,
      draw: () => [...wordsOf(scene, layout), bars(scene, layout)],
      hit(x, y) {
        const at = written.findIndex((chip) => isInside(boxOf(chip, layout), x, y));
        return at < 0 ? null : at;
      },
      navigation: sliderNavigation(texts.POSITION, scene.generation.positions - 1),
    };
  }

  protected override below({ layers, heads }: GenerationScene): TemplateResult {
    const go = (by: number) => () => this.goTo(this.at + by);
    return html`<div class="playing">
      <button type="button" class="btn small" ?disabled=${this.at === 0} @click=${go(-1)}>${texts.BACK}</button>
      ${this.playButton(texts.PLAY_WRITING, texts.PAUSE_WRITING)}
      <button type="button" class="btn small" ?disabled=${this.at === this.last} @click=${go(1)}>
        ${texts.NEXT_WORD}
      </button>
      ${layers > 1 ? numberSelect(LAYER, layers, layers - 1 - this.layer, (i) => this.choose({ layer: layers - 1 - i })) : nothing}
      ${heads > 1 ? numberSelect(HEAD, heads, this.front, (front) => this.choose({ front })) : nothing} ${this.#cost()}
    </div>`;
  }

  #cost(): Part {
    const { trace, info } = this.lab;
    const cost = kindOf(info?.kind).caches ? this.#costs.at(trace!, this.at + 1) : null;
    return cost ? html`<p class="cost resting">${texts.cost(cost)}</p>` : nothing;
  }

  /** Moves the bench's cursor along to log p, and selects the likeliest token of this position. */
  protected goTo(at: number): void {
    const { logProbs, vocabulary } = this.scene!.generation;
    this.choose({ at: Math.max(0, Math.min(this.last, at)) });
    const row = this.lab.values(logProbs)?.subarray(this.at * vocabulary, (this.at + 1) * vocabulary);
    const best = row ? topOf(row, 1)[0]! : 0;
    this.lab.focus({ at: logProbs.name, cell: [...logProbs.shape.slice(2).map(() => 0), this.at, best] });
  }

  protected override legend(scene: GenerationScene): TemplateResult {
    return html`${alphaLegend()} ${scene.words.promptLength ? promptKey : nothing}`;
  }
}

customElements.define('u-generation', Generation);
