// Base class of the attention figures: which attention layer and head is shown, following the bench or the learner's
// choice; values that stay until new ones arrive; and the way from a cell to its step.
import { type PropertyValues, type TemplateResult, html } from 'lit';
import { HEAD } from '#messages/figures/host';
import { cellCount, type ModelInfo, type Selection, type Trace, type TraceNode } from '../../engine/types';
import { onceForEach } from '../../lab/cursor/once';
import type { Topic } from '../../lab/lab';
import { attentionPicker, numberChoice } from '../shared/attention/attention-choice';
import { attentionsOf, headsOf } from '../shared/attention/attention-trace';
import { ChangeDetector, attentionAt } from '../shared/follow';
import { unravel } from '../../ui/index-rules';
import type { Drawing } from './contract';
import { LabFigure } from './lab-figure';

export abstract class AttentionFigure<Scene, Cell, Plan extends Drawing<Cell> = Drawing<Cell>> extends LabFigure<
  Scene,
  Cell,
  Plan
> {
  protected override readonly topics: readonly Topic[] = ['run', 'cursor', 'selection', 'choice', 'values', 'hover'];
  static override properties = { ...LabFigure.properties, front: { state: true }, look: { state: true } };

  /** Index of the head in front. */
  front = 0;
  /** Name of the attention weights shown; null: the first. */
  look: string | null = null;

  readonly #lastAttention = new ChangeDetector<string>();
  readonly #selected = new ChangeDetector<Selection>();
  readonly #last = new Map<string, Float32Array>();
  #model: ModelInfo | null = null;
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

  /** Selects a cell and moves the cursor to its tensor. */
  protected focusCell(node: TraceNode, index: number): void {
    this.lab.focus({ at: node.name, cell: unravel(index, node.shape) });
  }

  protected choices(): TemplateResult {
    return html`${attentionPicker(this.attentions, this.weights!, (look) => this.choose({ look }))}
    ${numberChoice(HEAD, this.heads, this.headOnShow, (front) => this.choose({ front }))}`;
  }
}
