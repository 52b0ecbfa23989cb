// <u-pasted>: what of a pasted file was left out, and the lines that join its model to the lab.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/pasted';
import type { PastedFile } from '../../engine/types';
import { PlainElement, states } from '../../ui/lab-element';

export interface FoundIn {
  /** The text as it was pasted. */
  file: string;
  leftOut: { first: number; last: number; reason: string }[];
  /** For the chosen kind of model, the likeliest first. */
  joinings: { model: string; text: string }[];
  /** Why there are none; null if none is needed. */
  lacks: string | null;
}

/** Those that call a model as this kind of model is called. */
export function joiningsFor(
  kind: unknown,
  { joinings, makesModel }: Pick<PastedFile, 'joinings' | 'makesModel'>,
): Pick<FoundIn, 'joinings' | 'lacks'> {
  if (makesModel) return { joinings: [], lacks: null };
  const fitting = joinings.filter(({ takesPairs }) => kind === (takesPairs ? 'program_seq2seq' : 'program_lm'));
  const other = joinings[0];
  const lacks = fitting.length ? null : other ? texts.otherKind(other.model, other.takesPairs) : texts.NO_JOINING;
  return { joinings: fitting, lacks };
}

export class Pasted extends PlainElement {
  static override properties = states('found', 'chosen');

  found: FoundIn | null = null;
  /** Which of the joinings. */
  chosen = 0;

  protected override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('found')) this.chosen = 0;
  }

  override render(): TemplateResult | typeof nothing {
    const { found } = this;
    if (!found) return nothing;
    return html`<section class="pasted" aria-label=${texts.TITLE} aria-live="polite">
      ${found.leftOut.length ? this.#leftOut(found) : nothing} ${this.#joining(found)}
      <button type="button" class="btn small quiet close" @click=${() => this.#say('close')}>${texts.CLOSE}</button>
    </section>`;
  }

  #leftOut({ leftOut }: FoundIn): TemplateResult {
    const count = leftOut.reduce((sum, { first, last }) => sum + last - first + 1, 0);
    return html`<details>
        <summary>${texts.leftOut(count)}</summary>
        <ul>
          ${leftOut.map(({ first, last, reason }) => html`<li>${texts.why(first, last, reason)}</li>`)}
        </ul>
      </details>
      <button type="button" class="btn small quiet" @click=${() => this.#say('restore')}>${texts.RESTORE}</button>`;
  }

  #joining({ joinings, lacks }: FoundIn): TemplateResult | typeof nothing {
    const joining = joinings[this.chosen];
    if (!joining) return lacks ? html`<p>${lacks}</p>` : nothing;
    const choose = ({ target }: Event): void => {
      this.chosen = Number((target as HTMLSelectElement).value);
    };
    return html`<p>
        ${texts.JOINING}
        ${
          joinings.length > 1
            ? html`<select aria-label=${texts.MODEL} @change=${choose}>
                ${joinings.map(({ model }, i) => html`<option value=${i} ?selected=${i === this.chosen}>${model}</option>`)}
              </select>`
            : nothing
        }
      </p>
      <pre>${joining.text}</pre>
      <button type="button" class="btn small main" @click=${() => this.#say('join', joining.text)}>
        ${texts.INSERT}
      </button>`;
  }

  #say(event: string, detail?: string): void {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}

customElements.define('u-pasted', Pasted);
