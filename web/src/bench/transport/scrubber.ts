// The scrubber: a track tinted by phase, with notches at the top-level scopes and the position of the cursor.
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/bench';
import { onceForEach } from '../../lab/cursor/once';
import { atPosition, phases, position, stepsOf } from '../../lab/cursor/steps';
import type { Lab } from '../../lab/lab';
import type { Phase, Trace } from '../../engine/types';

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
  return svg`<rect x=${part.x} y=${TOP} width=${part.width} height=${HEIGHT} class="${part.phase} wash" />
    <rect x=${part.x} y=${TOP} width=${(part.width * done) / part.count} height=${HEIGHT} class="${part.phase} done" />
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

export function scrubber(lab: Lab, trace: Trace): TemplateResult {
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
