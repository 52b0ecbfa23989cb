// What is not needed as a page opens comes when its reader begins to move.

/** Milliseconds after which somebody who does not move is taken for a reader too. */
const PATIENCE = 10_000;

/** At the reader's first movement: by pointer, key, wheel or touch. */
export const readerMoves: Promise<unknown> = new Promise((begin) => {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focusin'];
  for (const sign of signs) addEventListener(sign, begin, { once: true, passive: true, capture: true });
  setTimeout(begin, PATIENCE);
});
