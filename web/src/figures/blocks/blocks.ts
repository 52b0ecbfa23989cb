// <u-blocks>: the model on the bench as nested boxes, read from its trace. A press opens a box, down to single
// operations; a press on an operation moves the bench's cursor there.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import '../../styles/transformer.css';
import { cellCount, type Trace } from '../../engine/types';
import { boxes, frames, type Progress, wires } from './blocks-drawing';
import { type BlocksLayout, type Placed, layOutBlocks } from './blocks-layout';
import { Blocks, type Block } from './blocks-trace';
import { blocksLines, blocksTable, describeBlock, grouped, linesOf, listed, minWidthOf, titleOf } from './blocks-words';
import { consumeKey } from '../figure';
import { forwardOf } from '../follow';
import { LabFigure } from '../lab-figure';
import { palette } from '../shared/palette';

const LINE = 13;
const POSITION = /\.t(\d+)[./]/;

export class BlockDiagram extends LabFigure {
  static override properties = {
    ...LabFigure.properties,
    open: { state: true },
    follows: { state: true },
    cursor: { state: true },
    under: { state: true },
  };

  /** Keys of the open boxes. */
  declare open: ReadonlySet<string>;
  /** Keeps exactly the boxes around the bench's cursor open. */
  declare follows: boolean;
  /** Key of the box at the figure's cursor, and index of the one under the pointer. */
  declare cursor: string | null;
  declare under: number | null;

  #blocks: Blocks | null = null;
  #read: { trace: Trace; position: number } | null = null;
  #layout: BlocksLayout | null = null;

  constructor() {
    super();
    this.open = new Set();
    this.follows = false;
    this.cursor = this.under = null;
  }

  protected readonly heading = 'The model in blocks';

  protected get ready(): boolean {
    return this.lab.trace !== null;
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace } = this.lab;
    if (!trace) return;
    const position = this.#position(trace);
    if (this.#read?.trace !== trace || this.#read.position !== position) {
      this.#read = { trace, position };
      this.#blocks = new Blocks(trace, position);
    }
    if (this.follows) this.open = new Set(this.#blocks!.ancestors(this.#at(trace)));
    const [line, colors] = [LINE * this.zoom, palette()];
    const minWidth = (block: Block): number => minWidthOf(block, line, colors);
    this.#layout = this.width
      ? layOutBlocks(this.#blocks!, this.open, { width: this.width, line, minWidth, lines: linesOf })
      : null;
  }

  /** Id of the forward operation at the bench's cursor, or of the one whose gradient is there; −1 for none. */
  #at(trace: Trace): number {
    const node = trace.nodes[this.lab.cursor.node];
    return node ? forwardOf(trace, node).id : -1;
  }

