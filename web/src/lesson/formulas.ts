// A formula that is wider than the text scrolls by itself: the keyboard must be able to reach it.

/** Formulas that scroll take the focus; the others are no stop on the way. */
export function reachFormulas(): void {
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
  });
  for (const formula of document.querySelectorAll('.katex-display')) watched.observe(formula);
}
