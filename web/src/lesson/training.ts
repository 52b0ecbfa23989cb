// <u-training data-steps="100">: trains the model on the workbench and reports the loss.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../ui/lab-element';

export class Training extends LabElement {
  protected readonly topics = ['run', 'training'] as const;
  private lossBefore: number | null = null;

  private get running(): boolean {
    return this.lab.training.status === 'running';
  }

  protected override render(): TemplateResult {
    const { step, from, target } = this.lab.training;
    return html`<div class="row">
        ${this.running ? this.stop() : this.start()}
        <span class="hint" role="status">${this.report()}</span>
      </div>
      ${
        this.running
          ? html`<progress max=${target - from} value=${step - from} aria-label="Steps trained"></progress>`
          : nothing
      }
      <p class="hint">Reset undoes the training.</p>`;
  }

  private start(): TemplateResult {
    return html`<button type="button" class="btn" ?disabled=${!this.lab.run} @click=${this.train}>
      Train ${this.dataset.steps} steps
    </button>`;
  }

  private stop(): TemplateResult {
    return html`<button type="button" class="btn" @click=${() => this.lab.stopTraining()}>Stop</button>`;
  }

  private report(): string | typeof nothing {
    const { step, loss, accuracy } = this.lab.training;
    if (this.running) return `step ${step}: loss ${loss.toPrecision(3)}`;
    const after = this.lab.task ? loss : this.lab.run?.loss; // no run while the model is loading
    if (!step || !Number.isFinite(loss) || after === undefined) return nothing;
    const learnt = this.lab.task ? `, ${(100 * accuracy).toFixed(0)} % of tokens correct` : '';
    const before = this.lossBefore === null ? '' : `${this.lossBefore.toPrecision(4)} before, `;
    return `Loss ${before}${after.toPrecision(4)} after ${step} steps${learnt}`;
  }

  /** Without a task every step trains on the inputs on the bench, so the losses before and after are comparable. */
  private readonly train = (): void => {
    void this.lab.train(() => {
      if (!this.lab.training.step) this.lossBefore = this.lab.task ? null : (this.lab.run?.loss ?? null);
      return Number(this.dataset.steps);
    });
  };
}

customElements.define('u-training', Training);
