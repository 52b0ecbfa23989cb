// <u-what-if>: what can be done to the tensor of the chosen cell, or to a part of it: silence, hide, freeze … It stands in
// the card, below the numbers.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/what-if';
import './what-if.css';
import { moduleOf } from '../../engine/kinds';
import type { Intervention, TraceNode } from '../../engine/types';
import { subjectOf } from '../../figures/shared/summary';
import { LabElement, states } from '../../ui/lab-element';
import { canIntervene, kindsFor, partsOf, type Kind, type Part } from './parts';

export class WhatIf extends LabElement {
  protected readonly topics = ['selection', 'run'] as const;
  static override properties = states('chosen', 'asks', 'refused', 'opened');

  /** Index of the chosen part. */
  chosen = 0;
  /** The field for another input is open. */
  asks = false;
  opened = false;
  /** Why the engine refused. */
  refused = '';
  #shown = '';

  protected override willUpdate(): void {
    const { selection } = this.lab;
    if (selection?.node === this.#shown) return;
    this.#shown = selection?.node ?? '';
    Object.assign(this, { chosen: 0, asks: false, refused: '' });
  }

  protected override render(): TemplateResult | typeof nothing {
    const { lab } = this;
    const { trace } = lab;
    const subject = trace && subjectOf(lab, trace);
    if (!subject || !canIntervene(trace, subject.node) || moduleOf(lab.config()) === 'softmax') return nothing;
    const parts = partsOf(subject.node, subject.index);
    const part = parts[this.chosen] ?? parts[0]!;
    return html`<details class="what-if" @toggle=${this.#open}>
      <summary>${texts.WHAT_IF}</summary>
      ${parts.length > 1 ? this.#choice(parts) : nothing}
      ${this.asks ? this.#other(part) : this.#buttons(subject.node, part)}
      <p class="refused" role="alert">${this.refused}</p>
      ${this.opened ? html`<u-sweep .node=${subject.node}></u-sweep>` : nothing}
    </details>`;
  }

  /** What sweeps is loaded when it is first in sight. */
  readonly #open = (): void => {
    this.opened = true;
    void import('./sweep');
  };

  #choice(parts: readonly Part[]): TemplateResult {
    const choose = (event: Event): void => void (this.chosen = (event.target as HTMLSelectElement).selectedIndex);
    return html`<label class="part">
      <span>${texts.PART}</span>
      <select class="entry" @change=${choose}>
        ${parts.map(
          ({ name, everywhere }, i) =>
            html`<option ?selected=${i === this.chosen}>
              ${everywhere ? texts.atEveryPosition(texts.PARTS[name]) : texts.PARTS[name]}
            </option>`,
        )}
      </select>
    </label>`;
  }

  #buttons(node: TraceNode, part: Part): TemplateResult {
    const act = (kind: Kind): void => {
      if (kind === 'from') this.asks = true;
      else void this.#add({ kind, tensor: part.tensor, training: false, source: '', target: '' });
    };
    const readsPairs = this.lab.task?.form === 'pairs';
    return html`<div class="acts">
      ${kindsFor(node, readsPairs).map(
        (kind) =>
          html`<button type="button" class="btn small" title=${texts.MEANINGS[kind]} @click=${() => act(kind)}>
            ${texts.ACTIONS[kind]}
          </button>`,
      )}
    </div>`;
  }

  /** What the other run reads; its target is what the model writes for it. */
  #other({ tensor }: Part): TemplateResult {
    const take = (event: Event): void => {
      event.preventDefault();
      const source = String(new FormData(event.target as HTMLFormElement).get('source') ?? '').trim();
      void this.#add({ kind: 'from', tensor, training: false, source, target: '' });
    };
    const key = (event: KeyboardEvent): void => {
      event.stopPropagation();
      if (event.key === 'Escape') this.asks = false;
    };
    return html`<form class="acts" @submit=${take} @keydown=${key}>
      <input
        class="entry"
        name="source"
        autocomplete="off"
        spellcheck="false"
        aria-label=${texts.OTHER_SOURCE}
        placeholder=${texts.OTHER_SOURCE}
      />
      <button class="btn small main">${texts.TAKE}</button>
      <button type="button" class="btn small" @click=${() => (this.asks = false)}>${texts.CANCEL}</button>
    </form>`;
  }

  /** The latest of the same kind on the same part replaces it. */
  async #add(added: Intervention): Promise<void> {
    const { interventions } = this.lab.state;
    const others = interventions.filter(({ kind, tensor }) => kind !== added.kind || tensor !== added.tensor);
    const reply = await this.lab.intervene([...others, added], true);
    this.refused = reply.ok ? '' : reply.message;
    if (reply.ok) this.asks = false;
  }
}

customElements.define('u-what-if', WhatIf);
