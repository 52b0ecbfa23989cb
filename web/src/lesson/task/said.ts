// What a verdict says: text composed here, in which what the learner typed is text, or feedback of the lesson's author.
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

export type Said = TemplateResult | string;

/** HTML that was rendered when the lesson was built: nothing else may be shown as such. */
export const built = (text: string): TemplateResult => html`${unsafeHTML(text)}`;

export const code = (text: string): TemplateResult => html`<code>${text}</code>`;

/** A number in a sentence. */
export const short = (x: number): string =>
  String(Number(x.toPrecision(5)))
    .replace('-', '−')
    .replace('Infinity', '∞');
