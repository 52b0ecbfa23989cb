// <u-training data-steps="100">: trains the model on the workbench and reports the loss. With one step, each press is an
// update of its own: the losses so far are drawn, and a second button goes back to where the training began. With
// data-along="e" a second chart shows where the next step lands, by its learning rate.
import * as texts from '#messages/lesson/training';
import { html, nothing, type TemplateResult } from 'lit';
import { loadSequenceViews } from '../figures/sequence';
import { LabElement } from '../ui/lab-element';
import { currentExperiment } from './lesson-data';
import type { CurvesData, Point } from '../figures/charts/curves-layout';

/** Steps for which the chart of a reader's own has room from the start, so that its ticks are whole. */
const FIRST_STEPS = 5;

export class Training extends LabElement {
  protected readonly topics = ['run', 'training'] as const;
  static override properties = { landing: { state: true } };
  landing: CurvesData | null = null;
  private lossBefore: number | null = null;
  /** What `landing` is drawn for. */
  private drawnFor = '';

  private get running(): boolean {
    return this.lab.training.status === 'running';
  }

  protected override updated(): void {
    if (this.dataset.along && this.lab.run && !this.running) void this.drawAlong(this.dataset.along);
  }

  /** Once for each state of the model; a state that has passed meanwhile is not drawn. */
  private async drawAlong(name: string): Promise<void> {
    const { config, inputs, edits, steps } = currentExperiment(this.lab);
    const state = JSON.stringify([config, inputs, edits, steps]);
    if (this.drawnFor === state) return;
    this.drawnFor = state;
    await loadSequenceViews();
    const chart = await (await import('./along')).chartAlong(this.lab, name);
    if (this.drawnFor === state) this.landing = chart;
  }

  private get single(): boolean {
    return this.steps === 1;
  }

  private get steps(): number {
    return Number(this.dataset.steps);
  }

  protected override render(): TemplateResult {
    const { step, from, target } = this.lab.training;
    return html`<div class="row">
        ${this.running && !this.single ? this.stop() : this.start()} ${this.single ? this.back() : nothing}
        <span class="hint" role="status">${this.report()}</span>
      </div>
      ${
        this.running && !this.single
          ? html`<progress max=${target - from} value=${step - from} aria-label=${texts.STEPS_TRAINED}></progress>`
          : nothing
      }
      ${this.landing ? html`<u-curves .data=${this.landing}></u-curves>` : nothing}
      ${this.single ? this.losses() : html`<p class="hint">${texts.RESET_UNDOES}</p>`}`;
  }

  private start(): TemplateResult {
    return html`<button type="button" class="btn" ?disabled=${!this.lab.run} @click=${this.train}>
      ${this.single ? texts.TAKE_A_STEP : texts.train(this.steps)}
    </button>`;
  }

  private stop(): TemplateResult {
    return html`<button type="button" class="btn" @click=${() => this.lab.trainer.stop()}>${texts.STOP}</button>`;
  }

  private back(): TemplateResult {
    const toStart = (): void => void this.lab.configure({}, { steps: 0 });
    return html`<button type="button" class="btn quiet" ?disabled=${!this.lab.training.step} @click=${toStart}>
      ${texts.BACK_TO_START}
    </button>`;
  }

  /** The loss before each step, and now. Without a task, the loss of a step is that of the examples it took. */
  private losses(): TemplateResult | typeof nothing {
    const { step, curve } = this.lab.training;
    const now = this.lab.run?.loss;
    if (!step || now === undefined) return nothing;
    void loadSequenceViews();
    const before = curve.map((point): Point => [point.step - 1, point.loss]);
    const data: CurvesData = {
      title: texts.LOSS_BY_STEP,
      x: { label: texts.STEP, from: 0, to: Math.max(step, FIRST_STEPS) },
      y: { label: texts.LOSS, from: 0 },
      curves: [{ name: texts.LOSS, role: 'ink', dots: true, points: [...before, [step, now]] }],
    };
    return html`<u-curves .data=${data}></u-curves>`;
  }

  private report(): string | typeof nothing {
    const { step, loss, accuracy } = this.lab.training;
    // A model that came trained has no loss of a batch until its next step.
    if (this.running) return texts.training(step, Number.isNaN(loss) ? null : loss.toPrecision(3));
    const after = this.lab.task ? loss : this.lab.run?.loss; // no run while the model is loading
    if (!step || !Number.isFinite(loss) || after === undefined) return nothing;
    return texts.trained({
      before: this.lossBefore?.toPrecision(4) ?? null,
      after: after.toPrecision(4),
      steps: step,
      correct: this.lab.task ? (100 * accuracy).toFixed(0) : null,
    });
  }

  /**
   * Without a task every step trains on the inputs on the bench, so the losses before and after are comparable. After single
   * steps the next paragraph goes back to the model that it speaks of, as after every control of the text.
   */
  private readonly train = async (): Promise<void> => {
    const { lab } = this;
    let before = lab.state;
    const done = await lab.train(() => {
      before = lab.state;
      if (!lab.training.step) this.lossBefore = lab.task ? null : (lab.run?.loss ?? null);
      return this.steps;
    });
    if (done && this.single) (await import('./scenes')).enterTry(this, before);
  };
}

customElements.define('u-training', Training);
