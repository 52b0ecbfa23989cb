// <u-keys>: the keyboard shortcuts, and the switch for the single-letter ones.
import './keys-dialog.css';
import * as texts from '#messages/app';
import { html, type TemplateResult } from 'lit';
import { lettersOn, setLetters, SHORTCUTS } from '../bench/transport/keys';
import { icon } from '../ui/icons';
import { PlainElement } from '../ui/lab-element';

const ALL = [...SHORTCUTS, { shown: '/', does: texts.OPEN_SEARCH }];

export class KeysDialog extends PlainElement {
  async open(): Promise<void> {
    await this.updateComplete;
    this.querySelector('dialog')!.showModal();
  }

  protected override render(): TemplateResult {
    return html`<dialog class="keys" aria-labelledby="keys-title" closedby="any">
      <form method="dialog">
        <h2 id="keys-title">${texts.KEYBOARD}</h2>
        <button class="tb" aria-label=${texts.CLOSE}>${icon('close')}</button>
      </form>
      <dl>
        ${ALL.map(
          ({ shown, does }) =>
            html`<div>
              <dt><kbd>${shown}</kbd></dt>
              <dd>${does}</dd>
            </div>`,
        )}
      </dl>
      <p>${texts.WHERE_KEYS_ACT}</p>
      <p>${texts.ARROW_KEYS}</p>
      <label><input type="checkbox" .checked=${lettersOn()} @change=${this.toggle} /> ${texts.SINGLE_LETTERS}</label>
    </dialog>`;
  }

  private readonly toggle = (event: Event): void => setLetters((event.target as HTMLInputElement).checked);
}

customElements.define('u-keys', KeysDialog);
