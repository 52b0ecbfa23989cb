// The scrubber: the stops of the level in which the cursor is, a cell each, as one slider. Where they are many, only the labels
// that fit are shown.
import { html, type TemplateResult } from 'lit';
import * as texts from '#messages/bench/bench';
import { levelOf, isStopReached, stopAt, type Stop } from '../../lab/stops';
import { START } from '../../lab/cursor';
import { textWidth, textZoom } from '../../figures/shared/palette';
import { areOneSeries, type StopName } from '../../ui/stop-names';
import type { Lab } from '../../lab/lab';
import type { Cursor, Trace } from '../../engine/types';

/** Of more stops than this at one level, those around the cursor are drawn. */
const MOST_CELLS = 64;

/** What the transport knows of where the cursor is. */
export interface Here {
  stop: Stop | undefined;
  level: readonly Stop[];
  names: readonly StopName[];
  /** Which of the level, from 0; −1 at the start. */
  at: number;
}

function drawnCells({ level, at }: Here): [from: number, to: number] {
  const from = Math.max(0, Math.min(at - MOST_CELLS / 2, level.length - MOST_CELLS));
  return [from, Math.min(level.length, from + MOST_CELLS)];
}

/** In CSS pixels: a cell without a label, the space around a label, and that between cells. */
const BLANK = 8;
const PADDING = 10;
const BETWEEN = 5;
const LABEL_SIZE = 13;

/** Which labels, of these widths, fit into cells of so much room in all: that of the current stop, and then the shorter ones. */
export function fitting(widths: readonly number[], room: number, here: number): Set<number> {
  const more = widths.map((width) => width + PADDING - BLANK);
  const order = [...widths.keys()].sort((a, b) => Number(b === here) - Number(a === here) || more[a]! - more[b]!);
  let left = room - widths.length * (BLANK + BETWEEN);
  return new Set(order.filter((i) => (left -= more[i]!) >= 0 || i === here));
}

function cell(trace: Trace, cursor: Cursor, here: Here, i: number, hasLabel: boolean): TemplateResult {
  const stop = here.level[i]!;
  const label = here.names[i]!.label;
  const before = here.level[i - 1];
  const classes = [
    'cell',
    isStopReached(trace, stop, cursor) ? 'reached' : '',
    i === here.at ? 'here' : '',
    stop.phase === 'forward' || stop.parent ? '' : 'late',
    before && !areOneSeries(trace, before, stop) ? 'apart' : '',
    hasLabel ? '' : 'blank',
  ];
  return html`<span class=${classes.filter(Boolean).join(' ')} data-at=${i}
    ><span>${hasLabel ? label : ''}</span></span
  >`;
}

/** Follows the pointer from press to release. */
function drag(lab: Lab, { level }: Here, event: PointerEvent): void {
  const track = event.currentTarget as HTMLElement;
  if (event.type === 'pointerdown') track.setPointerCapture(event.pointerId);
  else if (!track.hasPointerCapture(event.pointerId)) return;
  const cells = [...track.querySelectorAll<HTMLElement>('[data-at]')];
  const under = cells.findLast((each) => each.getBoundingClientRect().left <= event.clientX) ?? cells[0];
  lab.moveTo(level[Number(under?.dataset.at)]?.cursor ?? START);
}

/** The slider's own keys, also sent by assistive tools, in addition to the page's shortcuts. */
function key(lab: Lab, { level, at }: Here, event: KeyboardEvent): void {
  const by = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const first = level[0]?.parent ? 0 : -1;
  const to = Math.max(first, Math.min(level.length - 1, at + by));
  lab.moveTo(level[to]?.cursor ?? START);
}

/** @param says The sentence for where the cursor is. */
export function scrubber(lab: Lab, trace: Trace, here: Here, says: string, room: number): TemplateResult {
  const { level, at } = here;
  const [from, to] = drawnCells(here);
  const widths = here.names.slice(from, to).map(({ label }) => textWidth(label, LABEL_SIZE * textZoom()));
  const labelled = fitting(widths, room, at - from);
  const move = (event: PointerEvent): void => drag(lab, here, event);
  return html`<div
    class="scrub"
    role="slider"
    tabindex="0"
    aria-label=${texts.STEP}
    aria-valuemin=${level[0]?.parent ? 1 : 0}
    aria-valuemax=${level.length}
    aria-valuenow=${at + 1}
    aria-valuetext=${texts.positionAt(says, at + 1, level.length)}
    @pointerdown=${move}
    @pointermove=${move}
    @keydown=${(event: KeyboardEvent): void => key(lab, here, event)}
  >
    ${level.slice(from, to).map((_, i) => cell(trace, lab.cursor, here, from + i, labelled.has(i)))}
  </div>`;
}

export function whereIs(trace: Trace, cursor: Cursor, namesOf: (level: readonly Stop[]) => readonly StopName[]): Here {
  const stop = stopAt(trace, cursor);
  const level = levelOf(trace, stop);
  return { stop, level, names: namesOf(level), at: stop ? level.indexOf(stop) : -1 };
}
