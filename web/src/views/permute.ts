// <u-permute>: words that are dragged into another order. The model is run with the rows of X in that order, and in a
// session beside it with the rows as they were; the outputs of both stand side by side.
import { type PropertyValues, type TemplateResult, html, nothing, svg } from 'lit';
import { replay } from '../engine/replay';
import { experimentOf } from '../state/changes';
import type { TraceNode } from '../types';
import { AttentionFigure } from './attention-figure';
import { inkCells } from './cells';
import { csvOf } from './figure-export';
import { textWidth } from './figure-text';
import { namesOf } from './labels';
import { shortName } from './marks';
import { column, shortest, significant } from './numbers';
import { palette, scaleOf } from './palette';
import {
  type PermuteLayout,
  isRounding,
  layOutPermute,
  letters,
  moved,
  orderOf,
  permuteRows,
  rowDifferences,
} from './permute-order';

const LINE = 13;
const INPUT = 'X';

/** The run on the words in their own order. */
interface Base {
  /** What was run, as text. */
  of: string;
  inputs: Float32Array;
  outputs: Float32Array;
}

export class Permute extends AttentionFigure {
  static override properties = {
    ...AttentionFigure.properties,
    order: { state: true },
    picked: { state: true },
    base: { state: true },
  };

  /** Where each word stands that is shown now; differs from the model's while one is dragged. */
  declare order: number[] | null;
  /** The place of the word that was picked up. */
  declare picked: number | null;
  declare base: Base | null;

  #layout: PermuteLayout | null = null;
  /** Values of X that another order is counted from; null: the page's own. */
  #anchor: number[] | null = null;
  #asked = '';
  #dragging = false;

  constructor() {
    super();
    this.order = this.picked = this.base = null;
  }

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

