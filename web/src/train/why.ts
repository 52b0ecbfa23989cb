// <u-why>: why a word came out. From its probability back through the trace: the logits, the state, where attention
// looked, the word before; each leads the bench there.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import type { TraceNode } from '../types';
import { marked, nameOfMark } from '../views/token';
import { BOS, EOS, sourceColumns, topOf, writtenWords } from './words';

const MOST = 3;

export class Why extends LabElement {
  static override properties = { position: { state: true } };
  /** Of the target; null: nothing is asked. */
  declare position: number | null;

  constructor() {
    super();
    this.position = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const likely = this.lab.node('cross_entropy/log p');
    if (!this.lab.pair || !likely) return nothing;
    const { words: all, given } = writtenWords(this.lab);
    const words = [...all, EOS].slice(0, likely.shape.at(-2));
    const asked = this.position !== null && this.position < words.length ? this.position : null;
    return html`<section class="why" aria-label="Why a word came out">
      <div class="asked">
        <span class="fhint" id="why-words">Why this word?</span>
        <span class="row" role="group" aria-labelledby="why-words">
          ${words.map((word, t) => (t < given ? nothing : this.button(word, t, asked)))}
        </span>
      </div>
      ${asked === null ? nothing : this.answer(asked, words)}
    </section>`;
  }

  private button(word: string, t: number, asked: number | null): TemplateResult {
    return html`<button
      type="button"
      class="token"
      title=${nameOfMark(word) ?? nothing}
      aria-pressed=${asked === t}
      @click=${() => (this.position = asked === t ? null : t)}
    >
      ${word}
    </button>`;
  }

  private answer(t: number, words: string[]): TemplateResult {
    return html`<ol class="chain">
      ${this.likely(t)} ${this.looked(t)} ${this.state(t)} ${this.previous(t, words)}
    </ol>`;
  }

  /** The words with the largest probability at this position. */
  private likely(t: number): TemplateResult | typeof nothing {
    const node = this.lab.node('cross_entropy/log p');
    const values = node && this.lab.probabilities(node);
    const names = this.lab.task?.targetWords.map(marked) ?? [];
    if (!values) return nothing;
    const row = values.subarray(t * names.length, (t + 1) * names.length);
    const best = topOf(row, MOST).map((i) => `${names[i]} ${row[i]!.toFixed(2)}`);
    return this.link(`decoder.t${t}/logits`, 'Its logits', `gave the probabilities ${best.join(', ')}`);
  }

  private looked(t: number): TemplateResult | typeof nothing {
    const node = this.lab.node(`decoder.t${t}.attention/α`);
    const values = node && this.lab.values(node);
    if (!values) return nothing;
    const columns = sourceColumns(this.lab, values.length);
    const best = topOf(values, MOST).map((i) => `${columns[i]} ${values[i]!.toFixed(2)}`);
    return this.link(node.name, 'Attention', `looked at ${best.join(', ')}`);
  }

  private state(t: number): TemplateResult | typeof nothing {
    const told = t ? 'carried what was written before' : 'began with what the encoder left';
    return this.link(`decoder.t${t}/s`, 'The decoder’s state', told);
  }

  private previous(t: number, words: string[]): TemplateResult | typeof nothing {
    return this.link(`decoder.t${t}/y`, 'The word before', `was ${t ? words[t - 1] : BOS}`);
  }

  private link(name: string, title: string, told: string): TemplateResult | typeof nothing {
    const node: TraceNode | undefined = this.lab.node(name);
    if (!node) return nothing;
    return html`<li>
      <button type="button" class="link" @click=${() => this.lab.focus({ at: node.name })}>${title}</button> ${told}.
    </li>`;
  }
}

customElements.define('u-why', Why);
