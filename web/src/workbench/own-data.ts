// <u-own-data of="pairs">: pairs or a text of the learner's own, typed or pasted. The draft is kept even if the engine
// refuses it.
import {
  FORGET,
  FORGET_ALL,
  INSERT_TAB,
  inUse,
  NOT_FORGOTTEN,
  NOT_IN_USE,
  OWN_DATA,
  stillInUse,
  taskInUse,
  tooLong,
} from '#messages/workbench';
import { html, nothing, type TemplateResult } from 'lit';
import { LabElement } from '../ui/lab-element';
import { DRAFTS, forgetWork } from '../lab/store/forget';
import { lineOf } from '../messages/sentence';
import { withTask } from './settings';
import { countsOf, rangeOfLine } from '../ui/task-words';
import type { OwnData as What } from '../engine/own-data';
import type { Config } from '../engine/types';

const MAX_CHARACTERS = 1 << 20;

const keyOf = (what: What): string => DRAFTS[what];

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
  protected readonly topics = ['run'] as const;
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
    const id = this.idOf(keyOf(this.of));
    const { label, use, about } = OWN_DATA[this.of];
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
        ${this.of === 'pairs' ? html`<button type="button" class="btn quiet" @click=${this.insertTab}>${INSERT_TAB}</button>` : nothing}
        <button type="button" class="btn quiet" @click=${this.forget}>${FORGET}</button>
      </div>
      <p class="about" role="status">${this.status(text)}</p>
      <p class="about" id="${id}-about">${about}</p>`;
  }

  private status(text: string): string {
    const { task } = this.lab;
    const counts = task ? countsOf(task) : '';
    if (text) return text === this.inUse ? inUse(counts) : NOT_IN_USE;
    return this.inUse ? stillInUse(this.of, counts) : taskInUse(this.of, task?.name ?? '', counts);
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
    if (text.length > MAX_CHARACTERS) return this.refuse(text, tooLong(this.of, text.length, MAX_CHARACTERS));
    const reply = await this.lab.configure((now) => this.settingsFor(text, now), {}, true);
    if (reply.ok) this.refused = '';
    else this.refuse(text, reply.message, lineOf(reply));
  };

  /** Then starts the page afresh: what it shows and what other parts of it remember goes as well. */
  private readonly forget = async (): Promise<void> => {
    if (!confirm(FORGET_ALL)) return;
    try {
      await forgetWork();
      location.assign(location.pathname);
    } catch {
      this.refused = NOT_FORGOTTEN;
    }
  };

  private settingsFor(data: string, now: Config): Promise<Config> {
    return withTask({ [this.of]: data }, now, (task, model) => this.lab.recipe(task, model));
  }

  /** Selects the line that was refused, if it is one. */
  private refuse(text: string, why: string, line?: number): void {
    this.refused = why;
    this.field.focus();
    if (line) this.field.setSelectionRange(...rangeOfLine(line, text));
  }
}

customElements.define('u-own-data', OwnData);
