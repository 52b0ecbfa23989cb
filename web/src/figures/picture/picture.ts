// <u-picture>: the picture that a captioner reads, overlaid with attention weights: of a word of the caption, or of one
// of the picture's own places.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import '../../styles/transformer.css';
import { Player } from '../../lab/cursor/player';
import { EOS } from '../../ui/words';
import type { Selection, Trace, TraceNode } from '../../engine/types';
import { consumeKey } from '../figure';
import { ChangeDetector, attentionAt } from '../follow';
import { LabFigure } from '../lab-figure';
import { fixed } from '../../ui/numbers';
import { field, swatches } from './picture-drawing';
import { type Grid, placeAfterKey, placeBox, rgbaOf, sideFor } from './picture-layout';
import { placeTable } from './picture-table';
import { type PictureAttention, readPicture } from './picture-trace';
import { argmax } from '../shared/summary';

const MOST = 224;
/** Source word of an empty place. */
const EMPTY = '.';

export class PictureView extends LabFigure {
  static override properties = {
    ...LabFigure.properties,
    at: { state: true },
    place: { state: true },
    between: { state: true },
    numbers: { state: true },
  };

  /** Index of the caption's word, and of the picture's place. */
  declare at: number;
  declare place: number;
  /** Shows the weights of a place instead of a word's. */
  declare between: boolean;
  declare numbers: boolean;

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

  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace } = this.lab;
    if (trace && this.#read?.trace !== trace) this.#read = { trace, attention: readPicture(trace) };
    const attention = this.#read?.attention;
    if (!trace || !attention) return;
    this.#followBench(trace, attention);
    this.at = Math.min(this.at, Math.max(0, attention.wordWeights.length - 1));
    this.place = Math.min(this.place, attention.grid.rows * attention.grid.columns - 1);
    this.between = attention.placeWeights !== undefined && (this.between || !attention.wordWeights.length);
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

  protected get ready(): boolean {
    return Boolean(this.lab.trace && this.#read?.attention);
  }

  /** Only called when there is something to show. */
  get #attention(): PictureAttention {
    return this.#read!.attention!;
  }

  protected readonly heading = 'Where the model looks';

  get #caption(): string[] {
    const target = this.lab.pair?.target ?? [];
    return this.#attention.wordWeights.map((_, t) => target[t] ?? (t === target.length ? EOS : `${t}`));
  }

  get #node(): TraceNode | undefined {
    return this.between ? this.#attention.placeWeights : this.#attention.wordWeights[this.at];
  }

  protected override get tensorName(): string | typeof nothing {
    return this.#node?.name ?? nothing;
  }

  /** undefined until the cursor has passed them. */
  #weightsOf(node: TraceNode | undefined): Float32Array | undefined {
    const { rows, columns } = this.#attention.grid;
    const from = this.between ? this.place * rows * columns : 0;
    return this.reached(node)?.subarray(from, from + rows * columns);
  }

  protected picture(): TemplateResult {
    const { picture, grid } = this.#attention;
    const pixels = picture.shape.at(-1)!;
    const side = sideFor(pixels, this.width, MOST * this.zoom);
    const values = this.reached(picture);
    return html`<div
      class="scene"
      role=${this.between ? 'grid' : 'slider'}
      tabindex="0"
      aria-label=${this.between ? 'Places of the picture' : 'Word of the caption'}
      aria-valuemin=${this.between ? nothing : 0}
      aria-valuemax=${this.between ? nothing : this.#attention.wordWeights.length - 1}
      aria-valuenow=${this.between ? nothing : this.at}
      aria-valuetext=${this.between ? nothing : this.#describe()}
      aria-activedescendant=${this.between ? `${this.uid}-place` : nothing}
      @keydown=${this.#keyed}
    >
      <svg class="drawn scene-drawing" width=${side} height=${side} viewBox="0 0 ${side} ${side}" aria-hidden="true">
        ${
          values
            ? svg`<image data-tensor=${picture.name} width=${side} height=${side} href=${this.#url(picture, values)} image-rendering="pixelated"></image>`
            : svg`<rect class="hollow" x=".5" y=".5" width=${side - 1} height=${side - 1}></rect>`
        }
        ${this.#cells(grid, side)}
      </svg>
      ${this.between ? html`<div role="row" class="vh"><span role="gridcell" id="${this.uid}-place">${this.#describe()}</span></div>` : nothing}
    </div>`;
  }

  #cells(grid: Grid, side: number): TemplateResult {
    const weights = this.#weightsOf(this.#node);
    const line = 13 * this.zoom;
    const cells = Array.from({ length: grid.rows * grid.columns }, (_, i) => {
      return svg`<g @click=${() => this.between && this.#choose(i)}>
        ${field(placeBox(grid, i, side), weights?.[i], this.numbers ? line : null)}
      </g>`;
    });
    const at = placeBox(grid, this.place, side);
    return svg`${cells}${this.between ? svg`<rect class="here" x=${at.x + 1} y=${at.y + 1} width=${at.width - 2} height=${at.height - 2}></rect>` : nothing}`;
  }

  /** Data URL of the picture, redrawn when its values change. */
  #url(picture: TraceNode, values: Float32Array): string {
    if (this.#drawn?.values === values) return this.#drawn.url;
    const [height, width] = picture.shape.slice(-2) as [number, number];
    const canvas = Object.assign(document.createElement('canvas'), { width, height });
    canvas.getContext('2d')!.putImageData(new ImageData(rgbaOf(values, width * height), width, height), 0, 0);
    this.#drawn = { values, url: canvas.toDataURL() };
    return this.#drawn.url;
  }

  protected override belowDrawing(): TemplateResult | typeof nothing {
    if (this.table) return nothing;
    const { wordWeights } = this.#attention;
    if (this.between || !wordWeights.length) return nothing;
    return html`<div class="playing">
      <button type="button" class="btn small" @click=${() => this.#play()}>
        ${this.#player.playing ? 'Pause' : 'Play'}
      </button>
      <span class="caption" role="group" aria-label="Words of the caption">
        ${this.#caption.map(
          (word, t) =>
            html`<button type="button" class="token" aria-pressed=${t === this.at} @click=${() => this.#go(t)}>
              ${word}
            </button>`,
        )}
      </span>
    </div>`;
  }

  #play(): void {
    if (this.#player.playing) return this.#player.pause();
    if (this.at === this.#attention.wordWeights.length - 1) this.#go(0);
    this.#player.play();
    this.requestUpdate();
  }

  /** False at the end. */
  #step(): boolean {
    this.#go(this.at + 1);
    return this.at < this.#attention.wordWeights.length - 1;
  }

  /** Selects the place's largest weight in the lab, like a cell of the board. */
  #choose(place: number): void {
    this.place = place;
    const node = this.#node!;
    this.lab.select(node.name, place * node.shape.at(-1)! + argmax([...(this.#weightsOf(node) ?? [0])]));
  }

  /** Moves the bench's cursor along, to the word's largest weight. */
  #go(at: number): void {
    this.at = Math.max(0, Math.min(this.#attention.wordWeights.length - 1, at));
    const node = this.#node!;
    const values = this.lab.values(node);
    this.lab.focus({ at: node.name, cell: [...node.shape.slice(1).map(() => 0), values ? argmax([...values]) : 0] });
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const last = this.#attention.wordWeights.length - 1;
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, Home: -this.at, End: last }[event.key];
    const place = this.between ? placeAfterKey(this.#attention.grid, this.place, event.key) : null;
    if (place !== null) this.#choose(place);
    else if (!this.between && by !== undefined) this.#go(this.at + by);
    consumeKey(event, place !== null || (!this.between && by !== undefined));
  };

  /** "row 1, column 2 (red_circle)". */
  #where(place: number): string {
    const { columns } = this.#attention.grid;
    const there = this.lab.pair?.source[place];
    return `row ${Math.floor(place / columns)}, column ${place % columns}${there ? ` (${there === EMPTY ? 'empty' : there})` : ''}`;
  }

  #describe(): string {
    const weights = this.#weightsOf(this.#node);
    const who = this.between ? this.#where(this.place) : this.#caption[this.at];
    if (!weights) return `${who}: not reached yet`;
    const best = argmax([...weights]);
    return `${who} attends most to ${this.#where(best)}: ${fixed(weights[best]!, 2)}`;
  }

  protected readout(): string {
    return this.#describe();
  }

  protected override key(): TemplateResult {
    const { placeWeights, wordWeights } = this.#attention;
    return html`${
        placeWeights && wordWeights.length
          ? html`<span class="switch" role="group" aria-label="Whose attention is shown">
              ${[false, true].map(
                (between) =>
                  html`<button
                    aria-pressed=${this.between === between}
                    @click=${() => this.choose({ between, at: this.at, place: this.place })}
                  >
                    ${between ? 'Places' : 'Words'}
                  </button>`,
              )}
            </span>`
          : nothing
      }
      <span class="legend"><i class="sym r-weight">α</i><span>0</span>${swatches()}<span>1</span></span>
      <button class="link" aria-pressed=${this.numbers} @click=${() => (this.numbers = !this.numbers)}>Values</button>`;
  }

  protected spoken(): string {
    const texts = this.between
      ? [this.#describe()]
      : this.#caption.map((word, t) => this.#glance(word, this.#attention.wordWeights[t]!));
    return texts.join('. ');
  }

  #glance(word: string, node: TraceNode): string {
    const weights = this.#weightsOf(node);
    return weights ? `${word} attends most to ${this.#where(argmax([...weights]))}` : `${word}: not reached yet`;
  }

  protected twin(): TemplateResult {
    return placeTable(this.#node!, this.#attention.grid, this.#weightsOf(this.#node), this.#describe());
  }

  protected csv(): string {
    const lines = this.between
      ? [[this.#where(this.place), this.#attention.placeWeights!] as const]
      : this.#caption.map((word, t) => [word, this.#attention.wordWeights[t]!] as const);
    const { rows, columns } = this.#attention.grid;
    const head = Array.from({ length: rows * columns }, (_, i) => `${Math.floor(i / columns)}.${i % columns}`);
    const csvRows = lines.map(([who, node]) =>
      [`"${who.replace(/"/g, '""')}"`, ...(this.#weightsOf(node) ?? [])].join(','),
    );
    return [`who,${head.join(',')}`, ...csvRows].join('\n');
  }
}

customElements.define('u-picture', PictureView);
