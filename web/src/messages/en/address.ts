// The address of a state, as every page needs it: the codec of links has its own sentences, in link.ts.

export const forLesson = (lesson: string): string =>
  `This link is for the lesson "${lesson}": open it on that page, or remove everything after # to stay here.`;
export const FOR_WORKBENCH =
  'This link is for the workbench: open it on that page, or remove everything after # to stay here.';
export const OTHER_ENGINE = 'This link was made with another version of the engine: the last digits may differ here.';
export const HERE_ONLY =
  'Your own data stays in this browser: anywhere else, this link opens the page without your data or your model.';
export const NOT_HERE =
  'The link needs pairs or text that only the browser it was made in has: ask its author for them, or remove everything after # to start again.';
/** The browser takes no address, or cannot compress one. */
export const NO_ADDRESS = 'This browser did not take the address of this state.';
/** @param why What no link can hold, as a sentence. */
export const notInAddress = (why: string): string => `${why} Reloading would bring back the state before this.`;
