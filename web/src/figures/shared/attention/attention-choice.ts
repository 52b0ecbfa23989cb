// Controls to choose which attention layer is shown, and which of its heads.
import { type TemplateResult, html, nothing } from 'lit';
import { LAYER } from '#messages/figures/shared';
import type { TraceNode } from '../../../engine/types';
import { select, toggles } from '../../../ui/select';
import { attentionName } from './attention-trace';

/** Up to this many get a button each; more are chosen from a list. */
const BUTTONS = 8;

type Part = TemplateResult | typeof nothing;

export function attentionPicker(all: readonly TraceNode[], now: TraceNode, choose: (name: string) => void): Part {
  const nameOf = (name: string): string => attentionName({ name });
  const list = select(
    all.map(({ name }) => name),
    now.name,
    choose,
    nameOf,
  );
  return all.length < 2 ? nothing : html`<label class="choice">${LAYER} ${list}</label>`;
}

/** Chooses one of several of a kind: "Head", "Block". */
export function numberChoice(kind: string, count: number, now: number, choose: (which: number) => void): Part {
  if (count < 2) return nothing;
  if (count > BUTTONS) return numberSelect(kind, count, now, choose);
  return html`<span class="choice">${kind} ${toggles(kind, [...Array(count).keys()], now, choose)}</span>`;
}

/** A list of the numbers from 0 to `count` − 1. */
export const numberSelect = (name: string, count: number, now: number, choose: (which: number) => void): Part =>
  html`<label class="choice">${name} ${select([...Array(count).keys()], now, choose)}</label>`;
