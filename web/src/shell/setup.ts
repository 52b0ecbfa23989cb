// <u-setup>: on the workbench page, which model with which settings and seed.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from './lab-element';
import { CHOICES, startOf, type Choice, type Setting } from './models';
import { typed, unreadable, written } from './typed';
import type { Config } from '../types';

type Value = Config[string];

const SEED: Setting = { key: 'seed', label: 'Seed', start: 1 };

export class Setup extends LabElement {
  static override properties = { refused: { state: true } };
  /** Why the typed text was not taken. */
  declare refused: string;

  constructor() {
    super();
    this.refused = '';
  }

  private get choice(): Choice {
    return CHOICES.find(({ kind }) => kind === this.lab.config().kind) ?? CHOICES[0]!;
  }

  protected override render(): TemplateResult {
    const { kind, about, settings } = this.choice;
    const config = this.lab.config();
    return html`<form class="setup" aria-label="Model" @submit=${(event: Event) => event.preventDefault()}>
      <label class="field"
        ><span>Model</span
        ><select name="kind" .value=${kind} @change=${this.pick}>
          ${CHOICES.map((choice) => html`<option value=${choice.kind} ?selected=${choice.kind === kind}>${choice.title}</option>`)}
        </select></label
      >
      <p class="about">${about}</p>
      ${[...settings, SEED].map((setting) => this.field(setting, config[setting.key] ?? setting.start))}
      <p class="refused" role="alert">${this.refused}</p>
    </form>`;
  }

  private field(setting: Setting, value: Value): TemplateResult {
    return html`<label class="field"
      ><span>${setting.label}</span>${setting.options ? this.list(setting, value) : this.text(setting, value)}</label
    >`;
  }

  private list({ key, options = [] }: Setting, value: Value): TemplateResult {
    return html`<select name=${key} .value=${String(value)} @change=${(event: Event) => this.set(key, value, event)}>
      ${options.map((option) => html`<option value=${option} ?selected=${option === value}>${option.replaceAll('_', ' ')}</option>`)}
    </select>`;
  }

  private text({ key }: Setting, value: Value): TemplateResult {
    return html`<input
      name=${key}
      .value=${written(value)}
      autocomplete="off"
      inputmode=${typeof value === 'number' ? 'decimal' : nothing}
      @change=${(event: Event) => this.set(key, value, event)}
    />`;
  }

  private readonly pick = (event: Event): void => {
    const { value } = event.target as HTMLSelectElement;
    const choice = CHOICES.find(({ kind }) => kind === value);
    if (choice) void this.lab.configure(startOf(choice));
  };

  /** Refused, here or by the engine: the field shows again what is in force. */
  private async set(key: string, now: Value, event: Event): Promise<void> {
    const field = event.target as HTMLInputElement;
    const value = typed(field.value, now);
    this.refused = value === null ? unreadable(this.labelOf(key), field.value, now) : '';
    const done = value !== null && (await this.lab.configure({ [key]: value }));
    if (!done) field.value = written(now);
  }

  private labelOf(key: string): string {
    return [...this.choice.settings, SEED].find((setting) => setting.key === key)?.label ?? key;
  }
}

customElements.define('u-setup', Setup);
