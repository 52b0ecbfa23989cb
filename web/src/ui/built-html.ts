// HTML of the static build, which templates may show as such.
import { html, type TemplateResult } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';

/** HTML that was rendered when the lessons were built: nothing else may be shown as such. */
export const builtHtml = (text: string): TemplateResult => html`${unsafeHTML(text)}`;
