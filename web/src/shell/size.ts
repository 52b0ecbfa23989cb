// <u-size>: what a training step of the model would take, before it is made: with what is being typed, else as it is.
import { html, nothing, type TemplateResult } from 'lit';
import { hasTask } from '../engine/own-data';
import { LabElement } from './lab-element';
import { allOfThem, sizeWords } from './task-words';
import type { Config } from '../types';

/** Milliseconds without another key: the task is made anew for every answer. */
const PAUSE = 200;

export class Size extends LabElement {
  static override properties = { sketch: { attribute: false }, said: { state: true } };
  declare sketch: Config;
  declare said: string;
  /** What was last asked about; the learner's own text in it may be long. */
  private settings: Config | null = null;
  private drawn: Config | null = null;
  private timer = 0;

  constructor() {
    super();
    this.sketch = {};
    this.said = '';
  }

  protected override render(): TemplateResult | typeof nothing {
    const { task } = this.lab;
    if (!task) return nothing;
    return html`<p>${[this.said, allOfThem(task, this.lab.config())].filter(Boolean).join(' ')}</p>`;
  }

  protected override updated(): void {
    const { info, state } = this.lab;
    if (!info || (this.settings === state.config && this.drawn === this.sketch)) return;
    this.settings = state.config;
    this.drawn = this.sketch;
    this.said = '';
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.ask({ ...this.lab.config(), ...this.sketch }), PAUSE);
  }

  private async ask(config: Config): Promise<void> {
    const { drawn, settings } = this;
    const reply = hasTask(config) ? await this.lab.estimate(config) : null;
    if (drawn !== this.drawn || settings !== this.settings) return;
    this.said = reply ? (reply.ok ? sizeWords(reply.value) : reply.message) : '';
  }
}

customElements.define('u-size', Size);
