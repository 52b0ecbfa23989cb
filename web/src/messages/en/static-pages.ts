// The pages that are written by hand: the front page, the workbench, and what is shown offline instead of a page that
// was never opened. The build puts each text, which may have inline markup, in the place of its name: {{HOME_TITLE}}.

export const HOME_TITLE = 'Unroll · see attention and Transformers at work';
export const HOME_SUMMARY =
  'Lessons about sequence models, attention and Transformers, with small models that really run in your browser.';
export const HOME_HEADING = 'How does a machine translate a sentence?';
export const HOME_LEAD =
  'Unroll shows attention and the Transformer at work, in small models that really run in this page. Watch a word being written, predict the next, change a number and see what follows.';
export const COURSE = 'The course';
export const AS_A_LIST = 'As a list, with what each lesson needs';

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
  'Every page that you have opened works offline. Go back, or go online and <a href="" style="color: inherit">try again</a>.';
