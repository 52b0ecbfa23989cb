// <u-training data-steps="100">: trains the model on the workbench and reports the loss.
import { RESET_UNDOES, STEPS_TRAINED, STOP, train, trained, training } from '#messages/lesson/controls';
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../ui/lab-element';

export class Training extends LabElement {
  protected readonly topics = ['run', 'training'] as const;
  private lossBefore: number | null = null;

  private get running(): boolean {
    return this.lab.training.status === 'running';
  }

  private get steps(): number {
    return Number(this.dataset.steps);
  }

  protected override render(): TemplateResult {
    const { step, from, target } = this.lab.training;
    return html`<div class="row">
        ${this.running ? this.stop() : this.start()}
        <span class="hint" role="status">${this.report()}</span>
      </div>
      ${
        this.running
          ? html`<progress max=${target - from} value=${step - from} aria-label=${STEPS_TRAINED}></progress>`
          : nothing
      }
      <p class="hint">${RESET_UNDOES}</p>`;
  }

  private start(): TemplateResult {
    return html`<button type="button" class="btn" ?disabled=${!this.lab.run} @click=${this.train}>
      ${train(this.steps)}
    </button>`;
  }

  private stop(): TemplateResult {
    return html`<button type="button" class="btn" @click=${() => this.lab.trainer.stop()}>${STOP}</button>`;
  }

  private report(): string | typeof nothing {
    const { step, loss, accuracy } = this.lab.training;
    if (this.running) return training(step, loss.toPrecision(3));
    const after = this.lab.task ? loss : this.lab.run?.loss; // no run while the model is loading
    if (!step || !Number.isFinite(loss) || after === undefined) return nothing;
    return trained({
      before: this.lossBefore?.toPrecision(4) ?? null,
      after: after.toPrecision(4),
      steps: step,
      correct: this.lab.task ? (100 * accuracy).toFixed(0) : null,
    });
  }

  /** Without a task every step trains on the inputs on the bench, so the losses before and after are comparable. */
  private readonly train = (): void => {
    void this.lab.train(() => {
      if (!this.lab.training.step) this.lossBefore = this.lab.task ? null : (this.lab.run?.loss ?? null);
      return this.steps;
    });
  };
}

customElements.define('u-training', Training);
