// The engine in its worker: why it does not answer, why a part of the page is missing, and what to do.
import { grouped } from '../intl';

export const STOPPED = 'The engine stopped and was restarted.';
export const NOT_STARTED = 'The engine could not start.';
export const CANCELLED = 'The call was cancelled.';
export const NO_SUCH_PART = 'The part of the engine with this model could not be loaded: try again.';

// The reason, as a tooltip of such a sentence.
export const NO_SCRIPT = 'its script did not load';
export const OUT_OF_MEMORY = 'it ran out of memory';
export const NO_SHARED_MEMORY = 'the browser has no memory that threads can share';
export const TERMINATED = 'it was terminated';
export const startedTooLate = (seconds: number): string => `it did not start within ${grouped(seconds)} s`;
export const tookTooLong = (call: string, seconds: number): string =>
  `"${call}" took longer than ${grouped(seconds)} s`;

export const NOT_OPENED_BEFORE =
  'Part of this page has not been opened here before and cannot be loaded offline: go online, then reload the page.';
export const UPDATED = 'Unroll has been updated since this page was opened: reload it.';
export const NOT_LOADED = 'Part of this page could not be loaded: try again.';
