// A value that is typed into a cell, and what a gradient check found.
import { type TemplateResult, html } from 'lit';

/** `infinite`: −∞ is accepted too. */
const wanted = (infinite: boolean): string => `enter a number from −1000000 to 1000000${infinite ? ', or -inf' : ''}`;

export const isEmpty = (cell: string, infinite: boolean): string =>
  `${cell} is empty: ${wanted(infinite)}, such as 0.5.`;
export const isNoNumber = (cell: string, typed: string, infinite: boolean): string =>
  `${cell} cannot be “${typed}”: ${wanted(infinite)}, such as 0.5.`;
export const isOutOfRange = (cell: string, typed: string, infinite: boolean): string =>
  `${cell} cannot be ${typed}: ${wanted(infinite)}.`;
export const isNoScore = (cell: string, typed: string): string =>
  `${isOutOfRange(cell, typed, false)} Only masks and scores accept -inf.`;

// A finite difference, compared with the gradient.
export const agreesExactly = (difference: string): TemplateResult => html`${finite(difference)}: agrees exactly.`;
export const agreesWithin = (difference: string, gap: string): TemplateResult =>
  html`${finite(difference)}: agrees to within ${gap}.`;
export const differsBy = (difference: string, gap: string, gradient: string): TemplateResult =>
  html`${finite(difference)}: differs by ${gap} from ${gradient}.`;
const finite = (difference: string): TemplateResult => html`Finite difference <span class="num">${difference}</span>`;
