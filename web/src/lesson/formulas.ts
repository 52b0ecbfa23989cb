// Keyboard access to formulas that are wider than the text and scroll on their own.

/** Makes formulas that scroll focusable; the others stay out of the tab order. */
export function reachFormulas(): void {
  const watched = new ResizeObserver((entries) => {
    for (const { target } of entries)
      if (target.scrollWidth > target.clientWidth) target.setAttribute('tabindex', '0');
      else target.removeAttribute('tabindex');
  });
  for (const formula of document.querySelectorAll('.katex-display')) watched.observe(formula);
}
