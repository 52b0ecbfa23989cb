// How a model encodes positions.
import { counted } from '../../intl';

/** Headings, by what encodes them. */
export const TABLE = 'Positions';
export const ROTATED_QUERIES = 'Queries rotated by their position';
export const DISTANCE_BIAS = 'Distance bias';

/** Which two columns are drawn as waves and as a point. */
export const PAIR = 'Pair';
export const SAME_WORD = 'Same word everywhere';

/** Axes of the map: down, then across. */
export const BIAS_AXES = 'query ↓ key →';
export const AXES = 'position ↓ column →';
export const rotatesBy = (letter: string, by: number): string => `rotates by ${letter} = ${by}`;

export const positionAndKey = (position: number, key: number): string => `position ${position}, key ${key}`;
export const positionAndColumn = (position: number, column: number): string => `position ${position}, column ${column}`;

// The map at a glance.
const positionsOf = (count: number): string => counted(count, { one: 'position', other: 'positions' });
export const biasOf = (heading: string, positions: number, keys: number): string =>
  `${heading}: ${positionsOf(positions)}, ${counted(keys, { one: 'key', other: 'keys' })} each.`;
export const valuesOf = (heading: string, positions: number, values: number): string =>
  `${heading}: ${positionsOf(positions)}, ${counted(values, { one: 'value', other: 'values' })} each.`;

/** How far the rotated point is from the engine's: of an encoding, or of a query. */
export const shiftDiffers = (position: number, by: number, most: string): string =>
  `Position ${position} rotated by ${by} and position ${position + by}: the pairs differ by at most ${most}.`;
export const queryDiffers = (position: number, most: string): string =>
  `The query at position ${position}, rotated by ${position}, and the engine’s own: the pairs differ by at most ${most}.`;

// With the same word everywhere.
export const SCORES_NOT_REACHED = 'The scores have not been reached yet.';
export const scoresDiffer = (most: string): string => `Scores at the same distance differ by at most ${most}.`;
