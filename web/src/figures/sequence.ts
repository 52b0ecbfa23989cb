// Loads the views of the sequence lessons, a separate chunk: at once if the page contains one of them, else on demand.
const TAGS = 'u-alignment, u-beam-tree, u-curves, u-runs, u-unrolled';

export const loadSequenceViews = (): Promise<unknown> => import('./sequence-views');

if (document.querySelector(TAGS)) void loadSequenceViews();
