// <u-own-pairs>: pairs of the learner's own, pasted or typed; what stands there is kept, whatever the engine says to it.
import { html, type TemplateResult } from 'lit';
import { LabElement } from './lab-element';
import { takeRefusal } from './refusal';
import { learning } from './settings';
import { countsOf, lineNamedIn } from './task-words';
import type { Config } from '../types';

const KEY = 'own-pairs';
const MOST = 1_000_000;

/** Of this tab of the browser; a link has no room for it. */
function keep(text: string): void {
  try {
    sessionStorage.setItem(KEY, text);
  } catch {
    // The browser keeps nothing, or not so much: the text lasts as long as the page.
  }
}

function kept(): string {
  try {
    return sessionStorage.getItem(KEY) ?? '';
  } catch {
    return '';
  }
}

let draft: string | null = null;

export class OwnPairs extends LabElement {
  static override properties = { refused: { state: true } };
  declare refused: string;

  constructor() {
    super();
    this.refused = '';
    draft ??= kept();
  }

  private get inUse(): string {
    return String(this.lab.config().pairs ?? '');
  }

  protected override render(): TemplateResult {
    const text = (draft ||= this.inUse);
    return html`<label for="own-pairs">Your pairs, one a line: source, tab, target</label>
      <textarea
        id="own-pairs"
        rows="6"
        wrap="off"
        spellcheck="false"
        autocomplete="off"
        aria-describedby="own-pairs-refused own-pairs-about"
        aria-invalid=${this.refused !== ''}
        .value=${text}
        @input=${this.typed}
      ></textarea>
      <p class="refused" id="own-pairs-refused" role="alert">${this.refused}</p>
      <div class="row">
        <button type="button" class="btn" @click=${this.use}>Use these pairs</button>
        <button type="button" class="btn quiet" @click=${this.insertTab}>Insert a tab</button>
      </div>
      <p class="about" role="status">${this.standing(text)}</p>
      <p class="about" id="own-pairs-about">
        Words if there is a blank inside any text, else characters; at most 63 of them a side, and 20,000 lines. The
        pairs stay in this browser: a link does not hold them.
      </p>`;
  }

  private standing(text: string): string {
    const { task } = this.lab;
    if (!text || text !== this.inUse) return text ? 'Not in use yet.' : '';
    return task ? `In use: ${countsOf(task)}` : '';
  }

  private get field(): HTMLTextAreaElement {
    return this.querySelector('textarea')!;
  }

  private readonly typed = (): void => {
    draft = this.field.value;
    keep(draft);
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
    const done = !long && (await this.lab.configure(await this.settingsFor(text)));
    this.refused = long ? tooLong(text) : done ? '' : takeRefusal(this.lab);
    if (!done) this.show(text);
  };

  private settingsFor(pairs: string): Promise<Config> {
    return learning({ pairs }, this.lab.config(), (task, model) => this.lab.recipe(task, model));
  }

  /** The line that was refused is marked. */
  private show(text: string): void {
    const [start, end] = lineNamedIn(this.refused, text) ?? [0, 0];
    this.field.focus();
    if (end) this.field.setSelectionRange(start, end);
  }
}

const tooLong = (text: string): string =>
  `The pairs have ${text.length.toLocaleString('en')} characters: use at most ${MOST.toLocaleString('en')}.`;

customElements.define('u-own-pairs', OwnPairs);
