// What comparisons that take their time have in common: a button that begins and stops, and how far it is.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import { loadSequenceViews } from '../views/sequence';
import { Refused } from './changes';
import { inSessions, newRunner, stepOf, trainTogether, type GoOn, type Runner } from './compare-trial';
import { ownExperiment } from './lesson-data';
import { variantOf } from './variant';
import type { ComparisonOf } from '../../plugin/comparisons';

type Trained = ComparisonOf<'training'> | ComparisonOf<'lengths'>;

/** Milliseconds between two drawings. */
const REDRAW = 100;

export abstract class CompareWork<C extends Trained> extends LabElement {
  static override properties = {
    running: { state: true },
    progress: { state: true },
    said: { state: true },
    refused: { state: true },
  };
  declare running: boolean;
  /** Where it is, and of how much. */
  declare progress: { words: string; done: number; of: number };
  /** What it came to, for everybody to hear. */
  declare said: string;
  declare refused: string;
  comparison!: C;
  protected runners: readonly Runner[] = [];
  /** The work in hand: another one, or none, and it is to stop. */
  private turn: object | null = null;
  private drawn = 0;

  constructor() {
    super();
    this.running = false;
    this.progress = { words: '', done: 0, of: 1 };
    this.said = this.refused = '';
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.stop();
  }

  /** What the button says. */
  protected abstract readonly verb: string;
  /** Once the models are new. */
  protected abstract work(goOn: GoOn): Promise<void>;
  /** Said at the end. */
  protected abstract readonly outcome: string;
  protected abstract figure(): TemplateResult | typeof nothing;

  protected get steps(): number {
    return this.comparison.steps;
  }

  /** All runs, side by side. */
  protected async train(goOn: GoOn): Promise<void> {
    await trainTogether(this.runners, this.steps, () => {
      const done = Math.max(...this.runners.map(stepOf));
      this.tell(`step ${done} of ${this.steps}`, done, this.steps);
      return goOn();
    });
  }

  /** Draws, if the last time is long enough ago. */
  protected tell(words: string, done: number, of: number): void {
    if (performance.now() - this.drawn < REDRAW) return;
    this.drawn = performance.now();
    this.progress = { words, done, of };
    this.redraw();
  }

  /** New data for the figure. */
  protected abstract redraw(): void;

  private readonly press = (): void => (this.running ? this.stop() : void this.begin());

  private stop(): void {
    if (!this.turn) return;
    this.turn = null;
    this.running = false;
    this.said = `Stopped: ${this.progress.words}.`;
    this.redraw();
  }

  private async begin(): Promise<void> {
    const turn = (this.turn = {});
    const goOn: GoOn = () => this.turn === turn;
    this.running = true;
    this.refused = this.said = '';
    this.progress = { words: 'loading', done: 0, of: this.steps };
    await loadSequenceViews();
    await this.inNewModels(goOn).catch((error: unknown) => this.refuse(error));
    if (!goOn()) return;
    this.turn = null;
    this.running = false;
    this.said = this.refused ? '' : this.outcome;
    this.redraw();
  }

  private inNewModels(goOn: GoOn): Promise<void> {
    const { runs } = this.comparison;
    const { config } = ownExperiment();
    return inSessions(this.lab, runs.length, async (sessions) => {
      const runners = [];
      for (const [i, { label, with: settings }] of runs.entries())
        runners.push(await newRunner(label, variantOf(config, settings as typeof config), sessions[i]!));
      if (!goOn()) return;
      this.runners = runners;
      await this.work(goOn);
    });
  }

  private refuse(error: unknown): void {
    if (!(error instanceof Refused)) throw error;
    this.refused = error.message;
  }

  protected override render(): TemplateResult {
    const { running, progress, said, refused } = this;
    return html`<div class="row work">
        <button type="button" class="btn" @click=${this.press}>${running ? 'Stop' : this.verb}</button>
        ${
          running
            ? html`<progress aria-label=${this.verb} max=${progress.of} .value=${progress.done}></progress>
                <span class="hint">${progress.words}</span>`
            : nothing
        }
        <span class="hint" role="status">${said}</span>
      </div>
      <p class="refused" role="alert">${[refused, ...this.problems()].filter(Boolean).join(' ')}</p>
      ${this.figure()}`;
  }

  private problems(): string[] {
    return this.runners.flatMap(({ label, problem }) => (problem === undefined ? [] : [`${label}: ${problem}`]));
  }
}

/** "both" or "all three". */
export const everyone = (count: number): string =>
  count === 2 ? 'both' : `all ${['three', 'four', 'five', 'six'][count - 3]}`;
