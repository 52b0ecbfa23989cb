// <u-write data-source="…">: generates from the learner's model as it is now, and again when it has changed.
import './write.css';
import * as texts from '#messages/lesson/write';
import { html, nothing, type TemplateResult, type PropertyValues } from 'lit';
import { fixed, significant, typed } from '../../ui/numbers';
import { isTexts, sideNames, unknownWords, marked, nameOfMark } from '../../ui/words';
import { tokenProbabilities, alignmentOf, optionsOf, maxTokensFor, SETTINGS, tally, referencePair } from './writing';
import type { Draws, Method, Show } from './writing';
import { LabElement } from '../../ui/lab-element';
import { loadSequenceViews } from '../../figures/sequence';
import { choices } from '../../ui/choices';
import type { TaskInfo, GenerationInfo, Config } from '../../engine/types';

const MAX_ROWS = 8;

/** Each token above a bar as long as its probability; for a language model, after the tokens of the prompt. */
function textWithProbabilities(info: GenerationInfo, task: TaskInfo): TemplateResult {
  return html`<ol class="written" aria-label=${texts.WRITTEN} data-text=${info.tokens.join(task.separator)}>
      ${isTexts(task) ? info.source.map((token) => promptToken(marked(token))) : nothing}
      ${tokenProbabilities(info).map(
        ([token, p]) =>
          html`<li
            class=${token === '<eos>' ? 'end' : ''}
            style=${`--p: ${p.toFixed(4)}`}
            title=${nameOfMark(token) ?? nothing}
          >
            <span>${token}</span> <small>${fixed(p, 2)}</small>
          </li>`,
      )}
    </ol>
    <p class="hint">${texts.probability(significant(info.probability, 3), info.ended ? null : info.tokens.length)}</p>`;
}

const promptToken = (token: string): TemplateResult =>
  html`<li class="given" title=${nameOfMark(token) ?? nothing}>
    <span>${token}</span> <small>${texts.GIVEN}</small>
  </li>`;

