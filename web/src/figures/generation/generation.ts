// <u-generation>: a text as it is generated. For one position: the words of the text and of the source with their
// attention weights, and the likeliest next tokens. Play steps through the positions, and the bench's cursor with it.
import { type TemplateResult, html, nothing } from 'lit';
import '../host/player.css';
import './generation.css';
import * as texts from '#messages/figures/generation';
import { HEAD } from '#messages/figures/host';
import { LAYER } from '#messages/figures/shared';
import { kindOf } from '../../engine/kinds';
import type { Trace, TraceNode } from '../../engine/types';
import { Player } from '../../lab/cursor/player';
import { optionsOf } from '../../ui/options-of';
import { marked, sourceColumns, targetWords, topOf } from '../../ui/words';
import type { Part, Room } from '../host/contract';
import { LabFigure } from '../host/lab-figure';
import { type Navigation, sliderNavigation } from '../host/navigation';
import type { Table } from '../host/tables';
import { ChangeDetector, attentionAt, forwardOf } from '../shared/follow';
import { legend, promptKey } from '../shared/legend';
import { palette } from '../shared/palette';
import { textWidth, widest } from '../shared/text-width';
import { Costs } from './generation-cost';
import { type DrawnGeneration, FULL, bars, boxOf, wordsOf } from './generation-drawing';
import { layOutGeneration } from './generation-layout';
import { GenerationScene, type Words } from './generation-scene';
import { generationTables, generationValues } from './generation-tables';
import { type GenerationTrace, layerOf, readGeneration } from './generation-trace';

const LINE = 13;
const POSITION = /^decoder\.t(\d+)[./]/;

/** Its cells are the positions of the text. */
export class Generation extends LabFigure<GenerationScene, DrawnGeneration, number> {
  static override properties = {
    ...LabFigure.properties,
    at: { state: true },
    layer: { state: true },
    front: { state: true },
  };

  /** The position whose next token is predicted. */
  declare at: number;
  /** Index of the attention within its sort, counted from the last; and of its head. */
  declare layer: number;
  declare front: number;

  protected override readonly kind = 'generation';

