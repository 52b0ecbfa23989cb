// <u-write data-source="…">: lets the learner's own model write, as it is now; and again when it has changed.
import '../styles/write.css';
import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { LabElement } from '../shell/lab-element';
import { sideNames, unknownWords } from '../shell/task-words';
import { typed } from '../shell/typed';
import { loadSequenceViews } from '../views/sequence';
import { choices, type Choice } from './choices';
import { answer, drawsTable } from './write-parts';
import {
  alignmentOf,
  editsAside,
  optionsOf,
  roomFor,
  SETTINGS,
  tally,
  trained,
  trueFor,
  type Method,
  type Show,
} from './writing';
import type { Config, TaskInfo, WriteInfo } from '../types';

/** Milliseconds between two writings that nobody asked for. */
const PAUSE = 500;
const DRAWS = 20;
const METHODS: readonly Choice<Method>[] = [
  { value: 'greedy', label: 'Greedy' },
  { value: 'beam', label: 'Beam search' },
  { value: 'sample', label: 'Sample' },
];

interface Asked {
  source: string;
  method: Method;
  settings: Config;
  /** Of the first draw. */
  seed: number;
}

interface Written {
  asked: Asked;
  task: TaskInfo;
  steps: number;
  /** One, or several draws. */
  infos: WriteInfo[];
}

export class Write extends LabElement {
  static override properties = { asked: { state: true }, written: { state: true }, refused: { state: true } };
  declare asked: Asked;
  declare written: Written | null;
  /** Why nothing was written. */
  declare refused: string;
  /** What was last tried: the same is not tried again. */
  private tried: Pick<Written, 'asked' | 'task' | 'steps'> | null = null;
  private writing = false;
  private onScreen = false;
  private timer = 0;
  private again = 0;
  private readonly watcher = new IntersectionObserver((entries) => {
    this.onScreen = entries.at(-1)!.isIntersecting;
    this.consider();
  });

  constructor() {
    super();
    this.written = null;
    this.refused = '';
  }

  override connectedCallback(): void {
    const { source = '', method = 'greedy' } = this.dataset;
    this.asked ??= { source, method: method as Method, settings: this.given(), seed: 1 };
    super.connectedCallback();
    this.watcher.observe(this);
    void loadSequenceViews();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watcher.disconnect();
    clearTimeout(this.timer);
  }

  /** The lesson's own settings. */
  private given(): Config {
    const { width, lengthNormalisation, temperature, topK, topP } = this.dataset;
    const all = { width, length_normalisation: lengthNormalisation, temperature, top_k: topK, top_p: topP };
    const known = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(known.map(([key, value]) => [key, Number(value)]));
  }

  protected override updated(_: PropertyValues): void {
    this.consider();
  }

  private get show(): Show {
    const own = { greedy: 'text', beam: 'tree', sample: 'samples' } as const;
    const { show, method = 'greedy' } = this.dataset;
    return this.asked.method === method && show ? (show as Show) : own[this.asked.method];
  }

  /** Writes if that may give something new: at once where it was asked for, else not too often. */
  private consider(): void {
    if (!this.onScreen || this.writing || !this.isNew()) return;
    clearTimeout(this.timer);
    const wait = this.tried?.asked === this.asked ? this.again - performance.now() : 0;
    if (wait > 0) this.timer = window.setTimeout(() => this.consider(), wait);
    else void this.write();
  }

  private isNew(): boolean {
    const { task, training, busy } = this.lab;
    if (!task || (busy && training.status !== 'running')) return false;
    return this.tried?.asked !== this.asked || this.tried.task !== task || this.tried.steps !== training.step;
  }

