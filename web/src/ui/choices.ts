// A choice of one value as a row of toggle buttons.
import { html, type TemplateResult } from 'lit';

export interface Choice<T> {
  value: T;
  label: string;
}

/** @param label Names the group. @param classes Extra classes of the row, and of each button. */
export function choices<T>(
  label: string,
  all: readonly Choice<T>[],
  isPressed: (value: T) => boolean,
  choose: (value: T) => unknown,
  classes: { row?: string; button?: string } = {},
): TemplateResult {
  return html`<div class=${`choices ${classes.row ?? ''}`} role="group" aria-label=${label}>
    ${all.map(
      ({ value, label: words }) =>
        html`<button
          type="button"
          class=${`btn ${classes.button ?? ''}`}
          aria-pressed=${isPressed(value)}
          @click=${() => choose(value)}
        >
          ${words}
        </button>`,
    )}
  </div>`;
}
