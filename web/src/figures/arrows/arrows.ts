// <u-arrows>: a query, keys and values of two numbers as arrows from an origin. Whoever drags one changes an input of the
// model, or edits the tensor that the model computed; scores, weights and context are then the engine's.
import { type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/figures/arrows';
import './arrows.css';
import type { State, Trace, TraceNode } from '../../engine/types';
import { toggles } from '../../ui/choices';
import { EOS, marked, sourceColumns, targetWords, topOf } from '../../ui/words';
import { type Description, type Drawing, type Part, type Room, listNavigation, states } from '../host/contract';
import { AttentionFigure } from '../host/lab-figure';
import { wordsOf } from '../shared/attention/attention-map';
import { flowOf, planarAttentions } from '../shared/attention/attention-trace';
import type { Point } from '../shared/geometry';
import { type Arrow, type Look, ArrowsScene } from './arrows-scene';
import {
  type ArrowsLayout,
  type Panel,
  type Spans,
  arrowAt,
  drawn,
  inside,
  layOutArrows,
  panelOf,
  spansOf,
  vectorAt,
} from './arrows-drawing';

/** The position in a decoder at which these weights were computed; null: there are no positions. */
const positionOf = ({ name }: TraceNode): number | null => {
  const at = /\.t(\d+)\./.exec(name)?.[1];
  return at === undefined ? null : Number(at);
};

/** Pixels of a small step by key, and how many of them a large one is. */
const SMALL = 4;
const LARGE = 5;
const WAYS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: 1 },
  ArrowDown: { x: 0, y: -1 },
};

export class Arrows extends AttentionFigure<ArrowsScene, number, ArrowsLayout> {
  static override properties = states('at', 'held', 'moved');

  /** The query on show, of several. */
  at = 0;
  /** Picked up by a key. */
  held = false;
  /** Where an arrow was moved to, until the engine has run with it. */
  moved: { node: string; index: number; to: Point } | null = null;

  protected override readonly kind = 'arrows';
  protected override readonly pressesAtOnce = true;
  protected override readonly stretches = true;

  /** From the tip to the pointer that drags it; null: none does. */
  #grip: Point | null = null;
  /** What the panels showed when an arrow was taken: it stays while the arrow moves. */
  #spans: Spans | null = null;
  #isRunning = false;

  protected override attentionsIn(trace: Trace): TraceNode[] {
    return planarAttentions(trace);
  }

  protected override show(cell: readonly number[]): void {
    this.at = cell.at(-2) ?? 0;
  }

