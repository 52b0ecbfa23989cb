// <u-why>: why a word came out. From its probability back through the trace: the logits, where attention looked, the
// state, the word before; each leads the bench there.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import type { TraceNode } from '../types';
import { marked, nameOfMark } from '../views/token';
import { BOS, EOS, sourceColumns, topOf, writtenWords } from './words';

const MOST = 3;

/** A tensor of the trace, and the row of it that is meant. */
interface Place {
  node: TraceNode;
  row: number;
}

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
      ${this.likely(t)} ${this.looked(t)} ${this.lookedBack(t, words)} ${this.state(t)} ${this.previous(t, words)}
    </ol>`;
  }

  /** The words with the largest probability at this position. */
  private likely(t: number): TemplateResult | typeof nothing {
    const node = this.lab.node('cross_entropy/log p');
    const values = node && this.lab.probabilities(node);
    const names = this.lab.task?.targetWords.map(marked) ?? [];
    if (!values) return nothing;
    const best = most(rowsAt(node, values, t)[0]!, names);
    return this.link(this.at(t, '/logits', 'logits'), 'Its logits', html`gave the probabilities ${best}`);
  }

  private looked(t: number): TemplateResult | typeof nothing {
    const at = this.at(t, '.attention/α', 'attention/α');
    const values = at && this.lab.values(at.node);
    if (!values) return nothing;
    const row = rowsAt(at.node, values, at.row)[0]!;
    return this.link(at, 'Attention', html`looked at ${most(row, sourceColumns(this.lab, row.length))}`);
  }

  /** In a Transformer: where each head of the last block looked among the words before. */
  private lookedBack(t: number, words: string[]): TemplateResult | typeof nothing {
    const node = this.lab.trace?.nodes.findLast(({ name }) => /^decoder\.\d+\.(self_)?attention\/α$/.test(name));
    const values = node && this.lab.values(node);
    if (!values) return nothing;
    const heads = rowsAt(node, values, t).map(
      (row, head) => html`${head ? ', ' : ''}in head ${head} at ${most(row, [BOS, ...words], 1)}`,
    );
    return this.link({ node, row: t }, 'Self-attention', html`of the last block looked back, ${heads}`);
  }

  private state(t: number): TemplateResult | typeof nothing {
    const at = this.at(t, '/s', 'decoder/s');
    const carried = t ? 'carried what was written before' : 'began with what the encoder left';
    return this.link(
      at,
      'The decoder’s state',
      at?.node.name !== 'decoder/s' ? carried : 'is what the last block made of all these',
    );
  }

  private previous(t: number, words: string[]): TemplateResult | typeof nothing {
    return this.link(this.at(t, '/y', 'target_in'), 'The word before', html`was ${named(t ? words[t - 1]! : BOS)}`);
  }

  /** What stands for position t: a recurrent network's tensor of that step, or that row of a Transformer's. */
  private at(t: number, own: string, whole: string): Place | null {
    const step = this.lab.node(`decoder.t${t}${own}`);
    if (step) return { node: step, row: 0 };
    const all = this.lab.node(whole);
    return all ? { node: all, row: t } : null;
  }

  private link(at: Place | null, title: string, told: TemplateResult | string): TemplateResult | typeof nothing {
    if (!at) return nothing;
    const lead = (): void => this.lab.focus({ at: at.node.name, cell: firstOf(at) });
    return html`<li><button type="button" class="link" @click=${lead}>${title}</button> ${told}.</li>`;
  }
}

/** The rows of the position t in a tensor (…, T, columns): one, or one a head. */
function rowsAt({ shape }: TraceNode, values: Float32Array, t: number): Float32Array[] {
  const columns = shape.at(-1)!,
    block = shape.at(-2)! * columns;
  return Array.from({ length: values.length / block }, (_, i) =>
    values.subarray(i * block + t * columns, i * block + (t + 1) * columns),
  );
}

/** The first cell of the place: (B, T), (B, T, columns) or (B, N, T, columns). */
const firstOf = ({ node: { shape }, row }: Place): number[] =>
  shape.map((_, axis) => (axis === Math.max(1, shape.length - 2) ? row : 0));

const named = (word: string): TemplateResult => html`<b>${word}</b>`;

const most = (row: Float32Array, names: readonly string[], count = MOST): TemplateResult[] =>
  topOf(row, count).map((i, place) => html`${place ? ', ' : ''}${named(names[i]!)} ${row[i]!.toFixed(2)}`);

customElements.define('u-why', Why);