  private async write(): Promise<void> {
    const { asked } = this;
    const tried = (this.tried = { asked, task: this.lab.task!, steps: this.lab.training.step });
    this.writing = true;
    const room = roomFor(asked.source, tried.task);
    const options = { ...optionsOf(asked.method, asked.settings), max_length: room };
    const infos: WriteInfo[] = [];
    const draws = this.show === 'samples' ? DRAWS : 1;
    let refused = '';
    for (let i = 0; i < draws && !refused; i++) {
      const reply = await this.lab.write(asked.source, { ...options, seed: asked.seed + i });
      if (reply.ok) infos.push(reply.value);
      else refused = reply.message;
    }
    this.writing = false;
    this.again = performance.now() + PAUSE;
    this.refused = refused;
    if (!refused) this.written = { ...tried, infos };
    this.consider();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { task } = this.lab;
    if (!task) return nothing;
    return html`<form class="write-form" @submit=${this.submit}>
        <label class="write-source"
          >${sideNames(task).source}
          <input
            class="entry"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            aria-invalid=${this.refused !== ''}
            .value=${this.asked.source}
        /></label>
        ${this.choices()}
        <button class="btn">${this.drawsOne ? 'Draw' : 'Write'}</button>
      </form>
      <p class="refused" role="alert">${this.refused}</p>
      <p class="hint" role="status">${editsAside(this.lab.state.edits.length)}</p>
      <div class="written-room" ?data-other=${this.isOther}>
        ${this.written ? this.result(this.written) : nothing}
      </div>`;
  }

  /** Its room is that of the lesson's own method. */
  private get isOther(): boolean {
    return this.asked.method !== (this.dataset.method ?? 'greedy');
  }

  private get drawsOne(): boolean {
    return this.asked.method === 'sample' && this.show !== 'samples';
  }

  private choices(): TemplateResult | typeof nothing {
    if (this.dataset.choose === undefined) return nothing;
    const { method, settings } = this.asked;
    const isAsked = (each: Method): boolean => each === method;
    return html`${choices('Method', METHODS, isAsked, (each) => this.ask({ method: each }))}
    ${SETTINGS[method].map(
      ({ key, label, start }) =>
        html`<label class="other"
          >${label}
          <input
            class="entry"
            name=${key}
            inputmode="decimal"
            autocomplete="off"
            placeholder=${start === null ? 'all' : nothing}
            .value=${String(settings[key] ?? start ?? '')}
            @change=${(event: Event) => this.set(key, start, event.target as HTMLInputElement)}
        /></label>`,
    )}`;
  }

  /** What the engine does not take it says itself. Emptied, a setting that can be left out is. */
  private set(key: string, start: number | null, field: HTMLInputElement): void {
    const { [key]: _, ...others } = this.asked.settings;
    const out = start === null && !field.value.trim();
    this.ask({ settings: out ? others : { ...others, [key]: typed(field.value, 0) } });
  }

  private readonly submit = (event: Event): void => {
    event.preventDefault();
    this.ask({ seed: this.asked.seed + (this.drawsOne && this.written ? 1 : 0) });
  };

  private ask(part: Partial<Asked>): void {
    const source = this.querySelector<HTMLInputElement>('.write-source input')!.value;
    this.asked = { ...this.asked, source, ...part };
  }

  private result({ asked, task, steps, infos }: Written): TemplateResult {
    const first = infos[0]!;
    const truth = trueFor(first, this.lab.pair);
    return html`<p class="hint">${this.manner(asked)}, ${trained(steps)}</p>
      ${infos.length > 1 ? drawsTable(tally(infos, task.separator), infos.length) : answer(first, task)}
      ${truth ? html`<p class="hint">The pair’s own target: ${truth.target.join(task.separator)}</p>` : nothing}
      <p class="hint">${unknownWords(first.source, task.sourceWords)}</p>
      ${this.figure(first)}`;
  }

  private manner({ method, settings, seed }: Asked): string {
    const told = SETTINGS[method]
      .filter(({ key, start }) => (settings[key] ?? start) !== start || key === 'width' || key === 'temperature')
      .map(({ key, label, start }) => `${label.toLowerCase()} ${settings[key] ?? start}`);
    const draw = this.drawsOne ? [`draw ${seed}`] : [];
    const name = METHODS.find(({ value }) => value === method)!.label;
    return [name, ...told, ...draw].join(', ');
  }

  private figure(info: WriteInfo): TemplateResult | typeof nothing {
    if (this.show === 'tree' && info.tree.length)
      return html`<u-beam-tree .data=${{ nodes: info.tree, best: info.best }}></u-beam-tree>`;
    const data = this.show === 'alignment' ? alignmentOf(info, trueFor(info, this.lab.pair)) : null;
    return data ? html`<u-alignment .data=${data}></u-alignment>` : nothing;
  }
}

customElements.define('u-write', Write);
