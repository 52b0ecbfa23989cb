// <u-program>: the learner's own program in the code pane, where it is written and stepped. It runs when asked to; until
// then the last good program and its training stay.
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import './program.css';
import * as texts from '#messages/bench/program';
import { Checker, mistakeIn, placeOf, type Checked } from '../../editor/checker';
import { draftOf, keepDraft, keepRan, placeIn } from '../../editor/draft';
import { remembered } from '../../editor/members';
import type { Mistake, ProgramEditor } from '../../editor/program-editor';
import { Checking } from '../../engine/checking';
import { root } from '../../engine/addresses';
import { lineKey } from '../../lab/cursor';
import type { Problem, TraceScope } from '../../engine/types';
import { isOfLibrary } from '../../figures/shared/source';
import { unplaced } from '../../messages/sentence';
import { LabElement, states } from '../../ui/lab-element';
import { saveFile } from '../../ui/save-file';
import { PROGRAM, shapesIn, shapesOn } from './line-shapes';
import { tensorsOfLine } from './lines';
import { joiningsFor, type FoundIn } from './pasted';
import { examplesOf } from './programs';

const GUIDE = new URL('lessons/write/', root).href;

const lineCount = (text: string): number => text.split('\n').length;

export class Program extends LabElement {
  protected readonly topics = ['run', 'cursor', 'hover', 'activity', 'problem'] as const;
  static override properties = states('file', 'engine', 'mistake', 'text', 'failed', 'pasted');
  /** Of the running line: the program's, or one of the engine's sources. */
  file = '';
  /** The pane shows that source and not the program. */
  engine = false;
  /** The first in the text as it is. */
  mistake: Mistake | null = null;
  /** As typed. */
  text = '';
  /** The editor could not be loaded. */
  failed = false;
  /** What was found in a file that was pasted last. */
  pasted: FoundIn | null = null;
  private editor: ProgramEditor | null = null;
  private checker: Checker | null = null;
  private readonly checking = new Checking();
  /** The problem that was last marked. */
  private reported: Problem | null = null;
  /** The program that the text was last compared with. */
  private applied = '';
  private appliedAt = '';
  /** The running line when it was last scrolled to: hovering must not scroll back there. */
  private revealed: number | null = null;

