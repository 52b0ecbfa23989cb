// The views of the sequence lessons are a chunk of their own, fetched where one of them stands in the page, or when
// whoever puts one there asks for them.
const TAGS = 'u-alignment, u-beam-tree, u-curves, u-runs, u-unrolled';

export const loadSequenceViews = (): Promise<unknown> => import('./sequence-views');

if (document.querySelector(TAGS)) void loadSequenceViews();
