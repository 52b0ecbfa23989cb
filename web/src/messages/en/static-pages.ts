// The pages that are written by hand: the front page, the workbench, and what is shown offline instead of a page that
// was never opened. The build puts each text, which may have inline markup, in the place of its name: {{HOME_TITLE}}.

export const HOME_TITLE = 'Unroll · run, step through and edit models that read and write';
export const HOME_SUMMARY =
  'A teaching lab for sequence models, attention and transformers: the real computation, in your browser.';
export const HOME_HEADING = 'See a model think, one operation at a time';
export const HOME_LEAD =
  'Unroll runs sequence models, attention and transformers in your browser: the real computation, not a drawing of it. Step through every operation, change any number, and read the line of C++ that ran.';
export const TRY_HEADING = 'Try it now';
export const TRY =
  'On the workbench four words are about to look at each other, with numbers small enough to check by hand. Press <u-press action="forward">Next step</u-press> and queries, keys and values appear one by one. Once you reach the weights, change a number in the input: everything after it follows.';

export const WORKBENCH_TITLE = 'Workbench · Unroll';
export const WORKBENCH_SUMMARY = 'Pick a model, its settings and a seed; run it, step through it, change any number.';
export const WORKBENCH_HEADING = 'Workbench';
export const WORKBENCH_LEAD =
  'Any model, any settings, any seed. The same settings and seed give the same bits, here and anywhere.';
export const WORKBENCH_USE =
  'Step through it, select a cell and edit its value, check a gradient against a finite difference. The link at the top right holds all of it: the model, its settings, the seed, your edits and your place in the run.';

export const OFFLINE_TITLE = 'Not opened yet · Unroll';
export const OFFLINE_HEADING = 'This page has not been opened here before, and you are offline';
export const OFFLINE_ADVICE =
  'Unroll keeps what you open: every page you have visited works offline, and so will this one once you have opened it. Go back, or go online and <a href="" style="color: inherit">try again</a>.';
