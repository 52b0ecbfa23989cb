// Comparisons that take time: a button that starts and stops the training of several settings, progress, and the outcome.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { Refused } from '../../engine/refused';
import { loadSequenceViews } from '../../figures/sequence';
import { inSessions, mostSteps, newRunner, stepOf, trainTogether } from './trials';
import type { Runner, ShouldContinue, Trial } from './trials';
import type { Config } from '../../engine/types';
import type { RemoteSession } from '../../engine/remote';
import type { LabElement } from '../../ui/lab-element';

/** What one kind of comparison does with its runs. */
export interface Job {
  readonly comparison: () => { runs: readonly Trial[]; steps: number };
  /** Label of the button. */
  readonly verb: string;
  /** False: the button waits for the reader. */
  readonly ready?: boolean;
  /** Shown and announced at the end. */
  readonly outcome: string;
  /** Called once all models are loaded. */
  compare(work: Work, shouldContinue: ShouldContinue): Promise<void>;
  /** Sets new data for the figure. */
  redraw(work: Work): void;
  figure(work: Work): TemplateResult | typeof nothing;
}

interface Surroundings {
  /** The configuration of a run with these settings. */
  configOf(settings: Config): Config | Promise<Config>;
  /** Called once all models are loaded, before the job. */
  onLoaded?(runners: readonly Runner[]): Promise<void>;
}

/** Minimum milliseconds between two redraws. */
const REDRAW = 100;

export class Work implements ReactiveController {
  running = false;
  runners: readonly Runner[] = [];
  private sessions: readonly RemoteSession[] = [];
  /** How far it is, in words and as a fraction. */
  private progress = { words: '', done: 0, of: 1 };
  /** The outcome, also announced to assistive tools. */
  private summary = '';
  private refused = '';
  /** Identifies the current work; work that finds another one here, or null, must stop. */
  private token: object | null = null;
  private drawn = 0;

  constructor(
    private readonly element: LabElement,
    private readonly job: Job,
    private readonly surroundings: Surroundings,
  ) {
    element.addController(this);
  }

  hostDisconnected(): void {
    this.stop();
  }

  /** Drops the results. */
  forget(): void {
    this.runners = [];
    this.summary = this.refused = '';
  }

  /** Loads the models of all runs, untrained, with other settings than their own if there are any. */
  async load(shouldContinue: ShouldContinue, others: Config = {}): Promise<void> {
    const runners: Runner[] = [];
    for (const [i, trial] of this.job.comparison().runs.entries()) {
      const config = await this.surroundings.configOf({ ...(trial.with as Config), ...others });
      runners.push(await newRunner(trial, config, this.sessions[i]!));
    }
    if (shouldContinue()) this.runners = runners;
  }

  /** Trains all runs in turns; `tell` reports the step, and of how many. */
  async train(
    shouldContinue: ShouldContinue,
    tell = (step: number, of: number): void => this.report(texts.atStep(step, of), step, of),
  ): Promise<void> {
    const { steps } = this.job.comparison();
    const most = mostSteps(this.runners, steps);
    await trainTogether(this.runners, steps, () => {
      tell(Math.max(...this.runners.map(stepOf)), most);
      return shouldContinue();
    });
  }

  /** Reports progress and redraws, at most every REDRAW. */
  report(words: string, done: number, of: number): void {
    if (performance.now() - this.drawn < REDRAW) return;
    this.drawn = performance.now();
    this.progress = { words, done, of };
    this.redraw();
  }

  redraw(): void {
    this.job.redraw(this);
    this.element.requestUpdate();
  }

  private readonly press = (): void => (this.running ? this.stop() : void this.begin());

  /** At once: what is being computed is dropped when it arrives. */
  stop(): void {
    if (!this.token) return;
    this.end(texts.stopped(this.progress.words));
  }

  private end(summary: string): void {
    this.token = null;
    this.running = false;
    this.summary = summary;
    this.redraw();
  }

  private async begin(): Promise<void> {
    const token = (this.token = {});
    const shouldContinue: ShouldContinue = () => this.token === token;
    this.running = true;
    this.refused = this.summary = '';
    this.progress = { words: texts.LOADING, done: 0, of: this.job.comparison().steps };
    this.element.requestUpdate();
    await loadSequenceViews();
    await this.inNewModels(shouldContinue).catch((error: unknown) => this.refuse(error));
    if (shouldContinue()) this.end(this.refused ? '' : this.job.outcome);
  }

  private inNewModels(shouldContinue: ShouldContinue): Promise<void> {
    const { runs } = this.job.comparison();
    return inSessions(this.element.lab, runs.length, async (sessions) => {
      this.sessions = sessions;
      await this.load(shouldContinue);
      if (!shouldContinue()) return;
      await this.surroundings.onLoaded?.(this.runners);
      await this.job.compare(this, shouldContinue);
    });
  }

  private refuse(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.refused = error.message;
  }

  render(): TemplateResult {
    const { running, progress, summary, refused } = this;
    const { verb, ready = true } = this.job;
    return html`<div class="row work">
        <button type="button" class="btn" ?disabled=${!running && !ready} @click=${this.press}>
          ${running ? texts.STOP : verb}
        </button>
        ${
          running
            ? html`<progress aria-label=${verb} max=${progress.of} .value=${progress.done}></progress>
                <span class="hint">${progress.words}</span>`
            : nothing
        }
        <span class="hint" role="status">${summary}</span>
      </div>
      <p class="refused" role="alert">${[refused, ...this.problems()].filter(Boolean).join(' ')}</p>
      ${this.job.figure(this)}`;
  }

  private problems(): string[] {
    return this.runners.flatMap(({ label, problem }) => (problem === undefined ? [] : [texts.ofRun(label, problem)]));
  }
}
