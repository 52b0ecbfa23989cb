// Comparisons of several settings.
import { counted, grouped, listed } from '../../intl';
import { steps } from './counts';

// Values, as a table

/** Heads the names of the runs. */
export const RUN = 'run';
export const SLICE = 'slice';
/** "α, head 1". */
export const sliceOf = (tensor: string, axis: string, position: string | number): string =>
  `${tensor}, ${axis} ${position}`;
export const valuesOf = (shown: string, runs: readonly string[]): string => `${shown}: ${listed(runs)}`;

interface Place {
  /** As the lesson calls it. */
  field: 'slice' | 'row';
  at: number | undefined;
  /** How many there are. */
  count: number;
  tensor: string;
  shape: readonly number[];
}

/** A slice or row that the tensor does not have. */
export function noSuchPlace({ field, at, count, tensor, shape }: Place): string {
  const range = count === 1 ? 'leave it out' : `use 0 to ${count - 1}`;
  return `${field} is ${at ?? 'missing'}, but ${tensor} is (${shape.join(', ')}): ${range}.`;
}

// Work that takes time

export const STOP = 'Stop';
export const MEASURE = 'Measure';
const ALL: readonly string[] = ['all three', 'all four', 'all five', 'all six'];
/** Of 2 to 6 runs. */
export const trainAll = (runs: number): string => `Train ${runs === 2 ? 'both' : ALL[runs - 3]}`;

export const LOADING = 'loading';
export const atStep = (step: number, of: number): string => `step ${grouped(step)} of ${grouped(of)}`;
export const atLength = (length: number): string => `sources of length ${length}`;
export const atLag = (lag: number, step: number, of: number): string => `lag ${lag}, ${atStep(step, of)}`;
export const testing = (run: string): string => `testing ${run}`;
/** `where` is one of the four above. */
export const stopped = (where: string): string => `Stopped: ${where}.`;
export const trained = (count: number): string => `Trained for ${steps(count)}.`;
/** `steps`: the fewest and the most that a run was trained for. */
export function measured([least, most]: readonly [number, number], pairs: number, over: Over, seeds: number): string {
  const training = counted(most, { one: 'training step', other: 'training steps' });
  const after = least === most ? training : `${grouped(least)} to ${training}`;
  const each = seeds > 1 ? `, with each of ${seeds} seeds` : '';
  return `Measured after ${after}, on up to ${counted(pairs, { one: 'pair', other: 'pairs' })} of each ${over}${each}.`;
}
/** A run that is trained from several seeds. */
export const ofSeed = (run: string, seed: number): string => `${run}, seed ${seed}`;
/** `problem` is a sentence. */
export const ofRun = (run: string, problem: string): string => `${run}: ${problem}`;

// Training, as curves and results

export const SHOWN_ON_AXIS = 'What the axis shows';
export const LOSS = 'loss';
export const ACCURACY = 'accuracy';
export const STEP = 'step';
export const STEPS = 'steps';
export const PERPLEXITY = 'perplexity';
export const EXACT_MATCH = 'exact match';
export const MS_PER_STEP = 'ms per step';
export const LONGEST_CHAIN = 'longest chain of operations';
export const PARAMETERS = 'parameters';

const TITLES = { loss: 'Loss', accuracy: 'Accuracy' };
/** `window` is the number of steps that each point is the mean of. */
export const titleOf = (measure: keyof typeof TITLES, window: number): string =>
  window > 1 ? `${TITLES[measure]}, mean of the last ${steps(window)}` : TITLES[measure];

// By length, or by the lag of the task recall

type Over = 'length' | 'lag';
export const OVER: Readonly<Record<Over, string>> = { length: 'source length', lag: 'lag' };
/** `seeds`: of how many each line is the mean. */
export const byLength = (over: Over, seeds: number): string =>
  `Exact match by ${OVER[over]}${seeds > 1 ? `, mean of ${seeds} seeds` : ''}`;
export const EXACT_PERCENT = 'exact match, %';

// A curve that is drawn before it is measured

export const TRAIN_AND_MEASURE = 'Train and measure';
export const YOUR_CURVE = 'your curve';
export const HOW_TO_DRAW = 'Draw your curve first: drag its points, or move each with the arrow keys.';
export const DRAW_AGAIN = 'Draw again';
export const percent = (value: number): string => `${Math.round(value)} %`;
export const drawnAt = (over: Over, length: number): string => `${over} ${length}`;

interface GapText {
  length: number;
  drawn: number;
  measured: number;
  range: readonly [number, number];
}

/** Percentage points within which a drawn curve is right. */
const CLOSE = 5;

/** "The largest gap is at length 8: you drew 80 %, it wrote 21 % (19 to 23 %, by seed)." */
export function largestGap(over: Over, { length, drawn, measured, range }: GapText): string {
  const [least, most] = range.map(Math.round);
  const seeds = least === most ? '' : ` (${least} to ${most} %, by seed)`;
  const where = `you drew ${percent(drawn)}, it wrote ${percent(measured)}${seeds}.`;
  if (Math.abs(measured - drawn) > CLOSE) return `The largest gap is at ${drawnAt(over, length)}: ${where}`;
  return `Your curve is nowhere more than ${CLOSE} points off. At ${drawnAt(over, length)} ${where}`;
}

// By lag, which counts one of these

type Counted = 'positions' | 'blocks' | 'layers';
const LAGS: Readonly<Record<Counted, string>> = {
  positions: 'lag in positions',
  blocks: 'lag in blocks',
  layers: 'lag in layers',
};
export const lagIn = (counted: Counted): string => LAGS[counted];
export const byLag = (norm: string, counted: Counted): string => `${norm} by ${LAGS[counted]}`;

// A learner's program beside the lab's own

export const AGAINST = 'Yours and the lab’s own';
export const YOURS = 'yours';
export const THE_LABS = 'the lab’s own';
export const aboutAgainst = (count: number): string =>
  `Both learn the task from the same seed, for ${steps(count)}: loss, results on texts they have never seen, and time.`;
export const sameBits = (tensors: number): string =>
  `Before training, ${counted(tensors, { one: 'tensor', other: 'tensors' })} that both have under one name are compared: the same, bit for bit.`;
/** The first value in it that differs, yours and the lab's. */
export const firstDifference = (tensor: string, mine: string, own: string): string =>
  `Before training, the first tensor that differs is ${tensor}: ${mine} in yours, ${own} in the lab’s.`;
