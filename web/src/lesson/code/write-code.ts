// <u-write-code>: an exercise in which the reader writes a function. The editor and the engine of programs are fetched
// when the reader wants to write.
import * as texts from '#messages/lesson/code';
import { A_SOLUTION } from '#messages/lesson/verdicts';
import { CHECK, HINT, NEXT_HINT, SHOW_SOLUTION, WORKING } from '#messages/lesson/tasks';
import { html, nothing, type TemplateResult } from 'lit';
import { exercises } from 'virtual:code';
import '../../bench/code/program.css';
import { Checker, type Checked } from '../../editor/checker';
import { Refused } from '../../engine/refused';
import { draftOf, keepDraft } from '../../editor/draft';
import { remembered } from '../../editor/members';
import { encodeLink } from '../../lab/link/link';
import { LabElement, states } from '../../ui/lab-element';
import { shapeText } from '../../ui/numbers';
import { Checking } from '../../engine/checking';
import { verdictLine, UnreadableAnswer, type Verdict } from '../task/answer';
import { builtHtml } from '../../ui/built-html';
import type { Try } from '../../lab/store/attempts';
import { gradeCode, withCall } from './grade-code';
import type { Mistake, ProgramEditor } from '../../editor/program-editor';
import type { Code } from '../format/tasks';

