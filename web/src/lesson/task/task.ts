// <u-task>: predict, quiz and exercise. Question and options are in the page; this adds the answer form and verdict.
import * as texts from '#messages/lesson/tasks';
import { YOUR_ANSWER } from '#messages/pages';
import { html, type TemplateResult, nothing, type PropertyValues } from 'lit';
import { code, verdictLine, UnreadableAnswer, type Answer, type Verdict } from './answer';
import { builtHtml } from '../../ui/built-html';
import { type LabHost, hostOf } from '../../lab/lab';
import { inSight, LabElement, states } from '../../ui/lab-element';
import { keepTry, triesOf, type Try } from '../../lab/store/attempts';
import { markSolved, solvedIn, type Solved } from '../../lab/store/progress';
import { Refused } from '../../engine/refused';
import { currentExperiment, lessonData, ownExperiment } from '../lesson-data';
import { answerIn, makeSortable, dropUnchecked, keepUnchecked, putAnswer, uncheckedOf } from './form';
import type { AnsweredTask, Task as TaskData, TaskOf } from '../format/tasks';
import { unfoldAfter } from './unfold-after';

const fetchCheck = (): Promise<typeof import('./check')> => import('./check');

/** Fetches what checks answers once the learner has reached the task: one at the edge of the window does not count. */
const fetchWhenReached = (task: Element): Promise<unknown> =>
  inSight(task, '-30% 0%')
    .then(fetchCheck)
    .catch(() => undefined); // asked for again with the answer, which tells of a failure

/** In the lesson's words, or by the names of what may be changed. */
const howTo = ({ how, change }: TaskOf<'goal'>, host: LabHost): TemplateResult =>
  how ? html`<p class="hint">${builtHtml(how)}</p>` : whereToChange(change, host);

/** A setting with controls in the text is changed there, all else on the workbench. */
export function whereToChange(names: readonly string[], host: LabHost): TemplateResult {
  const isTensor = (name: string): boolean => !!host.lab.trace?.nodes.some((node) => node.name === name);
  const hasTry = (name: string): boolean => !!host.querySelector(`u-try[data-set="${CSS.escape(name)}"]`);
  const inText = names.filter((name) => !isTensor(name) && hasTry(name));
  const onBench = names.filter((name) => !inText.includes(name));
  return html`<p class="hint">${texts.whereToChange(inText, onBench, code)}</p>`;
}

/** Wrong tries after which the hint is shown and a solution is offered; the answer to a question is after one. */
const TRIES = 2;

/** Milliseconds until the page says that the engine is working. */
const PATIENCE = 400;

type Data = AnsweredTask & { name: string };

interface Checked {
  attempt: Try;
  verdict: Verdict;
}

