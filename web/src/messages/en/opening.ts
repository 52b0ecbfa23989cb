// A state with edits that takes long to open.
import { counted, grouped } from '../intl';

export const opening = (inPlace: number, edits: number): string =>
  `Opening: ${grouped(inPlace)} of ${counted(edits, { one: 'edit is', other: 'edits are' })} in place.`;
export const STOP = 'Stop';
export const STOPPING = 'Stopping after this run.';
export const openingStopped = (inPlace: number, edits: number): string =>
  `Opening was stopped: ${grouped(inPlace)} of ${counted(edits, { one: 'edit is', other: 'edits are' })} in place.`;
export const OPEN_ALL = 'Open all of it';