/** A bar under each text: its share of the draws. */
function drawsTable(rows: readonly Draws[], draws: number): TemplateResult {
  const rest = rows.slice(MAX_ROWS);
  const restDraws = rest.reduce((sum, { count }) => sum + count, 0);
  return html`<div class="wide" tabindex="0" role="region" aria-label=${texts.DRAWS}>
      <table class="draws">
        <thead>
          <tr>
            <th scope="col" class="number">${texts.outOf(draws)}</th>
            <th scope="col">${texts.TEXT}</th>
            <th scope="col" class="number">p</th>
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, MAX_ROWS).map(
            ({ text, count, p }) =>
              html`<tr>
                <td class="number">${count}</td>
                <th scope="row" style=${`--share: ${count / draws}`}>${text || texts.NOTHING}</th>
                <td class="number">${significant(p, 2)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${rest.length ? html`<p class="hint">${texts.others(rest.length, restDraws)}</p>` : nothing}`;
}

/** Minimum milliseconds between automatic generations. */
const PAUSE = 500;
const DRAWS = 20;
const METHODS: Readonly<Record<Method, string>> = {
  greedy: texts.GREEDY,
  beam: texts.BEAM_SEARCH,
  sample: texts.SAMPLE,
};

interface GenerationRequest {
  source: string;
  method: Method;
  settings: Config;
  /** Of the first draw. */
  seed: number;
}

interface Generated {
  request: GenerationRequest;
  task: TaskInfo;
  steps: number;
  /** One, or several draws. */
  infos: GenerationInfo[];
}

export class Write extends LabElement {
  protected readonly topics = ['run', 'activity'] as const;
  static override properties = { request: { state: true }, generated: { state: true }, refused: { state: true } };
  request!: GenerationRequest;
  generated: Generated | null = null;
  /** Why nothing was generated. */
  refused = '';
  /** The last attempt: the same is not repeated. */
  private lastAttempt: Pick<Generated, 'request' | 'task' | 'steps'> | null = null;
  private generating = false;
  private onScreen = false;
  private timer = 0;
  private nextAllowed = 0;
  private readonly watcher = new IntersectionObserver((entries) => {
    this.onScreen = entries.at(-1)!.isIntersecting;
    this.generateIfNew();
  });

  override connectedCallback(): void {
    const { source = '', method = 'greedy' } = this.dataset;
    this.request ??= { source, method: method as Method, settings: this.lessonSettings(), seed: 1 };
    super.connectedCallback();
    // Shows nothing of the training itself: what the model generates meanwhile is asked for in turn.
    this.listen(this.lab, 'training', () => this.generateIfNew());
    this.watcher.observe(this);
    void loadSequenceViews();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.watcher.disconnect();
    clearTimeout(this.timer);
  }

  /** The lesson's own settings. */
  private lessonSettings(): Config {
    const { width, lengthNormalisation, temperature, topK, topP } = this.dataset;
    const all = { width, length_normalisation: lengthNormalisation, temperature, top_k: topK, top_p: topP };
    const known = Object.entries(all).filter(([, value]) => value !== undefined);
    return Object.fromEntries(known.map(([key, value]) => [key, Number(value)]));
  }

  protected override updated(_: PropertyValues): void {
    this.generateIfNew();
  }

  private get show(): Show {
    const own = { greedy: 'text', beam: 'tree', sample: 'samples' } as const;
    const { show, method = 'greedy' } = this.dataset;
    return this.request.method === method && show ? (show as Show) : own[this.request.method];
  }

  /** Generates if the result may be new: at once if the learner asked, else at most every PAUSE. */
  private generateIfNew(): void {
    if (!this.onScreen || this.generating || !this.isNew()) return;
    clearTimeout(this.timer);
    const wait = this.lastAttempt?.request === this.request ? this.nextAllowed - performance.now() : 0;
    if (wait > 0) this.timer = window.setTimeout(() => this.generateIfNew(), wait);
    else void this.generate();
  }

  private isNew(): boolean {
    const { task, training, busy } = this.lab;
    if (!task || (busy && training.status !== 'running')) return false;
    return (
      this.lastAttempt?.request !== this.request ||
      this.lastAttempt.task !== task ||
      this.lastAttempt.steps !== training.step
    );
  }

  private async generate(): Promise<void> {
    const { request } = this;
    const lastAttempt = (this.lastAttempt = { request, task: this.lab.task!, steps: this.lab.training.step });
    this.generating = true;
    const room = maxTokensFor(request.source, lastAttempt.task);
    const options = { ...optionsOf(request.method, request.settings), max_length: room };
    const infos: GenerationInfo[] = [];
    const draws = this.show === 'samples' ? DRAWS : 1;
    let refused = '';
    for (let i = 0; i < draws && !refused; i++) {
      const reply = await this.lab.engine.generate(request.source, { ...options, seed: request.seed + i });
      if (reply.ok) infos.push(reply.value);
      else refused = reply.message;
    }
    this.generating = false;
    this.nextAllowed = performance.now() + PAUSE;
    this.refused = refused;
    if (!refused) this.generated = { ...lastAttempt, infos };
    this.generateIfNew();
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
            .value=${this.request.source}
        /></label>
        ${this.choices()}
        <button class="btn">${this.drawsOne ? texts.DRAW : texts.WRITE}</button>
      </form>
      <p class="refused" role="alert">${this.refused}</p>
      <p class="hint" role="status">${this.editsNote}</p>
      <div class="written-room" ?data-other=${this.isOther}>
        ${this.generated ? this.result(this.generated) : nothing}
      </div>`;
  }

  /** True for a method other than the lesson's: the page reserves room only for the lesson's. */
  private get isOther(): boolean {
    return this.request.method !== (this.dataset.method ?? 'greedy');
  }

  private get drawsOne(): boolean {
    return this.request.method === 'sample' && this.show !== 'samples';
  }

  private get editsNote(): string {
    const edits = this.lab.state.edits.length;
    return edits ? texts.withoutEdits(edits) : '';
  }

  private choices(): TemplateResult | typeof nothing {
    if (this.dataset.choose === undefined) return nothing;
    const { method, settings } = this.request;
    const all = Object.keys(METHODS) as Method[];
    const isChosen = (each: Method): boolean => each === method;
    const choose = (each: Method): void => this.change({ method: each });
    return html`${choices(texts.METHOD, all, isChosen, choose, (each) => METHODS[each])}
    ${SETTINGS[method].map(
      ({ key, label, start }) =>
        html`<label class="other"
          >${label}
          <input
            class="entry"
            name=${key}
            inputmode="decimal"
            autocomplete="off"
            placeholder=${start === null ? texts.ALL : nothing}
            .value=${String(settings[key] ?? start ?? '')}
            @change=${(event: Event) => this.set(key, start, event.target as HTMLInputElement)}
        /></label>`,
    )}`;
  }

  /** The engine checks the range. An empty field leaves an optional setting out. */
  private set(key: string, start: number | null, field: HTMLInputElement): void {
    const { [key]: _, ...others } = this.request.settings;
    const out = start === null && !field.value.trim();
    this.change({ settings: out ? others : { ...others, [key]: typed(field.value, 0) } });
  }

  private readonly submit = (event: Event): void => {
    event.preventDefault();
    this.change({ seed: this.request.seed + (this.drawsOne && this.generated ? 1 : 0) });
  };

  private change(part: Partial<GenerationRequest>): void {
    const source = this.querySelector<HTMLInputElement>('.write-source input')!.value;
    this.request = { ...this.request, source, ...part };
  }

  private result({ request, task, steps, infos }: Generated): TemplateResult {
    const first = infos[0]!;
    const truth = referencePair(first, this.lab.pair);
    return html`<p class="hint">${this.describe(request, steps)}</p>
      ${infos.length > 1 ? drawsTable(tally(infos, task.separator), infos.length) : textWithProbabilities(first, task)}
      ${truth ? html`<p class="hint">${texts.ownTarget(truth.target.join(task.separator))}</p>` : nothing}
      <p class="hint">${unknownWords(first.source, task.sourceWords)}</p>
      ${this.figure(first)}`;
  }

  private describe({ method, settings, seed }: GenerationRequest, steps: number): string {
    const shown = SETTINGS[method]
      .filter(({ key, start }) => (settings[key] ?? start) !== start || key === 'width' || key === 'temperature')
      .map(({ key, label, start }) => [label, String(settings[key] ?? start)] as const);
    return texts.howWritten({ method: METHODS[method], settings: shown, draw: this.drawsOne ? seed : null, steps });
  }

  private figure(info: GenerationInfo): TemplateResult | typeof nothing {
    if (this.show === 'tree' && info.tree.length)
      return html`<u-beam-tree .data=${{ nodes: info.tree, best: info.best }}></u-beam-tree>`;
    const data = this.show === 'alignment' ? alignmentOf(info, referencePair(info, this.lab.pair)) : null;
    return data ? html`<u-alignment .data=${data}></u-alignment>` : nothing;
  }
}

customElements.define('u-write', Write);
