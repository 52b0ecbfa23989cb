// <u-own-data of="pairs">: pairs or a text of the learner's own, typed, pasted or from a file. Below the field stands
// what was read of it; the engine gets that. The draft is kept even if it is refused.
import { fileCut, fileRead, NOT_OPENED, OPEN_FILE, READ_AS_LATIN, READING } from '#messages/reader';
import { INSERT_TAB, inUse, NOT_IN_USE, OWN_DATA, stillInUse, taskInUse, tooLong } from '#messages/workbench';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import * as v from 'valibot';
import { keepTypedHere, typedAt } from '../lab/store/web-storage';
import { decode } from '../reader/clean';
import { readOwn, type Job, type ProseRead, type Reading } from '../reader/own';
import type { PairChoices, PairsRead, Tokens } from '../reader/pairs';
import { SEPARATORS } from '../reader/table';
import { JOINER } from '../reader/tokens';
import { LabElement, states } from '../ui/lab-element';
import { countsOf, rangeOfLine } from '../ui/words';
import { LongReader } from './long-reader';
import { pairsReport, proseReport, type Choosing } from './own-report';
import { withTask } from './settings';
import type { OwnData as What } from '../engine/own-data';
import type { Config } from '../engine/types';

const PLAIN: PairChoices = { punctuation: false, unspaced: true };

// The draft and how it is to be read are kept for this browser tab, since a link has no room for them.

const drafts: Partial<Record<What, string>> = {};
const index = v.pipe(v.number(), v.integer(), v.minValue(0));
const schema = v.object({
  separator: v.optional(v.picklist(SEPARATORS)),
  columns: v.optional(v.tuple([index, index])),
  tokens: v.optional(v.picklist(['words', 'characters'])),
  punctuation: v.boolean(),
  unspaced: v.boolean(),
});

/** Storing or reading a longer text takes longer than typing a letter should: it waits until typing has paused so long. */
const LONG = 20_000;
const PAUSE = 300;
const waiting: Partial<Record<What, number>> = {};

function keepDraft(what: What, text: string): void {
  drafts[what] = text;
  clearTimeout(waiting[what]);
  if (text.length > LONG) waiting[what] = window.setTimeout(() => store(what), PAUSE);
  else store(what);
}

function store(what: What): void {
  delete waiting[what];
  keepTypedHere(what, drafts[what]!);
}

addEventListener('pagehide', () => {
  for (const what of Object.keys(waiting)) store(what as What);
});

/** Undefined if nothing was typed yet; "" if the learner emptied the field. */
const draftOf = (what: What): string | undefined => (drafts[what] ??= typedAt(what) ?? undefined);

const keepChoices = (choices: PairChoices): void => keepTypedHere('reading', JSON.stringify(choices));

/** Undefined if nothing was chosen yet. */
function choicesKept(): PairChoices | undefined {
  try {
    return v.parse(schema, JSON.parse(typedAt('reading') ?? 'null'));
  } catch {
    return undefined;
  }
}

const MEGABYTE = 1 << 20;
/** More than is read, but not more than a field can show without stalling. */
const MOST = 4 * MEGABYTE;

/** The text of a file for the field, and what is to be said of it. */
async function openFile(file: File): Promise<{ text: string; remark: string }> {
  const cut = file.size > MOST;
  const { text, encoding } = decode(new Uint8Array(await file.slice(0, MOST).arrayBuffer()), cut);
  const lines = text.replace(/\r\n?/g, '\n');
  const remarks = [
    fileRead(file.name),
    cut && fileCut(Math.ceil(file.size / MEGABYTE), MOST / MEGABYTE),
    encoding === 'windows-1252' && READ_AS_LATIN,
  ];
  return { text: cut ? wholeLines(lines) : lines, remark: remarks.filter(Boolean).join(' ') };
}

const wholeLines = (text: string): string => text.slice(0, text.lastIndexOf('\n') + 1 || text.length);

/** More than the engine takes. */
const MAX_CHARACTERS = 8 << 20;
/** Milliseconds after which reading takes long. */
const PATIENCE = 1000;

