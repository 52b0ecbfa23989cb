// A recurrent network, unrolled. Networks go by the engine's names.
import { counted, listed } from '../../intl';
import { NOT_REACHED, notReached } from './shared';

export const HEADING = 'The network, unrolled';
export const STATES = 'States of the network';
export const STRIPS_ARE_STATES = 'each strip is a state, each column a position';
export const stripsAre = <T>(gradient: T): (T | string)[] => ['each strip is ', gradient, ', the bar its norm'];

/** What the strips show. */
export const STRIPS_SHOW = 'What the strips show';
export const VALUES = 'Values';
export const GRADIENTS = 'Gradients';

export const OPEN_CELL = 'Open cell';
export const CLOSE_CELL = 'Close cell';
export const insideCell = <T>(row: string, word: T): (T | string)[] => [`Inside the cell: ${row}, `, word];
export const selectTensor = (tensor: string): string => `Select ${tensor}`;

/** "encoder, layer 1 ←"; without a layer if there is one, without an arrow if all go one way. */
export const rowName = (network: string, layer: number | undefined, arrow: '' | '←' | '→'): string =>
  `${network}${layer === undefined ? '' : `, layer ${layer}`}${arrow && ` ${arrow}`}`;

/** In the legend. */
export const OWN_WORD_FED_BACK = 'its own word, fed back';
export const TEACHERS_WORDS_BELOW = 'below: the words that it is given';
export const WRONG_WORDS_ABOVE = 'underlined: differs from the target, small';
export const wroteInstead = (wrote: string, wanted: string): string => `${wrote} in place of ${wanted}`;

const reader = (isOwn: boolean): string => (isOwn ? 'its own' : 'the teacher’s');
/** In the table: "c, the teacher’s". */
export const readWord = (word: string, isOwn: boolean): string => `${word}, ${reader(isOwn)}`;

/** Words that a network reads one after the other. */
export interface Reads {
  words: string[];
  /** The network's own; else the teacher's. */
  isOwn: boolean;
}

/** "It reads <bos>, then the teacher’s c and h, then its own e." */
export const reads = (first: string, rest: readonly Reads[]): string =>
  `It reads ${[first, ...rest.map(({ words, isOwn }) => `then ${reader(isOwn)} ${listed(words)}`)].join(', ')}.`;

export const state = (row: string, word: string): string => `${row}, ${word}`;
export const stateNotReached = (row: string, word: string): string => notReached(state(row, word));
export const stateWithoutGradient = (row: string, word: string): string => `${state(row, word)}: no gradient`;

export interface Values {
  norm: string;
  isGradient: boolean;
  /** The largest magnitude, and its index. */
  largest: string;
  at: number;
}

/** "encoder →, am: norm 2.31, largest magnitude 0.9 at [4]". */
export const stateAndValues = (row: string, word: string, { norm, isGradient, largest, at }: Values): string =>
  `${state(row, word)}: ${isGradient ? '‖∂L/∂h‖' : 'norm'} ${norm}, largest magnitude ${largest} at [${at}]`;

/** "étudiant attends to student 0.91, a 0.05": the words with the largest weights; no "and", there are more. */
export const attends = (word: string, most: readonly string[]): string =>
  `${word} attends to ${most.length ? most.join(', ') : 'nothing'}`;
/** Several of these. */
export const attention = (rows: readonly string[]): string => `${rows.join('; ')}.`;

export const rowLength = (name: string, positions: number): string =>
  `${name}: ${counted(positions, { one: 'position', other: 'positions' })}.`;
/** `norms`: each after its word, "am 0.31". */
export const gradientNorms = (row: string, norms: readonly string[]): string =>
  `Gradient norms, ${row}: ${norms.length ? listed(norms) : NOT_REACHED}.`;

/** Of the table. */
export const CAPTION = `${HEADING}: one row per state`;
export const STATE_COLUMNS = {
  ...{ state: 'state', word: 'word', reads: 'reads', norm: 'norm' },
  /** Along the arrows from this state. */
  back: 'comes back',
  needed: 'depends on it',
};
export const isNeeded = (needed: boolean): string => (needed ? 'yes' : 'no');

/** The gradient along an arrow: "0.31 comes back from decoder, cow". */
export const comesBack = (norm: string, row: string, word: string): string =>
  `${norm} comes back from ${state(row, word)}`;
/** Of the arrows. */
export const ARROWS_ARE_GRADIENTS = 'the thicker an arrow, the more comes back along it';

/** A batch is several sequences that the model reads at once; its loss is the mean of theirs. */
export const ROW_OF_BATCH = 'Sequence of the batch';
export const ROW_BEFORE = 'Sequence before';
export const NEXT_ROW = 'Next sequence';
export const rowOfBatch = (at: number, count: number): string => `Sequence ${at} of ${count}`;
export const lossOfRow = (loss: string): string => `Its own loss is ${loss}`;

export const WHAT_STATE_NEEDS = 'What this state depends on';
export const WHAT_OUTPUT_NEEDS = 'What its output depends on';
export const SHOW_ALL = 'Show all states';

interface Needed {
  network: string;
  needed: number;
  of: number;
}

/** "The output of decoder, cow depends on 9 of 14 states: encoder 6 of 6, decoder 3 of 8." */
export function dependsOn(place: string, isOutput: boolean, parts: readonly Needed[]): string {
  const total = (key: 'needed' | 'of'): number => parts.reduce((sum, part) => sum + part[key], 0);
  const each = parts.map(({ network, needed, of }) => `${network} ${needed} of ${of}`);
  const all = `${total('needed')} of ${total('of')} states`;
  const what = isOutput ? `The output of ${place}` : `The state ${place}`;
  return `${what} depends on ${all}${parts.length > 1 ? `: ${each.join(', ')}` : ''}${isOutput ? '' : ', itself among them'}.`;
}
