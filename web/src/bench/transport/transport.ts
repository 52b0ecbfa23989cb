// <u-transport>: the buttons and the scrubber that move the cursor.
import { html, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/bench';
import * as keys from '#messages/bench/keys';
import { busyWith } from '#messages/lab';
import { LabElement } from '../../ui/lab-element';
import { icon, type IconName } from '../../ui/icons';
import { seedless } from '../../lab/notice';
import { scrubber } from './scrubber';
import { isStuck, position, stepsOf } from '../../lab/cursor/steps';
import type { StepAction } from '../../engine/types';
import './transport.css';

const MOVES: [StepAction, string, string][] = [
  ['first', keys.FIRST_STEP, keys.HOME],
  ['back', keys.STEP_BACK, '←'],
  ['forward', keys.STEP_FORWARD, '→'],
  ['last', keys.LAST_STEP, keys.END],
];
const DEPTHS: [StepAction, string, string, string][] = [
  ['into', keys.STEP_INTO, 'i', texts.INTO],
  ['over', keys.STEP_OVER, 'o', texts.OVER],
  ['out', keys.STEP_OUT, 'u', texts.OUT],
];

export class Transport extends LabElement {
  protected readonly topics = ['run', 'cursor', 'activity'] as const;

  override connectedCallback(): void {
    super.connectedCallback();
    // Only before the model is loaded; afterwards the training panel shows the progress.
    this.listen(this.lab, 'training', () => this.lab.trace || this.requestUpdate());
  }

  protected override render(): TemplateResult {
    return html`<div class="transport" role="group" aria-label=${texts.TRANSPORT}>
      <div class="tr-row">
        <div class="grp">
          ${MOVES.slice(0, 2).map((move) => this.move(...move))} ${this.playButton()}
          ${MOVES.slice(2).map((move) => this.move(...move))}
        </div>
        <span class="sep" aria-hidden="true"></span>
        <div class="grp steps">${DEPTHS.map((move) => this.move(...move))}</div>
        <span class="sep" aria-hidden="true"></span>
        <div class="grp again">
          ${this.button('reset', keys.RESET, 'r', () => void this.lab.reset())} ${this.seedButton()}
        </div>
        ${this.place()}
      </div>
      ${this.lab.trace ? scrubber(this.lab, this.lab.trace) : html`<div class="scrub"></div>`}
    </div>`;
  }

  /** A stuck button stays focusable: focus must not be lost at the last step. */
  private button(
    name: IconName,
    label: string,
    key: string,
    act: () => void,
    { stuck = false, word = '', title = key ? texts.withKey(label, key) : label } = {},
  ): TemplateResult {
    return html`<button
      type="button"
      class=${word ? 'stp' : `tbn ${name}`}
      aria-label=${label}
      aria-disabled=${stuck ? 'true' : 'false'}
      title=${title}
      @click=${act}
    >
      ${icon(name)}${word}
    </button>`;
  }

  private move(action: StepAction, label: string, key: string, word = ''): TemplateResult {
    const { trace, cursor } = this.lab;
    return this.button(action, label, key, () => this.lab.step(action), {
      stuck: !trace || isStuck(trace, cursor, action),
      word,
    });
  }

  /** If nothing depends on the seed, the button says so on hover and when pressed. */
  private seedButton(): TemplateResult {
    const { seeded } = this.lab;
    const title = seeded ? texts.NEW_SEED : seedless.message;
    return this.button('seed', texts.NEW_SEED, '', () => void this.lab.newSeed(), { stuck: !seeded, title });
  }

  private playButton(): TemplateResult {
    return this.lab.playing
      ? this.button('pause', texts.PAUSE, texts.SPACE_BAR, () => this.lab.pause())
      : this.button('play', texts.PLAY, texts.SPACE_BAR, () => this.lab.play(), { stuck: !this.lab.trace });
  }

  private place(): TemplateResult {
    const { trace, cursor } = this.lab;
    if (!trace) return html`<span class="count">${this.loading()}</span>`;
    const name = trace.scopes[cursor.scope]?.name ?? trace.nodes[cursor.node]?.name ?? texts.INPUTS;
    const step = texts.stepOf(html`<b>${position(trace, cursor)}</b>`, stepsOf(trace).length);
    return html`<span class="scope mono" title=${name}><bdi>${name}</bdi></span
      ><span class="count">${step}</span>`;
  }

  /** A link may require training before there is a trace to step through. */
  private loading(): TemplateResult | string {
    const { status, step, target } = this.lab.training;
    if (status !== 'running') return busyWith(this.lab.busy);
    return html`${texts.trainedOf(html`<b>${step}</b>`, target)}
      <button type="button" class="btn small" @click=${() => this.lab.trainer.stop()}>${texts.STOP_TRAINING}</button>`;
  }
}

customElements.define('u-transport', Transport);
