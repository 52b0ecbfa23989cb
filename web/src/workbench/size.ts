// <u-size>: estimated size of the model and its training step: with the settings being typed, else as it is.
import { html, nothing, type TemplateResult } from 'lit';
import { hasTask } from '../engine/own-data';
import { LabElement } from '../ui/lab-element';
import { allOfThem, sizeWords } from '../ui/words';
import type { Config } from '../engine/types';

/** Debounce in milliseconds: the engine builds the task again for every estimate. */
const PAUSE = 200;

export class Size extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = { draft: { attribute: false }, message: { state: true } };
  draft: Config = {};
  message = '';
  /** Configuration of the last estimate, compared by identity: the learner's own text in it may be long. */
  private estimatedConfig: Config | null = null;
  private estimatedDraft: Config | null = null;
  private timer = 0;

  protected override render(): TemplateResult | typeof nothing {
    const { task } = this.lab;
    if (!task) return nothing;
    return html`<p>${[this.message, allOfThem(task, this.lab.config())].filter(Boolean).join(' ')}</p>`;
  }

  protected override updated(): void {
    const { info, state } = this.lab;
    if (!info || (this.estimatedConfig === state.config && this.estimatedDraft === this.draft)) return;
    this.estimatedConfig = state.config;
    this.estimatedDraft = this.draft;
    this.message = '';
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask({ ...this.lab.config(), ...this.draft }), PAUSE);
  }

  private async ask(config: Config): Promise<void> {
    const { estimatedDraft, estimatedConfig } = this;
    const reply = hasTask(config) ? await this.lab.engine.estimate(config) : null;
    if (estimatedDraft !== this.estimatedDraft || estimatedConfig !== this.estimatedConfig) return;
    this.message = reply ? (reply.ok ? sizeWords(reply.value) : reply.message) : '';
  }
}

customElements.define('u-size', Size);
