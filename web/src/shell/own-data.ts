// <u-own-data of="pairs">: pairs or a text of the learner's own, pasted or typed; what stands there is kept, whatever the
// engine says to it.
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from './lab-element';
import { takeRefusal } from './refusal';
import { learning } from './settings';
import { countsOf, lineNamedIn } from './task-words';
import type { OwnData as What } from '../engine/own-data';
import type { Config } from '../types';

const MOST = 1 << 20;

/** What is said of each. */
const SAID: Record<What, { label: string; use: string; about: string; name: string; before: string; empty: string }> = {
  pairs: {
    label: 'Your pairs, one a line: source, tab, target',
    use: 'Use these pairs',
    name: 'The pairs have',
    before: 'are the pairs from before',
    empty: 'Type or paste pairs of your own here, at least two lines of source, tab, target.',
    about:
      'Words if there is a blank inside any text, else characters; at most 63 of them a side, and 20,000 lines. The pairs stay in this browser: a link does not hold them.',
  },
  text: {
    label: 'Your text',
    use: 'Use this text',
    name: 'The text has',
    before: 'is the text from before',
    empty: 'Type or paste a text of your own here.',
    about:
      'At least 100 characters, or 100 words where it is read as words; of more than 5,000 different ones the rarest are read as <unk>. Eight parts of ten are learnt from. The text stays in this browser: a link does not hold it.',
  },
};

const keyOf = (what: What): string => `own-${what}`;

/** Of this tab of the browser; a link has no room for it. */
function keep(what: What, text: string): void {
  try {
    sessionStorage.setItem(keyOf(what), text);
  } catch {
    // The browser keeps nothing, or not so much: the text lasts as long as the page.
  }
}

/** null: nothing was typed; an empty text was emptied. */
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
    const { label, use, about } = SAID[this.of];
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
      <p class="about" role="status">${this.standing(text)}</p>
      <p class="about" id="${id}-about">${about}</p>`;
  }

  private standing(text: string): string {
    const { task } = this.lab;
    const { empty, before } = SAID[this.of];
    const counts = task ? countsOf(task) : '';
    if (text) return text === this.inUse ? `In use: ${counts}` : 'Not in use yet.';
    return `In use ${this.inUse ? before : `is the task ${task?.name}`}: ${counts} ${empty}`;
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
    const long = text.length > MOST;
    const done = !long && (await this.lab.configure((now) => this.settingsFor(text, now)));
    this.refused = long ? tooLong(this.of, text) : done ? '' : takeRefusal(this.lab);
    if (!done) this.show(text);
  };

  private settingsFor(data: string, now: Config): Promise<Config> {
    return learning({ [this.of]: data }, now, (task, model) => this.lab.recipe(task, model));
  }

  /** The line that was refused is marked. */
  private show(text: string): void {
    const [start, end] = lineNamedIn(this.refused, text) ?? [0, 0];
    this.field.focus();
    if (end) this.field.setSelectionRange(start, end);
  }
}

const tooLong = (what: What, text: string): string =>
  `${SAID[what].name} ${text.length.toLocaleString('en')} characters: use at most ${MOST.toLocaleString('en')}.`;

customElements.define('u-own-data', OwnData);
