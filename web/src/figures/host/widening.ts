// Widens a figure to the window and back.
import { type ReactiveController, type TemplateResult, html, nothing } from 'lit';
import { SHRINK, WIDEN } from '#messages/figures/host';
import type { LabElement } from '../../ui/lab-element';

const CAN_WIDEN = 'popover' in HTMLElement.prototype;

/** In the top layer nothing clips the figure, and it keeps its place in the DOM; min-height reserves its space. */
export class Widening implements ReactiveController {
  wide = false;
  #was = false;

  /** @param measure Called when the size has changed. */
  constructor(
    private readonly host: LabElement,
    private readonly measure: () => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.wide === this.#was) return;
    this.#was = this.wide;
    if (this.wide) this.host.querySelector('figure')?.showPopover();
    else this.host.style.minHeight = '';
    this.measure();
  }

  hostDisconnected(): void {
    this.#set(false);
  }

  get button(): TemplateResult | typeof nothing {
    if (!CAN_WIDEN) return nothing;
    return html`<button class="link" @click=${this.#press}>${this.wide ? SHRINK : WIDEN}</button>`;
  }

  #set(wide: boolean): void {
    if (wide === this.wide) return;
    this.wide = wide;
    this.host.requestUpdate();
  }

  readonly #press = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement;
    if (!this.wide) this.host.style.minHeight = `${this.host.offsetHeight}px`;
    this.#set(!this.wide);
    await this.host.updateComplete;
    button.focus();
  };

  /** The browser closes the popover on Escape. */
  readonly toggled = (event: ToggleEvent): void => {
    if (event.newState === 'closed') this.#set(false);
  };

  /** What lies behind a widened figure is hidden, so moving focus there closes it. */
  readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !this.host.contains(relatedTarget as Node)) this.#set(false);
  };
}
