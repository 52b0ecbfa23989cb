// What is in sight on the bench. Its panel scrolls to a step no further than it must, not at all while a drawing on
// screen shows it, and never so that what the learner has just used leaves the screen; and it stays with what the learner
// looks at when a view above that grows or shrinks, as it does from layer to layer.

/** True if half of it is in sight, or it fills half of the panel. */
function isSeen({ top, bottom, height }: DOMRect, view: DOMRect): boolean {
  const seen = Math.min(bottom, view.bottom) - Math.max(top, view.top);
  return seen > 0 && seen >= Math.min(height, view.height) / 2;
}

/** How far to scroll down, negative for up: to the nearest place where as much as possible of it is in sight. */
function wayTo({ top, bottom }: DOMRect, view: DOMRect): number {
  if (top < view.top) return top - view.top;
  return Math.max(0, Math.min(bottom - view.bottom, top - view.top));
}

/** As much of the way as leaves in sight what is in use. */
function short(way: number, used: DOMRect | undefined, view: DOMRect): number {
  if (!used || used.bottom <= view.top || used.top >= view.bottom) return way;
  if (way > 0) return Math.min(way, Math.max(0, used.top - view.top));
  return Math.max(way, Math.min(0, used.bottom - view.bottom));
}

/** `name` of the step's tensor. A box of the blocks shows none of its numbers. */
export function bringIntoView(panel: HTMLElement, name: string): void {
  const showing = [...panel.querySelectorAll<HTMLElement>('[data-tensor]')].filter(
    (one) => one.dataset.tensor === name && !one.closest('u-blocks'),
  );
  const onBoard = showing.find((one) => one.closest('u-board'));
  const view = panel.getBoundingClientRect();
  const others = showing.filter((one) => !one.closest('u-board'));
  if (!onBoard || others.some((one) => isSeen(one.getBoundingClientRect(), view))) return;
  const used = panel.contains(document.activeElement) ? document.activeElement?.getBoundingClientRect() : undefined;
  panel.scrollTop += short(wayTo(onBoard.getBoundingClientRect(), view), used, view);
}

const heights = new WeakMap<Element, number>();

function keep(target: Element): void {
  const { top, bottom, height } = target.getBoundingClientRect();
  const grown = height - (heights.get(target) ?? height);
  heights.set(target, height);
  const panel = target.closest('.panel');
  const view = panel?.getBoundingClientRect();
  if (panel && view && top < view.top && bottom - grown <= (view.top + view.bottom) / 2) panel.scrollTop += grown;
}

const sizes = new ResizeObserver((entries) => entries.forEach(({ target }) => keep(target)));

/** From now on the middle of the panel stays where it is when this, above it, becomes larger or smaller. */
export const keepBelow = (view: Element): void => sizes.observe(view);
