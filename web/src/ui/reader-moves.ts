// What is not needed as a page opens comes when its reader begins to move.

/** Milliseconds after which somebody who does not move is taken for a reader too. */
const PATIENCE = 10_000;
const SIGNS = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focusin'];

/** A browser also says that a pointer at rest has moved, when the page appears under it. */
const isAtRest = (event: Event): boolean =>
  event instanceof PointerEvent && event.type === 'pointermove' && !event.movementX && !event.movementY;

/** At the reader's first movement: by pointer, key, wheel or touch. */
export const readerMoves: Promise<unknown> = new Promise((begin) => {
  const until = new AbortController();
  const moved = (event?: Event): void => {
    if (event && isAtRest(event)) return;
    until.abort();
    begin(undefined);
  };
  for (const sign of SIGNS) addEventListener(sign, moved, { passive: true, capture: true, signal: until.signal });
  setTimeout(moved, PATIENCE);
});
