// The drawing on the page: how tall it may be so that its whole figure is visible (in the full window, or on the bench
// beside a text), the cell at its cursor in words, where a pointer is in it, and how its figure is widened to the window and back.
import { type ReactiveController, type TemplateResult, html, nothing } from 'lit';
import { SHRINK, WIDEN } from '#messages/figures/host';
import type { LabElement } from '../../ui/lab-element';
import type { Drawing, Navigation, Part, Room } from './contract';

/** `kind`: its class. */
export function svgOf<Cell>(plan: Drawing<Cell>, scale: number, here: Cell | null, kind: string): TemplateResult {
  const [x, y] = plan.margin ?? [0, 0];
  const [width, height] = [plan.width + 2 * x, plan.height + 2 * y];
  return html`<svg
    class="drawn ${kind}"
    width=${width * scale}
    height=${height * scale}
    viewBox="${-x} ${-y} ${width} ${height}"
    aria-hidden="true"
  >
    ${plan.draw(here)}
  </svg>`;
}

const ITEMS = { grid: 'gridcell', tree: 'treeitem', listbox: 'option' } as const;

/** The cell at the cursor as text for screen readers; the others exist only in the drawing. */
export function spokenCell<Cell>(
  { role, place }: Navigation<Cell>,
  at: Cell,
  selected: boolean,
  id: string,
  text: string,
): Part {
  if (role === 'slider' || role === 'region') return nothing;
  const { row, column, index, level, expanded } = place(at);
  const item = html`<span
    class=${row === undefined ? 'vh' : nothing}
    role=${ITEMS[role]}
    id=${id}
    aria-level=${level ?? nothing}
    aria-colindex=${column === undefined ? nothing : column + 1}
    aria-selected=${selected}
    aria-expanded=${expanded ?? nothing}
    data-index=${index ?? nothing}
    >${text}</span
  >`;
  return row === undefined ? item : html`<div role="row" class="vh" aria-rowindex=${row + 1}>${item}</div>`;
}

/** Position of a pointer in the drawing's own coordinates. */
export function pointIn(drawing: SVGSVGElement, event: { clientX: number; clientY: number }): [number, number] {
  const box = drawing.getBoundingClientRect();
  const { x, y, width } = drawing.viewBox.baseVal;
  const scale = width / (box.width || 1);
  return [(event.clientX - box.left) * scale + x, (event.clientY - box.top) * scale + y];
}

/** CSS pixels between the cursor and the edge of a box that scrolls to it. */
const CLEAR = 8;

/** Scrolls a wide drawing inside its box, sideways, until the cell at the cursor is in view. */
export function revealIn(box: HTMLElement): void {
  const here = [...box.querySelectorAll('.drawn .here')].at(-1);
  if (!here || !box.contains(document.activeElement)) return;
  const [outer, inner] = [box.getBoundingClientRect(), here.getBoundingClientRect()];
  if (inner.right > outer.right) box.scrollLeft += inner.right - outer.right + CLEAR;
  if (inner.left < outer.left) box.scrollLeft -= outer.left - inner.left + CLEAR;
}

/** CSS pixels between the parts of a figure and around it. */
const APART = 12;
/** With fewer pixels the height is not limited: the pane scrolls. */
const MIN_HEIGHT = 100;

const sum = (heights: number[]): number => heights.reduce((all, one) => all + one, 0);

/** Height in CSS pixels; Infinity where the figure need not fit: in a text. */
export function availableHeight(host: HTMLElement, widened: boolean): number {
  const figure = host.querySelector('figure');
  const drawing = figure?.querySelector('svg.drawn')?.closest('figure > *');
  const others = [...(figure?.children ?? [])].filter((child) => child !== drawing && !child.matches('.vh'));
  const own = APART + sum(others.map((child) => (child as HTMLElement).offsetHeight));
  if (widened) return innerHeight - own - 4 * APART;
  const pane = host.closest<HTMLElement>('.pane');
  if (!pane) return Infinity;
  const above = host.getBoundingClientRect().top - pane.getBoundingClientRect().top + pane.scrollTop;
  const height = pane.clientHeight - parseFloat(getComputedStyle(pane).paddingBottom) - above - own;
  return height < MIN_HEIGHT ? Infinity : height;
}

/** How much larger or smaller a drawing is than it was laid out, the smallest first: from 0.6 to 3, and 1 among them. */
const SCALES = Array.from({ length: 42 }, (_, i) => 1.04 ** (i - 13));

/**
 * The drawing as large as the room allows: laid out in the room divided by a scale, and drawn by it. Where the height is
 * not limited it is laid out as it is; where nothing fits, in part.
 */
export function fitted<Plan extends Pick<Drawing<never>, 'width' | 'height' | 'margin'>>(
  room: Room,
  layOut: (room: Room) => Plan,
): [Plan, number] {
  let best: [Plan, number] | null = null;
  // What fits at one scale fits at a smaller one.
  for (let [low, high] = [0, room.maxHeight === Infinity ? 0 : SCALES.length]; low < high;) {
    const middle = (low + high) >> 1;
    const scale = SCALES[middle]!;
    const plan = layOut({ ...room, width: room.width / scale, maxHeight: room.maxHeight / scale });
    if (fits(plan, scale, room)) [best, low] = [[plan, scale], middle + 1];
    else high = middle;
  }
  return best ?? [layOut({ ...room, inPart: room.maxHeight < Infinity }), 1];
}

function fits(
  { width, height, margin }: Pick<Drawing<never>, 'width' | 'height' | 'margin'>,
  by: number,
  room: Room,
): boolean {
  const [x, y] = margin ?? [0, 0];
  return (width + 2 * x) * by <= room.width + 1 && (height + 2 * y) * by <= room.maxHeight;
}

const CAN_WIDEN = 'popover' in HTMLElement.prototype;

/** In the top layer nothing clips the figure, and it keeps its place in the DOM; min-height reserves its space. */
export class Widening implements ReactiveController {
  wide = false;
  #was = false;

  /** @param measure Called when the size has changed. */
  constructor(
    private readonly host: LabElement,
    private readonly measure: () => void,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    if (this.wide === this.#was) return;
    this.#was = this.wide;
    if (this.wide) this.host.querySelector('figure')?.showPopover();
    else this.host.style.minHeight = '';
    this.measure();
  }

  hostDisconnected(): void {
    this.#set(false);
  }

  get button(): TemplateResult | typeof nothing {
    if (!CAN_WIDEN) return nothing;
    return html`<button class="link" @click=${this.#press}>${this.wide ? SHRINK : WIDEN}</button>`;
  }

  #set(wide: boolean): void {
    if (wide === this.wide) return;
    this.wide = wide;
    this.host.requestUpdate();
  }

  readonly #press = async (): Promise<void> => {
    if (!this.wide) this.host.style.minHeight = `${this.host.offsetHeight}px`;
    this.#set(!this.wide);
    await this.host.updateComplete;
    this.host.querySelector<HTMLElement>('.figfoot .more')?.focus();
  };

  /** The browser closes the popover on Escape. */
  readonly toggled = (event: ToggleEvent): void => {
    if (event.newState === 'closed') this.#set(false);
  };

  /** What lies behind a widened figure is hidden, so moving focus there closes it. */
  readonly left = ({ relatedTarget }: FocusEvent): void => {
    if (relatedTarget && !this.host.contains(relatedTarget as Node)) this.#set(false);
  };
}
