// The singular values of a matrix, and what they say of the vectors that it is multiplied by.

export const headingOf = (name: string): string => `${name}: singular values`;

// What can be chosen.
export const MATRIX = 'Matrix';
export const GATE = 'Gate';
export const PART = 'Part';

/** A matrix that a tensor consists of: "cell.0.U, gate f", "attention/α, part 1". */
export const partName = (tensor: string, part: string | number, isGate: boolean): string =>
  `${tensor}, ${isGate ? 'gate' : 'part'} ${part}`;

// Columns of the table, and the keys to the drawing.
export const NUMBER = 'number';
export const SINGULAR_VALUE = 'singular value';
export const EIGENVALUE = 'absolute eigenvalue';
export const barsAre = (): string => 'bars: singular values';
export const ringsAre = (): string => 'rings: absolute eigenvalues';

/** The cells of the drawing. */
export const valuesOf = (name: string): string => `Singular values of ${name}`;

export const singularValue = (number: number, of: number, value: string): string =>
  `singular value ${number} of ${of}: ${value}`;
export const withEigenvalue = (text: string, value: string): string => `${text}; absolute eigenvalue ${value}`;

/** What the drawing shows of a matrix; numbers as they are written. */
export interface Facts {
  /** Of the matrix, with its gate or part. */
  name: string;
  shape: string;
  largest: string;
  smallest: string;
  /** null: the smallest is 0. */
  condition: string | null;
  rank: number;
  count: number;
}

export function spectrumText({ name, shape, largest, smallest, condition, rank, count }: Facts): string {
  if (count === 1) return `${name}, ${shape}: its only singular value is ${largest}.`;
  const range = `${name}, ${shape}: the largest singular value is ${largest}, the smallest ${smallest}.`;
  return condition === null
    ? `${range} Its rank is ${rank} of ${count}: some directions it takes to 0.`
    : `${range} Their ratio, the condition number, is ${condition}.`;
}

/** Of a square matrix. */
export const lengthens = (name: string, { smallest, largest }: Facts): string =>
  smallest === largest
    ? `Multiplying by ${name} makes every vector ${largest} times as long.`
    : `Multiplying by ${name} makes a vector between ${smallest} and ${largest} times as long, depending on its direction.`;

/** Of any other. */
export const lengthensAtMost = (name: string, { largest }: Facts): string =>
  `Multiplying by ${name} makes a vector at most ${largest} times as long.`;

/** The matrix of a plain recurrent cell, by which a gradient is multiplied at every position on its way back. */
export type Recurrence = 'shrinks' | 'grows' | 'keeps' | 'depends';
const GOES: Record<Recurrence, string> = {
  shrinks: 'All are below 1, so it becomes shorter at every position.',
  grows: 'All are above 1, so only slopes of the cell below 1 can keep it from becoming longer.',
  keeps: 'All are 1, so the matrix keeps its length, and only the slopes of the cell change it.',
  depends: 'Some are above 1 and some below, so its direction decides whether it becomes longer or shorter.',
};
export const goingBack = (name: string, recurrence: Recurrence): string =>
  `Going back one position, a gradient is multiplied by ${name} transposed, which has the same singular values. ${GOES[recurrence]}`;

export const inTheLongRun = (name: string, largest: string): string =>
  `Multiplied by ${name} again and again, a vector changes its length in the end by a factor of ${largest} each time: the largest absolute eigenvalue.`;
