// <u-problem>: one sentence that says what to change; it stays until it is dismissed or something succeeds.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from './lab-element';
import { icon } from './icons';

export class ProblemBar extends LabElement {
  protected override render(): TemplateResult {
    return html`<div class="problem-live" role="status" aria-live="polite">
      ${this.lab.problem ? this.sentence(this.lab.problem.message, this.lab.problem.detail) : nothing}
    </div>`;
  }

  private sentence(message: string, detail: string): TemplateResult {
    return html`<div class="problem">
      <p title=${detail || nothing}>${message}</p>
      <button type="button" class="tbn" aria-label="Dismiss" @click=${() => this.lab.dismiss()}>
        ${icon('close')}
      </button>
    </div>`;
  }
}

customElements.define('u-problem', ProblemBar);
