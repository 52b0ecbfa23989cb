// Which look, and which head of it, is on show.
import { type TemplateResult, html, nothing } from 'lit';
import type { TraceNode } from '../types';
import { lookName } from './attention-trace';

/** Heads that get a button each; more are chosen from a list. */
const BUTTONS = 8;

export function lookChoice(
  looks: readonly TraceNode[],
  now: TraceNode,
  choose: (name: string) => void,
): TemplateResult | typeof nothing {
  if (looks.length < 2) return nothing;
  return html`<label class="choice"
    >Layer
    <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${looks.map((look) => html`<option value=${look.name} .selected=${look.name === now.name}>${lookName(look)}</option>`)}
    </select></label
  >`;
}

export function headChoice(
  heads: number,
  now: number,
  choose: (head: number) => void,
): TemplateResult | typeof nothing {
  if (heads < 2) return nothing;
  const all = [...Array(heads).keys()];
  if (heads > BUTTONS)
    return html`<label class="choice"
      >Head
      <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
        ${all.map((head) => html`<option value=${head} .selected=${head === now}>${head}</option>`)}
      </select></label
    >`;
  return html`<span class="choice"
    >Head
    <span class="switch" role="group" aria-label="Head">
      ${all.map((head) => html`<button aria-pressed=${head === now} @click=${() => choose(head)}>${head}</button>`)}
    </span></span
  >`;
}
