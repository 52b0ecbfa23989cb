// <u-own-data of="pairs">: pairs or a text of the learner's own, typed or pasted. The draft is kept even if the engine
// refuses it.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../ui/lab-element';
import { takeRefusal } from '../ui/refusal';
import { withTask } from './settings';
import { countsOf, lineNamedIn } from '../ui/task-words';
import type { OwnData as What } from '../engine/own-data';
import type { Config } from '../engine/types';

const MAX_CHARACTERS = 1 << 20;

/** Interface texts for each kind of data. */
const TEXTS: Record<What, { label: string; use: string; about: string; name: string; before: string; empty: string }> =
  {
    pairs: {
      label: 'Your pairs, one per line: source, tab, target',
      use: 'Use these pairs',
      name: 'The pairs have',
      before: 'your previous pairs',
      empty: 'Type or paste pairs of your own here, at least two lines of source, tab, target.',
      about:
        'Read as words if any text contains a space, otherwise as characters; at most 63 per side, and 20,000 lines. The pairs stay in this browser and are not part of a link.',
    },
    text: {
      label: 'Your text',
      use: 'Use this text',
      name: 'The text has',
      before: 'your previous text',
      empty: 'Type or paste a text of your own here.',
      about:
        'At least 100 characters, or 100 words if read as words; beyond 5,000 different ones, the rarest become <unk>. 80 % of the text is used for training. The text stays in this browser and is not part of a link.',
    },
  };

const keyOf = (what: What): string => `own-${what}`;

/** For this browser tab; a link has no room for it. */
function keep(what: What, text: string): void {
  try {
    sessionStorage.setItem(keyOf(what), text);
  } catch {
    // No storage, or not enough of it: the text lasts as long as the page.
  }
}

/** Null if nothing was typed yet; "" if the learner emptied the field. */
function kept(what: What): string | null {
  try {
    return sessionStorage.getItem(keyOf(what));
  } catch {
    return null;
  }
}

const drafts: Partial<Record<What, string>> = {};

export class OwnData extends LabElement {
  static override properties = { of: { type: String }, refused: { state: true } };
  declare of: What;
  declare refused: string;

  constructor() {
    super();
    this.of = 'pairs';
    this.refused = '';
  }

  private get inUse(): string {
    return String(this.lab.config()[this.of] ?? '');
  }

  protected override render(): TemplateResult {
    const id = keyOf(this.of);
    const { label, use, about } = TEXTS[this.of];
    const text = (drafts[this.of] ??= kept(this.of) ?? this.inUse);
    return html`<label for=${id}>${label}</label>
      <textarea
        id=${id}
        rows="6"
        wrap=${this.of === 'pairs' ? 'off' : 'soft'}
        spellcheck="false"
        autocomplete="off"
        aria-describedby="${id}-refused ${id}-about"
        aria-invalid=${this.refused !== ''}
        .value=${text}
        @input=${this.typed}
      ></textarea>
      <p class="refused" id="${id}-refused" role="alert">${this.refused}</p>
      <div class="row">
        <button type="button" class="btn" @click=${this.use}>${use}</button>
        ${this.of === 'pairs' ? html`<button type="button" class="btn quiet" @click=${this.insertTab}>Insert a tab</button>` : nothing}
      </div>
      <p class="about" role="status">${this.status(text)}</p>
      <p class="about" id="${id}-about">${about}</p>`;
  }

  private status(text: string): string {
    const { task } = this.lab;
    const { empty, before } = TEXTS[this.of];
    const counts = task ? countsOf(task) : '';
    if (text) return text === this.inUse ? `In use: ${counts}` : 'Not in use yet.';
    return `${this.inUse ? `Still in use: ${before}` : `In use: the task ${task?.name}`}. ${counts} ${empty}`;
  }

  private get field(): HTMLTextAreaElement {
    return this.querySelector('textarea')!;
  }

  private readonly typed = (): void => {
    drafts[this.of] = this.field.value;
    keep(this.of, this.field.value);
    this.requestUpdate();
  };

  private readonly insertTab = (): void => {
    const { field } = this;
    field.setRangeText('\t', field.selectionStart, field.selectionEnd, 'end');
    field.focus();
    this.typed();
  };

  private readonly use = async (): Promise<void> => {
    const text = this.field.value;
    const long = text.length > MAX_CHARACTERS;
    const done = !long && (await this.lab.configure((now) => this.settingsFor(text, now)));
    this.refused = long ? tooLong(this.of, text) : done ? '' : takeRefusal(this.lab);
    if (!done) this.show(text);
  };

  private settingsFor(data: string, now: Config): Promise<Config> {
    return withTask({ [this.of]: data }, now, (task, model) => this.lab.recipe(task, model));
  }

  /** Selects the line that was refused. */
  private show(text: string): void {
    const [start, end] = lineNamedIn(this.refused, text) ?? [0, 0];
    this.field.focus();
    if (end) this.field.setSelectionRange(start, end);
  }
}

const tooLong = (what: What, text: string): string =>
  `${TEXTS[what].name} ${text.length.toLocaleString('en')} characters: the limit is ${MAX_CHARACTERS.toLocaleString('en')}.`;

customElements.define('u-own-data', OwnData);