  override willUpdate(changed: PropertyValues<this>): void {
    if (!this.ready) return;
    if (!changed.has('base')) void this.#ask();
    const now = this.lab.values(this.#input!);
    if (now && this.base && !this.#dragging && this.picked === null) this.#follow(now, this.base);
    this.#layout = this.width ? this.#layOut() : null;
  }

  /** The order is what X says, however it came about. */
  #follow(now: Float32Array, base: Base): void {
    const own = this.order?.length === this.#rows && permuteRows(base.inputs, this.order);
    if (own && own.every((value, i) => Object.is(value, now[i]))) return;
    const order = orderOf(base.inputs, now, this.#rows);
    if (order) this.order = order;
    else if (this.#asked === base.of) this.#anchor = [...now];
  }

  /** Runs the words in their own order, beside the learner's model, where that is not known yet. */
  async #ask(): Promise<void> {
    const { page, state } = this.lab;
    const others = state.inputs.filter(({ name }) => name !== INPUT);
    const inputs =
      this.#anchor?.length === this.#rows * this.#columns
        ? [...others, { name: INPUT, values: this.#anchor, at: 0 }]
        : others;
    const edits = state.edits.filter(({ name }) => name !== INPUT);
    const experiment = experimentOf(page, { ...state, inputs, edits });
    const of = JSON.stringify(experiment);
    if (of === this.#asked) return;
    this.#asked = of;
    const base = await this.lab.probe(async (session) => {
      const made = await replay(session, experiment);
      if (!made.ok) return null;
      const { trace, run } = made.value;
      const input = trace.nodes.find(({ name }) => name === INPUT);
      const [before, after] = await Promise.all([session.values(input?.id ?? -1), session.values(run.output)]);
      return before.ok && after.ok ? { of, inputs: before.value, outputs: after.value } : null;
    });
    if (base && this.#asked === of) this.base = base;
  }

  get #columns(): number {
    return this.#input?.shape[1] ?? 0;
  }

  protected get ready(): boolean {
    return this.#rows > 1 && this.#output?.shape[0] === this.#rows && this.#output.shape.length === 2;
  }

  protected readonly heading = 'The words in another order';

  get #words(): readonly string[] {
    const names = namesOf(this.lab.trace!, this.#input!).rows;
    return names?.length === this.#rows ? names : letters(this.#rows);
  }

  get #order(): number[] {
    return this.order?.length === this.#rows ? this.order : Array.from({ length: this.#rows }, (_, i) => i);
  }

  get #isMoved(): boolean {
    return this.#order.some((from, to) => from !== to);
  }

  #layOut(): PermuteLayout {
    const line = LINE * this.zoom;
    const { sans } = palette();
    const word = Math.max(...this.#words.map((each) => textWidth(each, line, sans, 600)));
    const sizes = { rows: this.#rows, inputs: this.#columns, outputs: this.#output!.shape[1]! };
    return layOutPermute(sizes, { width: this.width, line, word, note: textWidth('−0.0 × 10⁻⁷', line * 0.92, sans) });
  }

  protected picture(): TemplateResult {
    const layout = this.#layout!;
    return html`${this.#chips()}
      <div class="scrolled" tabindex="0" role="group" aria-label="Outputs before and now">
        <svg
          class="drawn permuted"
          width=${layout.width}
          height=${layout.height}
          viewBox="0 0 ${layout.width} ${layout.height}"
          aria-hidden="true"
        >
          ${this.#drawn(layout)}
        </svg>
      </div>`;
  }

  #chips(): TemplateResult {
    const words = this.#words;
    return html`<ol
      class="chips"
      aria-label="Words, in the order that the model reads them: Space picks one up, the arrow keys move it"
      @keydown=${this.#keyed}
    >
      ${this.#order.map(
        (from, at) =>
          html`<li>
            <button
              class="chip"
              aria-pressed=${this.picked === at}
              aria-roledescription="word that can be moved"
              data-at=${at}
              @pointerdown=${(event: PointerEvent) => this.#lift(event, at)}
              @pointermove=${this.#drag}
              @pointerup=${this.#drop}
              @pointercancel=${this.#drop}
            >
              ${words[from]}
            </button>
          </li>`,
      )}
      <li>
        <button class="link" ?disabled=${!this.#isMoved} @click=${() => this.#commit(this.#order.map((_, i) => i))}>
          As before
        </button>
      </li>
    </ol>`;
  }

  #drawn({ x, input, output, row, top, words, difference, ...size }: PermuteLayout): TemplateResult {
    const line = LINE * this.zoom;
    const { base } = this;
    const [order, names] = [this.#order, this.#words];
    const own = order.map((_, i) => i);
    const now = this.#dragging || this.picked !== null ? undefined : this.valuesOf(this.#output);
    const middle = (i: number): number => top + (i + 0.5) * row;
    const heading = (at: number, text: string): TemplateResult =>
      svg`<text class="map-name" x=${at} y=${line}>${text}</text>`;
    const path = (from: number, to: number): string => {
      const [a, b] = [x.before + output + 5, x.now - 5];
      return `M${a} ${middle(from)}C${(a + b) / 2} ${middle(from)} ${(a + b) / 2} ${middle(to)} ${b} ${middle(to)}`;
    };
    const gaps = base && now ? rowDifferences(base.outputs, now, order) : [];
    return svg`${heading(x.before, 'outputs before')} ${heading(x.now, 'outputs now')}
      ${x.inputBefore === null ? nothing : [heading(x.inputBefore, INPUT), heading(x.inputNow!, INPUT)]}
      ${gaps.length && this.#isMoved ? heading(difference, 'differ by') : nothing}
      ${order.map((from, to) => svg`<path class="carried ${gaps[to] !== undefined && !isRounding(gaps[to], now!) ? 'changed' : ''}" d=${path(from, to)}></path>`)}
      ${this.#strips(x.inputBefore, input, size, own, base?.inputs, this.#input!)} ${this.#strips(x.before, output, size, own, base?.outputs, this.#output!)}
      ${this.#strips(x.now, output, size, own, now, this.#output!)} ${this.#strips(x.inputNow, input, size, order, base?.inputs, this.#input!)}
      ${own.map(
        (
          i,
        ) => svg`<text class="token-word" text-anchor="end" x=${words.before} y=${middle(i) + line * 0.34}>${names[i]}</text>
        <text class="token-word" x=${words.now} y=${middle(i) + line * 0.34}>${names[order[i]!]}</text>
        ${gaps.length && this.#isMoved ? svg`<text class="gap-number" x=${difference} y=${middle(i) + line * 0.34}>${significant(gaps[i]!, 2)}</text>` : nothing}`,
      )}`;
  }

  /** One strip a row; row r shows row order[r] of the values. */
  #strips(
    x: number | null,
    width: number,
    _size: unknown,
    order: readonly number[],
    values: Float32Array | undefined,
    node: TraceNode,
  ): TemplateResult | typeof nothing {
    if (x === null) return nothing;
    const { row, top } = this.#layout!;
    const columns = node.shape[1]!;
    const [cell, height] = [width / columns, row - 8];
    const y = (r: number): number => top + r * row + 4;
    if (!values)
      return svg`${order.map((_, r) => svg`<rect class="hollow" x=${x + 0.5} y=${y(r) + 0.5} width=${width - 1} height=${height - 1}></rect>`)}`;
    const cells = order.flatMap((from, r) =>
      Array.from({ length: columns }, (_, c) => ({
        x: x + c * cell,
        y: y(r),
        width: cell,
        height,
        value: values[from * columns + c]!,
      })),
    );
    return svg`<g data-tensor=${node.name}>${inkCells(cells, scaleOf('state', values), palette())}</g>`;
  }

  /** Runs the model on the words in that order. */
  #commit(order: number[]): void {
    const { base } = this;
    this.order = order;
    if (base) void this.#run(permuteRows(base.inputs, order));
  }

  async #run(values: number[]): Promise<void> {
    for (const { name, index } of this.lab.state.edits.filter((edit) => edit.name === INPUT))
      await this.lab.undoEdit(name, index);
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

  /** Over the middle of another word it takes that place. */
  readonly #drag = (event: PointerEvent): void => {
    if (!this.#dragging || this.picked === null) return;
    const chips = [...this.querySelectorAll<HTMLElement>('.chip')].map((chip) => chip.getBoundingClientRect());
    const to = chips.findIndex(
      ({ left, right, top, bottom }) =>
        event.clientX >= left && event.clientX < right && event.clientY >= top - 8 && event.clientY < bottom + 8,
    );
    if (to < 0 || to === this.picked) return;
    this.#move(this.picked, to);
    void this.updateComplete.then(() => this.#capture(event.pointerId));
  };

  /** The button at the place of the word that is dragged gets what the pointer does. */
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
    return this.querySelector(`.chip[data-at="${at}"]`);
  }

  readonly #keyed = (event: KeyboardEvent): void => {
    const at = Number((event.target as HTMLElement).dataset.at ?? NaN);
    if (Number.isNaN(at) || event.altKey || event.metaKey || event.ctrlKey) return;
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

  /** Put down, the word stays where it was moved to. */
  #toggle(at: number): void {
    const down = this.picked !== null;
    this.picked = down ? null : at;
    if (down) this.#commit(this.#order);
  }

  /** What two runs came to. */
  get #verdict(): string {
    const now = this.valuesOf(this.#output);
    const name =
      shortName(this.#output!.name) === this.#output!.op
        ? 'The outputs'
        : `The rows of ${shortName(this.#output!.name)}`;
    if (!this.#isMoved)
      return 'Drag a word to another place, or pick it up with Space and move it with the arrow keys.';
    if (this.picked !== null || !this.base) return 'Put the word down to run the model.';
    if (!now) return 'The outputs are not reached yet.';
    const most = Math.max(...rowDifferences(this.base.outputs, now, this.#order));
    const said = most === 0 ? 'not at all' : `by ${significant(most, 2)} at most`;
    return isRounding(most, now)
      ? `${name} are the same rows in the new order: they differ ${said}.`
      : `${name} are other rows than before: they differ ${said}.`;
  }

  protected readout(): TemplateResult {
    return html`<span role="status">${this.#verdict}</span>`;
  }

  protected spoken(): string {
    const words = this.#order.map((from) => this.#words[from]);
    return `The model reads ${words.join(', ')}. ${this.#verdict}`;
  }

  protected twin(): TemplateResult {
    const output = this.#output!;
    const [before, now] = [this.base?.outputs, this.valuesOf(output)];
    const own = this.#order.map((_, i) => i);
    return html`${this.#table('Outputs before', output, own, before, '')}
    ${this.#table('Outputs now', output, this.#order, now, output.name)}`;
  }

  #table(
    caption: string,
    node: TraceNode,
    order: readonly number[],
    values: Float32Array | undefined,
    tensor: string,
  ): TemplateResult {
    const columns = node.shape[1]!;
    const texts = Array.from({ length: columns }, (_, c) =>
      values ? column(order.map((__, r) => values[r * columns + c]!)) : [],
    );
    return html`<table data-tensor=${tensor || nothing}>
      <caption>
        ${caption}
      </caption>
      <tbody>
        ${order.map(
          (from, r) =>
            html`<tr>
              <th scope="row">${this.#words[from]}</th>
              ${texts.map((list, c) => html`<td data-index=${r * columns + c}>${list[r]}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>`;
  }

  protected csv(): string {
    const columns = this.#output!.shape[1]!;
    const rows = (when: string, order: readonly number[], values: Float32Array | undefined): (string | number)[][] =>
      values
        ? order.map((from, r) => [
            when,
            this.#words[from]!,
            ...[...values.subarray(r * columns, (r + 1) * columns)].map(shortest),
          ])
        : [];
    const own = this.#order.map((_, i) => i);
    return csvOf([
      ['run', 'word'],
      ...rows('before', own, this.base?.outputs),
      ...rows('now', this.#order, this.valuesOf(this.#output)),
    ]);
  }
}

customElements.define('u-permute', Permute);
