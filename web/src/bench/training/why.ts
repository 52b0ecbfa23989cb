// <u-why>: explains a generated token, from its probability back through the trace: logits, attention weights, decoder
// state, previous token. Each entry moves the bench there.
import './why.css';
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/views';
import { LabElement } from '../../ui/lab-element';
import type { TraceNode } from '../../engine/types';
import { marked, nameOfMark, BOS, EOS, sourceColumns, topOf, targetWords } from '../../ui/words';

const TOP_COUNT = 3;

/** A row of a tensor in the trace. */
interface Place {
  node: TraceNode;
  row: number;
}

/** A sentence whose `link` leads to the tensor that it is about. */
type Sentence = (link: (title: string) => TemplateResult) => (TemplateResult | string)[];

export class Why extends LabElement {
  protected readonly topics = ['run', 'values'] as const;
  static override properties = { position: { state: true } };
  /** Target position asked about; null: none. */
  position: number | null = null;

  protected override render(): TemplateResult | typeof nothing {
    const logProbs = this.lab.node('cross_entropy/log p');
    if (!this.lab.pair || !logProbs) return nothing;
    const { words: all, promptLength: given } = targetWords(this.lab);
    const words = [...all, EOS].slice(0, logProbs.shape.at(-2));
    const selected = this.position !== null && this.position < words.length ? this.position : null;
    return html`<div class="why" role="group" aria-label=${texts.WHY_CHOSEN}>
      <div class="asked">
        <span class="fhint" id=${this.idOf('why-words')}>${texts.WHY_THIS_WORD}</span>
        <span class="row" role="group" aria-labelledby=${this.idOf('why-words')}>
          ${words.map((word, t) => (t < given ? nothing : this.button(word, t, selected)))}
        </span>
      </div>
      ${selected === null ? nothing : this.answer(selected, words)}
    </div>`;
  }

  private button(word: string, t: number, selected: number | null): TemplateResult {
    return html`<button
      type="button"
      class="token"
      title=${nameOfMark(word) ?? nothing}
      aria-pressed=${selected === t}
      @click=${() => (this.position = selected === t ? null : t)}
    >
      ${word}
    </button>`;
  }

  private answer(t: number, words: string[]): TemplateResult {
    return html`<ol class="chain">
      ${this.probabilities(t)} ${this.attention(t)} ${this.selfAttention(t, words)} ${this.state(t)}
      ${this.previous(t, words)}
    </ol>`;
  }

  /** The most probable tokens at this position. */
  private probabilities(t: number): TemplateResult | typeof nothing {
    const node = this.lab.node('cross_entropy/log p');
    const values = node && this.lab.probabilities(node);
    const names = this.lab.task?.targetWords.map(marked) ?? [];
    if (!values) return nothing;
    const best = topWords(rowsAt(node, values, t)[0]!, names);
    return this.entry(this.at(t, '/logits', 'logits'), (link) => texts.logitsGave(link, best));
  }

  private attention(t: number): TemplateResult | typeof nothing {
    const at = this.at(t, '.attention/α', 'attention/α');
    const values = at && this.lab.values(at.node);
    if (!values) return nothing;
    const row = rowsAt(at.node, values, at.row)[0]!;
    const words = topWords(row, sourceColumns(this.lab, row.length));
    return this.entry(at, (link) => texts.attentionWasOn(link, words));
  }

  /** In a Transformer: what each head of the last block attends to among the previous tokens. */
  private selfAttention(t: number, words: string[]): TemplateResult | typeof nothing {
    const node = this.lab.trace?.nodes.findLast(({ name }) => /^decoder\.\d+\.(self_)?attention\/α$/.test(name));
    const values = node && this.lab.values(node);
    if (!values) return nothing;
    const best = rowsAt(node, values, t).flatMap((row) => topWords(row, [BOS, ...words], 1));
    return this.entry({ node, row: t }, (link) => texts.headsLookedBack(link, best));
  }

  private state(t: number): TemplateResult | typeof nothing {
    const at = this.at(t, '/s', 'decoder/s');
    if (at?.node.name === 'decoder/s') return this.entry(at, texts.stateIsOutput);
    return this.entry(at, t ? texts.stateCarried : texts.stateBegan);
  }

  private previous(t: number, words: string[]): TemplateResult | typeof nothing {
    const word = named(t ? words[t - 1]! : BOS);
    return this.entry(this.at(t, '/y', 'target_in'), (link) => texts.previousWas(link, word));
  }

  /** Position t of a tensor: a recurrent network has a tensor per step, a Transformer a row per position. */
  private at(t: number, own: string, whole: string): Place | null {
    const step = this.lab.node(`decoder.t${t}${own}`);
    if (step) return { node: step, row: 0 };
    const all = this.lab.node(whole);
    return all ? { node: all, row: t } : null;
  }

  private entry(at: Place | null, sentence: Sentence): TemplateResult | typeof nothing {
    if (!at) return nothing;
    const focus = (): void => this.lab.focus({ at: at.node.name, cell: firstOf(at) });
    const link = (title: string): TemplateResult =>
      html`<button type="button" class="link" @click=${focus}>${title}</button>`;
    return html`<li>${sentence(link)}</li>`;
  }
}

/** Row t of each matrix in a tensor (…, T, columns): one, or one per head. */
function rowsAt({ shape }: TraceNode, values: Float32Array, t: number): Float32Array[] {
  const columns = shape.at(-1)!,
    block = shape.at(-2)! * columns;
  return Array.from({ length: values.length / block }, (_, i) =>
    values.subarray(i * block + t * columns, i * block + (t + 1) * columns),
  );
}

/** Indices of the row's first cell in (B, T), (B, T, columns) or (B, N, T, columns). */
const firstOf = ({ node: { shape }, row }: Place): number[] =>
  shape.map((_, axis) => (axis === Math.max(1, shape.length - 2) ? row : 0));

const named = (word: string): TemplateResult => html`<b>${word}</b>`;

const topWords = (row: Float32Array, names: readonly string[], count = TOP_COUNT): TemplateResult[] =>
  topOf(row, count).map((i) => html`${named(names[i]!)} ${row[i]!.toFixed(2)}`);

customElements.define('u-why', Why);
