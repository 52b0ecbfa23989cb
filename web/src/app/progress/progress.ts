// <u-progress>: fills the table of the page "Your progress" from what this browser keeps; exports, imports and prints it.
import * as texts from '#messages/progress';
import { notSaved } from '#messages/unsaved';
import { dayOf } from '../../messages/intl';
import { html, type TemplateResult } from 'lit';
import { exercises } from 'virtual:exercises';
import { exportProgress } from '../../lesson/task/export-progress';
import { addRecord, keptRecord, type LearnerRecord } from '../../lab/store/record';
import { BadRecord, recordFrom } from '../../lab/store/record-file';
import { PlainElement, states } from '../../ui/lab-element';
import { QUESTIONS } from '../questions/sitting';
import { summaryOf, sumOf, type Summary } from './summary';

export class ProgressPage extends PlainElement {
  static override properties = states('said', 'refused', 'record');
  record: LearnerRecord | null = null;
  said = '';
  refused = '';

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('pageshow', this.show);
  }
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('pageshow', this.show);
  }

  protected override firstUpdated(): void {
    void this.show();
  }

  protected override render(): TemplateResult {
    return html`<p class="sum">${this.record ? texts.sum(sumOf(this.summaries(this.record))) : ''}</p>
      <p class="acts">
        <button type="button" class="btn" @click=${exportProgress}>${texts.EXPORT}</button>
        <button type="button" class="btn" @click=${() => this.field.click()}>${texts.IMPORT}</button>
        <button type="button" class="btn" @click=${() => print()}>${texts.PRINT}</button>
        <input type="file" accept=".json,application/json" hidden aria-label=${texts.IMPORT} @change=${this.take} />
      </p>
      <p class="said" role="status">${this.said}</p>
      <p class="refused" role="alert">${this.refused}</p>`;
  }

  private get field(): HTMLInputElement {
    return this.querySelector('input')!;
  }

  private readonly show = async (): Promise<void> => {
    this.record = (await keptRecord()) ?? null;
    if (!this.record) this.refused ||= texts.UNREADABLE;
    else for (const summary of this.summaries(this.record)) fill(summary);
  };

  private summaries(record: LearnerRecord): Summary[] {
    return exercises.map(([lesson, tasks]) => summaryOf(lesson, tasks, record.get(lesson)));
  }

  private readonly take = async (): Promise<void> => {
    const [file] = this.field.files!;
    this.field.value = ''; // the same file may be chosen again
    if (!file) return;
    this.said = this.refused = '';
    try {
      const outcome = await addRecord(await recordFrom(file, names));
      if (outcome === 'kept') this.said = texts.IMPORTED;
      else this.refused = notSaved('imported', outcome);
    } catch (error) {
      this.refused = texts.notImported(error instanceof BadRecord ? error.message : texts.UNREADABLE_FILE);
    }
    await this.show();
  };
}

const names = [...exercises.map(([lesson]) => lesson), QUESTIONS];

/** The row that the build has written. */
function fill({ lesson, read, solved, exercises, answered, tries, last }: Summary): void {
  const row = document.querySelector<HTMLElement>(`[data-record="${lesson}"]`);
  if (!row) return;
  row.dataset.state = read && solved === exercises ? 'done' : last ? 'begun' : 'open';
  const words = {
    read: read ? dayOf(read) : '',
    solved: texts.outOf(solved, exercises),
    answered: answered && String(answered),
    tries: tries && String(tries),
    last: last && dayOf(last),
  };
  for (const [name, text] of Object.entries(words))
    row.querySelector(`[data-is="${name}"]`)!.textContent = text ? text : texts.NOTHING_YET;
}

customElements.define('u-progress', ProgressPage);
