// A button with three dots, and the menu that it opens: what is needed less often. Escape or a press elsewhere closes it.
import { html, type TemplateResult } from 'lit';
import './more-menu.css';
import { icon } from './icons';

/**
 * @param id Of the menu, unique on the page.
 * @param label Of button and menu.
 */
export const moreMenu = (id: string, label: string, content: unknown): TemplateResult =>
  html`<button type="button" class="tbn more" aria-label=${label} title=${label} popovertarget=${id}>
      ${icon('more')}
    </button>
    <div id=${id} popover class="more-menu" role="group" aria-label=${label} @beforetoggle=${place} @click=${close}>
      ${content}
    </div>`;

/** Above its button, or below where there is no room; aligned with its right edge. */
function place(event: ToggleEvent): void {
  const menu = event.currentTarget as HTMLElement;
  const { top, bottom, right } = menu.previousElementSibling!.getBoundingClientRect();
  const isAbove = top > innerHeight / 3;
  menu.style.setProperty('bottom', isAbove ? `${innerHeight - top + 4}px` : 'auto');
  menu.style.setProperty('top', isAbove ? 'auto' : `${bottom + 4}px`);
  menu.style.setProperty('right', `${Math.max(4, document.documentElement.clientWidth - right)}px`);
}

/** After a press, unless that opens more in the menu; the focus returns to its button. */
function close(event: Event): void {
  const pressed = (event.target as Element).closest('button');
  if (pressed && !pressed.closest('u-export')) (event.currentTarget as HTMLElement).hidePopover();
}