export class Task extends LabElement {
  protected readonly topics = ['run'] as const;
  static override properties = {
    ...states('data', 'verdict', 'complaint', 'tries', 'hints', 'solution', 'solved', 'working', 'writes'),
  };
  data: (TaskData & { name: string }) | null = null;
  verdict: Verdict | null = null;
  /** Why an answer could not be read; it does not count as a try. */
  complaint = '';
  tries: Try[] = [];
  /** How many the reader has asked for. */
  hints = 0;
  solution: TemplateResult | null = null;
  solved = false;
  /** The check takes longer than PATIENCE: a model is being trained or evaluated. */
  working = false;
  /** The editor of a function is open. */
  writes = false;
  /** "1 of 3", as the page says it beside the heading. */
  private place: string | null = null;
  private checks: Promise<void> = Promise.resolve();
  /** Counts changes of the answer: a verdict is shown only with the answer it is about. */
  private version = 0;

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener('change', this.onPick);
    if (this.dataset.kind !== 'code') void fetchWhenReached(this);
    void this.begin();
  }

  private async begin(): Promise<void> {
    const { page, linked } = this.lab;
    const [{ tasks }, tries, solved] = await Promise.all([
      lessonData(page),
      linked ? triesOf(page.lesson, this.id) : [],
      linked ? solvedIn(page.lesson) : ({} as Solved),
    ]);
    this.data = tasks[this.id]!;
    this.tries = tries;
    this.solved = solved[this.id] === true;
    const list = this.querySelector<HTMLElement>('.order');
    if (list) makeSortable(list, () => this.changeAnswer());
    const answer = (linked ? uncheckedOf(page.lesson, this) : null) ?? this.tries.at(-1)?.answer;
    await this.updateComplete;
    if (answer !== undefined) putAnswer(this, answer);
  }

  /** The answer is kept as it stands; the verdict was about another. */
  private changeAnswer(): void {
    if (this.lab.linked) keepUnchecked(this.lab.page.lesson, this);
    this.clearVerdict();
  }

  private clearVerdict(): void {
    this.version++;
    this.verdict = null;
    this.complaint = '';
  }

  private readonly onPick = (event: Event): void => {
    if ((event.target as HTMLElement).matches('input[type=radio]')) this.changeAnswer();
  };

  protected override updated(_: PropertyValues): void {
    if (this.solved || this.solution) unfoldAfter(this);
    const count = this.querySelector('h3 small');
    if (!count) return;
    this.place ??= count.textContent!;
    count.textContent = this.solved ? texts.solved(this.place) : this.place;
  }

  protected override render(): TemplateResult | typeof nothing {
    const { data } = this;
    if (!data) return nothing;
    if (data.kind === 'code') return this.writing();
    const hints = data.hint === undefined ? [] : [data.hint].flat();
    const shown = hints.slice(0, this.hintsDue);
    const more = shown.length < hints.length;
    return html`<form class="answer" @submit=${this.onSubmit}>
        <div class="row">
          ${this.field(data)}
          <button class="btn" ?disabled=${!this.lab.trace}>${texts.CHECK}</button>
          ${data.kind === 'goal' ? html`<button type="button" class="btn quiet" @click=${this.startAgain}>${texts.START_AGAIN}</button>` : nothing}
          ${more ? html`<button type="button" class="btn quiet" @click=${() => (this.hints = shown.length + 1)}>${shown.length ? texts.NEXT_HINT : texts.HINT}</button>` : nothing}
          ${this.mayPeek ? html`<button type="button" class="btn quiet" @click=${this.peek}>${data.kind === 'choose' ? texts.SHOW_ANSWER : texts.SHOW_SOLUTION}</button>` : nothing}
        </div>
        ${data.kind === 'goal' ? howTo(data, hostOf(this)) : nothing}
      </form>
      ${shown.map((hint) => html`<p class="hint-text">${builtHtml(hint)}</p>`)}
      <div role="status">${this.outcome()}</div>
      ${this.pastTries(data)}`;
  }

  /** The editor comes when the reader wants to write. */
  private writing(): TemplateResult {
    const begin = (): void => void import('../code/write-code').then(() => (this.writes = true));
    if (!this.writes) return html`<button type="button" class="btn" @click=${begin}>${texts.WRITE}</button>`;
    const checked = ({ detail }: CustomEvent<Try>): void => void this.keep(detail);
    return html`<u-write-code .tries=${this.tries} .solved=${this.solved} @checked=${checked}></u-write-code>`;
  }

  private field({ kind }: Data): TemplateResult | typeof nothing {
    if (kind !== 'number' && kind !== 'write') return nothing;
    const label = kind === 'number' ? YOUR_ANSWER : texts.YOUR_EXPRESSION;
    return html`<label class="vh" for=${`${this.id}-answer`}>${label}</label
      ><input
        id=${`${this.id}-answer`}
        class=${`entry ${kind}`}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        aria-invalid=${this.complaint ? 'true' : nothing}
        @input=${() => this.changeAnswer()}
      />`;
  }

  private outcome(): TemplateResult | typeof nothing {
    if (this.working) return html`<p class="hint">${texts.WORKING}</p>`;
    if (this.solution && !this.complaint) return html`<p class="verdict">${this.solution}</p>`;
    return verdictLine(
      this.complaint,
      this.verdict,
      html`<button type="button" class="btn small" @click=${this.startAgain}>${texts.START_AGAIN}</button>`,
    );
  }

  private pastTries({ kind }: Data): TemplateResult | typeof nothing {
    if ((kind !== 'number' && kind !== 'write') || this.tries.length < 2) return nothing;
    return html`<p class="hint">
      ${texts.YOUR_TRIES}
      ${this.tries.map(({ answer, right }, i) => html`${i ? ' · ' : ''}${right ? texts.rightTry(answer) : answer}`)}
    </p>`;
  }

  private get mayPeek(): boolean {
    return !this.solved && this.wrongTries >= (this.data!.kind === 'choose' ? 1 : TRIES);
  }

  /** Those that the reader has asked for; after TRIES wrong answers, one at least. */
  private get hintsDue(): number {
    return Math.max(this.hints, !this.solved && this.wrongTries >= TRIES ? 1 : 0);
  }

  private get wrongTries(): number {
    return this.tries.filter(({ right }) => !right).length;
  }

  /** Resets to the lesson's own model, or that of the step before this task, unchanged. */
  private readonly startAgain = async (): Promise<void> => {
    this.clearVerdict();
    const inRefusal = this.querySelector('[role=status]')!.contains(document.activeElement); // goes with the verdict
    if (inRefusal) this.querySelector<HTMLElement>('.answer .btn')!.focus();
    const { seed: _, ...own } = ownExperiment(this).config;
    await this.lab.reset(own);
    await (await import('../scenes')).beginScene(this);
  };

  private readonly peek = async (): Promise<void> => {
    const { solutionOf } = await fetchCheck();
    this.solution = await solutionOf(this, this.data as Data);
  };

  /** Checks run one after another: a quick second press of Enter is not lost, and the button keeps focus. */
  private readonly onSubmit = (event: Event): void => {
    event.preventDefault();
    this.checks = this.checks.catch(() => undefined).then(() => this.answer());
  };

  private async answer(): Promise<void> {
    this.solution = null;
    this.complaint = '';
    const waiting = setTimeout(() => (this.working = true), PATIENCE);
    const { version } = this;
    let checked: Checked | null = null;
    let complaint = '';
    try {
      checked = await this.check(this.data as Data);
    } catch (error) {
      if (!(error instanceof UnreadableAnswer) && !(error instanceof Refused)) throw error;
      complaint = error.message;
    } finally {
      clearTimeout(waiting);
      this.working = false;
    }
    if (version === this.version) this.complaint = complaint;
    if (checked && version === this.version) this.verdict = checked.verdict;
    if (checked) await this.keep(checked.attempt);
  }

  /** Null if the current verdict is about this very answer: pressing twice is one try. */
  private async check(data: Data): Promise<Checked | null> {
    const { check } = await fetchCheck();
    if (data.kind === 'goal') await this.lab.settled();
    const { answer, text } = this.currentAnswer(data);
    if (data.kind !== 'goal' && this.verdict && this.tries.at(-1)?.answer === text) return null;
    const verdict = await check(this, data, answer);
    return { attempt: { answer: text, right: verdict.right }, verdict };
  }

  private async keep(attempt: Try): Promise<void> {
    this.tries = [...this.tries, attempt];
    if (this.lab.linked) await this.store(attempt);
    if (attempt.right) this.solved = true; // stored before it is shown
  }

  private async store(attempt: Try): Promise<void> {
    const { lesson } = this.lab.page;
    dropUnchecked(lesson, this, attempt.answer);
    const outcome = await keepTry(lesson, this.id, attempt);
    const kept = outcome === 'kept' && attempt.right ? await markSolved(lesson, this.id) : outcome;
    if (kept !== 'kept') (await import('./unkept')).sayUnkept(kept);
  }

  /** The current answer, and the text it is stored as. Throws UnreadableAnswer if there is none. */
  private currentAnswer(data: Data): { answer: Answer; text: string } {
    if (data.kind === 'goal') return { answer: currentExperiment(this.lab), text: 'checked' };
    const text = answerIn(this).trim();
    if (!text && data.kind === 'choose') throw new UnreadableAnswer(texts.NONE_SELECTED);
    if (!text) throw new UnreadableAnswer(data.kind === 'write' ? texts.noExpression(data.using) : texts.NO_NUMBER);
    return { answer: data.kind === 'number' || data.kind === 'write' ? text : text.split(',').map(Number), text };
  }
}

customElements.define('u-task', Task);
