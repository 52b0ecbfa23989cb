// <u-train>: the stage *Training*: Train, Pause, Stop, and the results.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/training';
import './panel.css';
import { LabElement } from '../../ui/lab-element';
import { icon } from '../../ui/icons';
import { MAX_STEPS } from '../../lab/link/table';
import { loadSequenceViews } from '../../figures/sequence';
import type { CurvesData } from '../../figures/charts/curves-layout';
import { clock, evaluationFigures, figures, measured, percent, type Figure } from './figures';
import { select } from '../../ui/choices';
import type { GenerationInfo, PairInfo, TaskInfo } from '../../engine/types';

/** Each with its name above it. */
const readings = (all: readonly Figure[]): TemplateResult =>
  html`<dl class="figures">
    ${all.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;

/** What the model generates now, next to its source. Improbable tokens are faint; a wrong output shows the target. */
const sampleList = (samples: GenerationInfo[], task: TaskInfo | null, pair: PairInfo | null): TemplateResult =>
  html`<ul class="samples">
    ${samples.map((sample) => html`<li>${sampleItem(sample, task?.separator ?? ' ', pair)}</li>`)}
  </ul>`;

function sampleItem(
  { source, tokens, probabilities, ended }: GenerationInfo,
  separator: string,
  pair: PairInfo | null,
): TemplateResult {
  const text = source.join(separator);
  const wanted = pair && pair.source.join(separator) === text ? pair.target.join(separator) : null;
  const written = tokens.join(separator);
  return html`<span class="read">${text}</span>
    <span class="wrote"
      >${tokens.map(
        (token, i) =>
          html`${i ? separator : ''}<span
              style="opacity:${opacityOf(probabilities[i])}"
              title=${`p = ${probabilities[i]!.toFixed(3)}`}
              >${token}</span
            >`,
      )}${ended ? nothing : ' …'}${tokens.length ? nothing : html`<i>${texts.NOTHING}</i>`}</span
    >
    ${wanted === null || wanted === written ? nothing : html`<span class="wanted">${texts.expected(wanted)}</span>`}`;
}

/** Opacity from 0.62 to 1: an improbable token stands out but stays legible. */
const opacityOf = (p = 1): string => (0.62 + 0.38 * p).toFixed(2);

/** Steps offered when the schedule has ended or the configuration sets no steps. */
const SOME_STEPS = 200;

export class TrainPanel extends LabElement {
  protected readonly topics = ['run', 'training'] as const;
  static override properties = { steps: { state: true } };
  /** As typed by the learner; null: up to the end of the schedule. */
  steps: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    void loadSequenceViews();
  }

  /** Steps that "Train" would take. */
  private get stepsAhead(): number {
    const { status, step, target } = this.lab.training;
    if (status === 'paused' && target > step) return target - step;
    return this.steps ?? this.scheduled;
  }

  private get scheduled(): number {
    const { steps } = this.lab.config();
    const remaining = typeof steps === 'number' ? steps - this.lab.training.step : 0;
    return remaining > 0 ? remaining : SOME_STEPS;
  }

  /** Not running, and at or past the end of a decaying schedule. */
  private get restartsSchedule(): boolean {
    const { schedule, steps } = this.lab.config();
    const { status, step } = this.lab.training;
    const decays = schedule === 'cosine' || schedule === 'linear';
    return decays && typeof steps === 'number' && step >= steps && status !== 'running';
  }

  private schedule(): TemplateResult | typeof nothing {
    if (!this.restartsSchedule) return nothing;
    return html`<p class="schedule">${texts.scheduleEnded(Number(this.lab.config().steps))}</p>`;
  }

  protected override render(): TemplateResult {
    return html`<div class="train" role="group" aria-label=${texts.TRAINING}>
      <div class="strip">${this.buttons()} ${readings(figures(this.lab.training))}</div>
      ${this.schedule()}
      <p class="vh" role="status">${this.announcement()}</p>
      ${this.details()}
    </div>`;
  }

  private buttons(): TemplateResult {
    const { status, step } = this.lab.training;
    const running = status === 'running';
    const act = running ? () => this.lab.trainer.pause() : this.train;
    return html`<div class="row">
      <button type="button" class="btn" ?disabled=${!this.lab.trace && !running} @click=${act}>
        ${icon(running ? 'pause' : 'play')}<span>${running ? texts.PAUSE : texts.TRAIN}</span>
      </button>
      ${
        running || status === 'paused'
          ? html`<button type="button" class="btn" @click=${() => this.lab.trainer.stop()}>${texts.STOP}</button>`
          : html`<label class="steps"
              ><span class="vh">${texts.STEPS_TO_TRAIN}</span
              ><input
                inputmode="numeric"
                autocomplete="off"
                .value=${String(this.stepsAhead)}
                @change=${this.typed}
              /><span aria-hidden="true">${texts.stepsAhead(this.stepsAhead, step > 0)}</span></label
            >`
      }
    </div>`;
  }

  private details(): TemplateResult {
    const { evaluation, status, samples, step } = this.lab.training;
    return html`<div class="details">
      ${this.curve()}
      <div class="written">
        <h3>${texts.whatItWrites(step)}</h3>
        ${sampleList(samples, this.lab.task, this.lab.pair)}
      </div>
      <div class="tested">
        <h3>${texts.onUnseenPairs(evaluation)}</h3>
        ${
          evaluation?.done
            ? readings(evaluationFigures(evaluation))
            : evaluation
              ? nothing
              : html`<button
                  type="button"
                  class="btn small"
                  ?disabled=${status === 'running' || !this.lab.trace}
                  @click=${() => this.lab.trainer.measure()}
                >
                  ${texts.MEASURE}
                </button>`
        }
        ${
          evaluation && evaluation.done < evaluation.pairs
            ? html`<progress
                max=${evaluation.pairs}
                value=${evaluation.done}
                aria-label=${texts.PAIRS_TESTED}
              ></progress>`
            : nothing
        }
      </div>
      ${this.cores()}
    </div>`;
  }

  /** How many cores train; nothing where there is no choice. */
  private cores(): TemplateResult | typeof nothing {
    const { most, wanted, atWork } = this.lab.trainer.threads;
    if (most < 2) return nothing;
    const counts = Array.from({ length: most }, (_, i) => i + 1);
    return html`<p class="cores">
      <label>${texts.CORES} ${select(counts, wanted, this.useThreads, (count) => texts.coresOf(count, most))}</label>
      ${this.lab.training.status === 'running' ? html`<span>${texts.atWork(atWork)}</span>` : nothing}
    </p>`;
  }

  private readonly useThreads = (count: number): void => this.lab.trainer.useThreads(count);

  private curve(): TemplateResult {
    const data = this.curves();
    return data ? html`<u-curves .data=${data}></u-curves>` : html`<p class="hint">${texts.NO_CURVE}</p>`;
  }

  /** Null before there are two points. */
  private curves(): CurvesData | null {
    const { curve } = this.lab.training;
    if (curve.length < 2) return null;
    return {
      title: texts.TRAINING,
      x: { label: texts.STEP },
      y: { label: texts.LOSS_AND_ACCURACY, from: 0 },
      curves: [
        { name: texts.LOSS, points: curve.map(({ step, loss }) => [step, loss]) },
        { name: texts.ACCURACY, role: 'weight', points: curve.map(({ step, accuracy }) => [step, accuracy]) },
      ],
    };
  }

  /** Announced on changes of status, not on every step. */
  private announcement(): string {
    const { status, step, loss, accuracy, elapsed } = this.lab.training;
    if (status === 'idle') return '';
    if (status === 'running') return texts.RUNNING;
    const [time, shown] = [clock(elapsed), percent(accuracy)];
    return texts.ended(status, { step, time, loss: measured(loss), accuracy: shown });
  }

  private readonly train = (): void => {
    const typed = this.steps;
    void this.lab.train(() => typed ?? this.scheduled);
    this.steps = null;
  };

  private readonly typed = (event: Event): void => {
    const field = event.target as HTMLInputElement;
    const steps = Number(field.value.trim());
    if (Number.isInteger(steps) && steps >= 1 && steps <= MAX_STEPS) this.steps = steps;
    else this.refuse(field);
  };

  private refuse(field: HTMLInputElement): void {
    this.lab.reportProblem({
      code: 'E_INPUT',
      message: texts.noNumberOfSteps(field.value.slice(0, 20), MAX_STEPS),
      detail: '',
    });
    field.value = String(this.stepsAhead);
  }
}

customElements.define('u-train', TrainPanel);

/**
 * What a training may need later, when there may be no network: what saves the weights, hands them to a changed program,
 * lets the opening be stopped, exports, and says what is not saved. A static import would not do: a dynamic one may ask
 * for another file.
 */
const later = [
  import('../../lab/store/keep'),
  import('../../lab/take-over'),
  import('../../lab/opening'),
  import('../../lab/script'),
  import('#messages/unsaved'),
];
void Promise.allSettled(later);
