// The alignment: which source word each target word attends to.
import { counted, grouped } from '../../intl';
import { attendsTo } from './shared';

export const HINT = 'each row is a target word, each column a source word';
export const SHOW_TRUE_LINKS = 'Show true links';
export const HIDE_TRUE_LINKS = 'Hide true links';

/** Of the cell that is pointed at. */
export const pair = (target: string, source: string, weight: string, isTrueLink: boolean): string =>
  `${attendsTo(target, source, weight)}${isTrueLink ? ' (true link)' : ''}`;
/** Of a row, in the description for screen readers. */
export const mostOf = (target: string, source: string, weight: string, isTrueLink: boolean): string =>
  `${target} attends most to ${source}, ${weight}${isTrueLink ? ', a true link' : ''}.`;

/** How many of the words that have true links attend most to one. */
export const agreement = (right: number, of: number): string =>
  `${grouped(right)} of ${counted(of, { one: 'word attends', other: 'words attend' })} most to a true link.`;

export const NO_ROW_REACHED = 'No row has been reached yet.';
export const EVERY_ROW_SUMS_TO_1 = 'Every row sums to 1.';
export const rowSumsTo = (target: string, sum: string): string => `Row ${target} sums to ${sum}.`;

/** Of the table. */
export const captionOf = (tensor: string): string => `${tensor}; a star marks a true link`;
export const SUM = 'sum';
