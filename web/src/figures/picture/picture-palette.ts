// What a field of a picture can hold, to choose from: a button for each thing, in a grid that arrow keys move over.
import { type TemplateResult, html, nothing, svg } from 'lit';
import * as texts from '#messages/figures/picture';

/** Source word of an empty field. */
export const EMPTY = '.';

/** The sprites of the engine as outlines, 8 × 8 (engine/nn/layers/sprites.cpp). */
const OUTLINES: Record<string, string> = {
  circle: 'M2 1h4v1h1v4H6v1H2V6H1V2h1z',
  square: 'M1 1h6v6H1z',
  triangle: 'M3 1h2v2h1v2h1v2H1V5h1V3h1z',
  cross: 'M1 1h2v1h2V1h2v2H6v2h1v2H5V6H3v1H1V5h1V3H1z',
};
const COLOURS: Record<string, string> = {
  red: 'rgb(242 64 51)',
  yellow: 'rgb(255 217 38)',
  green: 'rgb(51 191 77)',
  blue: 'rgb(64 115 255)',
};

/** One thing, `red-circle`; nothing for what has no outline. */
export function sprite(thing: string): TemplateResult {
  const [colour, shape] = thing.split('-') as [string, string?];
  return svg`<path d=${OUTLINES[shape ?? ''] ?? ''} fill=${COLOURS[colour] ?? 'none'}></path>`;
}

/** `red circle` for `red-circle`. */
export const spoken = (thing: string): string => (thing === EMPTY ? texts.EMPTY : thing.replace('-', ' '));

/** Things in a row of the palette. */
const COLUMNS = 4;
const MOVES: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -COLUMNS, ArrowDown: COLUMNS };

/** `now` is what the field holds; `undo` takes the last painted field back, null if there is none. */
export function thingButtons(
  things: readonly string[],
  now: string | undefined,
  choose: (thing: string) => void,
  undo: (() => void) | null,
): TemplateResult {
  const button = (thing: string): TemplateResult =>
    html`<button
      type="button"
      class="thing ${thing === EMPTY ? 'none' : ''}"
      aria-label=${spoken(thing)}
      title=${spoken(thing)}
      aria-pressed=${thing === now}
      ?autofocus=${thing === now}
      @click=${() => choose(thing)}
    >
      ${thing === EMPTY ? texts.EMPTY : html`<svg viewBox="0 0 8 8" aria-hidden="true">${sprite(thing)}</svg>`}
    </button>`;
  return html`<div class="things" @keydown=${moved}>
    ${[...things.filter((thing) => thing !== EMPTY), EMPTY].map(button)}
    ${undo ? html`<button type="button" class="thing" @click=${undo}>${texts.UNDO}</button>` : nothing}
  </div>`;
}

/** No key goes on to the page, which steps the trace at some of them. */
function moved(event: KeyboardEvent): void {
  event.stopPropagation();
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll('button')];
  const by = MOVES[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const to = all.indexOf(event.target as HTMLButtonElement) + by;
  all[Math.max(0, Math.min(all.length - 1, to))]!.focus();
}

/** CSS pixels between a field and the palette, and between the palette and the edge of the window. */
const APART = 4;

/** Opens the palette below a field of the window, or above it where there is more room; `field` is in CSS pixels. */
export function openAt(palette: HTMLElement, field: DOMRect): void {
  palette.showPopover();
  const { width, height } = palette.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const below = field.bottom + APART;
  const top = below + height > clientHeight ? field.top - APART - height : below;
  const left = Math.min(field.left, clientWidth - width - APART);
  palette.style.left = `${Math.max(APART, left)}px`;
  palette.style.top = `${Math.max(APART, Math.min(top, clientHeight - height - APART))}px`;
}
