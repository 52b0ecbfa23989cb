// What the figures of the attention layer have in common: which look is on show and which head of it, as the bench goes
// and as the learner chooses; values that stay until new ones are there; and the way from a cell to its step.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import '../styles/attention.css';
import { cellCount, type ModelInfo, type Selection, type Trace, type TraceNode } from '../types';
import { lookChoice, numberChoice } from './attention-choice';
import { headsOf, looksOf } from './attention-trace';
import { Arrivals, lookAt } from './follow';
import { hover } from './hover';
import { unravel } from './index-rules';
import { LabFigure } from './lab-figure';

export abstract class AttentionFigure extends LabFigure {
  static override properties = { ...LabFigure.properties, front: { state: true }, look: { state: true } };

  /** Which head is in front. */
  declare front: number;
  /** Name of the weights of the look on show; null: the first. */
  declare look: string | null;

  readonly #stood = new Arrivals<string>();
  readonly #selected = new Arrivals<Selection>();
  readonly #hovered = (): void => this.requestUpdate();
  readonly #last = new Map<string, Float32Array>();
  #model: ModelInfo | null = null;
  #looks: { trace: Trace; all: TraceNode[] } | null = null;

  constructor() {
    super();
    this.front = 0;
    this.look = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    hover.addEventListener('change', this.#hovered);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    hover.removeEventListener('change', this.#hovered);
  }

  /** Goes to the look in which the bench stands, and to the head of a weight that is selected anywhere on the page. */
  override willUpdate(_changed: PropertyValues<this>): void {
    const { trace, cursor, selection } = this.lab;
    if (!trace) return;
    const look = this.#stood.at(lookAt(trace, cursor, this.looks)?.name);
    const cell = this.#selected.at(selection);
    const node = cell && this.looks.find(({ name }) => name === cell.node);
    const at = node && unravel(cell.index, node.shape);
    this.follow(at ? { look: node.name, front: at.at(-3) ?? 0 } : look ? { look } : {});
    if (at) this.show(at);
  }

  /** A weight that was selected, of the look on show. */
  protected show(_cell: readonly number[]): void {}

  protected get looks(): readonly TraceNode[] {
    const { trace } = this.lab;
    if (trace && this.#looks?.trace !== trace) this.#looks = { trace, all: this.looksIn(trace) };
    return trace ? this.#looks!.all : [];
  }

  protected looksIn(trace: Trace): TraceNode[] {
    return looksOf(trace);
  }

  /** The weights on show; undefined where no model looks. */
  protected get weights(): TraceNode | undefined {
    return this.looks.find(({ name }) => name === this.look) ?? this.looks[0];
  }

  protected get heads(): number {
    return this.weights ? headsOf(this.weights) : 1;
  }

  protected get headOnShow(): number {
    return Math.min(this.front, this.heads - 1);
  }

  /** undefined while not reached. After a change of the same model the old values stay until the new ones are there. */
  protected valuesOf(node: TraceNode | undefined): Float32Array | undefined {
    if (this.#model !== this.lab.info) this.#last.clear();
    this.#model = this.lab.info;
    if (!node || !this.lab.reached(node)) return undefined;
    const values = this.lab.values(node);
    if (values) this.#last.set(node.name, values);
    const last = this.#last.get(node.name);
    return last?.length === cellCount(node.shape) ? last : undefined;
  }

  /** Selects a cell and leads the cursor to its tensor. */
  protected lead(node: TraceNode, index: number): void {
    this.lab.focus({ at: node.name, cell: unravel(index, node.shape) });
  }

  protected choices(): TemplateResult {
    return html`${lookChoice(this.looks, this.weights!, (look) => this.choose({ look }))}
    ${numberChoice('Head', this.heads, this.headOnShow, (front) => this.choose({ front }))}`;
  }

  protected override key(): TemplateResult | typeof nothing {
    return nothing;
  }
}
