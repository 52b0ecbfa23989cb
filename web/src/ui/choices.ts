// A choice of one of several values: from a list, or by a row of buttons.
import { html, type TemplateResult, nothing } from 'lit';
import { keyed } from 'lit/directives/keyed.js';

/**
 * A choice of one value as a row of toggle buttons.
 * @param label Names the group.
 * @param classes Extra classes of the row, and of each button.
 */
export function choices<T>(
  label: string,
  values: readonly T[],
  isPressed: (value: T) => boolean,
  choose: (value: T) => unknown,
  nameOf: (value: T) => string,
  classes: { row?: string; button?: string } = {},
): TemplateResult {
  return html`<div class=${`choices ${classes.row ?? ''}`} role="group" aria-label=${label}>
    ${values.map(
      (value) =>
        html`<button
          type="button"
          class=${`btn ${classes.button ?? ''}`}
          aria-pressed=${isPressed(value)}
          @click=${() => choose(value)}
        >
          ${nameOf(value)}
        </button>`,
    )}
  </div>`;
}

type Value = string | number | boolean;

/** An element for each value: one that is reused for another value keeps its old selectedness, and the field stays empty. */
export const optionsOf = <T extends Value>(
  values: readonly T[],
  selected: T,
  nameOf: (value: T) => string = String,
): unknown =>
  values.map((value) =>
    keyed(value, html`<option value=${value} ?selected=${value === selected}>${nameOf(value)}</option>`),
  );

/** A field of a form, beside its name. */
export const field = (label: string, entry: unknown): TemplateResult =>
  html`<label class="field"><span>${label}</span>${entry}</label>`;

/** @param label Names the list where no <label> does. */
export function select<T extends Value>(
  values: readonly T[],
  selected: T,
  choose: (value: T) => void,
  nameOf?: (value: T) => string,
  label?: string,
): TemplateResult {
  const change = (event: Event): void => choose(values[(event.target as HTMLSelectElement).selectedIndex]!);
  return html`<select aria-label=${label ?? nothing} .value=${String(selected)} @change=${change}>
    ${optionsOf(values, selected, nameOf)}
  </select>`;
}

/** A button for each value, the chosen one pressed. @param label Names the group. */
export const toggles = <T extends Value>(
  label: string,
  values: readonly T[],
  now: T,
  choose: (value: T) => void,
  nameOf: (value: T) => string = String,
): TemplateResult =>
  html`<span class="switch" role="group" aria-label=${label}>
    ${values.map((each) => html`<button aria-pressed=${each === now} @click=${() => choose(each)}>${nameOf(each)}</button>`)}
  </span>`;
