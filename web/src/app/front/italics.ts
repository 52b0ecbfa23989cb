// A sentence with words in italics, which its text marks with asterisks: "For *noire* it looks at *black*."
import { html, type TemplateResult } from 'lit';

const MARKED = /\*([^*]+)\*/g;

/** As HTML, of a text that is escaped. */
export const italics = (escaped: string): string => escaped.replace(MARKED, '<i>$1</i>');

/** As a template: every other part is in italics. */
export const inItalics = (text: string): (string | TemplateResult)[] =>
  text.split(MARKED).map((part, i) => (i % 2 ? html`<i>${part}</i>` : part));
