// <u-questions>: the questions of one part. It shows the form that comes first for this reader, then the other one, and then both
// answers to each question beside what is right. Every answer is kept as it is given.
import * as texts from '#messages/questions';
import { html, nothing, type TemplateResult } from 'lit';
import { answers } from 'virtual:questions';
import { keepTry, triesOf } from '../../lab/store/attempts';
import { builtHtml } from '../../ui/built-html';
import { PlainElement, states } from '../../ui/lab-element';
import { saveFile } from '../../ui/save-file';
import { formOf, given, isWhole, QUESTIONS, questionOf, type Given, type Sitting, TIMES, type Time } from './sitting';

export class Questions extends PlainElement {
  static override properties = states('sitting', 'asked', 'compared', 'kept');
  sitting: Sitting = { first: crypto.getRandomValues(new Uint8Array(1))[0]! % 2, given: new Map() };
  /** The reader has asked for the second form. */
  asked = false;
  compared = false;
  kept = true;
  #ids: string[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#ids = [...this.#form(0).querySelectorAll('fieldset')].map(({ dataset }) => dataset.question!);
    this.addEventListener('change', (event) => void this.#choose(event.target as HTMLInputElement));
    void this.#restore();
  }

  #form(form: number): HTMLElement {
    return this.querySelector(`[data-form="${form}"]`)!;
  }

  /** The form that came first is that of the answers before. */
  async #restore(): Promise<void> {
    const keys = this.#ids.flatMap((id) => TIMES.map((time) => `${id}-${time}`));
    const tries = await Promise.all(keys.map((key) => triesOf(QUESTIONS, key)));
    const last = keys
      .flatMap((key, i) => tries[i]!.slice(-1).map((each) => [key, given(each)] as const))
      .filter(([key, each]) => this.#input(key, each)); // an imported record may have any answer
    const before = last.find(([key]) => key.endsWith('-before'));
    this.sitting = { first: before?.[1].form ?? this.sitting.first, given: new Map(last) };
    for (const [key, each] of last) this.#input(key, each)!.checked = true;
    this.asked = isWhole(this.sitting, this.#ids, 'before') && last.some(([key]) => key.endsWith('-after'));
  }

  #input(key: string, { form, option }: Given): HTMLInputElement | null {
    return this.querySelector(`input[name="${questionOf(key)}-${form}"][value="${option}"]`);
  }

  async #choose({ name, value }: HTMLInputElement): Promise<void> {
    const [id, form] = [name.slice(0, -2), Number(name.slice(-1))];
    const time: Time = form === this.sitting.first ? 'before' : 'after';
    const each: Given = { form, option: Number(value), at: Date.now() };
    this.sitting = { ...this.sitting, given: new Map(this.sitting.given).set(`${id}-${time}`, each) };
    const right = answers[id]!.forms[form]!.right === each.option;
    const answer = `${form} ${each.option}`;
    this.kept = (await keepTry(QUESTIONS, `${id}-${time}`, { answer, right })) === 'kept';
  }

  /** The time whose form is on the page; none while both are compared. */
  get #now(): Time | null {
    if (this.compared) return null;
    return this.asked ? 'after' : 'before';
  }

  protected override updated(): void {
    this.#showForm();
  }

  protected override render(): TemplateResult {
    return html`${this.kept ? nothing : html`<p class="unkept" role="alert">${texts.NOT_KEPT}</p>`}
      ${this.compared ? this.#comparison() : nothing}
      <p class="next-step" role="status">${this.#said()}</p>
      <p class="acts">${this.#acts()}</p>`;
  }

  #showForm(): void {
    this.classList.add('ready');
    this.classList.toggle('all-told', this.compared);
    for (const form of [0, 1]) {
      const element = this.#form(form);
      element.toggleAttribute('data-away', this.#now === null || form !== formOf(this.sitting, this.#now));
      element.querySelector('h3')!.textContent = this.#now === 'after' ? texts.AFTER : texts.BEFORE;
    }
  }

  #said(): string {
    const now = this.#now;
    if (!now) return '';
    const open = this.#ids.filter((id) => !this.sitting.given.has(`${id}-${now}`)).length;
    if (open) return open < this.#ids.length ? texts.open(open) : '';
    return now === 'before' ? texts.NOW_READ : '';
  }

  #acts(): (TemplateResult | typeof nothing)[] {
    const { sitting, asked, compared } = this;
    const whole = (time: Time): boolean => isWhole(sitting, this.#ids, time);
    const button = (label: string, act: () => unknown): TemplateResult =>
      html`<button type="button" class="btn" @click=${act}>${label}</button>`;
    return [
      whole('before') && !asked ? button(texts.ASK_AGAIN, () => (this.asked = true)) : nothing,
      whole('before') && whole('after') && !compared ? button(texts.SHOW, () => (this.compared = true)) : nothing,
      sitting.given.size ? button(texts.SAVE, () => this.#save()) : nothing,
    ];
  }

  #comparison(): TemplateResult {
    return html`<ol class="compared">
      ${this.#ids.map((id) => {
        const { lesson, title } = answers[id]!;
        return html`<li>
          ${TIMES.map((time) => this.#outcome(id, time))}
          <p><a href="../${lesson}/">${texts.more(title)}</a></p>
        </li>`;
      })}
    </ol>`;
  }

  #outcome(id: string, time: Time): TemplateResult {
    const { form, option } = this.sitting.given.get(`${id}-${time}`)!;
    const { ask, right, options, why } = answers[id]!.forms[form]!;
    const isRight = option === right;
    return html`<section class="outcome ${isRight ? 'right' : 'wrong'}">
      <h3>${time === 'before' ? texts.BEFORE_WORD : texts.AFTER_WORD}</h3>
      <p>${builtHtml(ask)}</p>
      <p><b>${options[option]}</b>: ${isRight ? texts.RIGHT : texts.wrong(options[right]!)}.</p>
      <p>${builtHtml(why)}</p>
    </section>`;
  }

  #save(): void {
    const given = Object.fromEntries(
      [...this.sitting.given].map(([key, { form, option, at }]) => {
        const { options, right } = answers[questionOf(key)]!.forms[form]!;
        return [key, { form: form + 1, answer: options[option], right: option === right, at: new Date(at) }];
      }),
    );
    const content = JSON.stringify({ unroll: QUESTIONS, version: 1, part: this.dataset.part, answers: given }, null, 1);
    const day = new Date().toISOString().slice(0, 10);
    saveFile(texts.fileName(day), new Blob([`${content}\n`], { type: 'application/json' }));
  }
}

customElements.define('u-questions', Questions);
