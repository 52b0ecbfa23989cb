// The heads of an attention layer, side by side.
import { counted, listed } from '../../intl';
import { NOT_REACHED, bits, cellsOf } from './shared';

export const headingOf = (attention: string): string => `${attention}: heads`;
export const cellsOfHead = (tensor: string, head: number): string => `${cellsOf(tensor)}, head ${head}`;

/** Column of the tables that says which head it is. */
export const HEAD = 'head';
/** Below a map, and above a table. */
export const headName = (index: number): string => `head ${index}`;
export const headTable = (index: number): string => `Head ${index}`;

/** Of the cell that is pointed at. */
export const attendsInAll = (row: string, column: string, weights: readonly string[]): string =>
  `${row} attends to ${column} with weights ${listed(weights)} in heads 0 to ${weights.length - 1}`;

/** The largest weight of a row of a head. */
export interface LargestWeight {
  column: string;
  weight: string;
  /** Of the row, in bits. */
  entropy: string;
}

/** A row of a head, in the description for screen readers; `most` undefined: all its weights are 0. */
export const attendsMost = (word: string, most: LargestWeight | undefined): string =>
  most
    ? `${word} attends most to ${most.column}, ${most.weight}, entropy ${bits(most.entropy)}`
    : `${word} attends to nothing`;
export const rowsOfHead = (index: number, rows: readonly string[]): string => `Head ${index}: ${rows.join('; ')}.`;
export const headsNotReached = (count: number): string =>
  `${counted(count, { one: 'head', other: 'heads' })}, ${NOT_REACHED}.`;
