// How high a drawing may be so that all of its figure is seen at once: in the whole window, or on the bench beside a text.

/** CSS pixels between the parts of a figure, and around it. */
const APART = 12;
/** So much of a panel fades out where more lies below. */
const FADE = 20;
/** With less there is none: the figure stands below what is seen first, and the panel scrolls to it. */
const LEAST = 100;

const sum = (heights: number[]): number => heights.reduce((all, one) => all + one, 0);

/** CSS pixels; Infinity where nothing is seen at once: on a phone, in a text, further down on the bench. */
export function roomOf(host: HTMLElement, wide: boolean): number {
  const figure = host.querySelector('figure');
  const drawing = figure?.querySelector('svg.drawn')?.closest('figure > *');
  const others = [...(figure?.children ?? [])].filter((child) => child !== drawing && !child.matches('.vh'));
  const own = APART + sum(others.map((child) => (child as HTMLElement).offsetHeight));
  if (wide) return innerHeight - own - 4 * APART;
  const panel = host.closest<HTMLElement>('.bench > .panel');
  if (!panel || getComputedStyle(panel).overflowY !== 'auto') return Infinity;
  const above = host.getBoundingClientRect().top - panel.getBoundingClientRect().top + panel.scrollTop;
  const room = mostOf(panel) - FADE - above - own;
  return room < LEAST ? Infinity : room;
}

/** What a panel may take of the bench: the code and the inspector keep their least height. */
function mostOf(panel: HTMLElement): number {
  const bench = panel.parentElement!;
  const beside = [...bench.children].filter((child) => child !== panel) as HTMLElement[];
  const taken = beside.map((child) => parseFloat(getComputedStyle(child).minHeight) || child.offsetHeight);
  return bench.clientHeight - parseFloat(getComputedStyle(bench).paddingTop) - sum(taken);
}
