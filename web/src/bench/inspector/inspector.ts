// <u-inspector>: one cell of a tensor: its position, value, gradient and formula, with edit and gradient check.
import { type PropertyValues, type TemplateResult, html, nothing } from 'lit';
import * as texts from '#messages/bench/inspector';
import './inspector.css';
import type { GradientCheck, RunInfo, Trace, TraceNode } from '../../engine/types';
import { describeCheck, validationError } from '../../figures/shared/edit-value';
import { inNumbers, inSymbols } from '../../figures/shared/formula';
import { Heatmap } from '../board/heatmap';
import { describeLeaf, gradientOf, namesOf, subjectOf } from '../../figures/shared/summary';
import { gradientSymbol, mark } from '../../figures/shared/marks';
import { exact, parseNumber, shortest, significant } from '../../ui/numbers';
import { isOfUpdate } from '../../lab/cursor';
import { asTitle } from '#messages/tensors';
import { states } from '../../ui/lab-element';
import { inItalics, inQuotes, nameOfCell, nameOfTensor, runOf, shapeInLetters, type Run } from '../../ui/tensor-names';
import { View } from '../../figures/host/view';

type Values = (node: TraceNode) => Float32Array | undefined;

/** How much a number grows in the sentence on its gradient. */
const GROWTH = 0.1;
/** The most tensors to name that share a gradient. */
const MOST_NAMES = 6;

export class Inspector extends View {
  protected readonly topics = ['run', 'cursor', 'selection', 'values'] as const;
  static override properties = states('editing', 'refused', 'check', 'digits');

