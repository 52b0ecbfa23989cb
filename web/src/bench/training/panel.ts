// <u-train>: the stage *Training*: Train, Pause, Stop, and the results.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/training';
import './panel.css';
import { LabElement } from '../../ui/lab-element';
import { icon } from '../../ui/icons';
import { MAX_STEPS } from '../../lab/link/limits';
import { loadSequenceViews } from '../../figures/sequence';
import { curvesOf, MEASURES, spreadOf, turnIn, type Measure } from './curve';
import { MORE, seedsOf } from './seeds';
import { halfLifeOf } from './smoothing';
import { clock, evaluationFigures, figures, measured, percent, type Figure } from './figures';
import { select, toggles } from '../../ui/choices';
import { isTexts } from '../../ui/words';
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
  static override properties = { steps: { state: true }, measure: { state: true } };
  /** As typed by the learner; null: up to the end of the schedule. */
  steps: number | null = null;
  /** On the axis of the curve. */
  measure: Measure = 'loss';

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
      <div class="beside">
        ${this.seeds()}
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
        ${this.legend()} ${this.cores()}
      </div>
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

  private get readsTexts(): boolean {
    const { task } = this.lab;
    return task !== null && isTexts(task);
  }

  private curve(): TemplateResult {
    const { measure, readsTexts } = this;
    const { training } = this.lab;
    const data = curvesOf(training, seedsOf(this.lab).runs, { measure, isTexts: readsTexts });
    if (!data) return html`<div class="curve-part empty"><p class="hint">${texts.NO_CURVE}</p></div>`;
    return html`<div class="curve-part">
      <div class="row">
        ${toggles(texts.SHOWN_ON_AXIS, MEASURES, measure, (chosen) => (this.measure = chosen))} ${this.byHeart()}
      </div>
      <u-curves .data=${data}></u-curves>
    </div>`;
  }

  /** Said once it is so, also to those who do not look. */
  private byHeart(): TemplateResult {
    const turn = turnIn(this.lab.training);
    const words = turn && { step: turn.step, lowest: measured(turn.lowest), now: measured(turn.now) };
    return html`<p class="by-heart" role="status">${words ? texts.learntByHeart(this.readsTexts, words) : nothing}</p>`;
  }

  /** What the lines of the curve are. */
  private legend(): TemplateResult | typeof nothing {
    const { curve, unseen, step } = this.lab.training;
    if (curve.length < 2) return nothing;
    const whole = this.measure === 'accuracy';
    const dashed = unseen.some(({ exact }) => !whole || exact !== undefined);
    const named = dashed ? texts.unseenLine(this.readsTexts) : null;
    return html`<p class="hint">${texts.curveLegend(halfLifeOf(step), named, whole)}</p>`;
  }

  /** The same training from other seeds; nothing where no pairs are kept aside to compare them on. */
  private seeds(): TemplateResult | typeof nothing {
    const { status, step } = this.lab.training;
    if (!step || !this.lab.task?.validation) return nothing;
    const seeds = seedsOf(this.lab);
    const { now, runs, problem } = seeds;
    if (now) return this.seedsAtWork(now, seeds.steps);
    return html`<div class="seeds">
      <button type="button" class="btn small" ?disabled=${status === 'running'} @click=${() => void seeds.more()}>
        ${texts.moreSeeds(MORE, runs.length > 0)}
      </button>
      <p class="hint" role="status">${problem?.message ?? this.spread() ?? texts.SEEDS_HINT}</p>
    </div>`;
  }

  private seedsAtWork({ run, step }: { run: number; step: number }, steps: number): TemplateResult {
    return html`<div class="seeds">
      <button type="button" class="btn small" @click=${() => seedsOf(this.lab).stop()}>${texts.STOP_SEEDS}</button>
      <progress max=${MORE * steps} .value=${run * steps + step} aria-label=${texts.SEEDS_PROGRESS}></progress>
      <p class="hint">${texts.seedsAt(run + 1, MORE, step, steps)}</p>
    </div>`;
  }

  private spread(): string | null {
    const { runs, steps } = seedsOf(this.lab);
    const losses = spreadOf(this.lab.training, runs, steps);
    if (!losses) return null;
    const [lowest, highest] = [measured(losses[0]!), measured(losses.at(-1)!)];
    const unseen = texts.unseenLine(this.readsTexts);
    return texts.seedsFound({ seeds: losses.length, step: steps, unseen, lowest, highest });
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
  import('../../lab/store/checkpoints'),
  import('../../lab/link/link'),
  import('../../lab/store/keep'),
  import('../../lab/take-over'),
  import('../../lab/opening'),
  import('../../lab/unseen-loss'),
  import('../../lab/script'),
  import('#messages/unsaved'),
];
void Promise.allSettled(later);
