// Which look, and which head of it, is on show.
import { type TemplateResult, html, nothing } from 'lit';
import type { TraceNode } from '../types';
import { lookName } from './attention-trace';

/** So many get a button each; more are chosen from a list. */
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

/** One of several of a kind: "Head", "Block". */
export function numberChoice(
  kind: string,
  count: number,
  now: number,
  choose: (which: number) => void,
): TemplateResult | typeof nothing {
  if (count < 2) return nothing;
  const all = [...Array(count).keys()];
  if (count > BUTTONS)
    return html`<label class="choice"
      >${kind}
      <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
        ${all.map((each) => html`<option value=${each} .selected=${each === now}>${each}</option>`)}
      </select></label
    >`;
  return html`<span class="choice"
    >${kind}
    <span class="switch" role="group" aria-label=${kind}>
      ${all.map((each) => html`<button aria-pressed=${each === now} @click=${() => choose(each)}>${each}</button>`)}
    </span></span
  >`;
}
