// The options of a <select>.
import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';

/** An element for each value: one that is reused for another value keeps its old selectedness, and the field stays empty. */
export const optionsOf = <T extends string | number>(
  values: readonly T[],
  selected: T,
  nameOf: (value: T) => string = String,
): unknown =>
  repeat(
    values,
    (value) => value,
    (value): TemplateResult => html`<option value=${value} ?selected=${value === selected}>${nameOf(value)}</option>`,
  );