  get #isMoving(): boolean {
    return this.#grip !== null || this.held;
  }

  protected read(): ArrowsScene | null {
    const { trace } = this.lab;
    const { weights } = this;
    const flow = trace && weights && flowOf(trace, weights);
    if (!flow) return null;
    const row = Math.min(this.at, weights.shape.at(-2)! - 1);
    const look: Look = { flow, row, head: this.headOnShow, heads: this.heads, names: this.#keyNames(weights) };
    this.#settle();
    const read = (node: TraceNode | undefined): Float32Array | undefined => this.valuesOf(node);
    const scene = new ArrowsScene(look, read, this.#target(row), this.#writtenAt(weights), this.#movedTo);
    return scene.arrows.length ? scene : null;
  }

  readonly #movedTo = ({ node, index }: Arrow): Point | undefined =>
    this.moved?.node === node.name && this.moved.index === index ? this.moved.to : undefined;

  /** The engine has run with the arrow where it was put. */
  #settle(): void {
    const node = this.moved && this.lab.node(this.moved.node);
    if (!this.#isMoving && !this.#isRunning && (!node || this.lab.values(node))) this.moved = null;
  }

  /** The source's tokens, or the words; else letters, which nobody takes for weights. */
  #keyNames(weights: TraceNode): readonly string[] {
    const S = weights.shape.at(-1)!;
    if (positionOf(weights) !== null && this.lab.pair) return sourceColumns(this.lab, S);
    return wordsOf(this.lab, weights).columns.map((name, i) => (name === `${i}` ? String.fromCharCode(97 + i) : name));
  }

  /** Not at the origin, where it stands if none was given. */
  #target(row: number): Point | undefined {
    const node = this.lab.info?.inputs.some(({ name }) => name === 'target') && this.lab.node('target');
    const values = node && node.shape.at(-1) === 2 ? this.lab.values(node) : undefined;
    const [x, y] = values?.subarray(2 * row, 2 * row + 2) ?? [];
    return x === undefined || y === undefined || (x === 0 && y === 0) ? undefined : { x, y };
  }

  /** What a decoder makes of the look at these weights. */
  #logitsAt(weights: TraceNode): TraceNode | undefined {
    const path = weights.name.replace(/(\.t\d+)\..*/, '$1/logits');
    return path === weights.name ? undefined : this.lab.node(path);
  }

  /** The likeliest token at the position of these weights. */
  #writtenAt(weights: TraceNode): string {
    const values = this.valuesOf(this.#logitsAt(weights));
    const [first] = values ? topOf(values, 1) : [];
    return marked(this.lab.task?.targetWords[first ?? -1] ?? '');
  }

  protected describe(scene: ArrowsScene): Description<number> {
    const told = (here: number): string => scene.tellArrow(scene.arrows[here]!);
    return {
      heading: texts.HEADING,
      summary: () => scene.tell(),
      cell: (here) => `${told(here)}${this.held ? ` ${texts.PICKED_UP}` : ''}`,
      readout: (here) => (this.held ? texts.PICKED_UP : here === null ? texts.DRAG : told(here)),
      tables: () => [scene.table()],
    };
  }

  protected layOut(scene: ArrowsScene, room: Room): ArrowsLayout & Drawing<number> {
    const layout = layOutArrows(scene, (this.#isMoving && this.#spans) || spansOf(scene), room);
    return {
      ...layout,
      draw: (here) => drawn(scene, layout, here),
      hit: (x, y) => arrowAt(scene, layout, x, y),
      navigation: listNavigation(texts.ARROWS, scene.arrows.length),
    };
  }

  protected override head(scene: ArrowsScene): TemplateResult {
    return html`${super.head(scene)} ${this.#queries()}`;
  }

  /** Which query is on show: of a decoder, that of each position; else that of each word. */
  #queries(): Part {
    const { attentions, weights } = this;
    const looks = attentions.flatMap((node) => Array.from({ length: node.shape.at(-2)! }, (_, at) => ({ node, at })));
    if (looks.length < 2 || !weights) return nothing;
    const written = [...targetWords(this.lab).words, EOS];
    const names = looks.map(({ node, at }) => written[positionOf(node) ?? -1] ?? wordsOf(this.lab, node).rows[at]!);
    const now = looks.findIndex(({ node, at }) => node === weights && at === this.scene!.look.row);
    const choose = (i: number): void => this.choose({ look: looks[i]!.node.name, at: looks[i]!.at });
    return html`<span class="choice"
      >${texts.QUERIES} ${toggles(texts.QUERIES, [...looks.keys()], now, choose, (i) => names[i]!)}</span
    >`;
  }

  protected override tools(scene: ArrowsScene): TemplateResult {
    const names = scene.arrows.map(({ node }) => node.name);
    const own = ({ name }: { name: string }): boolean => names.includes(name);
    const { edits, inputs } = this.lab.state;
    const back = (state: State): State => ({
      ...state,
      edits: state.edits.filter((each) => !own(each)),
      inputs: state.inputs.filter((each) => !own(each)),
    });
    return html`<button
      class="link"
      ?disabled=${!edits.some(own) && !inputs.some(own)}
      @click=${() => void this.lab.goTo(back)}
    >
      ${texts.UNDO_DRAGS}
    </button>`;
  }

  protected override legend(): TemplateResult {
    return html`<span class="legend">${texts.LEGEND}</span>`;
  }

  protected override press(here: number | null, event: PointerEvent): void {
    const at = this.pointOf(event);
    if (here === null || !at) return;
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    [this.cursor, this.held] = [here, false];
    this.#spans = this.plan!.spans;
    const tip = this.scene!.arrows[here]!;
    const under = vectorAt(panelOf(this.plan!, tip), ...at);
    this.#grip = { x: tip.x - under.x, y: tip.y - under.y };
  }

  protected override point(here: number | null, event: PointerEvent): void {
    const at = this.pointOf(event);
    if (!this.#grip) super.point(here, event);
    else if (at) this.#drag(at);
  }

  #drag([x, y]: readonly [number, number]): void {
    const arrow = this.scene?.arrows[this.cursor ?? -1];
    if (!arrow || !this.#grip) return;
    const panel = panelOf(this.plan!, arrow);
    const under = vectorAt(panel, x, y);
    this.#move(arrow, panel, { x: under.x + this.#grip.x, y: under.y + this.#grip.y });
  }

  protected override lift(): void {
    this.#grip = null;
    this.requestUpdate();
  }

  protected override leave(): void {
    this.held = false;
  }

  protected override ownKey({ key, shiftKey, ctrlKey }: KeyboardEvent): boolean {
    const arrow = this.scene?.arrows[this.spot ?? 0];
    const way = WAYS[key];
    if (!arrow || ctrlKey) return false;
    if (key === ' ' || key === 'Enter' || (key === 'Escape' && this.held)) return this.#pickUp();
    if (!this.held || !way) return false;
    const panel = panelOf(this.plan!, arrow);
    const step = ((shiftKey ? LARGE : 1) * SMALL) / panel.unit;
    this.#move(arrow, panel, { x: arrow.x + step * way.x, y: arrow.y + step * way.y });
    return true;
  }

  #pickUp(): true {
    this.cursor = this.spot ?? 0;
    this.held = !this.held;
    this.#spans = this.plan!.spans;
    return true;
  }

  /** Moves the tip there, at most to the edge; of the moves during a run the last one is run next. */
  #move({ node, index }: Arrow, panel: Panel, to: Point): void {
    this.moved = { node: node.name, index, to: inside(panel, to) };
    if (!this.#isRunning) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let done: typeof this.moved = null; this.moved && this.moved !== done;) {
      done = this.moved;
      if (!(await this.#set(done.node, done.index, done.to))) this.moved = null;
      await new Promise(requestAnimationFrame);
    }
    this.#isRunning = false;
    this.#showResults();
    this.requestUpdate();
  }

  /** False: refused. */
  async #set(name: string, index: number, { x, y }: Point): Promise<boolean> {
    const isInput = this.lab.info?.inputs.some((input) => input.name === name);
    if (!isInput) return (await this.lab.editAll([x, y].map((value, i) => ({ name, index: index + i, value })))).ok;
    return this.lab.setInput(name, (now) => now.map((value, i) => [x, y][i - index] ?? value));
  }

  /** Moving an arrow is about what follows: the bench goes on to that if it has not reached it. */
  #showResults(): void {
    const { flow } = this.scene?.look ?? {};
    const last = flow && (this.#logitsAt(flow.weights) ?? flow.context);
    if (last && !this.lab.reached(last)) this.lab.moveTo({ node: last.id, scope: -1 });
  }
}

customElements.define('u-arrows', Arrows);
