// How tall a drawing may be so that its whole figure is visible: in the full window, or on the bench beside a text.

/** CSS pixels between the parts of a figure and around it. */
const APART = 12;
/** CSS pixels that fade out at the bottom of a panel that can scroll further down. */
const FADE = 20;
/** With fewer pixels the height is not limited: the figure lies below the fold and the panel scrolls to it. */
const MIN_HEIGHT = 100;

const sum = (heights: number[]): number => heights.reduce((all, one) => all + one, 0);

/** Height in CSS pixels; Infinity where the figure need not fit: on a phone, in a text, further down the bench. */
export function availableHeight(host: HTMLElement, widened: boolean): number {
  const figure = host.querySelector('figure');
  const drawing = figure?.querySelector('svg.drawn')?.closest('figure > *');
  const others = [...(figure?.children ?? [])].filter((child) => child !== drawing && !child.matches('.vh'));
  const own = APART + sum(others.map((child) => (child as HTMLElement).offsetHeight));
  if (widened) return innerHeight - own - 4 * APART;
  const panel = host.closest<HTMLElement>('.bench > .panel');
  if (!panel || getComputedStyle(panel).overflowY !== 'auto') return Infinity;
  const above = host.getBoundingClientRect().top - panel.getBoundingClientRect().top + panel.scrollTop;
  const height = maxPanelHeight(panel) - FADE - above - own;
  return height < MIN_HEIGHT ? Infinity : height;
}

/** Maximum height of a panel: the code and the inspector keep their min-height. */
function maxPanelHeight(panel: HTMLElement): number {
  const bench = panel.parentElement!;
  const beside = [...bench.children].filter((child) => child !== panel) as HTMLElement[];
  const taken = beside.map((child) => parseFloat(getComputedStyle(child).minHeight) || child.offsetHeight);
  return bench.clientHeight - parseFloat(getComputedStyle(bench).paddingTop) - sum(taken);
}
