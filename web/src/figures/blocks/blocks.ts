// <u-blocks>: the model on the bench as nested boxes, read from its trace. A press opens a box, down to single
// operations; a press on an operation moves the bench's cursor there.
import { type TemplateResult, html } from 'lit';
import './blocks.css';
import * as texts from '#messages/figures/blocks';
import { cellCount, type Trace } from '../../engine/types';
import { type Description, type Drawing, type Navigation, type Part, type Room, states } from '../host/contract';
import { LabFigure } from '../host/lab-figure';
import { forwardOf } from '../shared/follow';
import { isInside } from '../shared/geometry';
import * as drawing from './blocks-drawing';
import { type BlocksLayout, type Placed, layOutBlocks } from './blocks-layout';
import { type Block, Blocks } from './blocks-trace';

const POSITION = /\.t(\d+)[./]/;

/** Its cells are the boxes on show, by their keys. */
export class BlockDiagram extends LabFigure<Blocks, string, BlocksLayout> {
  static override properties = states('open', 'follows');

  /** Keys of the open boxes. */
  open: ReadonlySet<string> = new Set();
  /** Keeps exactly the boxes around the bench's cursor open. */
  follows = false;

  protected override readonly kind = 'blocks';

  #read: { trace: Trace; position: number; blocks: Blocks } | null = null;

