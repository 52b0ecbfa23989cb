// Buttons for the usual masks, and a choice of how many keys they apply to.
import { type TemplateResult, html } from 'lit';
import { NUMBER_OF_KEYS, PRESETS, paddingOrWindow } from '#messages/figures/mask';
import type { Preset } from './mask-layout';

const ALL: readonly Preset[] = ['none', 'causal', 'padding', 'window'];

interface Acts {
  fill: (preset: Preset) => void;
  resize: (size: number) => void;
}

/** `keys`: how many there are; `size`: how many are padding, or in a window. */
export const presetBar = (keys: number, size: number, { fill, resize }: Acts): TemplateResult => html`
  ${ALL.map((preset) => html`<button class="preset" @click=${() => fill(preset)}>${PRESETS[preset]}</button>`)}
  <label class="choice">${paddingOrWindow(size, sizeSelect(keys, size, resize))}</label>
`;

const sizeSelect = (keys: number, size: number, resize: Acts['resize']): TemplateResult =>
  html`<select
    aria-label=${NUMBER_OF_KEYS}
    @change=${(event: Event) => resize(Number((event.target as HTMLSelectElement).value))}
  >
    ${Array.from({ length: keys }, (_, i) => html`<option value=${i + 1} .selected=${i + 1 === size}>${i + 1}</option>`)}
  </select>`;
