// <u-compare-drawn>: a comparison by length whose first curve the reader draws before it is measured.
import * as texts from '#messages/lesson/compare';
import { html, nothing, type TemplateResult } from 'lit';
import './draw-curve';
import { ranged, spreadOf, type Curve } from '../../../figures/charts/curves-layout';
import { keepTyped, typedAt } from '../../../lab/store/web-storage';
import { LabElement } from '../../../ui/lab-element';
import { builtHtml } from '../../../ui/built-html';
import { unfoldAfter } from '../../task/unfold-after';
import { variantsIn } from '../../lesson-data';
import { LengthsJob } from '../lengths';
import { Work } from '../work';
import type { ComparisonOf } from '../../format/comparisons';
import { drawnCurve, drawnIn, drawnText, largestGap, type Drawn, type Gap } from './gap';

/** Percent, at every length, before anything is drawn. */
const BEGIN = 50;

class DrawnJob extends LengthsJob {
  /** Null until the reader has moved a point. */
  drawn: Drawn | null = null;

  override get verb(): string {
    return texts.TRAIN_AND_MEASURE;
  }

  get ready(): boolean {
    return this.drawn !== null;
  }

  get values(): readonly number[] {
    return this.drawn?.values ?? this.given().lengths.map(() => BEGIN);
  }

  protected override curves(): Curve[] {
    const measured = super.curves();
    const dots = ranged(measured);
    const lines = measured.slice(0, measured.length - dots.length);
    return [...lines, drawnCurve(this.given().lengths, this.values), ...dots];
  }

  gap(): Gap | null {
    const measured = super.curves();
    const [line] = measured;
    return line ? largestGap(this.values, line.points, spreadOf(line, measured)) : null;
  }
}

export class CompareDrawn extends LabElement {
  protected readonly topics = [] as const;
  comparison!: ComparisonOf<'lengths'>;
  private readonly job = new DrawnJob(() => this.comparison);
  private readonly work = new Work(this, this.job, { configOf: variantsIn(this) });

  private get key(): string {
    return `drawn-${this.lab.page.lesson}/${this.parentElement!.id}`;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.lab.linked) this.job.drawn = drawnIn(typedAt(this.key), this.comparison.lengths.length);
  }

  private keep(drawn: Drawn): void {
    this.job.drawn = drawn;
    if (this.lab.linked) keepTyped(this.key, drawnText(drawn));
    this.requestUpdate();
  }

  private get gap(): Gap | null {
    return this.work.running ? null : this.job.gap();
  }

  protected override updated(): void {
    const { drawn } = this.job;
    if (drawn && !drawn.measured && this.gap) this.keep({ ...drawn, measured: true });
    if (drawn?.measured) unfoldAfter(this.parentElement!);
  }

  protected override render(): TemplateResult {
    const { gap } = this;
    const [draws, rests] = [!this.work.running && !this.job.data, !this.work.running && this.job.data];
    return html`${draws ? this.drawing() : nothing} ${this.work.render()}
      <div role="status">
        ${gap ? html`<p class="verdict">${texts.largestGap(this.comparison.over, gap)} ${builtHtml(this.comparison.drawn!.ask)}</p>` : nothing}
      </div>
      ${rests ? html`<button type="button" class="btn quiet" @click=${this.drawAgain}>${texts.DRAW_AGAIN}</button>` : nothing}`;
  }

  private drawing(): TemplateResult {
    const axis = this.comparison;
    const draw = (values: number[]): void => this.keep({ values, measured: this.job.drawn?.measured ?? false });
    const how = `${this.parentElement!.id}-how`;
    return html`<div class="hint" id=${how}>${texts.HOW_TO_DRAW}</div>
      <div role="group" aria-label=${texts.YOUR_CURVE} aria-describedby=${how}>
        <u-draw-curve .axis=${axis} .values=${this.job.values} .draw=${draw}></u-draw-curve>
      </div>`;
  }

  private readonly drawAgain = (): void => {
    this.work.forget();
    this.job.forget();
    this.requestUpdate();
  };
}

customElements.define('u-compare-drawn', CompareDrawn);
