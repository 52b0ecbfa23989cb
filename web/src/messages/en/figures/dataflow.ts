// The data flow of an attention layer.
import { counted } from '../../intl';
import { NOT_REACHED } from './shared';

export const HEADING = 'The attention layer';
export const TENSORS = 'Tensors of the layer';
export const TENSOR = 'tensor';

/** What the layer comes in: one of these is on show. */
export const BLOCK = 'Block';
export const POSITION = 'Position';

/** On arrows. */
export const JOIN_HEADS = 'join heads';
export const SCORE = 'score';

/** Names of what is added to the scores and has none. */
export const MASK = 'mask';
export const BIAS = 'bias';

/** "Q, n × K = 4 × 3" */
export const tensor = (name: string, letters: string, shape: string): string => `${name}, ${letters} = ${shape}`;
/** `about`: what stands out in it; undefined until it is reached. */
export const tensorAndValues = (named: string, about = NOT_REACHED): string => `${named}: ${about}`;
/** Each tensor in the words above. */
export const layer = (tensors: readonly string[]): string =>
  [counted(tensors.length, { one: 'tensor', other: 'tensors' }), ...tensors].map(ended).join(' ');
const ended = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** The row and the column that a cell of a product is computed from. */
export interface Factors {
  row: number;
  left: string;
  column: number;
  top: string;
}

/** "q[0, 2] = 0.5, from row 0 of X and column 2 of W_Q"; `value` undefined until it is reached. */
export function cell(name: string, value: string | undefined, factors?: Factors): string {
  const from = factors
    ? `, from row ${factors.row} of ${factors.left} and column ${factors.column} of ${factors.top}`
    : '';
  return `${name} ${value === undefined ? 'has not been reached yet' : `= ${value}`}${from}`;
}