  #read: { trace: Trace; generation: GenerationTrace | null } | null = null;
  readonly #layers = new ChangeDetector<number>();
  readonly #positions = new ChangeDetector<string>();
  readonly #costs = new Costs(
    (positions) => this.lab.engine.generationCost(positions),
    () => this.requestUpdate(),
  );
  readonly #player = new Player(
    () => this.#step(),
    () => this.requestUpdate(),
  );

  constructor() {
    super();
    this.at = this.layer = this.front = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#player.pause();
  }

  read(): GenerationScene | null {
    const { trace } = this.lab;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, generation: readGeneration(trace) };
    const generation = trace && this.#read!.generation;
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
    const attention = attentionAt(
      trace,
      cursor,
      generation.attentions.flatMap(({ nodes }) => nodes),
    );
    const layer = this.#layers.next(attention && layerOf(generation, attention));
    const node = trace.nodes[cursor.node];
    const position = this.#positions.next(node && POSITION.exec(forwardOf(trace, node).name)?.[1]);
    this.follow({ ...(layer !== undefined && { layer }), ...(position && { at: Number(position) }) });
  }

  get #last(): number {
    return (this.scene?.generation.positions ?? 1) - 1;
  }

  layout(scene: GenerationScene, { width, maxHeight, zoom }: Room): DrawnGeneration {
    const line = LINE * zoom;
    const { sans } = palette();
    const wide = (word: string): number => textWidth(word, line, sans, 600);
    const likely = scene.likely.map(({ id }) => scene.word(id));
    const groups = scene.groups.map(({ words }) => words.map(wide));
    const size = { width, line, gutter: line * 5, maxHeight };
    const names = widest(likely, line, sans, 600);
    return { ...layOutGeneration(groups, Math.max(1, likely.length), names, size), line };
  }

  draw(scene: GenerationScene, layout: DrawnGeneration): Part[] {
    return [...wordsOf(scene, layout), bars(scene, layout)];
  }

  rows(scene: GenerationScene): Table[] {
    return generationTables(scene);
  }

  tell(scene: GenerationScene): string {
    return texts.atPosition(this.at, this.#last, scene.describe());
  }

  tellCell(scene: GenerationScene): string {
    return scene.describe();
  }

  /** The text is the last group. */
  hit(layout: DrawnGeneration, px: number, py: number): number | null {
    const at = layout.groups.at(-1)!.chips.findIndex((chip) => {
      const { x, y, width, height } = boxOf(chip, layout);
      return px >= x && py >= y && px < x + width && py < y + height;
    });
    return at < 0 ? null : at;
  }

  navigation(scene: GenerationScene): Navigation<number> {
    return sliderNavigation(texts.POSITION, scene.generation.positions - 1);
  }

  protected override get spot(): number {
    return this.at;
  }

  protected override point(): void {}

  protected override press(at: number | null): void {
    if (at !== null) this.go(at);
  }

  protected headingOf(): string {
    return texts.HEADING;
  }

  protected override below({ layers, heads }: GenerationScene): TemplateResult {
    const go = (by: number) => () => this.go(this.at + by);
    return html`<div class="playing">
      <button type="button" class="btn small" ?disabled=${this.at === 0} @click=${go(-1)}>${texts.BACK}</button>
      <button type="button" class="btn small" @click=${() => this.#play()}>
        ${this.#player.playing ? texts.PAUSE_WRITING : texts.PLAY_WRITING}
      </button>
      <button type="button" class="btn small" ?disabled=${this.at === this.#last} @click=${go(1)}>
        ${texts.NEXT_WORD}
      </button>
      ${which(LAYER, layers, layers - 1 - this.layer, (i) => this.choose({ layer: layers - 1 - i }))}
      ${which(HEAD, heads, this.front, (front) => this.choose({ front }))} ${this.#cost()}
    </div>`;
  }

  #cost(): Part {
    const { trace, info } = this.lab;
    const cost = kindOf(info?.kind).caches ? this.#costs.at(trace!, this.at + 1) : null;
    return cost ? html`<p class="cost">${texts.cost(cost)}</p>` : nothing;
  }

  #play(): void {
    if (this.#player.playing) return this.#player.pause();
    this.lab.pause(); // one thing moves the bench at a time
    if (this.at === this.#last) this.go(0);
    this.#player.play();
    this.requestUpdate();
  }

  /** False at the end. */
  #step(): boolean {
    this.go(this.at + 1);
    return this.at < this.#last;
  }

  /** Moves the bench's cursor along to log p, and selects the likeliest token of this position. */
  protected override go(at: number): void {
    const { logProbs, vocabulary } = this.scene!.generation;
    this.choose({ at: Math.max(0, Math.min(this.#last, at)) });
    const row = this.lab.values(logProbs)?.subarray(this.at * vocabulary, (this.at + 1) * vocabulary);
    const best = row ? topOf(row, 1)[0]! : 0;
    this.lab.focus({ at: logProbs.name, cell: [...logProbs.shape.slice(2).map(() => 0), this.at, best] });
  }

  protected readout(scene: GenerationScene): string {
    return scene.describe();
  }

  protected override legend(scene: GenerationScene): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">α</i>`)} ${scene.words.promptLength ? promptKey : nothing}`;
  }

  protected override exported(scene: GenerationScene): Table[] {
    return [generationValues(scene, this.headingOf())];
  }
}

function which(label: string, count: number, now: number, choose: (i: number) => void): Part {
  if (count < 2) return nothing;
  const change = (event: Event): void => choose(Number((event.target as HTMLSelectElement).value));
  return html`<label class="which"
    >${label}
    <select .value=${String(now)} @change=${change}>
      ${optionsOf([...Array(count).keys()], now)}
    </select></label
  >`;
}

customElements.define('u-generation', Generation);
