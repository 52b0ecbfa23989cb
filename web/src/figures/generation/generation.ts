// <u-generation>: a text as it is generated. For one position: the words of the text and of the source with their
// attention weights, and the likeliest next tokens. Play steps through the positions, and the bench's cursor with it.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { optionsOf } from '../../ui/options-of';
import '../../styles/transformer.css';
import { Player } from '../../lab/cursor/player';
import { sourceColumns, topOf, targetWords } from '../../ui/words';
import type { Trace, TraceNode } from '../../engine/types';
import { consumeKey } from '../figure';
import { textWidth, widest } from '../figure-text';
import { ChangeDetector, attentionAt, forwardOf } from '../follow';
import { Costs, costText } from './generation-cost';
import { FULL, bars, generationLines, generationTable, wordsOf } from './generation-drawing';
import { layOutGeneration } from './generation-layout';
import { GenerationScene } from './generation-scene';
import { type GenerationTrace, layerOf, readGeneration } from './generation-trace';
import { LabFigure } from '../lab-figure';
import { legend, promptKey } from '../shared/legend';
import { palette } from '../shared/palette';
import { marked } from '../../ui/token';

const LINE = 13;
const POSITION = /^decoder\.t(\d+)[./]/;

export class Generation extends LabFigure {
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

  #read: { trace: Trace; generation: GenerationTrace | null } | null = null;
  #scene: GenerationScene | null = null;
  readonly #layers = new ChangeDetector<number>();
  readonly #positions = new ChangeDetector<string>();
  readonly #costs = new Costs(
    (positions) => this.lab.costBehind(positions),
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

  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace, pair, task } = this.lab;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, generation: readGeneration(trace) };
    const generation = trace && this.#read!.generation;
    this.#scene = null;
    if (!generation) return;
    this.#followBench(trace, generation);
    this.at = Math.min(this.at, generation.positions - 1);
    const { words: target, promptLength } = targetWords(this.lab);
    const words = {
      target: pair ? target : undefined,
      promptLength,
      source: (width: number) => sourceColumns(this.lab, width),
      vocabulary: task?.targetWords.map(marked),
    };
    const choice = { at: this.at, layer: this.layer, head: this.front };
    const probabilities = (node: TraceNode): Float32Array | undefined => this.lab.probabilities(node);
    this.#scene = new GenerationScene(generation, words, choice, (node) => this.reached(node), probabilities);
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

  /** Only called when there is something to show. */
  get #shown(): GenerationScene {
    return this.#scene!;
  }

  get #last(): number {
    return this.#shown.generation.positions - 1;
  }

  protected get ready(): boolean {
    return this.#scene !== null;
  }

  protected readonly heading = 'How the text is generated';

  protected picture(): TemplateResult {
    const scene = this.#shown;
    const line = LINE * this.zoom;
    const { sans } = palette();
    const wide = (word: string): number => textWidth(word, line, sans, 600);
    const names = widest(
      scene.likely.map(({ id }) => scene.word(id)),
      line,
      sans,
      600,
    );
    const groups = scene.groups.map(({ words }) => words.map(wide));
    const size = { width: this.width, line, gutter: line * 5, maxHeight: this.maxHeight };
    const layout = layOutGeneration(groups, Math.max(1, scene.likely.length), names, size);
    return html`<div
      class="scrolled"
      role="slider"
      tabindex="0"
      aria-label="Position being generated"
      aria-valuemin="0"
      aria-valuemax=${this.#last}
      aria-valuenow=${this.at}
      aria-valuetext=${scene.describe()}
      @keydown=${this.#keyed}
    >
      <svg
        class="drawn generation"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${wordsOf(scene, layout, line, (at) => this.#go(at))} ${bars(scene, layout, line)}
      </svg>
    </div>`;
  }

  protected override belowDrawing(): TemplateResult | typeof nothing {
    if (this.table) return nothing;
    const { layers, heads } = this.#shown;
    const go = (by: number) => () => this.#go(this.at + by);
    return html`<div class="playing">
      <button type="button" class="btn small" ?disabled=${this.at === 0} @click=${go(-1)}>Back</button>
      <button type="button" class="btn small" @click=${() => this.#play()}>
        ${this.#player.playing ? 'Pause' : 'Play'}
      </button>
      <button type="button" class="btn small" ?disabled=${this.at === this.#last} @click=${go(1)}>Next word</button>
      ${which('Layer', layers, layers - 1 - this.layer, (i) => this.choose({ layer: layers - 1 - i }))}
      ${which('Head', heads, this.front, (front) => this.choose({ front }))} ${this.#cost()}
    </div>`;
  }

  #cost(): TemplateResult | typeof nothing {
    const { trace, info } = this.lab;
    const cost = info?.kind === 'transformer_lm' ? this.#costs.at(trace!, this.at + 1) : null;
    return cost ? html`<p class="cost">${costText(cost)}</p>` : nothing;
  }

  #play(): void {
    if (this.#player.playing) return this.#player.pause();
    if (this.at === this.#last) this.#go(0);
    this.#player.play();
    this.requestUpdate();
  }

  /** False at the end. */
  #step(): boolean {
    this.#go(this.at + 1);
    return this.at < this.#last;
  }

  /** Moves the bench's cursor along to log p, and selects the likeliest token of this position. */
  #go(at: number): void {
    const { logProbs, vocabulary } = this.#shown.generation;
    this.choose({ at: Math.max(0, Math.min(this.#last, at)) });
    const row = this.lab.values(logProbs)?.subarray(this.at * vocabulary, (this.at + 1) * vocabulary);
    const best = row ? topOf(row, 1)[0]! : 0;
    this.lab.focus({ at: logProbs.name, cell: [...logProbs.shape.slice(2).map(() => 0), this.at, best] });
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -this.at, End: this.#last }[event.key];
    if (by !== undefined) this.#go(this.at + by);
    consumeKey(event, by !== undefined);
  };

  protected readout(): string {
    return this.#shown.describe();
  }

  protected override key(): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">α</i>`)}
    ${this.#shown.words.promptLength ? promptKey : nothing}`;
  }

  protected spoken(): string {
    return `Position ${this.at} of 0 to ${this.#last}. ${this.#shown.describe()}.`;
  }

  protected twin(): TemplateResult {
    return generationTable(this.#shown);
  }

  protected csv(): string {
    return generationLines(this.#shown);
  }
}

function which(
  label: string,
  count: number,
  now: number,
  choose: (i: number) => void,
): TemplateResult | typeof nothing {
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
