// The drawing on the page, the cell at its cursor in words, and where a pointer is in it.
import { type TemplateResult, html, nothing } from 'lit';
import type { Drawing, Part } from './contract';
import type { Navigation } from './navigation';

/** `kind`: its class. */
export function svgOf<Cell>(plan: Drawing<Cell>, here: Cell | null, kind: string): TemplateResult {
  const [x, y] = plan.margin ?? [0, 0];
  const [width, height] = [plan.width + 2 * x, plan.height + 2 * y];
  return html`<svg
    class="drawn ${kind}"
    width=${width}
    height=${height}
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
