// <u-write data-source="…">: generates from the learner's model as it is now, and again when it has changed.
import './write.css';
import * as texts from '#messages/lesson/write';
import { SHOW_ON_BENCH } from '#messages/lesson/controls';
import { html, nothing, type TemplateResult, type PropertyValues } from 'lit';
import { fixed, significant, typed } from '../../ui/numbers';
import { EOS, isTexts, sideNames, unknownWords, marked, nameOfMark } from '../../ui/words';
import * as writing from './writing';
import { optionsOf, referencePair, SETTINGS, tokenProbabilities, wantedInstead } from './writing';
import type { Draws, Method, Show } from './writing';
import { LabElement } from '../../ui/lab-element';
import { loadSequenceViews } from '../../figures/sequence';
import { choices } from '../../ui/choices';
import type { RemoteSession } from '../../engine/remote';
import { ownExperiment } from '../lesson-data';
import type { TaskInfo, GenerationInfo, Config, Edit } from '../../engine/types';

const MAX_ROWS = 8;

/**
 * Each token above a bar as long as its probability; for a language model, after the tokens of the prompt. Where the task has
 * a rule, a wrong token is underlined, and the right one stands beside it.
 */
function textWithProbabilities(info: GenerationInfo, task: TaskInfo): TemplateResult {
  const wanted = wantedInstead(info);
  return html`<ol class="written" aria-label=${texts.WRITTEN} data-text=${info.tokens.join(task.separator)}>
      ${isTexts(task) ? info.source.map((token) => promptToken(marked(token))) : nothing}
      ${tokenProbabilities(info).map(
        ([token, p], i) =>
          html`<li
            class=${token === EOS ? 'end' : ''}
            style=${`--p: ${p.toFixed(4)}`}
            title=${nameOfMark(token) ?? nothing}
          >
            ${wanted[i] === null ? html`<span>${token}</span>` : missed(token, wanted[i]!)}
            <small>${fixed(p, 2)}</small>
          </li>`,
      )}
    </ol>
    <p class="hint">${texts.probability(significant(info.probability, 3), info.ended ? null : info.tokens.length)}</p>
    <p class="hint">${wanted.some((each) => each !== null) ? texts.rightIs(info.target.join(task.separator)) : ''}</p>`;
}

const missed = (token: string, wanted: string): TemplateResult =>
  html`<span
    ><b class="missed">${token}</b><i class="vh">${texts.insteadOf(wanted)}</i>${
      wanted ? html`<sup aria-hidden="true">${wanted}</sup>` : nothing
    }</span
  >`;

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
  /** What the reader has changed in the model: edits of parameters, and interventions, as JSON. */
  changes: string;
  /** Names of these parameters. */
  changed: string[];
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
  private lastAttempt: Omit<Generated, 'infos'> | null = null;
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
      this.lastAttempt.steps !== this.steps ||
      this.lastAttempt.changes !== this.changes
    );
  }

  /** While it writes, a model has these, and no other tensors of the run. */
  private isParameter({ name }: Edit): boolean {
    return !!this.lab.info?.parameters.some((each) => each.name === name);
  }

  private get editedParameters(): readonly Edit[] {
    return this.untrained ? [] : this.lab.state.edits.filter((edit) => this.isParameter(edit));
  }

  private get changes(): string {
    return this.untrained ? '' : JSON.stringify([this.editedParameters, this.lab.state.interventions]);
  }

  private get untrained(): boolean {
    return this.dataset.untrained !== undefined;
  }

  private get steps(): number {
    return this.untrained ? 0 : this.lab.training.step;
  }

  /** The model on the bench; or the lesson's own as it was before training, in a hidden session. */
  private async ask<R>(job: (session: Pick<RemoteSession, 'generate'>) => Promise<R>): Promise<R> {
    if (!this.untrained) return job(this.lab.engine);
    const { perform } = await import('../run');
    return this.lab.probe(async (session) => {
      await perform(session, { ...ownExperiment(this), steps: 0 });
      return job(session);
    });
  }

  private async generate(): Promise<void> {
    const { request } = this;
    const { changes, lab } = this;
    const changed = [...new Set(this.editedParameters.map(({ name }) => name))];
    const lastAttempt = (this.lastAttempt = { request, task: lab.task!, steps: this.steps, changes, changed });
    this.generating = true;
    const room = writing.maxTokensFor(request.source, lastAttempt.task);
    const options = { ...optionsOf(request.method, request.settings), max_length: room };
    const infos: GenerationInfo[] = [];
    const draws = this.show === 'samples' ? DRAWS : 1;
    const refused = await this.ask(async (session) => {
      for (let i = 0; i < draws; i++) {
        const reply = await session.generate(request.source, { ...options, seed: request.seed + i });
        if (!reply.ok) return reply.message;
        infos.push(reply.value);
      }
      return '';
    });
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
    const others = this.untrained ? 0 : this.lab.state.edits.length - this.editedParameters.length;
    return others ? texts.withoutEdits(others) : '';
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

  private result({ request, task, steps, changed, infos }: Generated): TemplateResult {
    const first = infos[0]!;
    const truth = referencePair(first, this.lab.pair);
    return html`<p class="hint">${this.describe(request, steps, changed)}</p>
      ${infos.length > 1 ? drawsTable(writing.tally(infos, task.separator), infos.length) : textWithProbabilities(first, task)}
      ${truth ? html`<p class="hint">${texts.ownTarget(truth.target.join(task.separator))}</p>` : nothing}
      <p class="hint">${unknownWords(first.source, task.sourceWords)}</p>
      ${infos.length > 1 || this.untrained || writing.isOnBench(first, this.lab.pair) ? nothing : this.toBench(first, request, task)}
      ${this.figure(first)}`;
  }

  /** The bench reads the source; and what was written for it, unless the model writes that by itself. */
  private toBench(
    { tokens }: GenerationInfo,
    { source, method }: GenerationRequest,
    { separator }: TaskInfo,
  ): TemplateResult {
    const show = async (): Promise<void> => {
      const before = this.lab.state;
      const reply = await this.lab.read(source, method === 'greedy' ? '' : tokens.join(separator));
      if (reply.ok) (await import('../scenes')).enterTry(this, before);
    };
    return html`<button type="button" class="link to-bench" @click=${show}>${SHOW_ON_BENCH}</button>`;
  }

  private describe({ method, settings, seed }: GenerationRequest, steps: number, changed: readonly string[]): string {
    const shown = SETTINGS[method]
      .filter(({ key, start }) => (settings[key] ?? start) !== start || key === 'width' || key === 'temperature')
      .map(({ key, label, start }) => [label, String(settings[key] ?? start)] as const);
    return texts.howWritten({
      method: METHODS[method],
      settings: shown,
      draw: this.drawsOne ? seed : null,
      steps,
      changed,
    });
  }

  private figure(info: GenerationInfo): TemplateResult | typeof nothing {
    if (this.show === 'tree' && info.tree.length)
      return html`<u-beam-tree .data=${{ nodes: info.tree, best: info.best }}></u-beam-tree>`;
    const data = this.show === 'alignment' ? writing.alignmentOf(info, referencePair(info, this.lab.pair)) : null;
    return data ? html`<u-alignment .data=${data}></u-alignment>` : nothing;
  }
}

customElements.define('u-write', Write);