  editing = false;
  /** All digits of the numbers are shown, not three. */
  digits = false;
  /** Why the typed value was refused. */
  refused = '';
  /** The last gradient check, valid only for the run and training step it was made on. */
  check: { key: string; run: RunInfo | null; step: number; result: GradientCheck } | null = null;
  /** Key of the cell shown. */
  #shownKey = '';
  #cameFrom: Element | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.listen(this.lab, 'edit-cell', () => this.#edit());
  }

  /** The field may have been asked for before this was loaded. */
  protected override firstUpdated(): void {
    this.#edit();
  }

  override willUpdate(_changed: PropertyValues<this>): void {
    if (this.#noteSubject()) this.editing = false;
  }

  /** True if the cell has changed, by selection or by stepping. */
  #noteSubject(): boolean {
    const { trace } = this.lab;
    const subject = trace && subjectOf(this.lab, trace);
    const key = subject ? keyOf(subject.node, subject.index) : '';
    if (key === this.#shownKey) return false;
    this.#shownKey = key;
    this.refused = '';
    return true;
  }

  override render(): TemplateResult {
    const { trace } = this.lab;
    const subject = trace && subjectOf(this.lab, trace);
    if (!trace || !subject) return this.#empty();
    const { node, index } = subject;
    return html`<div class="insp-body">
      ${this.#heading(trace, node, index)} ${this.#numbers(trace, node, index)} ${this.#work(trace, node, index)}
      ${this.#meaning(trace, node, index)} ${this.#belongs(trace, node)}
      <div class="foot">${this.#actions(trace, node, index)}</div>
    </div>`;
  }

  /** What it is in words, its path and index as in the code, where the cell is and the shape. */
  #heading(trace: Trace, node: TraceNode, index: number): TemplateResult {
    const run = runOf(this.lab)!;
    const words = nameOfTensor(run, node, index);
    const path = html`<span class="path" title=${node.name}>${this.#title(trace, node)}</span>`;
    return html`<p class="name">${mark(node.role)}<span>${words ? inItalics(asTitle(words)) : path}</span></p>
      <p class="where">${words ? path : nothing} <span>${Heatmap.where(node, index)}</span></p>
      <p class="cell">
        <span>${this.#place(run, node, index)}</span>
        <span class="shape">${shapeInLetters(run, node)}</span>
      </p>`;
  }

  /** A gradient is named after the tensors it belongs to, as on the board. */
  #title(trace: Trace, node: TraceNode): TemplateResult | string {
    const tensors = gradientOf(trace, node);
    if (!tensors.length) return node.name;
    const more = tensors.length - MOST_NAMES;
    return html`${tensors.slice(0, MOST_NAMES).map((tensor, i) => [i ? ' = ' : '', gradientSymbol(tensor)])}${
      more > 0 ? ` ${texts.andMore(more)}` : nothing
    }`;
  }

  #where(node: TraceNode, index: number): string {
    return Heatmap.where(node, index, namesOf(this.lab, node)) || texts.ONE_NUMBER;
  }

  /** By the lesson's names of all its rows and columns, else by the tokens, else as far as there are names. */
  #cell(run: Run, node: TraceNode, index: number): (TemplateResult | string)[] {
    const names = namesOf(this.lab, node);
    const where = this.#where(node, index);
    const words = names.rows && names.columns ? null : nameOfCell(run, node, index);
    if (!words || (names.columns && node.shape.length === 1))
      return where === Heatmap.where(node, index) ? [] : [where];
    return inItalics(words);
  }

  #empty(): TemplateResult {
    return html`<div class="insp-body">
      <p class="empty">${texts.CHOOSE_CELL}</p>
      <p class="hint">${texts.ABOUT_CELLS}</p>
    </div>`;
  }

  #place(run: Run, node: TraceNode, index: number): (TemplateResult | string)[] {
    const place = this.#cell(run, node, index);
    if (!this.#isEdited(node, index)) return place;
    return texts.editedAt(place, (edited) => html`<span class="was-edited">${edited}</span>`);
  }

  #isEdited(node: TraceNode, index: number): boolean {
    return this.lab.state.edits.some((edit) => edit.name === node.name && edit.index === index);
  }

  #numbers(trace: Trace, node: TraceNode, index: number): TemplateResult {
    const gradient = trace.nodes[node.gradient];
    const nameOfGradient = html`${mark('gradient')} ${texts.gradientIs(gradientSymbol(node))}`;
    return html`<dl class="pair">
      ${this.#number(texts.VALUE, node, index)} ${gradient ? this.#number(nameOfGradient, gradient, index) : nothing}
    </dl>`;
  }

  #number(name: TemplateResult | string, node: TraceNode, index: number): TemplateResult {
    const value = this.#valueOf(node)?.[index];
    return html`<div>
      <dt>${name}</dt>
      ${
        value === undefined
          ? html`<dd class="later">${texts.NOT_YET}</dd>`
          : html`<dd data-tensor=${node.name} data-index=${index} class=${this.#text(value).length > 12 ? 'long' : ''}>
              ${this.#text(value)}
            </dd>`
      }
    </div>`;
  }

  #text(value: number): string {
    return this.digits ? exact(value) : significant(value, 3);
  }

  /** What the gradient says, to first order. */
  #meaning(trace: Trace, node: TraceNode, index: number): TemplateResult | typeof nothing {
    const gradient = trace.nodes[node.gradient];
    const slope = gradient && this.#valueOf(gradient)?.[index];
    return slope === undefined ? nothing : html`<p class="mean">${texts.ifItGrew(significant(slope * GROWTH, 2))}</p>`;
  }

  readonly #valueOf: Values = (node) => (this.lab.reached(node) ? this.lab.values(node) : undefined);

  #work(trace: Trace, node: TraceNode, index: number): TemplateResult | typeof nothing {
    if (this.#isEdited(node, index)) return html`<p class="work leaf">${texts.SET_BY_YOU}</p>`;
    if (node.phase === 'leaf') return html`<p class="work leaf">${describeLeaf(trace, node)}</p>`;
    const all: Values = (input) => this.lab.values(input);
    const value = this.#valueOf(node)?.[index];
    const numbers = value === undefined ? null : inNumbers(trace, node, index, all);
    return html`<div class="work" role="group" aria-label=${texts.FORMULA}>
      <p class="in-symbols">${inSymbols(trace, node, all)}</p>
      ${
        numbers && value !== undefined
          ? html`<p class="in-numbers">
              <span class="eq">=</span><span class="terms">${numbers}</span><span class="eq">=</span>
              <b data-tensor=${node.name} data-index=${index}>${this.#text(value)}</b>
            </p>`
          : nothing
      }
    </div>`;
  }

  /** The forward operation that a backward one belongs to. */
  #belongs(trace: Trace, node: TraceNode): TemplateResult | typeof nothing {
    if (isOfUpdate(trace, node)) return html`<p class="belongs">${texts.OF_UPDATE}</p>`;
    const origin = trace.nodes[node.origin];
    if (!origin) return nothing;
    const inspect = (): void => this.lab.select(origin.name, 0);
    const shared = gradientOf(trace, node).length > 1;
    return html`${shared ? html`<p class="belongs">${texts.SHARED}</p>` : nothing}
      <p class="belongs">
        ${texts.belongsTo(html`<button class="link" @click=${inspect}>${origin.name}</button>`)}
        <span class="mono">${origin.file.slice(origin.file.lastIndexOf('/') + 1)}:${origin.line}</span>
      </p>`;
  }

  #actions(trace: Trace, node: TraceNode, index: number): TemplateResult {
    if (this.editing) return this.#form(node, index);
    const edited = this.#isEdited(node, index);
    const fixed = !canEdit(trace, node) || !this.#valueOf(node);
    return html`<div class="acts">
        <button class="btn small" ?disabled=${fixed} @click=${() => this.lab.askEdit()}>${texts.EDIT}</button>
        <button class="btn small" aria-pressed=${this.digits} @click=${() => (this.digits = !this.digits)}>
          ${texts.ALL_DIGITS}
        </button>
        <button class="btn small" ?disabled=${!edited} @click=${() => this.lab.undoEdit(node.name, index)}>
          ${texts.UNDO}
        </button>
        <button class="btn small" ?disabled=${node.gradient < 0} @click=${() => this.#checkIt(node, index)}>
          ${texts.CHECK}
        </button>
      </div>
      <p class="chk" role="status">${this.#checked(node, index)}</p>`;
  }

  #checked(node: TraceNode, index: number): TemplateResult | typeof nothing {
    const { check, lab } = this;
    if (check?.key !== keyOf(node, index) || check.run !== lab.run) return nothing;
    return check.step === lab.training.step ? describeCheck(check.result) : nothing;
  }

  #form(node: TraceNode, index: number): TemplateResult {
    const value = this.lab.values(node)?.[index] ?? 0;
    return html`<form
        class="acts edit"
        @submit=${(event: Event) => this.#save(event, node, index)}
        @keydown=${this.#key}
      >
        <input
          class="entry"
          name="value"
          inputmode="text"
          autocomplete="off"
          spellcheck="false"
          aria-label=${texts.newValueOf(this.#spoken(node, index), this.#where(node, index))}
          aria-invalid=${this.refused ? 'true' : 'false'}
          aria-describedby=${this.idOf('edit-refused')}
          .defaultValue=${shortest(value).replace('Infinity', 'inf')}
        />
        <button class="btn small main">${texts.SET}</button>
        <button class="btn small" type="button" @click=${this.#close}>${texts.CANCEL}</button>
      </form>
      <p class="refused" id=${this.idOf('edit-refused')} role="alert">${this.refused}</p>`;
  }

  #spoken(node: TraceNode, index: number): string {
    const words = nameOfTensor(runOf(this.lab)!, node, index);
    return words ? inQuotes(words) : node.name;
  }

  /** What was typed on the cell replaces its value in the field, and more may follow. */
  #edit(): void {
    const { trace } = this.lab;
    const typed = this.lab.takeAsked();
    const subject = trace && subjectOf(this.lab, trace);
    if (typed === null || !subject || !canEdit(trace, subject.node) || !this.#valueOf(subject.node)) return;
    this.#noteSubject();
    this.#cameFrom = document.activeElement;
    this.editing = true;
    void this.updateComplete.then(() => {
      const field = this.querySelector<HTMLInputElement>('input.entry');
      field?.focus();
      if (field && typed) field.value = typed;
      else field?.select();
    });
  }

  /** Returns focus to where editing began: the button, or the cells. */
  readonly #close = (): void => {
    this.editing = false;
    this.refused = '';
    const back = this.#cameFrom;
    void this.updateComplete.then(() => {
      const button = this.querySelector<HTMLElement>('.acts button');
      if (back instanceof HTMLElement && back.isConnected && !this.contains(back)) back.focus();
      else button?.focus();
    });
  };

  readonly #key = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape') this.#close();
  };

  async #save(event: Event, node: TraceNode, index: number): Promise<void> {
    event.preventDefault();
    const text = String(new FormData(event.target as HTMLFormElement).get('value') ?? '');
    this.refused = validationError(node, index, text, namesOf(this.lab, node));
    if (this.refused) return;
    const reply = await this.lab.edit(node.name, index, parseNumber(text)!, true);
    if (!this.editing || this.#shownKey !== keyOf(node, index)) return; // another form is open by now
    if (reply.ok) return this.#close();
    this.refused = reply.message;
  }

  async #checkIt(node: TraceNode, index: number): Promise<void> {
    const result = await this.lab.queries.checkGradient(node.name, index);
    const { run, training } = this.lab;
    this.check = result && { key: keyOf(node, index), run, step: training.step, result };
  }
}

const canEdit = (trace: Trace, node: TraceNode): boolean => node.phase !== 'backward' && !isOfUpdate(trace, node);

const keyOf = (node: TraceNode, index: number): string => `${node.name}[${index}]`;

customElements.define('u-inspector', Inspector);
