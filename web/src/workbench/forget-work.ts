// <u-forget>: removes the learner's work from this browser. It stands apart from what is pressed often.
import { FORGET, FORGET_ABOUT, FORGET_ALL, NOT_FORGOTTEN } from '#messages/workbench';
import { html, type TemplateResult } from 'lit';
import { forgetWork } from '../lab/store/forget';
import { LabElement } from '../ui/lab-element';

export class ForgetWork extends LabElement {
  protected readonly topics = [] as const;
  static override properties = { refused: { state: true } };
  refused = '';

  protected override render(): TemplateResult {
    return html`<p class="about">${FORGET_ABOUT}</p>
      <button type="button" class="btn quiet" @click=${this.forget}>${FORGET}</button>
      <p class="refused" role="alert">${this.refused}</p>`;
  }

  /** Then starts the page afresh: what it shows and what other parts of it remember goes as well. */
  private readonly forget = async (): Promise<void> => {
    if (!confirm(FORGET_ALL)) return;
    try {
      await forgetWork();
      location.assign(location.pathname);
    } catch {
      this.refused = NOT_FORGOTTEN;
    }
  };
}

customElements.define('u-forget', ForgetWork);
