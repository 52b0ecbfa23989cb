// The box around a drawing, which has the keyboard's focus, and the cell at the cursor in words.
import { type TemplateResult, html, nothing } from 'lit';
import type { Part, Size } from './contract';
import type { Navigation } from './navigation';

interface Stage<Cell> {
  navigation: Navigation<Cell>;
  /** The cell at the cursor, or where the cursor starts. */
  at: Cell;
  /** Id of the element that says it. */
  id: string;
  cellText: string;
  layout: Size;
  frame: string;
  kind: string;
}

interface Events {
  keyed: (event: KeyboardEvent) => void;
  focused: () => void;
  left: () => void;
  moved: (event: PointerEvent) => void;
  out: () => void;
  pressed: (event: PointerEvent) => void;
  lifted: () => void;
}

export function stageOf<Cell>(stage: Stage<Cell>, events: Events, drawn: Part | Part[], spoken: Part): TemplateResult {
  const { navigation, at, id, cellText } = stage;
  const { role, label, extent, last } = navigation;
  const slides = role === 'slider';
  return html`<div
    class=${stage.frame}
    role=${role}
    tabindex="0"
    aria-label=${label}
    aria-rowcount=${extent?.rows ?? nothing}
    aria-colcount=${extent?.columns ?? nothing}
    aria-activedescendant=${spoken === nothing ? nothing : id}
    aria-valuemin=${slides ? 0 : nothing}
    aria-valuemax=${last ?? nothing}
    aria-valuenow=${slides ? (navigation.place(at).index ?? 0) : nothing}
    aria-valuetext=${slides ? cellText : nothing}
    @keydown=${events.keyed}
    @focus=${events.focused}
    @blur=${events.left}
    @pointermove=${events.moved}
    @pointerleave=${events.out}
    @pointerdown=${events.pressed}
    @click=${events.pressed}
    @pointerup=${events.lifted}
    @pointercancel=${events.lifted}
  >
    ${svgOf(stage, drawn)} ${spoken}
  </div>`;
}

function svgOf({ layout, kind }: Pick<Stage<unknown>, 'layout' | 'kind'>, drawn: Part | Part[]): TemplateResult {
  const [x, y] = layout.margin ?? [0, 0];
  const [width, height] = [layout.width + 2 * x, layout.height + 2 * y];
  return html`<svg
    class="drawn ${kind}"
    width=${width}
    height=${height}
    viewBox="${-x} ${-y} ${width} ${height}"
    aria-hidden="true"
  >
    ${drawn}
  </svg>`;
}

const ITEMS = { grid: 'gridcell', tree: 'treeitem', listbox: 'option' } as const;

/** The cell at the cursor as text for screen readers; the others exist only in the drawing. */
export function spokenCell<Cell>(
  { role, place }: Navigation<Cell>,
  at: Cell,
  selected: boolean,
  id: string,
  cellText: string,
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
    >${cellText}</span
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
