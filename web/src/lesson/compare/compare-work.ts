// Base class of comparisons that take time: a button that starts and stops, and progress.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../../ui/lab-element';
import { loadSequenceViews } from '../../figures/sequence';
import { Refused } from '../changes';
import { type Runner, stepOf } from './compare-runner';
import { inSessions, newRunner, trainTogether, type ShouldContinue } from './compare-trial';
import { ownExperiment } from '../lesson-data';
import { variantOf } from '../variant';
import type { Topic } from '../../lab/lab';
import type { Config } from '../../engine/types';
import type { ComparisonOf } from '../format/comparisons';

type Trained = ComparisonOf<'training'> | ComparisonOf<'lengths'>;

/** Minimum milliseconds between two redraws. */
const REDRAW = 100;

export abstract class CompareWork<C extends Trained> extends LabElement {
  protected readonly topics: readonly Topic[] = [];
  static override properties = {
    running: { state: true },
    progress: { state: true },
    summary: { state: true },
    refused: { state: true },
  };
  declare running: boolean;
  /** How far it is, in words and as a fraction. */
  declare progress: { words: string; done: number; of: number };
  /** The outcome, also announced to assistive tools. */
  declare summary: string;
  declare refused: string;
  comparison!: C;
  protected runners: readonly Runner[] = [];
  /** Identifies the current work; work that finds another one here, or null, must stop. */
  private runToken: object | null = null;
  private drawn = 0;

  constructor() {
    super();
    this.running = false;
    this.progress = { words: '', done: 0, of: 1 };
    this.summary = this.refused = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  /** Label of the button. */
  protected abstract readonly verb: string;
  /** Called once all models are loaded. */
  protected abstract work(shouldContinue: ShouldContinue): Promise<void>;
  /** Shown and announced at the end. */
  protected abstract readonly outcome: string;
  protected abstract figure(): TemplateResult | typeof nothing;

  protected get steps(): number {
    return this.comparison.steps;
  }

  /** Trains all runs in turns. */
  protected async train(shouldContinue: ShouldContinue): Promise<void> {
    await trainTogether(this.runners, this.steps, () => {
      const done = Math.max(...this.runners.map(stepOf));
      this.reportProgress(texts.atStep(done, this.steps), done, this.steps);
      return shouldContinue();
    });
  }

  /** Reports progress and redraws, at most every REDRAW. */
  protected reportProgress(words: string, done: number, of: number): void {
    if (performance.now() - this.drawn < REDRAW) return;
    this.drawn = performance.now();
    this.progress = { words, done, of };
    this.redraw();
  }

  /** Sets new data for the figure. */
  protected abstract redraw(): void;

  private readonly press = (): void => (this.running ? this.stop() : void this.begin());

  private stop(): void {
    if (!this.runToken) return;
    this.runToken = null;
    this.running = false;
    this.summary = texts.stopped(this.progress.words);
    this.redraw();
  }

  private async begin(): Promise<void> {
    const token = (this.runToken = {});
    const shouldContinue: ShouldContinue = () => this.runToken === token;
    this.running = true;
    this.refused = this.summary = '';
    this.progress = { words: texts.LOADING, done: 0, of: this.steps };
    await loadSequenceViews();
    await this.inNewModels(shouldContinue).catch((error: unknown) => this.refuse(error));
    if (!shouldContinue()) return;
    this.runToken = null;
    this.running = false;
    this.summary = this.refused ? '' : this.outcome;
    this.redraw();
  }

  private inNewModels(shouldContinue: ShouldContinue): Promise<void> {
    const { runs } = this.comparison;
    return inSessions(this.lab, runs.length, async (sessions) => {
      const runners = [];
      for (const [i, { label, with: settings }] of runs.entries())
        runners.push(await newRunner(label, await this.configOf(settings as Config), sessions[i]!));
      if (!shouldContinue()) return;
      this.runners = runners;
      await this.work(shouldContinue);
    });
  }

  /** The configuration of a run with these settings. */
  protected configOf(settings: Config): Config | Promise<Config> {
    return variantOf(ownExperiment(this).config, settings);
  }

  private refuse(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.refused = error.message;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { running, progress, summary, refused } = this;
    return html`<div class="row work">
        <button type="button" class="btn" @click=${this.press}>${running ? texts.STOP : this.verb}</button>
        ${
          running
            ? html`<progress aria-label=${this.verb} max=${progress.of} .value=${progress.done}></progress>
                <span class="hint">${progress.words}</span>`
            : nothing
        }
        <span class="hint" role="status">${summary}</span>
      </div>
      <p class="refused" role="alert">${[refused, ...this.problems()].filter(Boolean).join(' ')}</p>
      ${this.figure()}`;
  }

  private problems(): string[] {
    return this.runners.flatMap(({ label, problem }) => (problem === undefined ? [] : [texts.ofRun(label, problem)]));
  }
}
