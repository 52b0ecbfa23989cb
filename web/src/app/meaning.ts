// Places the popover of a glossary term below the term, or above if there is no room. The browser opens and closes it.

const GAP = 6;

function place(meaning: HTMLElement): void {
  const word = meaning.parentElement!.querySelector('button')!.getBoundingClientRect();
  const width = meaning.offsetWidth;
  const left = Math.max(GAP, Math.min(word.left, document.documentElement.clientWidth - width - GAP));
  const below = word.bottom + GAP + meaning.offsetHeight <= innerHeight;
  meaning.style.left = `${left + scrollX}px`;
  meaning.style.top = `${(below ? word.bottom + GAP : word.top - GAP - meaning.offsetHeight) + scrollY}px`;
}

export function placeMeanings(): void {
  const onToggle = ({ target }: Event): void => {
    if (target instanceof HTMLElement && target.matches('.meaning:popover-open')) place(target);
  };
  document.addEventListener('toggle', onToggle, true);
}