  /** Position of a recurrent network that the bench's cursor has reached; 0 for other models. */
  #position(trace: Trace): number {
    for (let id = this.#at(trace); id >= 0; id--) {
      const found = POSITION.exec(trace.nodes[id]!.name);
      if (found) return Number(found[1]);
    }
    return 0;
  }

  /** Index of the innermost visible block around the bench's cursor, or of its scope as a whole; −1 for none. */
  get #now(): number {
    const { trace, cursor } = this.lab;
    const placed = this.#layout?.placed ?? [];
    if (!trace || cursor.node < 0) return -1;
    const whole = placed.findIndex(({ block }) => block.scopes.has(cursor.scope));
    const at = this.#at(trace);
    return whole >= 0 ? whole : placed.findLastIndex(({ block }) => block.operations.some(({ id }) => id === at));
  }

  get #here(): number {
    const placed = this.#layout?.placed ?? [];
    return this.under ?? placed.findIndex(({ block }) => block.key === this.cursor);
  }

  readonly #ran = ({ operations }: Block): number => operations.filter((node) => this.lab.reached(node)).length;

  readonly #progress = ({ block }: Placed): Progress => {
    const ran = this.#ran(block);
    return ran === block.operations.length ? 'done' : ran ? 'begun' : 'hollow';
  };

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    const { trace } = this.lab;
    const options = {
      line: LINE * this.zoom,
      progress: this.#progress,
      now: this.#now,
      here: this.#here,
      loops: (place: Placed) => this.#loops(place),
      press: (place: Placed) => this.#press(place),
      point: (index: number | null) => void (this.under = index),
    };
    const ran = (nodes: readonly number[]): boolean => nodes.some((id) => this.lab.reached(trace!.nodes[id]!));
    return html`<div
      class="scrolled"
      role="tree"
      tabindex="0"
      aria-label="Blocks of the model"
      aria-activedescendant="${this.uid}-block"
      @keydown=${this.#keyed}
      @focus=${() => (this.cursor ??= layout.placed[0]?.block.key ?? null)}
    >
      <svg
        class="drawn blocks"
        width=${layout.width}
        height=${layout.height}
        viewBox="0 0 ${layout.width} ${layout.height}"
        aria-hidden="true"
      >
        ${frames(layout)} ${wires(layout, ran)} ${boxes(layout, options)}
      </svg>
      ${this.#spokenBlock()}
    </div>`;
  }

  #spokenBlock(): TemplateResult {
    const placed = this.#layout!.placed;
    const place = placed.find(({ block }) => block.key === this.cursor) ?? placed[0];
    return html`<span
      class="vh"
      role="treeitem"
      id="${this.uid}-block"
      aria-level=${(place?.depth ?? 0) + 1}
      aria-expanded=${place?.block.scopes.size ? String(place.open) : nothing}
      aria-selected=${this.cursor !== null}
      >${place ? describeBlock(place.block, this.#ran) : ''}</span
    >`;
  }

  #loops(place: Placed): boolean {
    const around = this.#layout!.placed[place.parent]?.block;
    const inside = this.#blocks!.inside(around);
    return inside.loops.has(inside.blocks.indexOf(place.block));
  }

  #press({ block }: Placed): void {
    this.cursor = block.key;
    if (block.scopes.size) this.#toggle(block.key);
    else if (block.output) this.lab.focus({ at: block.output.name });
  }

  #toggle(key: string): void {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    [this.open, this.follows] = [open, false];
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const { placed } = this.#layout!;
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const at = Math.max(
      0,
      placed.findIndex(({ block }) => block.key === this.cursor),
    );
    const place = placed[at]!;
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: placed.length - 1 }[event.key];
    if (to !== undefined) this.#go(to);
    else if (event.key === 'Enter') this.#press(place);
    else if (event.key === 'ArrowRight' && place.block.scopes.size)
      place.open ? this.#go(at + 1) : this.#toggle(place.block.key);
    else if (event.key === 'ArrowLeft' && place.open) this.#toggle(place.block.key);
    else if (event.key === 'ArrowLeft') this.#go(place.parent);
    else if (event.key !== 'ArrowRight') return;
    consumeKey(event, true);
  };

  #go(index: number): void {
    const place = this.#layout!.placed[index];
    if (place) [this.cursor, this.under] = [place.block.key, null];
  }

  protected readout(): string {
    const place = this.#layout?.placed[this.#here] ?? this.#layout?.placed[this.#now];
    if (place) return describeBlock(place.block, this.#ran);
    return `${grouped(this.#total())} parameters. Press a box to open it.`;
  }

  #total(): number {
    const parameters = this.lab.info?.parameters ?? [];
    return parameters.reduce((sum, { shape }) => sum + cellCount(shape), 0);
  }

  protected override key(): TemplateResult {
    const close = (): void => void ([this.open, this.follows] = [new Set(), false]);
    return html`<button class="link" aria-pressed=${this.follows} @click=${() => (this.follows = !this.follows)}>
        Follow the steps
      </button>
      <button class="link" ?disabled=${!this.open.size} @click=${close}>Close all</button>`;
  }

  protected spoken(): string {
    const outer = this.#blocks!.inside().blocks.filter(({ input }) => !input);
    const now = this.#layout?.placed[this.#now];
    const text = outer.map((block) => `${describeBlock(block, this.#ran)}.`).join(' ');
    return `${text}${now ? ` The cursor is in ${titleOf(now.block)}.` : ''}`;
  }

  protected twin(): TemplateResult {
    return blocksTable(listed(this.#blocks!));
  }

  protected csv(): string {
    return blocksLines(listed(this.#blocks!));
  }
}

customElements.define('u-blocks', BlockDiagram);
