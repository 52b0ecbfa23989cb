// One of a few, as buttons of which one is pressed.
import { html, type TemplateResult } from 'lit';

export interface Choice<T> {
  value: T;
  label: string;
}

/** @param label What is chosen; @param look Classes of the row, and of each button. */
export function choices<T>(
  label: string,
  all: readonly Choice<T>[],
  isPressed: (value: T) => boolean,
  choose: (value: T) => unknown,
  look: { row?: string; button?: string } = {},
): TemplateResult {
  return html`<div class=${`choices ${look.row ?? ''}`} role="group" aria-label=${label}>
    ${all.map(
      ({ value, label: words }) =>
        html`<button
          type="button"
          class=${`btn ${look.button ?? ''}`}
          aria-pressed=${isPressed(value)}
          @click=${() => choose(value)}
        >
          ${words}
        </button>`,
    )}
  </div>`;
}
