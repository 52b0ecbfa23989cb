// <u-setup>: the model, its settings and its seed on the workbench page; <u-size> estimates it, <u-forget> removes all work.
import './setup.css';
import * as texts from '#messages/workbench';
import { nameOf } from '#messages/ui';
import { html, nothing, type TemplateResult } from 'lit';
import { resetInputs } from '../lab/changes';
import { isLink } from '../lab/link/fragment';
import { forgetWork } from '../lab/store/forget';
import { LabElement, states } from '../ui/lab-element';
import { changesOf, CHOICES, startOf } from './models';
import { comeBack, isUntouched, keepModel, takeUp } from './kept-models';
import './own-data';
import { field, optionsOf } from '../ui/choices';
import { kindOf } from '../engine/kinds';
import { hasTask, type OwnData } from '../engine/own-data';
import { OWN, type Choice, type Group, type Recipes, type Setting } from './settings';
import { allOfThem, countsOf, sizeWords } from '../ui/words';
import { typed, written } from '../ui/numbers';
import type { Config } from '../engine/types';

type Value = Config[string];
type Field = HTMLInputElement | HTMLSelectElement;

const SEED: Setting = { key: 'seed', start: 1 };

export class Setup extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = states('editsOwnData', 'opened', 'draft');
  /** The learner is entering their own pairs or text; until they are used, the model keeps its task. */
  editsOwnData = false;
  /** "More settings" is open. */
  opened = false;
  /** Settings being typed, not applied yet. */
  draft: Config = {};
  /** The page was opened without a link, and nothing has been done: what was left here is not written over. */
  private opens = !isLink(location.hash);
  /** What was left here comes back once. */
  private back: Promise<void> | null = null;

  private get choice(): Choice {
    return CHOICES.find(({ kind }) => kind === this.lab.config().kind) ?? CHOICES[0]!;
  }

  protected override render(): TemplateResult {
    const { kind, about, settings, more } = this.choice;
    const kinds = html`<select name="kind" .value=${kind} @change=${this.pick}>
      ${CHOICES.map((choice) => html`<option value=${choice.kind} ?selected=${choice.kind === kind}>${choice.title}</option>`)}
    </select>`;
    return html`<form class="setup" aria-label=${texts.MODEL} @submit=${(event: Event) => event.preventDefault()}>
      ${field(texts.MODEL, kinds)}
      <p class="about">${about}</p>
      <div class="fields">${this.fields([...settings, SEED])}</div>
      <u-size .draft=${this.draft}></u-size>
      ${more ? this.moreSettings(more) : nothing}
      <u-forget></u-forget>
    </form>`;
  }

  /** Not <details>: while one is closed, Chromium takes time quadratic in a field's lines to select its text. */
  private moreSettings(groups: readonly Group[]): TemplateResult {
    const id = this.idOf('more-settings');
    const toggle = (): boolean => (this.opened = !this.opened);
    return html`<button type="button" class="more" aria-expanded=${this.opened} aria-controls=${id} @click=${toggle}>
        ${texts.MORE_SETTINGS}
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
      .map((setting) => (setting.key === 'task' ? this.task(setting) : this.field(setting, this.current(setting))));
  }

  private current({ key, start }: Setting): Value {
    return this.lab.config()[key] ?? start;
  }

  /** The learner's own data becomes the task when it is used; until then, choosing it only opens its field. */
  private task(setting: Setting): TemplateResult {
    const now = this.current(setting);
    const shown = this.editsOwnData ? OWN : now;
    return html`${this.field(setting, shown)}
    ${shown === OWN ? html`<u-own-data of=${this.own}></u-own-data>` : this.counts()}`;
  }

  private get own(): OwnData {
    return kindOf(this.choice.kind).texts ? 'text' : 'pairs';
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
    return field(texts.labelOf(this.choice.kind, setting.key), entry);
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
      class="entry"
      name=${key}
      .value=${written(value)}
      autocomplete="off"
      inputmode=${typeof value === 'number' ? 'decimal' : nothing}
      @input=${(event: Event) => this.updateDraft(key, value, event)}
      @change=${(event: Event) => this.set(key, value, event)}
    />`;
  }

  private readonly pick = (event: Event): void => {
    const field = event.target as HTMLSelectElement;
    const choice = CHOICES.find(({ kind }) => kind === field.value)!;
    this.editsOwnData = false;
    void this.begin(choice).then((done) => done || (field.value = this.choice.kind));
  };

  /** A kind that was there before comes back as it was left. */
  private begin(choice: Choice): Promise<boolean> {
    return takeUp(this.lab, choice.kind, () => startOf(choice, this.recipes));
  }

  protected override updated(): void {
    const { lab } = this;
    if (!lab.trace) return;
    this.opens &&= isUntouched(lab.state);
    if (this.opens) this.back ??= comeBack(lab, () => startOf(this.choice, this.recipes));
    else keepModel(lab, lab.state);
  }

  private async updateDraft(key: string, now: Value, event: Event): Promise<void> {
    this.draft = await this.settings(key, typed((event.target as Field).value, now), this.lab.config());
  }

  /** If the engine refuses the value, the field reverts to the current one. */
  private async set(key: string, now: Value, event: Event): Promise<void> {
    const field = event.target as Field;
    if (key === 'task') this.editsOwnData = field.value === OWN;
    if (this.editsOwnData && key === 'task') return;
    const done = await this.put(key, typed(field.value, now));
    if (!done) field.value = written(now);
    this.draft = {};
  }

  private async put(key: string, value: Value): Promise<boolean> {
    const settings = (now: Config): Promise<Config> => this.settings(key, value, now);
    return (await this.lab.configure(settings, { inputs: resetInputs({ [key]: value }) })).ok;
  }

  private settings(key: string, value: Value, now: Config): Promise<Config> {
    return changesOf(this.choice, { [key]: value }, now, this.recipes);
  }

  private readonly recipes: Recipes = (task, model) => this.lab.queries.recipe(task, model);

  private nameOf(option: string): string {
    return option === OWN ? texts.OWN_DATA[this.own].name : nameOf(option);
  }
}

/** Debounce in milliseconds: the engine builds the task again for every estimate. */
const PAUSE = 200;

/** Estimated size of the model and its training step: with the settings being typed, else as it is. */
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

/** Removes the learner's work from this browser. It stands apart from what is pressed often. */
export class ForgetWork extends LabElement {
  protected readonly topics = [] as const;
  static override properties = { refused: { state: true } };
  refused = '';

  protected override render(): TemplateResult {
    return html`<p class="about">${texts.FORGET_ABOUT}</p>
      <button type="button" class="btn quiet" @click=${this.forget}>${texts.FORGET}</button>
      <p class="refused" role="alert">${this.refused}</p>`;
  }

  /** Then starts the page afresh: what it shows and what other parts of it remember goes as well. */
  private readonly forget = async (): Promise<void> => {
    if (!confirm(texts.FORGET_ALL)) return;
    try {
      await forgetWork();
      location.assign(location.pathname);
    } catch {
      this.refused = texts.NOT_FORGOTTEN;
    }
  };
}

customElements.define('u-size', Size);
customElements.define('u-forget', ForgetWork);
customElements.define('u-setup', Setup);
