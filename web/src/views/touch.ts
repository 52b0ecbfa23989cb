// A finger that comes down on a drawing may be about to scroll the page: it presses when it is lifted again.
let touched = false;

/** For pointerdown and click of one thing: true for that of the two which is the press. */
export function isPress({ type, pointerType }: PointerEvent): boolean {
  if (type === 'pointerdown') touched = pointerType === 'touch';
  return (type === 'click') === touched;
}
