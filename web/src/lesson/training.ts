// <u-training data-steps="100">: trains the model of the workbench and says what that did to the loss.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';

export class Training extends LabElement {
  static override properties = { lossBefore: { state: true }, lossAfter: { state: true }, running: { state: true } };
  declare lossBefore: number | null;
  declare lossAfter: number | null;
  declare running: boolean;

  constructor() {
    super();
    Object.assign(this, { lossBefore: null, lossAfter: null, running: false });
  }

  protected override render(): TemplateResult {
    const steps = this.dataset.steps!;
    return html`<div class="row">
        <button type="button" class="btn" ?disabled=${this.running || !this.lab.run} @click=${this.train}>
          Train ${steps} steps
        </button>
        <span class="hint" role="status">${this.report()}</span>
      </div>
      <p class="hint">Reset takes the training back.</p>`;
  }

  private report(): string | typeof nothing {
    if (this.running) return 'training…';
    const { lossBefore: before, lossAfter: after } = this;
    if (before === null || after === null || !this.lab.state.steps) return nothing;
    return `Loss ${before.toPrecision(4)} before, ${after.toPrecision(4)} after ${this.lab.state.steps} steps`;
  }

  private readonly train = async (): Promise<void> => {
    if (!this.lab.state.steps) this.lossBefore = this.lab.run!.loss;
    this.running = true;
    await this.lab.train(Number(this.dataset.steps));
    this.lossAfter = this.lab.run!.loss;
    this.running = false;
  };
}

customElements.define('u-training', Training);
