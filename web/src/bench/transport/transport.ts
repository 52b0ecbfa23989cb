// <u-transport>: the buttons that move the cursor, and the scrubber: a track tinted by phase, with notches at the top-level
// scopes and the position of the cursor.
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/bench';
import { RESET } from '#messages/bench/keys';
import { busyWith } from '#messages/lab';
import { LabElement } from '../../ui/lab-element';
import { icon, type IconName } from '../../ui/icons';
import { seedless } from '../../lab/notice';
import { atPosition, onceForEach, phases, isStuck, position, stepsOf } from '../../lab/cursor';
import type { Lab } from '../../lab/lab';
import type { Phase, StepAction, Trace } from '../../engine/types';
import { SHORTCUTS } from './keys';
import './transport.css';

const TOP = 7;
const HEIGHT = 6;
const GAP = 2;
const WIDTH = 1000;
/** If the last part is narrower, its label is aligned to its right end. */
const NARROW = 150;

interface Part {
  phase: Exclude<Phase, 'leaf'>;
  count: number;
  /** Steps before it, and its position on a track of WIDTH units. */
  from: number;
  x: number;
  width: number;
}

const layout = onceForEach((trace: Trace): Part[] => {
  const list = phases(trace);
  const unit = (WIDTH - GAP * (list.length - 1)) / stepsOf(trace).length;
  let from = 0;
  return list.map(({ phase, count }, i) => {
    const part = { phase, count, from, x: from * unit + i * GAP, width: count * unit };
    from += count;
    return part;
  });
});

/** Where the top-level scopes begin and end, as step counts. */
const notches = onceForEach((trace: Trace): number[] => {
  const tops = trace.scopes.filter((scope) => scope.parent === 0 && scope.last >= scope.first);
  return [
    ...new Set(
      tops.flatMap((scope) => [position(trace, { node: scope.first - 1 }), position(trace, { node: scope.last })]),
    ),
  ];
});

function bar(part: Part, now: number, cuts: number[]): SVGTemplateResult {
  const at = (count: number): number => part.x + (part.width * (count - part.from)) / part.count;
  const done = Math.min(part.count, Math.max(0, now - part.from));
  const inner = cuts.filter((cut) => cut > part.from && cut < part.from + part.count);
  const rect = (width: number, name: string, colour: string): SVGTemplateResult =>
    svg`<rect x=${part.x} y=${TOP} width=${width} height=${HEIGHT} class=${name} style="fill:var(--${colour})" />`;
  return svg`${rect(part.width, 'wash', `${part.phase}-wash`)}
    ${rect((part.width * done) / part.count, 'done', part.phase)}
    ${inner.map((cut) => svg`<path class="notch" d="M${at(cut)} ${TOP}v${HEIGHT}" />`)}`;
}

function cursorX(parts: Part[], now: number): number {
  const part = parts.findLast((candidate) => now > candidate.from) ?? parts[0];
  return part ? part.x + (part.width * (now - part.from)) / part.count : 0;
}

const labelStyle = ({ x, width }: Part): string =>
  x + width > WIDTH - 1 && width < NARROW ? 'right:0' : `left:${x / (WIDTH / 100)}%`;

function valueText(trace: Trace, lab: Lab): string {
  const node = trace.nodes[lab.cursor.node];
  const [step, steps] = [position(trace, lab.cursor), stepsOf(trace).length];
  if (!node || node.phase === 'leaf') return texts.positionAtInputs(step, steps);
  return texts.positionAt(step, steps, node.phase, trace.scopes[lab.cursor.scope]?.name ?? node.name);
}

/** Follows the pointer from press to release. */
function drag(lab: Lab, trace: Trace, event: PointerEvent): void {
  const track = event.currentTarget as HTMLElement;
  if (event.type === 'pointerdown') track.setPointerCapture(event.pointerId);
  else if (!track.hasPointerCapture(event.pointerId)) return;
  const { left, width } = track.getBoundingClientRect();
  lab.moveTo(atPosition(trace, ((event.clientX - left) / width) * stepsOf(trace).length));
}

/** The slider's own keys, also sent by assistive tools, in addition to the page's shortcuts. */
function key(lab: Lab, trace: Trace, event: KeyboardEvent): void {
  const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  lab.moveTo(atPosition(trace, position(trace, lab.cursor) + by));
}

function scrubber(lab: Lab, trace: Trace): TemplateResult {
  const parts = layout(trace);
  const now = position(trace, lab.cursor);
  const cuts = notches(trace);
  const move = (event: PointerEvent): void => drag(lab, trace, event);
  return html`<div
    class="scrub"
    role="slider"
    tabindex="0"
    aria-label=${texts.STEP}
    aria-valuemin="0"
    aria-valuemax=${stepsOf(trace).length}
    aria-valuenow=${now}
    aria-valuetext=${valueText(trace, lab)}
    @pointerdown=${move}
    @pointermove=${move}
    @keydown=${(event: KeyboardEvent): void => key(lab, trace, event)}
  >
    <svg viewBox="0 0 ${WIDTH} 20" preserveAspectRatio="none" aria-hidden="true">
      ${parts.map((part) => bar(part, now, cuts))}
      <path class="here" d="M${cursorX(parts, now)} ${TOP - 5}v${HEIGHT + 10}" />
    </svg>
    <div class="labels" aria-hidden="true">
      ${parts.map((part) => html`<span style=${labelStyle(part)}>${texts.partOf(part.phase, part.count)}</span>`)}
    </div>
  </div>`;
}

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
          ${this.move('first')} ${this.move('back')} ${this.playButton()} ${this.move('forward')} ${this.move('last')}
        </div>
        <span class="sep" aria-hidden="true"></span>
        <div class="grp steps">
          ${this.move('into', texts.INTO)} ${this.move('over', texts.OVER)} ${this.move('out', texts.OUT)}
        </div>
        <span class="sep" aria-hidden="true"></span>
        <div class="grp again">
          ${this.button('reset', RESET, 'r', () => void this.lab.reset())} ${this.seedButton()}
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

  private move(action: StepAction, word = ''): TemplateResult {
    const { trace, cursor } = this.lab;
    const { does, shown } = SHORTCUTS.find((each) => each.action === action)!;
    const stuck = !trace || isStuck(trace, cursor, action);
    return this.button(action, does, shown, () => this.lab.step(action), { stuck, word });
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
