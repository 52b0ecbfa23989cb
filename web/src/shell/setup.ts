// <u-setup>: on the workbench page, which model with which settings and seed.
import '../styles/setup.css';
import { html, nothing, type TemplateResult } from 'lit';
import { asSet } from '../lab';
import { LabElement } from './lab-element';
import { CHOICES, settingsOf, startOf } from './models';
import './own-data';
import { optionsOf } from './options-of';
import type { OwnData } from '../engine/own-data';
import { OWN, type Choice, type Group, type Recipes, type Setting } from './settings';
import { countsOf } from './task-words';
import './size';
import { typed, written } from './typed';
import type { Config } from '../types';

type Value = Config[string];
type Field = HTMLInputElement | HTMLSelectElement;

const SEED: Setting = { key: 'seed', label: 'Seed', start: 1 };

export class Setup extends LabElement {
  static override properties = { bringsOwn: { state: true }, opened: { state: true }, sketch: { state: true } };
  /** Pairs or a text of the learner's own are being written; the model still learns what it learnt. */
  declare bringsOwn: boolean;
  /** All settings are on show. */
  declare opened: boolean;
  /** What is being typed, and not in force yet. */
  declare sketch: Config;

  constructor() {
    super();
    this.bringsOwn = this.opened = false;
    this.sketch = {};
  }

  private get choice(): Choice {
    return CHOICES.find(({ kind }) => kind === this.lab.config().kind) ?? CHOICES[0]!;
  }

  protected override render(): TemplateResult {
    const { kind, about, settings, more } = this.choice;
    return html`<form class="setup" aria-label="Model" @submit=${(event: Event) => event.preventDefault()}>
      <label class="field"
        ><span>Model</span
        ><select name="kind" .value=${kind} @change=${this.pick}>
          ${CHOICES.map((choice) => html`<option value=${choice.kind} ?selected=${choice.kind === kind}>${choice.title}</option>`)}
        </select></label
      >
      <p class="about">${about}</p>
      <div class="fields">${this.fields([...settings, SEED])}</div>
      <u-size .sketch=${this.sketch}></u-size>
      ${more ? this.behind(more) : nothing}
    </form>`;
  }

  /** No <details>: while one is closed, Chromium needs the square of its lines to select the text in a field beside it. */
  private behind(groups: readonly Group[]): TemplateResult {
    const id = 'more-settings';
    const turn = (): boolean => (this.opened = !this.opened);
    return html`<button type="button" class="more" aria-expanded=${this.opened} aria-controls=${id} @click=${turn}>
        More settings
      </button>
      <div id=${id} ?hidden=${!this.opened}>${groups.map((group) => this.group(group))}</div>`;
  }

  private group({ title, settings }: Group): TemplateResult {
    return html`<fieldset>
      <legend>${title}</legend>
      <div class="fields">${this.fields(settings)}</div>
    </fieldset>`;
  }

  private fields(settings: readonly Setting[]): TemplateResult[] {
    const config = this.lab.config();
    return settings
      .filter(({ when }) => when?.(config) ?? true)
      .map((setting) => (setting.key === 'task' ? this.task(setting) : this.field(setting, this.inForce(setting))));
  }

  private inForce({ key, start }: Setting): Value {
    return this.lab.config()[key] ?? start;
  }

  /** What is one's own is a task when it is in use; until then the choice only opens the field for it. */
  private task(setting: Setting): TemplateResult {
    const now = this.inForce(setting);
    const shown = this.bringsOwn ? OWN : now;
    return html`${this.field(setting, shown)}
    ${shown === OWN ? html`<u-own-data of=${this.own}></u-own-data>` : this.counts()}`;
  }

  private get own(): OwnData {
    return this.choice.kind === 'transformer_lm' ? 'text' : 'pairs';
  }

  private counts(): TemplateResult | typeof nothing {
    const { task } = this.lab;
    return task ? html`<p class="about">${countsOf(task)}</p>` : nothing;
  }

  private field(setting: Setting, value: Value): TemplateResult {
    const entry =
      typeof setting.start === 'boolean'
        ? this.box(setting, value === true)
        : setting.options
          ? this.list(setting, setting.options, value)
          : this.text(setting, value);
    return html`<label class="field"><span>${setting.label}</span>${entry}</label>`;
  }

  private box({ key }: Setting, value: boolean): TemplateResult {
    return html`<input
      type="checkbox"
      name=${key}
      .checked=${value}
      @change=${(event: Event) => {
        const field = event.target as HTMLInputElement;
        void this.put(key, field.checked).then((done) => done || (field.checked = value));
      }}
    />`;
  }

  private list({ key }: Setting, options: readonly string[], value: Value): TemplateResult {
    return html`<select name=${key} .value=${String(value)} @change=${(event: Event) => this.set(key, value, event)}>
      ${optionsOf(options, String(value), (option) => this.nameOf(option))}
    </select>`;
  }

  private text({ key }: Setting, value: Value): TemplateResult {
    return html`<input
      name=${key}
      .value=${written(value)}
      autocomplete="off"
      inputmode=${typeof value === 'number' ? 'decimal' : nothing}
      @input=${(event: Event) => this.draw(key, value, event)}
      @change=${(event: Event) => this.set(key, value, event)}
    />`;
  }

  private readonly pick = (event: Event): void => {
    const field = event.target as HTMLSelectElement;
    const choice = CHOICES.find(({ kind }) => kind === field.value)!;
    this.bringsOwn = false;
    void this.begin(choice).then((done) => done || (field.value = this.choice.kind));
  };

  private begin(choice: Choice): Promise<boolean> {
    return this.lab.configure(() => startOf(choice, this.recipes));
  }

  private async draw(key: string, now: Value, event: Event): Promise<void> {
    this.sketch = await this.settings(key, typed((event.target as Field).value, now), this.lab.config());
  }

  /** Where the engine refuses it the field shows again what is in force. */
  private async set(key: string, now: Value, event: Event): Promise<void> {
    const field = event.target as Field;
    if (key === 'task') this.bringsOwn = field.value === OWN;
    if (this.bringsOwn && key === 'task') return;
    const done = await this.put(key, typed(field.value, now));
    if (!done) field.value = written(now);
    this.sketch = {};
  }

  private put(key: string, value: Value): Promise<boolean> {
    const settings = (now: Config): Promise<Config> => this.settings(key, value, now);
    return this.lab.configure(settings, { inputs: asSet({ [key]: value }) });
  }

  /** With what follows from it, unless it is none of the values that the setting has. */
  private async settings(key: string, value: Value, now: Config): Promise<Config> {
    const { start } = settingsOf(this.choice).find((setting) => setting.key === key) ?? SEED;
    const follows = typeof value === typeof start;
    return { [key]: value, ...(follows && (await this.choice.follow?.(key, value, now, this.recipes))) };
  }

  private readonly recipes: Recipes = (task, model) => this.lab.recipe(task, model);

  private nameOf(option: string): string {
    return option === OWN ? `own ${this.own}` : option.replaceAll('_', ' ');
  }
}

customElements.define('u-setup', Setup);
