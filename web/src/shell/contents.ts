// <u-contents>: the lessons, on the front page.
import { html, LitElement, type TemplateResult } from 'lit';
import { lessonAddress } from '../root';
import { byPart } from './top-bar';
import type { LessonEntry } from '../types';

export class Contents extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  protected override render(): TemplateResult {
    return html`<nav class="contents" aria-label="All lessons">
      ${[...byPart()].map(([part, entries]) => this.group(part, entries))}
    </nav>`;
  }

  private group(part: string, entries: LessonEntry[]): TemplateResult {
    return html`<h2>${part}</h2>
      <ol>
        ${entries.map(
          ({ slug, number, title }) =>
            html`<li>
              <a href=${lessonAddress(slug)}><span class="n">${number}</span><span>${title}</span></a>
            </li>`,
        )}
      </ol>`;
  }
}

customElements.define('u-contents', Contents);
