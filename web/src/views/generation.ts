// <u-generation>: a text as it is written. For one position: the words it may see, those of the source, how much weight
// each gets, and what is likely next. Playing goes from position to position, and the bench with it.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { optionsOf } from '../shell/options-of';
import '../styles/transformer.css';
import { Player } from '../stepper/player';
import { sourceColumns, topOf, writtenWords } from '../train/words';
import type { Trace, TraceNode } from '../types';
import { take } from './figure';
import { textWidth, widest } from './figure-text';
import { Arrivals, forwardOf, lookAt } from './follow';
import { Costs, costText } from './generation-cost';
import { FULL, bars, generationLines, generationTable, wordsOf } from './generation-drawing';
import { layOutGeneration } from './generation-layout';
import { GenerationScene } from './generation-scene';
import { type Writing, layerOf, readWriting } from './generation-trace';
import { LabFigure } from './lab-figure';
import { givenKey, legend } from './legend';
import { palette } from './palette';
import { marked } from './token';

const LINE = 13;
const POSITION = /^decoder\.t(\d+)[./]/;

export class Generation extends LabFigure {
  static override properties = {
    ...LabFigure.properties,
    at: { state: true },
    layer: { state: true },
    front: { state: true },
  };

  /** The position whose next word is looked for. */
  declare at: number;
  /** Which attention of each sort, counted from the last; and which of its heads. */
  declare layer: number;
  declare front: number;

  #read: { trace: Trace; writing: Writing | null } | null = null;
  #scene: GenerationScene | null = null;
  readonly #layers = new Arrivals<number>();
  readonly #positions = new Arrivals<string>();
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
    if (trace && this.#read?.trace !== trace) this.#read = { trace, writing: readWriting(trace) };
    const writing = trace && this.#read!.writing;
    this.#scene = null;
    if (!writing) return;
    this.#followBench(trace, writing);
    this.at = Math.min(this.at, writing.positions - 1);
    const { words: target, given } = writtenWords(this.lab);
    const words = {
      target: pair ? target : undefined,
      given,
      source: (width: number) => sourceColumns(this.lab, width),
      vocabulary: task?.targetWords.map(marked),
    };
    const choice = { at: this.at, layer: this.layer, head: this.front };
    const probabilities = (node: TraceNode): Float32Array | undefined => this.lab.probabilities(node);
    this.#scene = new GenerationScene(writing, words, choice, (node) => this.reached(node), probabilities);
  }

  /** To the layer in which the bench stands, and to the position: a recurrent decoder is at one at a time. */
  #followBench(trace: Trace, writing: Writing): void {
    const { cursor } = this.lab;
    const look = lookAt(
      trace,
      cursor,
      writing.gazes.flatMap(({ nodes }) => nodes),
    );
    const layer = this.#layers.at(look && layerOf(writing, look));
    const node = trace.nodes[cursor.node];
    const position = this.#positions.at(node && POSITION.exec(forwardOf(trace, node).name)?.[1]);
    this.follow({ ...(layer !== undefined && { layer }), ...(position && { at: Number(position) }) });
  }

  /** Only called when there is something to show. */
  get #shown(): GenerationScene {
    return this.#scene!;
  }

  get #last(): number {
    return this.#shown.writing.positions - 1;
  }

  protected get ready(): boolean {
    return this.#scene !== null;
  }

  protected readonly heading = 'How it is written';

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
    const room = { width: this.width, line, gutter: line * 5, room: this.room };
    const layout = layOutGeneration(groups, Math.max(1, scene.likely.length), names, room);
    return html`<div
      class="scrolled"
      role="slider"
      tabindex="0"
      aria-label="Position that is written"
      aria-valuemin="0"
      aria-valuemax=${this.#last}
      aria-valuenow=${this.at}
      aria-valuetext=${scene.tale()}
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

  protected override below(): TemplateResult | typeof nothing {
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
    const cost = info?.kind === 'transformer_lm' ? this.#costs.behind(trace!, this.at + 1) : null;
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

  /** The bench goes along, to the probabilities of this position; of them the likeliest is selected. */
  #go(at: number): void {
    const { likely, vocabulary } = this.#shown.writing;
    this.choose({ at: Math.max(0, Math.min(this.#last, at)) });
    const row = this.lab.values(likely)?.subarray(this.at * vocabulary, (this.at + 1) * vocabulary);
    const best = row ? topOf(row, 1)[0]! : 0;
    this.lab.focus({ at: likely.name, cell: [...likely.shape.slice(2).map(() => 0), this.at, best] });
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -this.at, End: this.#last }[event.key];
    if (by !== undefined) this.#go(this.at + by);
    take(event, by !== undefined);
  };

  protected readout(): string {
    return this.#shown.tale();
  }

  protected override key(): TemplateResult {
    return html`${legend(FULL, html`<i class="sym r-weight">α</i>`)} ${this.#shown.words.given ? givenKey : nothing}`;
  }

  protected spoken(): string {
    return `Position ${this.at} of 0 to ${this.#last}. ${this.#shown.tale()}.`;
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