export class WriteCode extends LabElement {
  protected readonly topics = [] as const;
  static override properties = states(
    ...['tries', 'solved'],
    ...['task', 'phase', 'mistake', 'verdict', 'complaint', 'hints', 'peeked'],
  );
  /** Earlier answers, the last one last. */
  tries: readonly Try[] = [];
  solved = false;
  task: Code | null = null;
  phase: 'loading' | 'open' | 'checking' | 'failed' = 'loading';
  mistake: Mistake | null = null;
  verdict: Verdict | null = null;
  complaint = '';
  /** How many are shown. */
  hints = 0;
  peeked = false;
  private editor: ProgramEditor | null = null;
  private listing: ((program: string) => TemplateResult) | null = null;
  private checker: Checker | null = null;
  private readonly checking = new Checking();

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.checker?.stop();
    this.checking.close();
    this.editor?.destroy();
    this.editor = null;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated) void this.open(); // was taken out of the page, and put back
  }

  private get exercise(): string {
    return `${this.lab.page.lesson}/${this.closest('u-task')!.id}`;
  }

  /** The last text that was checked, else the one to start from. */
  private get checked(): string {
    return this.tries.at(-1)?.answer ?? this.task!.start;
  }

  protected override render(): TemplateResult {
    return html`${this.callingCode()}
      <div class="program-text" @keydown=${(event: Event) => event.stopPropagation()}></div>
      ${this.mistake ? html`<p class="mistake">${this.mistake.message}</p>` : nothing}
      ${this.phase === 'loading' ? html`<p class="hint">${texts.LOADING}</p>` : this.actions()}
      <div role="status">${this.outcome()}</div>
      ${this.peeked ? this.solution() : nothing}`;
  }

  /** The functions after the reader's, which call them. */
  private callingCode(): TemplateResult | typeof nothing {
    const given = this.task?.given;
    if (!given || !this.listing) return nothing;
    return html`<details class="program-given" open>
      <summary>${texts.GIVEN}</summary>
      ${this.listing(given)}
    </details>`;
  }

  private actions(): TemplateResult | typeof nothing {
    const { task } = this;
    if (!task || !this.editor) return nothing;
    const shown = task.hints.slice(0, this.hints);
    const more = this.hints < task.hints.length;
    return html`<div class="row">
        <button type="button" class="btn" @click=${this.check}>${CHECK}</button>
        ${more ? html`<button type="button" class="btn quiet" @click=${() => this.hints++}>${this.hints ? NEXT_HINT : HINT}</button>` : nothing}
        ${this.solved || (this.tries.length > 1 && !more) ? html`<button type="button" class="btn quiet" aria-expanded=${this.peeked} @click=${() => (this.peeked = !this.peeked)}>${SHOW_SOLUTION}</button>` : nothing}
        <button type="button" class="btn quiet" @click=${() => (this.editor!.text = task.start)}>
          ${texts.BEGIN_AGAIN}
        </button>
        <button type="button" class="btn quiet" @click=${this.step}>${texts.STEP_IT}</button>
      </div>
      ${shown.map((hint) => html`<p class="hint-text">${builtHtml(hint)}</p>`)}`;
  }

  private outcome(): TemplateResult | typeof nothing {
    if (this.phase === 'failed') return html`<p class="verdict wrong">${texts.NOT_LOADED}</p>`;
    if (this.phase === 'checking') return html`<p class="hint">${WORKING}</p>`;
    return verdictLine(this.complaint, this.verdict);
  }

  private solution(): TemplateResult {
    return html`<p class="verdict"><b>${A_SOLUTION}</b> ${texts.ONE_SOLUTION}</p>
      <div class="program-solution">${this.listing!(this.task!.solution[0]!)}</div>`;
  }

  protected override firstUpdated(): void {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      const [{ ProgramEditor }, { listing }, { default: task }, operations] = await Promise.all([
        import('../../editor/program-editor'),
        import('../../editor/look'),
        exercises[this.exercise]!(),
        this.checking.operations(),
      ]);
      if (!operations.ok) throw new Error(operations.message);
      if (!this.isConnected || this.editor) return;
      this.task = task;
      this.listing = listing;
      const call = (text: string): string => withCall(text, task, task.cases[0]!);
      this.checker = new Checker((text) => this.checking.outline({ kind: 'program', program: call(text) }), this.show);
      const room = this.querySelector('.program-text')!;
      this.editor = new ProgramEditor(room, draftOf(this.exercise, this.checked) ?? this.checked, {
        label: texts.LABEL,
        operations: operations.value,
        membersOf: remembered((path) => this.checking.members(path)),
        onEdit: this.edited,
        onRun: () => void this.check(),
        onPoint: () => undefined,
      });
      this.phase = 'open';
      this.checker.check(this.editor.text, 0);
      this.editor.focus();
    } catch (error) {
      console.error(error);
      this.phase = 'failed';
    }
  }

  private readonly edited = (text: string): void => {
    this.verdict = null;
    this.complaint = '';
    keepDraft(this.exercise, this.checked, text);
    this.checker?.check(text);
  };

  /** A mistake in the call after the text is shown when the text is checked. */
  private readonly show = ({ text, lines, mistake }: Checked): void => {
    if (text !== this.editor?.text) return;
    const count = text.trimEnd().split('\n').length;
    this.mistake = mistake && mistake.line <= count ? mistake : null;
    const shown = lines.filter(({ line }) => line <= count && line !== mistake?.line);
    this.editor.mark({ shapes: new Map(shown.map(({ line, shape }) => [line, shapeText(shape)])) });
    this.editor.showMistake(this.mistake);
  };

  private readonly check = async (): Promise<void> => {
    const { task, editor } = this;
    if (!task || !editor || this.phase !== 'open') return;
    const { text } = editor;
    this.phase = 'checking';
    this.verdict = null;
    this.complaint = '';
    try {
      const verdict = await this.checking.probe((session) => gradeCode(session, task, text));
      if (text === editor.text) this.verdict = verdict;
      this.dispatchEvent(new CustomEvent<Try>('checked', { detail: { answer: text, right: verdict.right } }));
    } catch (error) {
      if (!(error instanceof UnreadableAnswer || error instanceof Refused)) throw error;
      this.complaint = error.message;
    } finally {
      this.phase = 'open';
    }
  };

  /** The workbench opens with the program and its call on the first case. */
  private readonly step = async (): Promise<void> => {
    const program = withCall(this.editor!.text, this.task!, this.task!.cases[0]!);
    const link = await encodeLink({ lesson: '', config: { kind: 'program' }, program });
    window.open(new URL(`../../workbench/${link}`, location.href), '_blank');
  };
}

customElements.define('u-write-code', WriteCode);
