// Figures of what is on the bench, redrawn whenever the lab changes. They show what the bench led to or what was chosen in
// them, whichever came later; after the first choice, the page state stores what they show.
// Attention figures also follow the bench to an attention layer and head, and have the controls to choose them.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import { HEAD } from '#messages/figures/host';
import { LAYER } from '#messages/figures/shared';
import type { Topic } from '../../lab/lab';
import { type Choice, type ModelInfo, type Selection, type Trace, type TraceNode, cellCount } from '../../engine/types';
import { onceForEach } from '../../lab/cursor';
import { unravel } from '../../ui/index-rules';
import { select, toggles } from '../../ui/choices';
import { attentionName, attentionsOf, headsOf } from '../shared/attention/attention-trace';
import { ChangeDetector, attentionAt } from '../shared/follow';
import { type Part, states } from './contract';
import { Figure } from './figure';

export abstract class LabFigure<Scene, Cell, Layout = object> extends Figure<Scene, Cell, Layout> {
  protected override readonly topics: readonly Topic[] = ['run', 'cursor', 'selection', 'choice', 'values'];

  /** The stored choice that this figure has applied. */
  #shown: Choice | undefined;
  /** The choice stored in the state at this update. */
  #stored: Choice | undefined;
  /** What it would show without a choice. */
  #defaults: Choice = {};
  readonly #last = new Map<string, Float32Array>();
  #model: ModelInfo | null = null;

  override updated(changed: PropertyValues<this>): void {
    super.updated(changed);
    this.#shown = this.#stored;
  }

  get #held(): Choice | undefined {
    return this.lab.state.shown[this.localName];
  }

  /** Applies a choice and stores it in the page state. */
  protected choose(choice: Choice): void {
    this.#assign(choice);
    this.#shown = { ...this.#held, ...choice };
    this.lab.choose(this.localName, this.#shown);
  }

  /** Called at every update: follows the bench, unless a link or going back has set or removed the stored choice. */
  protected follow(defaults: Choice): void {
    const held = (this.#stored = this.#held);
    if (held !== this.#shown) this.#assign({ ...this.#defaults, ...defaults, ...held });
    else if (held && Object.keys(defaults).length) this.choose(defaults);
    else this.#assign(defaults);
    this.#defaults = { ...this.#defaults, ...defaults };
  }

  #assign(choice: Choice): void {
    const keys = Object.keys(choice) as (keyof this)[];
    this.#defaults = { ...Object.fromEntries(keys.map((key) => [key, this[key]])), ...this.#defaults };
    Object.assign(this, choice);
  }

  /** undefined until reached. After a change within the same model the old values stay until the new ones arrive. */
  protected valuesOf(node: TraceNode | undefined): Float32Array | undefined {
    if (this.#model !== this.lab.info) this.#last.clear();
    this.#model = this.lab.info;
    if (!node || !this.lab.reached(node)) return undefined;
    const values = this.lab.values(node);
    if (values) this.#last.set(node.name, values);
    const last = this.#last.get(node.name);
    return last?.length === cellCount(node.shape) ? last : undefined;
  }

  /** Values of `node`; undefined until the cursor has reached it. */
  protected reached(node: TraceNode | undefined): Float32Array | undefined {
    return node && this.lab.reached(node) ? this.lab.values(node) : undefined;
  }
}

export abstract class AttentionFigure<Scene, Cell, Layout = object> extends LabFigure<Scene, Cell, Layout> {
  protected override readonly topics: readonly Topic[] = ['run', 'cursor', 'selection', 'choice', 'values', 'hover'];
  static override properties = states('front', 'look');

  /** Index of the head in front. */
  front = 0;
  /** Name of the attention weights shown; null: the first. */
  look: string | null = null;

  readonly #lastAttention = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<Selection>();
  readonly #attentions = onceForEach((trace: Trace) => this.attentionsIn(trace));

  /** First follows the bench to the attention layer it is in, and to the head of a weight selected anywhere on the page. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (this.lab.trace) this.#followBench(this.lab.trace);
    super.willUpdate(changed);
  }

  #followBench(trace: Trace): void {
    const { cursor, selection } = this.lab;
    const attention = this.#lastAttention.next(attentionAt(trace, cursor, this.attentions)?.name);
    const cell = this.#selected.next(selection);
    const node = cell && this.attentions.find(({ name }) => name === cell.node);
    const at = node && unravel(cell.index, node.shape);
    this.follow(at ? { look: node.name, front: at.at(-3) ?? 0 } : attention ? { look: attention } : {});
    if (at) this.show(at);
  }

  /** Called when a weight of the shown layer is selected, with its position along each axis. */
  protected show(_cell: readonly number[]): void {}

  protected get attentions(): readonly TraceNode[] {
    return this.lab.trace ? this.#attentions(this.lab.trace) : [];
  }

  protected attentionsIn(trace: Trace): TraceNode[] {
    return attentionsOf(trace);
  }

  /** The attention weights shown; undefined if the trace has none. */
  protected get weights(): TraceNode | undefined {
    return this.attentions.find(({ name }) => name === this.look) ?? this.attentions[0];
  }

  protected get heads(): number {
    return this.weights ? headsOf(this.weights) : 1;
  }

  protected get headOnShow(): number {
    return Math.min(this.front, this.heads - 1);
  }

  /** Moves the cursor to the tensor of a cell, and opens the card of the cell. */
  protected focusCell(node: TraceNode, index: number): void {
    this.lab.focus({ at: node.name, cell: unravel(index, node.shape) });
    this.lab.select(node.name, index);
  }

  protected choices(): TemplateResult {
    return html`${attentionPicker(this.attentions, this.weights!, (look) => this.choose({ look }))}
    ${numberChoice(HEAD, this.heads, this.headOnShow, (front) => this.choose({ front }))}`;
  }
}

/** Up to this many get a button each; more are chosen from a list. */
const BUTTONS = 8;

function attentionPicker(all: readonly TraceNode[], now: TraceNode, choose: (name: string) => void): Part {
  const names = all.map(({ name }) => name);
  const list = select(names, now.name, choose, (name) => attentionName({ name }), LAYER);
  return all.length < 2 ? nothing : html`<span class="choice" title=${LAYER}>${list}</span>`;
}

/** Chooses one of several of a kind: "Head", "Block". */
export function numberChoice(kind: string, count: number, now: number, choose: (which: number) => void): Part {
  if (count < 2) return nothing;
  if (count > BUTTONS) return numberSelect(kind, count, now, choose);
  return html`<span class="choice">${kind} ${toggles(kind, [...Array(count).keys()], now, choose)}</span>`;
}

/** A list of the numbers from 0 to `count` − 1. */
export const numberSelect = (name: string, count: number, now: number, choose: (which: number) => void): Part =>
  html`<label class="choice">${name} ${select([...Array(count).keys()], now, choose)}</label>`;