  protected read(): Blocks | null {
    const { trace } = this.lab;
    if (!trace) return null;
    const position = this.#position(trace);
    if (this.#read?.trace !== trace || this.#read.position !== position)
      this.#read = { trace, position, blocks: new Blocks(trace, position) };
    if (this.follows) this.open = new Set(this.#read.blocks.ancestors(this.#at(trace)));
    return this.#read.blocks;
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

  protected describe(blocks: Blocks): Description<string> {
    const now = (): Placed | undefined => this.plan?.placed[this.#now(blocks.trace)];
    const told = (place: Placed | undefined): string => (place ? drawing.describeBlock(place.block, this.#ran) : '');
    return {
      heading: texts.HEADING,
      summary: () => this.#summary(blocks, now()),
      cell: (key) => told(this.#placeOf(key)),
      readout: (here) => told(this.#placeOf(here) ?? now()) || texts.pressToOpen(this.#total()),
      tables: () => [drawing.blocksTable(drawing.listed(blocks), texts.HEADING)],
      exported: () => [drawing.blockKeys(drawing.listed(blocks), texts.HEADING)],
    };
  }

  #summary(blocks: Blocks, now: Placed | undefined): string {
    const outer = blocks.inside().blocks.filter(({ input }) => !input);
    const descriptions = outer.map((block) => drawing.describeBlock(block, this.#ran));
    return texts.model(descriptions, now && drawing.titleOf(now.block));
  }

  protected layOut(blocks: Blocks, { width, line }: Room): BlocksLayout & Drawing<string> {
    const minWidth = (block: Block): number => drawing.minWidthOf(block, line);
    const layout = layOutBlocks(blocks, this.open, { width, line, minWidth, lines: drawing.linesOf });
    return {
      ...layout,
      draw: (here) => this.#draw(blocks, layout, here),
      hit: (x, y) =>
        layout.placed.findLast((place) => isInside(drawing.targetOf(place, line), x, y))?.block.key ?? null,
      navigation: navigationOf(layout),
    };
  }

  #draw(blocks: Blocks, layout: BlocksLayout, here: string | null): Part[] {
    const options = {
      progress: this.#progress,
      now: this.#now(blocks.trace),
      here: layout.placed.findIndex(({ block }) => block.key === here),
      loops: (place: Placed) => loops(blocks, layout, place),
    };
    const ran = (nodes: readonly number[]): boolean => nodes.some((id) => this.lab.reached(blocks.trace.nodes[id]!));
    return [...drawing.frames(layout), ...drawing.wires(layout, ran), ...drawing.boxes(layout, options)];
  }

  #placeOf(key: string | null): Placed | undefined {
    return this.plan?.placed.find(({ block }) => block.key === key);
  }

  /** Index of the innermost visible block around the bench's cursor, or of its scope as a whole; −1 for none. */
  #now(trace: Trace): number {
    const { cursor } = this.lab;
    const placed = this.plan?.placed ?? [];
    if (cursor.node < 0) return -1;
    const whole = placed.findIndex(({ block }) => block.scopes.has(cursor.scope));
    const at = this.#at(trace);
    return whole >= 0 ? whole : placed.findLastIndex(({ block }) => block.operations.some(({ id }) => id === at));
  }

  readonly #ran = ({ operations }: Block): number => operations.filter((node) => this.lab.reached(node)).length;

  readonly #progress = ({ block }: Placed): drawing.Progress => {
    const ran = this.#ran(block);
    return ran === block.operations.length ? 'done' : ran ? 'begun' : 'hollow';
  };

  protected override press(key: string | null): void {
    const place = this.#placeOf(key);
    if (!place) return;
    this.cursor = key;
    if (place.block.scopes.size) this.#toggle(place.block.key);
    else if (place.block.output) this.lab.focus({ at: place.block.output.name });
  }

  protected override enter(key: string): boolean {
    this.press(key);
    return true;
  }

  /** Right opens a closed box, left closes an open one. */
  protected override ownKey({ key, ctrlKey }: KeyboardEvent): boolean {
    const place = this.#placeOf(this.spot) ?? this.plan?.placed[0];
    const toggles = key === 'ArrowRight' ? place?.block.scopes.size && !place.open : key === 'ArrowLeft' && place?.open;
    if (!place || !toggles || ctrlKey) return false;
    this.#toggle(place.block.key);
    return true;
  }

  #toggle(key: string): void {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    [this.open, this.follows] = [open, false];
  }

  #total(): number {
    const parameters = this.lab.info?.parameters ?? [];
    return parameters.reduce((sum, { shape }) => sum + cellCount(shape), 0);
  }

  protected override legend(): TemplateResult {
    return html`<button class="link" aria-pressed=${this.follows} @click=${() => (this.follows = !this.follows)}>
      ${texts.FOLLOW_STEPS}
    </button>`;
  }

  protected override tools(): TemplateResult {
    const close = (): void => void ([this.open, this.follows] = [new Set(), false]);
    return html`<button class="link" ?disabled=${!this.open.size} @click=${close}>${texts.CLOSE_ALL}</button>`;
  }
}

/** True for a block that reads what it, or a later block, made at the position before. */
function loops(blocks: Blocks, { placed }: BlocksLayout, place: Placed): boolean {
  const inside = blocks.inside(placed[place.parent]?.block);
  return inside.loops.has(inside.blocks.indexOf(place.block));
}

function navigationOf({ placed }: BlocksLayout): Navigation<string> {
  const indexOf = (key: string): number => placed.findIndex(({ block }) => block.key === key);
  return {
    ...{ role: 'tree', label: texts.BLOCKS, first: placed[0]?.block.key ?? '' },
    has: (key) => indexOf(key) >= 0,
    move: (from, key, ctrl) => (ctrl ? null : boxAfterKey(placed, indexOf(from), key)),
    place(key) {
      const { depth, block, open } = placed[indexOf(key)] ?? placed[0]!;
      return { level: depth + 1, expanded: block.scopes.size ? open : undefined };
    },
  };
}

/** Up and down through the boxes on show, right into an open box, left out to the one around. */
function boxAfterKey(placed: readonly Placed[], from: number, key: string): string | null {
  const at = Math.max(0, from);
  const { open, parent } = placed[at]!;
  const to: Record<string, number> = {
    ArrowUp: at - 1,
    ArrowDown: at + 1,
    ArrowRight: open ? at + 1 : at,
    ArrowLeft: parent,
    ...{ Home: 0, End: placed.length - 1 },
  };
  return key in to ? (placed[to[key]!] ?? placed[at]!).block.key : null;
}

customElements.define('u-blocks', BlockDiagram);
