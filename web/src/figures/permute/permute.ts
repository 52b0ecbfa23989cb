// <u-permute>: the learner drags words into another order. The model runs with the rows of X in that order, and a
// second session runs it with the original rows; the outputs of both stand side by side.
import { type TemplateResult, html } from 'lit';
import * as texts from '#messages/figures/permute';
import './permute.css';
import type { TraceNode } from '../../engine/types';
import { AttentionFigure } from '../host/lab-figure';
import { type Description, type Drawing, type Room, noNavigation, states } from '../host/contract';
import { isInside } from '../shared/geometry';
import { namesOf } from '../shared/summary';
import { textWidth, widest } from '../shared/palette';
import {
  type Base,
  PermuteScene,
  baseExperiment,
  layOutPermute,
  letters,
  moved,
  orderOf,
  permuteRows,
  permuted,
  runBase,
} from './permute-scene';

const INPUT = 'X';

export class Permute extends AttentionFigure<PermuteScene, never> {
  static override properties = states('order', 'picked', 'base');

  /** The word shown at each place; differs from the model's order while a word is being moved. */
  order: number[] | null = null;
  /** Place of the word that is picked up. */
  picked: number | null = null;
  base: Base | null = null;

  protected override readonly kind = 'permuted';

  /** Values of X in the original order; null: the page's own. */
  #anchor: number[] | null = null;
  #requested = '';
  #pendingBase: Promise<Base | null> = Promise.resolve(null);
  #dragging = false;
  /** Orders that are dropped but not run yet; until then X still has its rows in the previous order. */
  #commits = 0;

