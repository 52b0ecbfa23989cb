// <u-keys>: the keyboard shortcuts, and the switch for the single-letter ones.
import { html, LitElement, type TemplateResult } from 'lit';
import { lettersOn, setLetters, SHORTCUTS } from '../bench/transport/keys';
import { icon } from '../ui/icons';

export class KeysDialog extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  open(): void {
    this.querySelector('dialog')!.showModal();
  }

  protected override render(): TemplateResult {
    return html`<dialog class="keys" aria-labelledby="keys-title" closedby="any">
      <form method="dialog">
        <h2 id="keys-title">Keyboard</h2>
        <button class="tb" aria-label="Close">${icon('close')}</button>
      </form>
      <dl>
        ${SHORTCUTS.map(
          ({ shown, does }) =>
            html`<div>
              <dt><kbd>${shown}</kbd></dt>
              <dd>${does}</dd>
            </div>`,
        )}
      </dl>
      <p>In a table of numbers, the arrow keys move from cell to cell.</p>
      <label><input type="checkbox" .checked=${lettersOn()} @change=${this.toggle} /> Single-letter keys</label>
    </dialog>`;
  }

  private readonly toggle = (event: Event): void => setLetters((event.target as HTMLInputElement).checked);
}

customElements.define('u-keys', KeysDialog);