  override connectedCallback(): void {
    super.connectedCallback();
    if (this.hasUpdated && !this.editor) void this.open(); // was taken out of the page, and put back
    this.checker = new Checker(
      (text) => this.checking.outline(this.lab.queries.withProgram(text)),
      (checked) => this.show(checked),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.checker?.stop();
    this.checking.close();
    this.lab.written = null;
    queueMicrotask(() => this.isConnected || this.closeEditor()); // a move takes it out for a moment
  }

  private closeEditor(): void {
    this.editor?.destroy();
    this.editor = null;
  }

  private get running(): string {
    return String(this.lab.config().program ?? '');
  }

  private get place(): string {
    const { kind, part } = this.lab.config();
    return placeIn(this.lab.page.lesson, kind, part);
  }

  private get changed(): boolean {
    return this.text !== this.running;
  }

  protected override willUpdate(_: PropertyValues): void {
    const { running, place } = this;
    this.markProblem();
    const stays = place === this.appliedAt;
    if (!running || (stays && running === this.applied)) return; // without a program this element is about to go
    this.applied = running;
    this.appliedAt = place;
    if (!stays) this.pasted = null;
    if (!stays || running !== this.lab.ran) return this.put(draftOf(place, running) ?? running);
    keepRan(place, running);
    this.lab.written = this.changed ? this.text : null;
  }

  /** What loading or training has found, once: the text may change after it. */
  private markProblem(): void {
    const { problem } = this.lab;
    if (problem === this.reported) return;
    this.reported = problem;
    if (problem?.code === 'E_PROGRAM' && placeOf(problem)) this.mark(mistakeIn(problem));
  }

  private put(text: string): void {
    this.text = text;
    this.lab.written = this.changed ? text : null;
    if (this.editor && this.editor.text !== text) this.editor.text = text;
    this.checker?.check(text, 0);
  }

  protected override render(): TemplateResult {
    return html`<div class="program-bar">${this.sources()} ${this.engine ? nothing : this.actions()}</div>
      ${this.engine || !this.pasted ? nothing : this.notice(this.pasted)}
      <div class="program-text" ?hidden=${this.engine}>${this.editor ? nothing : html`<pre>${this.text}</pre>`}</div>
      <div class="program-foot" ?hidden=${this.engine}>
        <p class="mistake" role="status" aria-live="polite">
          ${this.failed ? texts.NO_EDITOR : (this.mistake?.message ?? nothing)}
        </p>
        ${this.changed || this.lab.config().part !== undefined ? nothing : this.exporting()}
      </div>`;
  }

  private sources(): TemplateResult {
    const choose = (engine: boolean): void =>
      void this.dispatchEvent(new CustomEvent('choose-engine', { detail: engine }));
    return html`<span class="switch" role="group" aria-label=${texts.SHOWN}>
      <button type="button" aria-pressed=${!this.engine} @click=${() => choose(false)}>${texts.YOUR_PROGRAM}</button>
      <button
        type="button"
        aria-pressed=${this.engine}
        ?disabled=${this.file === '' || this.file === PROGRAM}
        @click=${() => choose(true)}
      >
        ${isOfLibrary(this.file) ? texts.LIBRARY : texts.ENGINE}
      </button>
    </span>`;
  }

  /** Saves the running program as a script for PyTorch. */
  private readonly export = async (): Promise<void> => {
    const reply = await this.lab.queries.pytorch();
    if (reply.ok) saveFile('program.py', new Blob([reply.value], { type: 'text/x-python' }));
    else this.lab.reportProblem(reply);
  };

  private actions(): TemplateResult {
    const { changed } = this;
    return html`<button
        type="button"
        class="btn small ${changed ? 'main' : ''}"
        title=${texts.RUN_TITLE}
        ?disabled=${!changed}
        @click=${this.run}
      >
        ${texts.RUN}
      </button>
      ${
        changed
          ? html`<button type="button" class="btn small quiet" @click=${() => this.put(this.running)}>
              ${texts.REVERT}
            </button>`
          : nothing
      }
      <a class="guide" href=${GUIDE}>${texts.GUIDE}</a>
      ${this.lab.page.lesson || changed ? nothing : this.examples()}`;
  }

  private exporting(): TemplateResult {
    return html`<button type="button" class="btn small quiet" title=${texts.EXPORT_TITLE} @click=${this.export}>
      ${texts.EXPORT}
    </button>`;
  }

  private examples(): TemplateResult | typeof nothing {
    const all = examplesOf(this.lab.config());
    if (!all.length) return nothing;
    const take = async ({ target }: Event): Promise<void> => {
      const field = target as HTMLSelectElement;
      const chosen = all[Number(field.value)];
      field.value = '';
      if (chosen) this.put(await chosen.text());
    };
    return html`<select class="examples" aria-label=${texts.EXAMPLES_TITLE} @change=${take}>
      <option value="">${texts.EXAMPLES_TITLE}</option>
      ${all.map(({ name }, i) => html`<option value=${i}>${name}</option>`)}
    </select>`;
  }

  protected override firstUpdated(): void {
    void this.open();
  }

  private async open(): Promise<void> {
    try {
      const [{ ProgramEditor }, operations] = await Promise.all([
        import('../../editor/program-editor'),
        this.checking.operations(),
      ]);
      if (!this.isConnected || this.editor) return;
      this.editor = new ProgramEditor(this.querySelector('.program-text')!, this.text, {
        label: texts.LABEL,
        operations: operations.ok ? operations.value : [],
        membersOf: remembered((path) => this.checking.members(path)),
        onEdit: (text) => this.edited(text),
        onPaste: (text) => void this.readPaste(text),
        onRun: this.run,
        onPoint: (line) => this.point(line),
      });
      this.checker?.check(this.text, 0);
    } catch {
      this.failed = true;
    }
  }

  /** Keeps of a whole file what defines models; one step of undo brings the file back. */
  private async readPaste(text: string): Promise<void> {
    if (this.lab.config().part !== undefined) return;
    const reply = await this.checking.readPaste(text);
    if (!reply.ok || text !== this.text) return; // its mistake is shown as that of any text
    const { value } = reply;
    if (!value.leftOut.length && (value.makesModel || !value.joinings.length)) return;
    const reasons = await Promise.all(value.leftOut.map(({ reason }) => unplaced(reason)));
    if (text !== this.text) return;
    const leftOut = value.leftOut.map(({ first, last }, i) => ({ first, last, reason: reasons[i]! }));
    this.pasted = { file: text, leftOut, ...joiningsFor(this.lab.config().kind, value) };
    if (leftOut.length) this.put(value.text);
  }

  private notice(found: FoundIn): TemplateResult {
    const restore = (): void => {
      this.pasted = null;
      this.put(found.file);
    };
    const join = ({ detail }: CustomEvent<string>): void => {
      this.pasted = { ...found, joinings: [], lacks: null };
      this.put(`${this.text.trimEnd()}\n\n${detail}`);
    };
    return html`<u-pasted
      .found=${found}
      @restore=${restore}
      @join=${join}
      @close=${() => (this.pasted = null)}
    ></u-pasted>`;
  }

  private edited(text: string): void {
    if (lineCount(text) !== lineCount(this.text)) this.editor?.mark({ shapes: new Map() });
    this.text = text;
    this.lab.written = this.changed ? text : null;
    keepDraft(this.place, this.running, text);
    this.checker?.check(text);
  }

  private show({ text, lines, mistake }: Checked): void {
    if (text !== this.text) return;
    const computed = lines.filter(({ line }) => line !== mistake?.line);
    this.editor?.mark({ ...shapesIn(computed), ...shapesOn(this.lab.trace, this.changed) });
    this.mark(mistake);
  }

  private mark(mistake: Mistake | null): void {
    this.mistake = mistake;
    this.editor?.showMistake(mistake);
  }

  private readonly run = async (): Promise<void> => {
    const { text, place } = this;
    if (!this.changed) return;
    const reply = await this.lab.reprogram(text);
    if (reply.ok && place === this.place) keepDraft(place, text, this.text); // more may have been typed meanwhile
    if (reply.ok) return;
    if (reply.code !== 'E_PROGRAM') this.lab.reportProblem(reply);
    else this.mark(mistakeIn(reply));
  };

  /** Only of the program that runs: the lines of another text have made nothing yet. */
  private point(line: number | null): void {
    const { trace } = this.lab;
    const key = lineKey(PROGRAM, line ?? 0);
    const tensors = trace && line !== null && !this.changed && tensorsOfLine(trace, key).length;
    this.lab.point({ line: tensors ? key : null });
  }

  protected override updated(): void {
    const { changed } = this;
    const running = changed ? null : this.runningLine;
    const bright = changed ? new Set<number>() : this.brightLines;
    this.editor?.mark({ running, bright, ...shapesOn(this.lab.trace, changed) });
    if (running !== null && running !== this.revealed) this.editor?.reveal(running);
    this.revealed = running;
  }

  /** That of the innermost call from the program around the cursor; of a gradient, that of what it is the gradient of. */
  private get runningLine(): number | null {
    const { trace, cursor } = this.lab;
    if (!trace || cursor.node < 0) return null;
    if (cursor.scope >= 0) return this.lineAround(trace.scopes[cursor.scope]);
    const node = trace.nodes[cursor.node]!;
    const of = trace.nodes[node.origin] ?? node;
    return of.file === PROGRAM ? of.line : this.lineAround(trace.scopes[of.scope]);
  }

  /** The line of the program with the innermost of these calls. */
  private lineAround(innermost: TraceScope | undefined): number | null {
    for (let scope = innermost; scope && scope.id > 0; scope = this.lab.trace!.scopes[scope.parent])
      if (scope.file === PROGRAM) return scope.line;
    return null;
  }

  private get brightLines(): Set<number> {
    const { trace, hover } = this.lab;
    const node = hover.node === null ? undefined : trace?.nodes[hover.node];
    const of = node && node.origin >= 0 ? trace!.nodes[node.origin] : node;
    return new Set(of?.file === PROGRAM ? [of.line] : []);
  }
}

customElements.define('u-program', Program);
