// The meaning of a word opens under the word. Opening and closing are the browser's own; only the place is ours.

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
