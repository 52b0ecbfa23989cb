// A finger put down on a drawing may be about to scroll the page: touch presses on click, the others on pointerdown.
let touched = false;

/** For an element that listens to both pointerdown and click: true for the one that counts as the press. */
export function isPress({ type, pointerType }: PointerEvent): boolean {
  if (type === 'pointerdown') touched = pointerType === 'touch';
  return (type === 'click') === touched;
}