  get #input(): TraceNode | undefined {
    const input = this.lab.info?.inputs.find(
      ({ name, shape }) => name === INPUT && shape.length === 2 && shape[0]! > 1,
    );
    return input && this.lab.trace ? this.lab.node(input.name) : undefined;
  }

  get #output(): TraceNode | undefined {
    const { trace, run } = this.lab;
    return trace && run ? trace.nodes[run.output] : undefined;
  }

  get #rows(): number {
    return this.#input?.shape[0] ?? 0;
  }

  protected read(): PermuteScene | null {
    const [input, output] = [this.#input, this.#output];
    if (!input || !output || input.shape[0] !== output.shape[0] || output.shape.length !== 2) return null;
    this.#ask();
    const now = this.lab.values(input);
    if (now && this.base && !this.#isPending) this.#follow(now, this.base);
    const known = !this.#isPending && now;
    const outputs = known ? this.valuesOf(output) : undefined;
    return new PermuteScene(this.#wordsOf(input), this.#order, this.base, outputs, input, output);
  }

  /** Derives the order from X, whatever changed it; rows that are no reordering become the new original. */
  #follow(now: Float32Array, base: Base): void {
    const own = this.order?.length === this.#rows && permuteRows(base.inputs, this.order);
    if (own && own.every((value, i) => Object.is(value, now[i]))) return;
    const order = orderOf(base.inputs, now, this.#rows);
    if (order) this.order = order;
    else if (this.#requested === base.key) this.#anchor = [...now];
  }

  /** Runs the words in their original order, unless that run was requested already. */
  #ask(): void {
    const anchor = this.#anchor?.length === this.#rows * this.#columns ? this.#anchor : null;
    const experiment = baseExperiment(this.lab, INPUT, anchor);
    const key = JSON.stringify(experiment);
    if (key === this.#requested) return;
    this.#requested = key;
    this.#pendingBase = this.lab
      .probe((session) => runBase(session, experiment, INPUT))
      .then((run) => {
        const base = run && this.#requested === key ? { ...run, key } : null;
        if (base) this.base = base;
        return base;
      });
  }

  get #columns(): number {
    return this.#input?.shape[1] ?? 0;
  }

  #wordsOf(input: TraceNode): readonly string[] {
    const names = namesOf(this.lab, input).rows;
    return names?.length === this.#rows ? names : letters(this.#rows);
  }

  get #order(): number[] {
    return this.order?.length === this.#rows ? this.order : Array.from({ length: this.#rows }, (_, i) => i);
  }

  get #isPending(): boolean {
    return this.#dragging || this.picked !== null || this.#commits > 0;
  }

  protected describe(scene: PermuteScene): Description<never> {
    const words = scene.order.map((from) => scene.words[from]!);
    return {
      heading: texts.HEADING,
      summary: () => texts.modelReads(words, this.#verdict(scene)),
      cell: () => '',
      readout: () => html`<span role="status">${this.#verdict(scene)}</span>`,
      tables: () => scene.tables(),
    };
  }

  protected layOut(scene: PermuteScene, { width, line }: Room): Drawing<never> {
    const sizes = { rows: this.#rows, inputs: this.#columns, outputs: scene.output.shape[1]! };
    const word = widest(scene.words, line, 600);
    const [note, title] = [textWidth('−0.0 × 10⁻⁷', line * 0.92), textWidth(texts.OUTPUTS_BEFORE, line)];
    const layout = layOutPermute(sizes, { width, line, word, note, title });
    return {
      ...layout,
      draw: () => permuted(scene, layout),
      hit: () => null,
      navigation: noNavigation(texts.OUTPUTS),
    };
  }

  /** The words, to be moved. */
  protected override above({ words, order, isReordered }: PermuteScene): TemplateResult {
    return html`<ol class="movable-words" aria-label=${texts.WORDS} @keydown=${this.#keyed}>
      ${order.map((from, at) => html`<li>${this.#chipAt(words[from], at)}</li>`)}
      <li>
        <button class="link" ?disabled=${!isReordered} @click=${() => this.#commit(order.map((_, i) => i))}>
          ${texts.ORIGINAL_ORDER}
        </button>
      </li>
    </ol>`;
  }

  #chipAt(word: string | undefined, at: number): TemplateResult {
    return html`<button
      class="btn movable-word"
      aria-pressed=${this.picked === at}
      aria-roledescription=${texts.MOVABLE_WORD}
      data-at=${at}
      @pointerdown=${(event: PointerEvent) => this.#lift(event, at)}
      @pointermove=${this.#drag}
      @pointerup=${this.#drop}
      @pointercancel=${this.#drop}
    >
      ${word}
    </button>`;
  }

  /** Runs the model on the words in that order, once the reference run is done. */
  #commit(order: number[]): void {
    this.order = order;
    this.#commits++;
    const done = this.#pendingBase.then((base) => base && this.#run(permuteRows(base.inputs, order)));
    void done.finally(() => this.#commits--);
  }

  async #run(values: number[]): Promise<void> {
    if (!(await this.lab.setInput(INPUT, values))) this.order = null;
    const output = this.#output;
    if (output && !this.lab.reached(output)) this.lab.moveTo({ node: output.id, scope: -1 });
  }

  #move(from: number, to: number): void {
    this.order = moved(this.#order, from, to);
    this.picked = to;
  }

  #lift(event: PointerEvent, at: number): void {
    (event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
    this.#dragging = true;
    this.picked = at;
  }

  /** Over another word, the dragged word takes its place. */
  readonly #drag = (event: PointerEvent): void => {
    if (!this.#dragging || this.picked === null) return;
    const to = [...this.querySelectorAll('.movable-word')].findIndex((chip) => {
      const { x, y, width, height } = chip.getBoundingClientRect();
      return isInside({ x, width, y: y - 8, height: height + 16 }, event.clientX, event.clientY);
    });
    if (to < 0 || to === this.picked) return;
    this.#move(this.picked, to);
    void this.updateComplete.then(() => this.#capture(event.pointerId));
  };

  /** Gives pointer capture and focus to the button at the dragged word's new place. */
  #capture(pointer: number): void {
    const chip = this.#chip(this.picked ?? 0);
    if (this.#dragging && chip) chip.setPointerCapture(pointer);
    chip?.focus();
  }

  readonly #drop = (): void => {
    if (!this.#dragging) return;
    this.#dragging = false;
    this.picked = null;
    this.#commit(this.#order);
  };

  #chip(at: number): HTMLElement | null {
    return this.querySelector(`.movable-word[data-at="${at}"]`);
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const focused = Number((event.target as HTMLElement).dataset.at ?? NaN);
    const at = this.picked ?? focused; // the focus follows the moved word
    if (Number.isNaN(focused) || event.altKey || event.metaKey || event.ctrlKey) return;
    const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    const to = Math.max(0, Math.min(this.#rows - 1, at + (step ?? 0)));
    const picks = event.key === ' ' || event.key === 'Enter' || (event.key === 'Escape' && this.picked !== null);
    if (picks) this.#toggle(at);
    if (step && this.picked !== null) this.#move(at, to);
    if (step) void this.updateComplete.then(() => this.#chip(to)?.focus());
    if (!picks && !step) return;
    event.preventDefault();
    event.stopPropagation();
  };

  /** Picks a word up, or drops it where it was moved to. */
  #toggle(at: number): void {
    const down = this.picked !== null;
    this.picked = down ? null : at;
    if (down) this.#commit(this.#order);
  }

  /** How to move a word is said to who is about to; what came of it, to all. */
  protected override rests(scene: PermuteScene): boolean {
    return !scene.isReordered && this.picked === null;
  }

  /** What to do next, or how the two runs compare. */
  #verdict(scene: PermuteScene): string {
    if (!scene.isReordered) return texts.DRAG_A_WORD;
    if (this.picked !== null || !this.base) return texts.DROP_THE_WORD;
    return this.#commits ? texts.RUNNING : scene.verdict();
  }
}

customElements.define('u-permute', Permute);
