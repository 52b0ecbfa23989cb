// <u-transport>: the buttons that move the cursor from stop to stop, the sentence that says what is done there, and the
// scrubber.
import { html, nothing, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/bench';
import { RESET } from '#messages/bench/keys';
import { busyWith } from '#messages/lab';
import { LabElement, onResize, states, whileConnected } from '../../ui/lab-element';
import { icon, type IconName } from '../../ui/icons';
import { moreMenu } from '../../ui/more-menu';
import { narrow } from '../../ui/narrow';
import { fetchWords, namesOf, plainText, tokensOf, type StopName } from '../../ui/stop-names';
import { seedless } from '../../lab/notice';
import { isStuck, levelOf, type Stop } from '../../lab/stops';
import type { PairInfo, StepAction, Trace } from '../../engine/types';
import { SHORTCUTS } from './keys';
import { scrubber, whereIs, type Here } from './scrubber';
import './transport.css';

interface ButtonOptions {
  stuck?: boolean;
  /** Shown beside the icon. */
  word?: string;
  title?: string;
}

const isPassage = ({ stop }: Here): boolean => stop !== undefined && !stop.parent && stop.phase !== 'forward';

export class Transport extends LabElement {
  protected readonly topics = ['run', 'cursor', 'activity'] as const;
  static override properties = states('room');
  /** For the cells of the scrubber. */
  private room = 0;
  #named: { trace: Trace; pair: PairInfo | null; names: Map<readonly Stop[], StopName[]> } | null = null;

  constructor() {
    super();
    whileConnected(this, () => onResize(this, () => (this.room = this.clientWidth)));
  }

  override connectedCallback(): void {
    super.connectedCallback();
    // Only before the model is loaded; afterwards the training panel shows the progress.
    this.listen(this.lab, 'training', () => this.lab.trace || this.requestUpdate());
  }

  protected override render(): TemplateResult {
    const { trace, cursor } = this.lab;
    const here = trace && whereIs(trace, cursor, (level) => this.names(trace, level));
    return html`<div class="transport" role="group" aria-label=${texts.TRANSPORT}>
      <div class="tr-row">
        ${this.move('back')} ${this.playButton()} ${this.move('forward')}
        ${here ? this.says(trace, here) : html`<p class="count">${this.loading()}</p>`}
        <div class="depth">${this.move('into', texts.INTO)} ${this.move('out', texts.OUT)}</div>
        ${this.more()}
      </div>
      ${here ? scrubber(this.lab, trace, here, this.sentence(trace, here), this.room) : html`<div class="scrub"></div>`}
    </div>`;
  }

  /** Of a level, once for each trace and pair. */
  private names(trace: Trace, level: readonly Stop[]): StopName[] {
    const { pair } = this.lab;
    if (this.#named?.trace !== trace || this.#named.pair !== pair) {
      this.#named = { trace, pair, names: new Map() };
      void fetchWords(trace)?.then((come) => come && ((this.#named = null), this.requestUpdate()));
    }
    const { names } = this.#named;
    const known = names.get(level) ?? namesOf(trace, level, tokensOf(this.lab));
    names.set(level, known);
    return known;
  }

  private nameOf(trace: Trace, stop: Stop): StopName {
    const level = levelOf(trace, stop);
    return this.names(trace, level)[level.indexOf(stop)]!;
  }

  /** The stop of the top level, and the part of it where the cursor is. */
  private path(trace: Trace, { stop }: Here): StopName[] {
    let top = stop;
    while (top?.parent) top = top.parent;
    return [...new Set([top, stop])].flatMap((each) => (each ? [this.nameOf(trace, each)] : []));
  }

  private sentence(trace: Trace, here: Here): string {
    const path = this.path(trace, here).map(plainText);
    return path.length ? texts.capital(path.join(texts.PART_OF)) : texts.AT_START;
  }

  private says(trace: Trace, here: Here): TemplateResult {
    const path = this.path(trace, here);
    const count = isPassage(here) ? nothing : this.count(here);
    const last = path.length - 1;
    return html`<p class="says">
        ${path.length ? nothing : texts.AT_START}${path.map(
          (name, i) =>
            html`<span class=${i < last ? 'around' : ''}
              >${inWords(name, i === 0)}${i < last ? texts.PART_OF : ''}</span
            >`,
        )}
      </p>
      <p class="count known">${count}</p>`;
  }

  /** Of the top level, the forward pass alone is counted: one enters the others on purpose. */
  private count({ level, at }: Here): unknown {
    const counted = level.filter(({ phase, parent }) => parent || phase === 'forward').length;
    return texts.stopOf(html`<b>${at + 1}</b>`, counted);
  }

  /** A stuck button stays focusable: focus must not be lost at the last step. */
  private button(
    name: IconName,
    label: string,
    key: string,
    act: () => unknown,
    { stuck = false, word = '', title = key ? texts.withKey(label, key) : label }: ButtonOptions = {},
  ): TemplateResult {
    return html`<button
      type="button"
      class="${word ? 'stp' : 'tbn'} ${name}"
      aria-label=${label}
      aria-disabled=${stuck ? 'true' : 'false'}
      title=${title}
      @click=${act}
    >
      ${icon(name)}${word ? html`<span>${word}</span>` : nothing}
    </button>`;
  }

  private move(action: StepAction, word = ''): TemplateResult {
    const { trace, cursor } = this.lab;
    const { does, shown } = SHORTCUTS.find((each) => each.action === action)!;
    const stuck = !trace || isStuck(trace, cursor, action);
    return this.button(action, does, shown, () => this.lab.step(action), { stuck, word });
  }

  private playButton(): TemplateResult {
    return this.lab.playing
      ? this.button('pause', texts.PAUSE, texts.SPACE_BAR, () => this.lab.pause())
      : this.button('play', texts.PLAY, texts.SPACE_BAR, () => this.lab.play(), { stuck: !this.lab.trace });
  }

  /** What is needed less often. The menu closes after a press, and the focus returns to its button. */
  private more(): TemplateResult {
    return moreMenu(
      this.idOf('more'),
      texts.MORE,
      html`${this.item('first')} ${this.item('last')}
      ${this.button('reset', RESET, 'r', () => void this.lab.reset(), { word: RESET })} ${this.seedButton()}
      ${narrow.matches && this.lab.linked ? this.presentButton() : nothing}`,
    );
  }

  private item(action: StepAction): TemplateResult {
    return this.move(action, SHORTCUTS.find((each) => each.action === action)!.does);
  }

  /** Where the head of the bench has no room for it. */
  private presentButton(): TemplateResult {
    const present = (): boolean => this.dispatchEvent(new Event('present', { bubbles: true }));
    return this.button('present', texts.PRESENT, '', present, { word: texts.PRESENT });
  }

  /** If nothing depends on the seed, the button says so on hover and when pressed. */
  private seedButton(): TemplateResult {
    const { seeded } = this.lab;
    const options = { stuck: !seeded, word: texts.NEW_SEED, title: seeded ? texts.NEW_SEED : seedless.message };
    return this.button('seed', texts.NEW_SEED, '', () => void this.lab.newSeed(), options);
  }

  /** A link may require training before there is a trace to step through. */
  private loading(): TemplateResult | string {
    const { status, step, target } = this.lab.training;
    if (status !== 'running') return busyWith(this.lab.busy);
    return html`${texts.trainedOf(html`<b>${step}</b>`, target)}
      <button type="button" class="btn small" @click=${() => this.lab.trainer.stop()}>${texts.STOP_TRAINING}</button>`;
  }
}

const inWords = ({ sentence }: StopName, isFirst: boolean): unknown =>
  sentence.map((part, i) =>
    typeof part === 'string' ? (isFirst && i === 0 ? texts.capital(part) : part) : html`<i>${part.token}</i>`,
  );

/** Above its button, and flush with it. */
customElements.define('u-transport', Transport);
