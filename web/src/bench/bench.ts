// <u-bench>: board, transport, code and inspector, beside the text; below 768 px at the default text size, a bottom
// sheet with tabs. Breakpoints are in em, so large text makes the same window narrow. <u-problem>: what it has to say.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import * as texts from '#messages/bench/bench';
import { busyWith } from '#messages/lab';
import './bench.css';
import { hasTask } from '../engine/own-data';
import type { Notice } from '../lab/notice';
import { icon } from '../ui/icons';
import { narrow } from '../ui/narrow';
import { LabElement } from '../ui/lab-element';
import { shortName } from '../figures/shared/marks';
import { MAPS, viewsOf } from '../figures/views';

type Tab = keyof typeof texts.TABS;
const TAB_ORDER: readonly Tab[] = ['model', 'weights', 'code', 'insp', 'train'];

export class Bench extends LabElement {
  protected readonly topics = ['run', 'activity'] as const;
  static override properties = { tab: { state: true } };
  tab: Tab = 'model';
  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('bench');
    this.setAttribute('role', 'complementary');
    this.ariaLabel ??= texts.WORKBENCH;
    this.tabIndex = -1; // a click anywhere on the bench gives it the focus, and with it the keys
    this.listen(narrow, 'change', this.onChange);
    this.listen(this.lab, 'edit-cell', () => (this.tab = 'insp')); // in a sheet, the cell is in another panel
  }

  protected override willUpdate(_: PropertyValues): void {
    this.dataset.tab = this.tab;
    if (this.trains) void import('./training/panel');
    if (this.hasViews) void import('./bench-views');
    if (narrow.matches) void import('./sheet');
    this.setAttribute('aria-busy', String(this.lab.busy !== null));
  }

  protected override render(): TemplateResult {
    return html`${narrow.matches ? [this.lab.linked ? html`<u-handle></u-handle>` : nothing, this.tabs()] : nothing}
      <u-problem></u-problem>
      ${this.panel(narrow.matches && this.tab === 'weights' ? 'weights' : 'model', this.model())}
      <u-transport></u-transport>
      <div class="lower">
        ${this.panel('code', html`<u-code></u-code>`)} ${this.panel('insp', html`<u-inspector></u-inspector>`)}
      </div>
      ${this.trains ? this.panel('train', html`<u-train></u-train>`) : nothing}
      <p class="vh" aria-live="polite">${this.lab.trace ? nothing : busyWith(this.lab.busy)}</p>`;
  }

  /** True for a model with a task: it has a pair and a training panel, whose room is reserved before it is loaded. */
  private get trains(): boolean {
    return hasTask(this.lab.config());
  }

  private get views(): readonly string[] {
    return viewsOf(this.lab.page.views, this.lab.config().kind);
  }

  /** Always true on the workbench, where views can be chosen. */
  private get hasViews(): boolean {
    return this.views.length > 0 || !this.lab.page.lesson;
  }

  /** True if a view of attention weights has some to show; an alignment also needs the pair's tokens. */
  private get hasMap(): boolean {
    const { trace, pair } = this.lab;
    const attends = trace?.nodes.some(({ name, phase }) => phase === 'forward' && shortName(name) === 'α');
    return !!attends && this.views.some((view) => MAPS.includes(view) && (view !== 'alignment' || pair !== null));
  }

  private model(): TemplateResult {
    const { shown } = this;
    const views = this.hasViews ? html`<u-bench-views show=${shown}></u-bench-views>` : nothing;
    if (shown === 'weights' && this.hasMap) return html`${views}`;
    return html`${this.trains && shown !== 'weights' ? html`<u-pair></u-pair>` : nothing}
    ${shown === 'weights' ? nothing : views}${keyed(this.lab.info?.kind, html`<u-board show=${shown}></u-board>`)}`;
  }

  private get shown(): string {
    return !narrow.matches ? 'all' : this.tab === 'weights' ? 'weights' : 'model';
  }

  private panel(name: Tab, content: TemplateResult): TemplateResult {
    return html`<div
      class="panel"
      data-panel=${name}
      ?data-chosen=${this.tab === name}
      id=${this.idOf(`panel-${name}`)}
      role=${narrow.matches ? 'tabpanel' : nothing}
      aria-labelledby=${narrow.matches ? this.idOf(`tab-${name}`) : nothing}
    >
      ${content}
    </div>`;
  }

  private tabs(): TemplateResult {
    const shown = TAB_ORDER.filter((name) => name !== 'train' || this.trains);
    return html`<div class="tabs" role="tablist" aria-label=${texts.WORKBENCH} @keydown=${this.onTabKey}>
      ${shown.map(
        (name) =>
          html`<button
            type="button"
            role="tab"
            id=${this.idOf(`tab-${name}`)}
            aria-controls=${this.idOf(`panel-${name}`)}
            aria-selected=${this.tab === name}
            tabindex=${this.tab === name ? 0 : -1}
            @click=${() => (this.tab = name)}
          >
            ${texts.TABS[name]}
          </button>`,
      )}
    </div>`;
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
