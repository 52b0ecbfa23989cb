// <u-problem>: one sentence on what to change, or on what was discarded; it stays until dismissed or until something
// succeeds.
import { html, nothing, type TemplateResult } from 'lit';
import { DISMISS } from '#messages/bench/bench';
import './problem-bar.css';
import { LabElement } from '../ui/lab-element';
import { icon } from '../ui/icons';
import type { Notice } from '../lab/notice';

export class ProblemBar extends LabElement {
  protected readonly topics = ['problem'] as const;

  protected override render(): TemplateResult {
    const { problem, notice } = this.lab;
    const shown = problem ? this.sentence(problem.message, problem.detail) : null;
    return html`<div class="problem-live" role="status" aria-live="polite">
      ${shown ?? (notice ? this.sentence(notice.message, '', notice.action) : nothing)}
    </div>`;
  }

  private sentence(message: string, detail: string, action?: Notice['action']): TemplateResult {
    return html`<div class="problem">
      <p title=${detail || nothing}>${message}</p>
      ${action ? html`<button type="button" class="btn small" @click=${action.run}>${action.label}</button>` : nothing}
      <button type="button" class="tbn" aria-label=${DISMISS} @click=${() => this.lab.dismiss()}>
        ${icon('close')}
      </button>
    </div>`;
  }
}

customElements.define('u-problem', ProblemBar);
