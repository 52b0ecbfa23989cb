// <u-pair>: source and target of a model with a task, as text fields and as tokens. On a phone the fields fold away.
import { hasTask } from '../engine/own-data';
import './pair-bar.css';
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/pair';
import { fieldOf } from '../messages/sentence';
import { cleanSentence } from '../reader/tokens';
import { LabElement } from '../ui/lab-element';
import { sideNames, unknownTokens, unknownWords, writesTarget, marked, nameOfMark } from '../ui/words';
import type { PairInfo, TaskInfo, TextPair } from '../engine/types';

type Side = 'source' | 'target';

const SIDES: readonly Side[] = ['source', 'target'];
const UNKNOWN = '<unk>';

export class PairBar extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = { open: { state: true }, draft: { state: true }, refused: { state: true } };
  open = false;
  /** Typed but not applied: refused, or still pending. */
  draft: TextPair | null = null;
  /** `instead` is the pair that stays active; once it changes, the refusal is cleared. */
  refused: { side: Side; message: string; instead: PairInfo | null } | null = null;
  /** The last example, and the task it is of: 0 is what the model reads first. */
  private example: { task: string | undefined; number: number } = { task: undefined, number: 0 };

  protected override willUpdate(): void {
    if (this.refused && this.refused.instead !== this.lab.pair) this.draft = this.refused = null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { task, pair } = this.lab;
    if (!task || !pair) return nothing;
    return html`<div class="pair-bar" role="group" aria-label=${texts.WHAT_IS_READ} ?data-open=${this.open}>
      <div class="pair-tokens" tabindex="0" role="region" aria-label=${texts.AS_TOKENS}>
        ${this.tokens('source', pair.source, task.sourceWords)}
        <span class="pair-arrow">${writesTarget(this.lab) ? texts.WRITES : pair.source.length ? '→' : nothing}</span>
        ${this.tokens('target', pair.target, task.targetWords)}
        ${pair.heldOut ? html`<span class="hint" title=${texts.ABOUT_HELD_OUT}>${texts.HELD_OUT}</span>` : nothing}
      </div>
      <div class="pair-fields" id=${this.idOf('pair-fields')}>${SIDES.map((side) => this.field(side, task, pair))}</div>
      <button
        type="button"
        class="btn small pair-edit"
        aria-expanded=${this.open}
        aria-controls=${this.idOf('pair-fields')}
        @click=${() => (this.open = !this.open)}
      >
        ${texts.EDIT}
      </button>
      <button type="button" class="btn small" aria-label=${texts.NEXT_EXAMPLE} @click=${this.next}>
        <span>${texts.nextExample((text) => html`<span class="pair-wide">${text}</span>`)}</span>
      </button>
    </div>`;
  }

  private tokens(side: Side, tokens: readonly string[], known: readonly string[]): TemplateResult {
    const strange = unknownTokens(tokens, known);
    return html`<span class="vh">${texts.SIDES[side]}</span>${tokens.map(
        (token, i) =>
          html`<span class="word-box ${strange[i] ? 'unk' : ''}" title=${nameOfMark(marked(token)) ?? nothing}
            >${marked(token)}${strange[i] ? html`<small>${UNKNOWN}</small>` : nothing}</span
          > `,
      )}`;
  }

  private field(side: Side, task: TaskInfo, pair: PairInfo): TemplateResult {
    const refused = this.refused?.side === side ? this.refused.message : '';
    const words = side === 'source' ? task.sourceWords : task.targetWords;
    const remark = refused || unknownWords(pair[side], words);
    const id = this.idOf(`pair-${side}`);
    return html`<div class="pair-field">
      <label for=${id}>${sideNames(task)[side]}</label>
      <input
        id=${id}
        name=${side}
        class="entry"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${side === 'target' ? texts.LEFT_TO_MODEL : nothing}
        aria-invalid=${refused !== ''}
        aria-describedby=${`${id}-remark`}
        .value=${(this.draft ?? this.current)[SIDES.indexOf(side)]!}
        @change=${() => this.typed(side)}
      />
      <p
        class=${refused ? 'refused' : 'hint'}
        id=${`${id}-remark`}
        role=${refused ? 'alert' : nothing}
        ?hidden=${!remark}
      >
        ${remark}
      </p>
    </div>`;
  }

  /** The active pair as text: the choice of the learner, the page or the task. */
  private get current(): TextPair {
    const { state, pair, task, page } = this.lab;
    const sameTask = !hasTask(state.config);
    const chosen = state.pair ?? (sameTask ? page.pair : null);
    return chosen ?? [pair!.source.join(task!.separator), pair!.target.join(task!.separator)];
  }

  /** A new source makes an unchanged target stale: it is cleared, and the model generates one. */
  private async typed(side: Side): Promise<void> {
    const [source, target] = SIDES.map((name) => this.querySelector<HTMLInputElement>(`[name=${name}]`)!.value);
    const stale = side === 'source' && target === this.current[1];
    await this.read([this.cleaned('source', source!), stale ? '' : this.cleaned('target', target!)]);
  }

  private cleaned(side: Side, typed: string): string {
    const { sourceWords, targetWords, separator } = this.lab.task!;
    return cleanSentence(typed, side === 'source' ? sourceWords : targetWords, separator);
  }

  private async read(pair: TextPair): Promise<void> {
    this.draft = pair;
    this.refused = null;
    const reply = await this.lab.read(...pair, true);
    if (reply.ok) return void (this.draft = null);
    const side = fieldOf(reply) === 'target' ? 'target' : 'source';
    this.refused = { side, message: reply.message, instead: this.lab.pair };
    this.open = true;
  }

  /** The next pair of the validation split, cyclically; of the training split if there is no validation split. */
  private readonly next = async (): Promise<void> => {
    const { task, engine } = this.lab;
    if (!task) return;
    const split = task.validation ? 'validation' : 'train';
    const before = this.example.task === task.name ? this.example.number : 0;
    this.example = { task: task.name, number: (before + 1) % Math.max(task[split], 1) };
    const reply = await engine.pairs(split, this.example.number, 1);
    const pair = reply.ok && reply.value[0];
    if (pair) await this.read([pair.source.join(task.separator), pair.target.join(task.separator)]);
  };
}

customElements.define('u-pair', PairBar);
