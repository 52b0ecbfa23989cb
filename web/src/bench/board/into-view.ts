// Scrolling of a pane. It scrolls to a step as little as possible, and never so far that the focused element leaves the
// screen.

/** True if at least half of it is visible, or it covers at least half of the panel. */
function isSeen({ top, bottom, height }: DOMRect, view: DOMRect): boolean {
  const seen = Math.min(bottom, view.bottom) - Math.max(top, view.top);
  return seen > 0 && seen >= Math.min(height, view.height) / 2;
}

/** Pixels to scroll down (negative: up) to the nearest position that shows as much of it as possible. */
function scrollDelta({ top, bottom }: DOMRect, view: DOMRect): number {
  if (top < view.top) return top - view.top;
  return Math.max(0, Math.min(bottom - view.bottom, top - view.top));
}

/** The box that scrolls: the panel, or a bench so narrow that the panel does not scroll. */
const scrollerOf = (panel: HTMLElement): HTMLElement =>
  /auto|scroll/.test(getComputedStyle(panel).overflowY) ? panel : panel.closest<HTMLElement>('.bench')!;

/** What of it can be seen: in a narrow bench, the transport covers its foot. */
function viewOf(panel: HTMLElement, scroller: HTMLElement): DOMRect {
  const { left, top, width, height } = scroller.getBoundingClientRect();
  const foot = scroller === panel ? 0 : (scroller.querySelector<HTMLElement>('u-transport')?.offsetHeight ?? 0);
  return new DOMRect(left, top, width, height - foot);
}

/** Limits the distance so that the focused element, if visible now, stays visible. */
function clampDelta(delta: number, focused: DOMRect | undefined, view: DOMRect): number {
  if (!focused || focused.bottom <= view.top || focused.top >= view.bottom) return delta;
  if (delta > 0) return Math.min(delta, Math.max(0, focused.top - view.top));
  return Math.max(delta, Math.min(0, focused.bottom - view.bottom));
}

/** Scrolls to the board's tensor `name`, unless a figure shows it. <u-blocks> does not count: it shows no values. */
export function bringIntoView(panel: HTMLElement, name: string): void {
  const showing = [...panel.querySelectorAll<HTMLElement>('[data-tensor]')].filter(
    (one) => one.dataset.tensor === name && !one.closest('u-blocks'),
  );
  const onBoard = showing.find((one) => one.closest('u-board'));
  const scroller = scrollerOf(panel);
  const view = viewOf(panel, scroller);
  const others = showing.filter((one) => !one.closest('u-board'));
  if (!onBoard || others.some((one) => isSeen(one.getBoundingClientRect(), view))) return;
  const focused = panel.contains(document.activeElement) ? document.activeElement?.getBoundingClientRect() : undefined;
  scroller.scrollTop += clampDelta(scrollDelta(onBoard.getBoundingClientRect(), view), focused, view);
}