export class OwnData extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = {
    of: { type: String },
    ...states('refused', 'remark', 'choices', 'reading', 'takesLong'),
  };
  of: What = 'pairs';
  refused = '';
  /** On the file that was opened. */
  remark = '';
  choices: PairChoices = PLAIN;
  /** Null for a text that is too long. */
  reading: Reading | null = null;
  /** The text is still being read. */
  takesLong = false;
  private timer = 0;
  private readonly reader = new LongReader();
  /** What was to be read last, and what `reading` is of. */
  private asked: Job | null = null;
  private done: Job | null = null;

  private get inUse(): string {
    return String(this.lab.config()[this.of] ?? '');
  }

  /** How the engine reads the data that is in use. */
  private get unitInUse(): Tokens | undefined {
    return this.inUse ? (this.lab.config().tokens as Tokens | undefined) : undefined;
  }

  private get text(): string {
    return draftOf(this.of) ?? this.inUse.replaceAll(JOINER, '');
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const tokens = this.unitInUse;
    const lines: Partial<PairChoices> = this.inUse ? { separator: '\t', columns: [0, 1] } : {};
    const asInUse: PairChoices = { ...PLAIN, ...lines, ...(tokens && { tokens }) };
    this.choices = choicesKept() ?? (draftOf(this.of) === undefined ? asInUse : PLAIN);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.get('of')) this.refused = this.remark = '';
    if (changed.has('of') || changed.has('choices') || this.unitOfText !== this.asked?.tokens) void this.readNow();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.timer);
    this.reader.stop();
  }

  /** Undefined for pairs, whose reading finds it. */
  private get unitOfText(): Tokens | undefined {
    return this.of === 'pairs' ? undefined : (this.unitInUse ?? 'characters');
  }

  private get job(): Job {
    const { of, text, choices, unitOfText: tokens } = this;
    return { of, text, choices, tokens };
  }

  /** What is read of an older text never takes the place of a newer one. */
  private async readNow(): Promise<void> {
    const job = (this.asked = this.job);
    clearTimeout(this.timer);
    this.reader.stop();
    if (job.text.length > MAX_CHARACTERS) return this.put(job, null);
    if (job.text.length <= LONG) return this.put(job, readOwn(job));
    if (job.of !== this.reading?.of) this.reading = null;
    const late = window.setTimeout(() => (this.takesLong = job === this.asked), PATIENCE);
    const reading = await this.reader.read(job);
    clearTimeout(late);
    if (job === this.asked) this.put(job, reading);
  }

  private put(job: Job, reading: Reading | null): void {
    this.done = job;
    this.reading = reading;
    this.takesLong = false;
  }

  private get isRead(): boolean {
    const { done, job } = this;
    return done !== null && Object.entries(job).every(([name, value]) => done[name as keyof Job] === value);
  }

  protected override render(): TemplateResult {
    const id = this.idOf(`own-${this.of}`);
    const { label, use, about } = OWN_DATA[this.of];
    const { text } = this;
    return html`<label for=${id}>${label}</label>
      <textarea
        class="entry"
        id=${id}
        rows="6"
        wrap=${this.of === 'pairs' ? 'off' : 'soft'}
        spellcheck="false"
        autocomplete="off"
        aria-describedby="${id}-refused ${id}-about"
        aria-invalid=${this.refused !== ''}
        .value=${live(text)}
        @input=${this.typed}
        @dragover=${this.mayDrop}
        @drop=${this.drop}
      ></textarea>
      <p class="refused" id="${id}-refused" role="alert">${this.refused}</p>
      <div class="row">
        <button type="button" class="btn" @click=${this.use}>${use}</button>
        ${this.of === 'pairs' ? html`<button type="button" class="btn quiet" @click=${this.insertTab}>${INSERT_TAB}</button>` : nothing}
        <button type="button" class="btn quiet" @click=${this.chooseFile}>${OPEN_FILE}</button>
        <input type="file" hidden accept=".txt,.tsv,.csv,.tab,.json,.jsonl,text/*" @change=${this.fileChosen} />
      </div>
      <p class="about" role="status">${this.remark}</p>
      ${this.takesLong ? html`<p class="about" role="status">${READING}</p>` : text.trim() ? this.report() : nothing}
      <p class="about" role="status">${this.status(text)}</p>
      <p class="about" id="${id}-about">${about}</p>`;
  }

  private report(): TemplateResult | typeof nothing {
    const { reading, refused, choices, choose, showLine } = this;
    const choosing: Choosing = { refused, choices, choose, showLine };
    if (!reading) return nothing;
    if (reading.of === 'text') return proseReport(reading.read, choosing);
    return pairsReport(reading.read, reading.why, choosing);
  }

  private status(text: string): string {
    const { task } = this.lab;
    const counts = task ? countsOf(task) : '';
    if (text) return this.isInUse(text) ? inUse(counts) : NOT_IN_USE;
    return this.inUse ? stillInUse(this.of, counts) : taskInUse(this.of, task?.name ?? '', counts);
  }

  private isInUse(text: string): boolean {
    if (!this.inUse) return false;
    const read = this.reading?.read;
    const sameUnit = this.of === 'text' || this.unitInUse === read?.tokens;
    return (this.unitInUse === undefined && text === this.inUse) || (read?.data === this.inUse && sameUnit);
  }

  private get field(): HTMLTextAreaElement {
    return this.querySelector('textarea')!;
  }

  private readonly typed = (): void => {
    this.remark = '';
    this.setText(this.field.value);
  };

  private setText(text: string): void {
    this.refused = '';
    keepDraft(this.of, text);
    clearTimeout(this.timer);
    if (!text.trim()) this.choose({ separator: undefined, columns: undefined, tokens: undefined });
    if (text.length > LONG) this.timer = window.setTimeout(() => void this.readNow(), PAUSE);
    else void this.readNow();
    this.requestUpdate();
  }

  private readonly choose = (change: Partial<PairChoices>): void => {
    this.choices = { ...this.choices, ...change };
    keepChoices(this.choices);
  };

  private readonly insertTab = (): void => {
    const { field } = this;
    field.setRangeText('\t', field.selectionStart, field.selectionEnd, 'end');
    field.focus();
    this.typed();
  };

  private readonly chooseFile = (): void => this.querySelector<HTMLInputElement>('[type=file]')!.click();

  private readonly fileChosen = (event: Event): void => {
    const input = event.target as HTMLInputElement;
    void this.open(input.files?.[0]);
    input.value = ''; // the same file may be chosen again
  };

  private readonly mayDrop = (event: DragEvent): void => {
    if (Array.from(event.dataTransfer?.items ?? []).some(({ kind }) => kind === 'file')) event.preventDefault();
  };

  /** Text that is dropped goes where the browser puts it. */
  private readonly drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    void this.open(file);
  };

  private async open(file: File | undefined): Promise<void> {
    if (!file) return;
    try {
      const { text, remark } = await openFile(file);
      this.choose({ separator: undefined, columns: undefined, tokens: undefined });
      this.setText(text);
      this.remark = remark;
    } catch {
      this.remark = NOT_OPENED;
    }
  }

  private readonly use = async (): Promise<void> => {
    const { text, of } = this;
    if (text.length > MAX_CHARACTERS) return this.refuse(tooLong(of, text.length, MAX_CHARACTERS));
    if (!this.isRead) await this.readNow();
    const { reading } = this;
    if (!reading || text !== this.text) return; // it was changed meanwhile
    const { read } = reading;
    if (reading.of === 'pairs' && reading.why) return this.refuse(reading.why);
    const reply = await this.lab.configure((now) => this.settingsFor(read, now), {}, true);
    if (reply.ok) return void (this.refused = '');
    const line = reply.place?.line;
    this.refuse(reply.message, line && reading.of === 'pairs' ? reading.read.lines[line - 1] : line);
  };

  private settingsFor({ data, tokens }: PairsRead | ProseRead, now: Config): Promise<Config> {
    return withTask({ [this.of]: data, tokens }, now, (task, model) => this.lab.queries.recipe(task, model));
  }

  private readonly showLine = (line: number): void => {
    this.field.focus();
    this.field.setSelectionRange(...rangeOfLine(line, this.field.value));
  };

  /** Selects the line that was refused, if it is one. */
  private refuse(why: string, line?: number): void {
    this.refused = why;
    if (line) this.showLine(line);
    else this.field.focus();
  }
}

customElements.define('u-own-data', OwnData);
