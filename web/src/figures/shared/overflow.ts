// Marks the sides to which a scrolling box has more content: data-more="right bottom", for the style sheet to show.

function sidesOf(box: HTMLElement): string {
  const sides = {
    left: box.scrollLeft > 1,
    right: box.scrollLeft + box.clientWidth < box.scrollWidth - 1,
    top: box.scrollTop > 1,
    bottom: box.scrollTop + box.clientHeight < box.scrollHeight - 1,
  };
  return Object.entries(sides)
    .filter(([, more]) => more)
    .map(([side]) => side)
    .join(' ');
}

function mark(box: HTMLElement): void {
  const sides = sidesOf(box);
  if ((box.dataset.more ?? '') !== sides) box.dataset.more = sides;
}

const watchers = new WeakMap<HTMLElement, { sizes: ResizeObserver; seen: WeakSet<Element> }>();

function watcherOf(box: HTMLElement): NonNullable<ReturnType<typeof watchers.get>> {
  const known = watchers.get(box);
  if (known) return known;
  const watcher = { sizes: new ResizeObserver(() => mark(box)), seen: new WeakSet<Element>() };
  watchers.set(box, watcher);
  box.addEventListener('scroll', () => mark(box), { passive: true });
  return watcher;
}

/** Keeps data-more up to date from now on. Call again after the box's children have been replaced. */
export function markOverflow(box: HTMLElement | null | undefined): void {
  if (!box) return;
  const { sizes, seen } = watcherOf(box);
  for (const each of [box, ...box.children])
    if (!seen.has(each)) {
      seen.add(each);
      sizes.observe(each);
    }
  mark(box);
}
