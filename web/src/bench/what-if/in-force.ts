// <u-in-force>: the interventions in force, each with its undo, and what comes of them: the loss and what the model writes,
// without them and with them.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/what-if';
import './what-if.css';
import type { Intervention, OutcomeInfo } from '../../engine/types';
import { icon } from '../../ui/icons';
import { LabElement, states } from '../../ui/lab-element';
import { significant } from '../../ui/numbers';
import { EOS, targetWords, topOf } from '../../ui/words';

interface Effect {
  before: OutcomeInfo;
  after: OutcomeInfo;
}

export class InForce extends LabElement {
  protected readonly topics = ['run', 'training', 'activity'] as const;
  static override properties = states('effect');

  /** Null until it is computed. */
  effect: Effect | null = null;
  /** The run that `effect` is about, or that it is being computed for. */
  #asked: unknown = null;

  protected override willUpdate(): void {
    const { run, busy } = this.lab;
    if (!run || busy || run === this.#asked) return;
    this.#asked = run;
    void this.#compute();
  }

  async #compute(): Promise<void> {
    const asked = this.#asked;
    const { engine, state, pair, task } = this.lab;
    const source = task?.form === 'pairs' && pair ? pair.source.join(task.separator) : '';
    const [before, after] = await Promise.all([
      engine.outcome([], source),
      engine.outcome(state.interventions, source),
    ]);
    if (asked !== this.#asked) return;
    this.effect = before.ok && after.ok ? { before: before.value, after: after.value } : null;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { interventions } = this.lab.state;
    if (!interventions.length) return nothing;
    return html`<div class="in-force" role="group" aria-label=${texts.IN_FORCE}>
      <ul>
        ${interventions.map((each) => html`<li>${this.#entry(each)}</li>`)}
        ${
          interventions.length > 1
            ? html`<li>
                <button type="button" class="link" @click=${() => this.lab.intervene([])}>${texts.UNDO_ALL}</button>
              </li>`
            : nothing
        }
      </ul>
      <p class="effect" role="status">${this.effect ? this.#told(this.effect) : texts.COUNTING}</p>
    </div>`;
  }

  #entry(each: Intervention): TemplateResult {
    const undo = (): void => void this.lab.intervene(this.lab.state.interventions.filter((other) => other !== each));
    return html`<span class="mono">${each.tensor}</span> ${texts.DONE[each.kind]}
      ${each.source ? html`<i>${each.source}</i>` : nothing}${each.training ? html`, ${texts.WHILE_TRAINING}` : nothing}
      <button
        type="button"
        class="tbn"
        aria-label=${texts.undo(each.tensor)}
        title=${texts.undo(each.tensor)}
        @click=${undo}
      >
        ${icon('close')}
      </button>`;
  }

  #told({ before, after }: Effect): unknown {
    const text = ({ written }: OutcomeInfo): TemplateResult =>
      html`<b>${written.join(this.lab.task?.separator ?? '') || texts.NOTHING_WRITTEN}</b>`;
    const same = before.written.join('\n') === after.written.join('\n');
    const writes = this.lab.task?.form === 'pairs';
    const said = same ? texts.stillWrites(text(after)) : texts.writesNow(text(before), text(after));
    const loss = texts.lossWas(significant(before.loss, 3), significant(after.loss, 3));
    return [writes ? said : '', loss, this.#logit({ before, after })];
  }

  /** Of the token of the target whose log-probability changes most; "" where none does. */
  #logit({ before, after }: Effect): string {
    const { words, promptLength } = targetWords(this.lab);
    const changes = before.logProbabilities.map((each, t) => Math.abs(after.logProbabilities[t]! - each));
    const [most] = topOf(changes.slice(promptLength), 1);
    if (most === undefined || !changes[most + promptLength]) return '';
    const t = most + promptLength;
    const [was, is] = [before, after].map(({ logits }) => significant(logits[t]!, 3));
    return texts.logitWas([...words, EOS][t]!, t, was!, is!);
  }
}

customElements.define('u-in-force', InForce);
