// <u-bench>: one stage at a time, beside the text; below 900 px at the default text size, in a bottom sheet.
// Breakpoints are in em, so large text makes the same window narrow. <u-problem>: what it has to say.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import * as texts from '#messages/bench/bench';
import { busyWith } from '#messages/lab';
import './bench.css';
import './divider';
import './presenting.css';
import './stages.css';
import { hasTask } from '../engine/own-data';
import type { Stage } from '../engine/types';
import type { Notice } from '../lab/notice';
import { STAGES } from '../lab/stages';
import { icon } from '../ui/icons';
import { narrow, roomy } from '../ui/narrow';
import { LabElement } from '../ui/lab-element';

/** What a stage needs is loaded when it is first shown. */
const PARTS: Readonly<Record<Stage, () => Promise<unknown>>> = {
  picture: () => import('./bench-views'),
  numbers: () => import('./board/board'),
  code: () => import('./code/code'),
  training: () => import('./training/panel'),
};

/** What stands beside a stage where there is room and the reader has pinned nothing: never the code. */
const BESIDE: Readonly<Record<Stage, Stage>> = {
  picture: 'numbers',
  numbers: 'picture',
  code: 'numbers',
  training: 'picture',
};

export class Bench extends LabElement {
  protected readonly topics = ['run', 'activity', 'choice', 'selection'] as const;
  static override properties = { reads: { state: true }, presenting: { state: true } };
  /** The fields for what the model reads are open. */
  reads = false;
  /** The stage is alone on the screen, in large type where there is room. */
  presenting = false;
  /** Where the reader was in the text before presenting hid it. */
  #scrolled = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('bench');
    this.setAttribute('role', 'complementary');
    this.ariaLabel ??= texts.WORKBENCH;
    this.tabIndex = -1; // a click anywhere on the bench gives it the focus, and with it the keys
    this.listen(narrow, 'change', this.onChange);
    this.listen(roomy, 'change', this.onChange);
    this.listen(document, 'keydown', (event) => this.onEscape(event as KeyboardEvent));
    this.listen(this, 'present', () => (this.presenting = true));
  }

  /** The stages on screen: one, or two where a second is pinned or there is room. */
  private get shown(): readonly Stage[] {
    const { stage, pinned } = this.lab;
    const second = pinned ?? (roomy.matches && !this.presenting ? BESIDE[stage] : null);
    return narrow.matches || second === null || second === stage ? [stage] : [stage, second];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    for (const stage of this.shown) void PARTS[stage]();
    if (this.trains && this.reads) void import('./pair-bar');
    if (this.trains && this.shown.includes('numbers')) void import('./training/why');
    if (narrow.matches) void import('./sheet');
    if (this.lab.inspects) void import('./inspector/card');
    if (this.intervened) void import('./what-if/in-force');
    this.dataset.stage = this.lab.stage;
    if (changed.get('presenting') !== undefined && this.lab.linked) this.hideText();
    this.setAttribute('aria-busy', String(this.lab.busy !== null));
  }

  /** Or shows it again, where the reader was. */
  private hideText(): void {
    if (this.presenting) this.#scrolled = scrollY;
    document.documentElement.toggleAttribute('data-presenting', this.presenting);
    if (!this.presenting) scrollTo(0, this.#scrolled);
  }

  protected override render(): TemplateResult {
    const { shown } = this;
    return html`<u-divider></u-divider> ${narrow.matches && this.lab.linked ? html`<u-handle></u-handle>` : nothing}
      ${this.head(shown)} ${this.intervened ? html`<u-in-force></u-in-force>` : nothing}
      ${this.trains && this.reads ? html`<u-pair></u-pair>` : nothing}
      <div class="panes" ?data-two=${shown.length > 1}>${shown.map((stage, i) => this.pane(stage, i))}</div>
      <u-problem></u-problem>
      <u-transport></u-transport>
      ${this.lab.inspects ? html`<u-card></u-card>` : nothing}
      <p class="vh" aria-live="polite">${this.lab.trace ? nothing : busyWith(this.lab.busy)}</p>`;
  }

  /** True for a model with a task: it reads a pair, and can be trained. */
  private get trains(): boolean {
    return hasTask(this.lab.config());
  }

  private get intervened(): boolean {
    return this.lab.state.interventions.length > 0;
  }

  private head(shown: readonly Stage[]): TemplateResult {
    return html`<div class="bench-head">
      <div class="tabs" role="tablist" aria-label=${texts.WORKBENCH} @keydown=${this.onTabKey}>
        ${STAGES.map((stage) => this.tab(stage))}
      </div>
      <div class="tools">
        ${this.lab.stage === this.lab.lessonStage ? nothing : this.followButton()}
        ${this.trains ? this.readsButton() : nothing} ${narrow.matches ? nothing : this.pinButton(shown)}
        ${narrow.matches && !this.presenting ? nothing : this.presentButton()}
      </div>
    </div>`;
  }

  private tab(stage: Stage): TemplateResult {
    const chosen = this.lab.stage === stage;
    return html`<button
      type="button"
      role="tab"
      id=${this.idOf(`tab-${stage}`)}
      aria-controls=${this.idOf('stage')}
      aria-selected=${chosen}
      tabindex=${chosen ? 0 : -1}
      @click=${() => this.lab.showStage(stage)}
    >
      ${texts.STAGES[stage]}
    </button>`;
  }

  private followButton(): TemplateResult {
    return html`<button type="button" class="tb" @click=${() => this.lab.followLesson()}>
      ${icon('follow')}<span>${texts.FOLLOW_LESSON}</span>
    </button>`;
  }

  private readsButton(): TemplateResult {
    return html`<button
      type="button"
      class="tb"
      aria-expanded=${this.reads}
      aria-label=${texts.OTHER_INPUT}
      title=${texts.OTHER_INPUT}
      @click=${() => (this.reads = !this.reads)}
    >
      ${icon('edit')}
    </button>`;
  }

  /** Pins the stage that stands beside the first, or would. */
  private pinButton([stage, second]: readonly Stage[]): TemplateResult {
    const { pinned } = this.lab;
    const pin = (): void => this.lab.pin(pinned ? null : (second ?? BESIDE[stage!]));
    const words = pinned ? texts.UNPIN : texts.PIN;
    return html`<button
      type="button"
      class="tb"
      aria-pressed=${pinned !== null}
      aria-label=${words}
      title=${words}
      @click=${pin}
    >
      ${icon('two')}
    </button>`;
  }

  private presentButton(): TemplateResult | typeof nothing {
    if (!this.lab.linked) return nothing;
    const words = this.presenting ? texts.LEAVE_PRESENTING : texts.PRESENT;
    return html`<button
      type="button"
      class="tb"
      aria-pressed=${this.presenting}
      aria-label=${words}
      title=${words}
      @click=${() => (this.presenting = !this.presenting)}
    >
      ${icon('present')}
    </button>`;
  }

  private readonly onEscape = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) this.presenting = false;
  };

  private pane(stage: Stage, place: number): TemplateResult {
    const first = place === 0;
    return html`<div
      class="pane"
      data-pane=${stage}
      id=${first ? this.idOf('stage') : nothing}
      role=${first ? 'tabpanel' : 'region'}
      aria-labelledby=${first ? this.idOf(`tab-${stage}`) : nothing}
      aria-label=${first ? nothing : texts.STAGES[stage]}
    >
      ${first ? nothing : this.paneChoice(stage)} ${this.content(stage)}
    </div>`;
  }

  /** Which stage stands beside the first. */
  private paneChoice(stage: Stage): TemplateResult {
    return html`<div class="pane-choice" role="group" aria-label=${texts.BESIDE}>
      ${STAGES.filter((each) => each !== this.lab.stage).map(
        (each) =>
          html`<button type="button" class="link" aria-pressed=${each === stage} @click=${() => this.lab.pin(each)}>
            ${texts.STAGES[each]}
          </button>`,
      )}
    </div>`;
  }

  private content(stage: Stage): TemplateResult {
    if (stage === 'picture') return html`<u-bench-views></u-bench-views>`;
    if (stage === 'numbers') return html`${keyed(this.lab.info?.kind, html`<u-board></u-board>`)}<u-why></u-why>`;
    if (stage === 'code') return html`<u-code></u-code>`;
    return this.trains ? html`<u-train></u-train>` : html`<p class="hint">${texts.NOTHING_TO_TRAIN}</p>`;
  }

  private readonly onTabKey = (event: KeyboardEvent): void => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const buttons = [...this.querySelectorAll<HTMLButtonElement>('[role=tab]')];
    const next = buttons.at((buttons.findIndex((button) => button.ariaSelected === 'true') + by) % buttons.length);
    next?.click();
    next?.focus();
  };
}

customElements.define('u-bench', Bench);
/** One sentence on what to change, or on what was discarded; it stays until dismissed or until something succeeds. */
export class ProblemBar extends LabElement {
  protected readonly topics = ['problem'] as const;

  protected override render(): TemplateResult {
    const { problem, notice } = this.lab;
    const shown = problem ? this.sentence(problem.message, problem.detail) : null;
    return html`<div class="problem-live" role="status" aria-live="polite">
      ${shown ?? (notice ? this.sentence(notice.message, '', notice.action) : nothing)}
    </div>`;
  }

  private sentence(message: string, detail: string, action?: Notice['action']): TemplateResult {
    return html`<div class="problem">
      <p title=${detail || nothing}>${message}</p>
      ${action ? html`<button type="button" class="btn small" @click=${action.run}>${action.label}</button>` : nothing}
      <button type="button" class="tbn" aria-label=${texts.DISMISS} @click=${() => this.lab.dismiss()}>
        ${icon('close')}
      </button>
    </div>`;
  }
}

customElements.define('u-problem', ProblemBar);
