// The rows of a matrix as points on the two axes along which they vary most.
import { counted, listed } from '../../intl';

export const headingOf = (name: string): string => `${name}: rows as a map`;

/** What can be chosen. */
export const MATRIX = 'Rows of';

// Columns of the table.
export const ROW = 'row';
export const AXES = ['axis 1', 'axis 2'] as const;

export const pointsOf = (name: string): string => `Rows of ${name} as points`;
export const axisName = (axis: 0 | 1, share: string): string => `${AXES[axis]}: ${share} of the variance`;

/** A row and where its point is. */
export const pointAt = (row: string, x: string, y: string): string => `${row}: ${x} on axis 1, ${y} on axis 2`;
/** Nearest by all numbers of the rows, not by the two axes. */
export const withNearest = (text: string, nearest: readonly string[], numbers: number): string =>
  `${text}. Nearest by all ${numbers} numbers: ${listed(nearest)}`;

export interface Outermost {
  right: string;
  left: string;
  top: string;
  bottom: string;
}

export function mapText(
  name: string,
  { rows, columns }: { rows: number; columns: number },
  [first, second]: readonly [string, string],
  { right, left, top, bottom }: Outermost,
): string {
  const size = `${counted(rows, { one: 'row', other: 'rows' })} of ${counted(columns, { one: 'number', other: 'numbers' })}`;
  return `${name}: ${size}, on the two axes along which they vary most. Axis 1 has ${first} of the variance, axis 2 ${second}. Farthest right ${right}, left ${left}, up ${top}, down ${bottom}.`;
}
export const allAlike = (name: string): string => `${name}: all rows are the same, so they are one point.`;

/** Names that found no room: they are seen at a dot that is pointed at. */
export const namesHidden = (count: number): string => `${counted(count, { one: 'name', other: 'names' })} without room`;
