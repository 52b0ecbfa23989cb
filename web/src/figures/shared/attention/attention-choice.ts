// Controls to choose which attention layer is shown, and which of its heads.
import { type TemplateResult, html, nothing } from 'lit';
import { LAYER } from '#messages/figures/shared';
import type { TraceNode } from '../../../engine/types';
import { attentionName } from './attention-trace';

/** Up to this many get a button each; more are chosen from a list. */
const BUTTONS = 8;

export function attentionPicker(
  attentions: readonly TraceNode[],
  now: TraceNode,
  choose: (name: string) => void,
): TemplateResult | typeof nothing {
  if (attentions.length < 2) return nothing;
  return html`<label class="choice"
    >${LAYER}
    <select @change=${(event: Event) => choose((event.target as HTMLSelectElement).value)}>
      ${attentions.map((each) => html`<option value=${each.name} .selected=${each.name === now.name}>${attentionName(each)}</option>`)}
    </select></label
  >`;
}

/** Chooses one of several of a kind: "Head", "Block". */
export function numberChoice(
  kind: string,
  count: number,
  now: number,
  choose: (which: number) => void,
): TemplateResult | typeof nothing {
  if (count < 2) return nothing;
  if (count > BUTTONS) return numberSelect(kind, now, count, choose);
  return html`<span class="choice"
    >${kind}
    <span class="switch" role="group" aria-label=${kind}>
      ${[...Array(count).keys()].map((each) => html`<button aria-pressed=${each === now} @click=${() => choose(each)}>${each}</button>`)}
    </span></span
  >`;
}

/** A list of the numbers from 0 to `count` − 1. */
export const numberSelect = (
  name: string,
  now: number,
  count: number,
  choose: (which: number) => void,
): TemplateResult =>
  html`<label class="choice"
    >${name}
    <select @change=${(event: Event) => choose(Number((event.target as HTMLSelectElement).value))}>
      ${[...Array(count).keys()].map((each) => html`<option value=${each} .selected=${each === now}>${each}</option>`)}
    </select></label
  >`;
