// What a lesson without a model has: its translator, and <u-task>, which asks what the translator will write. The question and
// its options are in the page. Fetched in place of the bench and its tasks, of which it needs nothing.
import * as texts from '#messages/lesson/tasks';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { inItalics } from './front/italics';
import type { Translator } from './front/translator';
import './front/translator';
import { mainLab } from '../lab/lab-root';
import { keepTry, triesOf, type Try } from '../lab/store/attempts';
import { markSolved, solvedIn } from '../lab/store/progress';
import { PlainElement, states } from '../ui/lab-element';
import type { Foretold } from '../lesson/format/tasks';
import { unfoldAfter } from '../lesson/task/unfold-after';

type Option = Foretold['options'][number];

/** What is said after a press. */
interface Outcome {
  is: 'right' | 'wrong' | 'shown';
  begin: string;
  text: string;
}

class Prediction extends PlainElement {
  static override properties = states('tries', 'outcome', 'solved', 'working');
  tries: Try[] = [];
  outcome: Outcome | null = null;
  solved = false;
  working = false;
  /** "1 of 1", as the page says it beside the heading. */
  private place: string | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('change', () => (this.outcome = null));
    void this.begin();
  }

  private get lesson(): string {
    return mainLab()!.dataset.lesson!;
  }

  private async begin(): Promise<void> {
    const [tries, solved] = await Promise.all([triesOf(this.lesson, this.id), solvedIn(this.lesson)]);
    this.tries = tries;
    this.solved = solved[this.id] === true;
    const last = this.querySelector<HTMLInputElement>(`input[value="${CSS.escape(tries.at(-1)?.answer ?? '')}"]`);
    if (last && !this.chosen) last.checked = true;
  }

  private get chosen(): HTMLInputElement | null {
    return this.querySelector('input:checked');
  }

  protected override updated(_: PropertyValues): void {
    if (this.solved || this.outcome?.is === 'shown') unfoldAfter(this);
    const count = this.querySelector('h3 small')!;
    this.place ??= count.textContent!;
    count.textContent = this.solved ? texts.solved(this.place) : this.place;
  }

  protected override render(): TemplateResult {
    const mayPeek = !this.solved && this.tries.some(({ right }) => !right);
    return html`<form class="answer" @submit=${this.onSubmit}>
        <div class="row">
          <button class="btn">${texts.CHECK}</button>
          ${mayPeek ? html`<button type="button" class="btn quiet" @click=${this.peek}>${texts.SHOW_ANSWER}</button>` : nothing}
        </div>
      </form>
      <div role="status">${this.said()}</div>`;
  }

  private said(): TemplateResult | typeof nothing {
    if (this.working) return html`<p class="hint">${texts.WORKING}</p>`;
    if (!this.outcome) return nothing;
    const { is, begin, text } = this.outcome;
    return html`<p class=${`verdict ${is}`}><b>${begin}</b> ${inItalics(text)}</p>`;
  }

  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    const { chosen } = this;
    if (!chosen) this.outcome = { is: 'wrong', begin: texts.NOT_CHECKED, text: texts.NONE_SELECTED };
    else void this.ask(async (options, right) => this.answer(options, Number(chosen.value), right));
  };

  private answer(options: readonly Option[], chosen: number, right: number): Promise<void> {
    const isRight = chosen === right;
    const begin = isRight ? texts.RIGHT : texts.NOT_YET;
    this.outcome = { is: isRight ? 'right' : 'wrong', begin, text: options[chosen]!.why };
    return this.keep({ answer: String(chosen), right: isRight });
  }

  private readonly peek = (): Promise<void> =>
    this.ask(async (options, right) => {
      const { text, why } = options[right]!;
      this.outcome = { is: 'shown', begin: texts.THE_ANSWER, text: `${text}. ${why}` };
    });

  /** `say` gets the options, and which of them the translator says is right. */
  private async ask(say: (options: readonly Option[], right: number) => Promise<void>): Promise<void> {
    if (this.working) return;
    this.working = true;
    try {
      const { foretold } = await import('virtual:looks');
      const { hide, options } = foretold[this.lesson]![this.id]!;
      const changed = await document.querySelector<Translator>('u-translator')!.foretell(hide);
      const right = options.findIndex(({ when }) => when === changed);
      await say(options, right);
    } catch (error) {
      this.outcome = { is: 'wrong', begin: texts.NOT_CHECKED, text: (error as Error).message };
    }
    this.working = false;
  }

  private async keep(attempt: Try): Promise<void> {
    this.tries = [...this.tries, attempt];
    const outcome = await keepTry(this.lesson, this.id, attempt);
    const kept = outcome === 'kept' && attempt.right ? await markSolved(this.lesson, this.id) : outcome;
    if (kept !== 'kept') (await import('../lesson/task/unkept')).sayUnkept(kept);
    if (attempt.right) this.solved = true; // stored before it is shown
  }
}

customElements.define('u-task', Prediction);
