// Buttons for the usual masks, and a choice of how many keys they apply to.
import { type TemplateResult, html } from 'lit';
import type { Preset } from './mask-layout';

const PRESETS: readonly { preset: Preset; name: string }[] = [
  { preset: 'none', name: 'None' },
  { preset: 'causal', name: 'Causal' },
  { preset: 'padding', name: 'Padding' },
  { preset: 'window', name: 'Window' },
];

interface Acts {
  fill: (preset: Preset) => void;
  resize: (size: number) => void;
}

/** `keys`: how many there are; `size`: how many are padding, or in a window. */
export const presetBar = (keys: number, size: number, { fill, resize }: Acts): TemplateResult => html`
  ${PRESETS.map(({ preset, name }) => html`<button class="preset" @click=${() => fill(preset)}>${name}</button>`)}
  <label class="choice"
    >Padding or window size:
    <select
      aria-label="Number of keys that are padding or in the window"
      @change=${(event: Event) => resize(Number((event.target as HTMLSelectElement).value))}
    >
      ${Array.from({ length: keys }, (_, i) => html`<option value=${i + 1} .selected=${i + 1 === size}>${i + 1}</option>`)}
    </select>
    ${size > 1 ? 'keys' : 'key'}</label
  >
`;
