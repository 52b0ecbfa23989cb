// <u-setup>: on the workbench page, which model with which settings and seed. Its fields are the model's own config.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from './lab-element';
import type { Config } from '../types';

type Value = Config[string];

interface Choice {
  title: string;
  about: string;
  config: Config;
  /** Settings with a closed list of values; the others are typed by their value. */
  options?: Record<string, string[]>;
}

const CHOICES: Choice[] = [
  {
    title: 'Softmax of five scores',
    about: 'Scores in, weights out, and the loss of picking one of them.',
    config: { kind: 'softmax', scores: [1, 5, 2, 1, 1], temperature: 1, target: 1 },
  },
  {
    title: 'Self-attention over four words',
    about: 'Queries, keys and values of four words of three numbers each.',
    config: { kind: 'attention', score: 'scaled_dot', mask: 'none' },
    options: { mask: ['none', 'causal', 'padding'] },
  },
];

const NAMES: Record<string, string> = { scores: 'Scores', temperature: 'Temperature', target: 'Target', score: 'Score', mask: 'Mask' };

export class Setup extends LabElement {
  protected override render(): TemplateResult {
    const config = this.lab.config();
    const choice = CHOICES.find((candidate) => candidate.config.kind === config.kind) ?? CHOICES[0]!;
    return html`<form class="setup" @submit=${(event: Event) => event.preventDefault()}>
      <label class="field"
        ><span>Model</span>
        <select name="kind" @change=${this.pick}>
          ${CHOICES.map(({ title, config: { kind } }) => html`<option value=${String(kind)} ?selected=${kind === config.kind}>${title}</option>`)}
        </select></label
      >
      <p class="about">${choice.about}</p>
      ${Object.keys(choice.config)
        .filter((key) => key !== 'kind' && (choice.options?.[key] || key !== 'score'))
        .map((key) => this.field(key, config[key] ?? choice.config[key]!, choice.options?.[key]))}
      ${this.field('seed', config.seed ?? 1)}
    </form>`;
  }

  private field(key: string, value: Value, options?: string[]): TemplateResult {
    const change = (event: Event): void => void this.set(key, value, event.target as HTMLInputElement);
    const label = html`<span>${NAMES[key] ?? 'Seed'}</span>`;
    if (options) {
      return html`<label class="field"
        >${label}<select name=${key} @change=${change}>
          ${options.map((option) => html`<option ?selected=${option === value}>${option}</option>`)}
        </select></label
      >`;
    }
    const text = Array.isArray(value) ? value.join(' ') : String(value);
    return html`<label class="field"
      >${label}<input name=${key} .value=${text} autocomplete="off" inputmode=${typeof value === 'number' ? 'decimal' : nothing} @change=${change}
    /></label>`;
  }

  private readonly pick = (event: Event): void => {
    const kind = (event.target as HTMLSelectElement).value;
    const choice = CHOICES.find((candidate) => candidate.config.kind === kind);
    if (choice) void this.lab.configure(choice.config);
  };

  /** Refused: the field shows again what is in force. */
  private async set(key: string, old: Value, field: HTMLInputElement): Promise<void> {
    const done = await this.lab.configure({ [key]: parse(field.value, old) });
    if (!done) field.value = Array.isArray(old) ? old.join(' ') : String(old);
  }
}

/** As what the setting was before; what is no number goes to the engine as it was typed, to be refused in its words. */
function parse(text: string, like: Value): Value {
  const numbers = text.trim().split(/[\s,;]+/).map(Number);
  if (Array.isArray(like)) return numbers.every(Number.isFinite) ? numbers : text;
  return typeof like === 'number' && numbers.length === 1 && Number.isFinite(numbers[0]) ? numbers[0]! : text;
}

customElements.define('u-setup', Setup);
