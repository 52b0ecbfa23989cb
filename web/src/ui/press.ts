// <u-press action="forward">Next step</u-press>: a button in the text with the action of a transport button. When
// the action would change nothing, it starts again from the inputs.
import { START_AGAIN } from '#messages/ui';
import { html, type TemplateResult } from 'lit';
import { isStuck } from '../lab/stops';
import { LabElement } from './lab-element';
import type { StepAction } from '../engine/types';

export class Press extends LabElement {
  protected readonly topics = ['run', 'cursor'] as const;
  static override properties = { action: {} };
  action: StepAction = 'forward';
  private words = '';

  /** The element's own text is the button's label; it is readable without scripts too. */
  override connectedCallback(): void {
    this.words ||= this.textContent?.trim() ?? '';
    this.replaceChildren();
    super.connectedCallback();
  }

  protected override render(): TemplateResult {
    const { trace, cursor } = this.lab;
    const atEnd = trace !== null && isStuck(trace, cursor, this.action);
    return html`<button type="button" class="btn" @click=${() => this.lab.step(atEnd ? 'first' : this.action)}>
      ${atEnd ? START_AGAIN : this.words}
    </button>`;
  }
}

customElements.define('u-press', Press);
