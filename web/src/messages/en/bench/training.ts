// Training on the bench: buttons, readings, samples, results.
import { counted, grouped, plural } from '../../intl';

const STEPS = { one: 'step', other: 'steps' };

export const TRAINING = 'Training';
export const TRAIN = 'Train';
export const PAUSE = 'Pause';
export const STOP = 'Stop';
export const STEPS_TO_TRAIN = 'Steps to train';
export const NO_CURVE = 'This model has not been trained here. Train it to see a curve.';

/** After the field with their number. */
export const stepsAhead = (steps: number, trained: boolean): string =>
  trained ? `${plural(steps, STEPS)} more` : plural(steps, STEPS);
export const noNumberOfSteps = (typed: string, most: number): string =>
  `"${typed}" is not a valid number of steps: use a whole number from 1 to ${most}.`;
export const scheduleEnded = (steps: number): string =>
  `The schedule of ${counted(steps, STEPS)} has ended: further training restarts it.`;

// Readings while it trains, and results once it is measured.
export const STEP = 'step';
export const LOSS = 'loss';
export const ACCURACY = 'accuracy';
/** "93.4 % of the batch": of the pairs that the last step trained on. */
export const ofBatch = (share: string): string => `${share} of the batch`;
/** "93.4 % of 200 unseen pairs". */
export const ofUnseen = (share: string, pairs: number): string => `${share} of ${unseen(pairs)}`;
export const onUnseen = (value: string, pairs: number): string => `${value} on ${unseen(pairs)}`;
const unseen = (pairs: number): string => counted(pairs, { one: 'unseen pair', other: 'unseen pairs' });
/** Of the axis that both share. */
export const LOSS_AND_ACCURACY = 'loss, accuracy';
export const SPEED = 'examples/s';
export const ELAPSED = 'elapsed';
export const EXACT_MATCH = 'exact match';
export const PERPLEXITY = 'perplexity';
export const BLEU = 'BLEU';
export const PRECISIONS = '1- to 4-gram precisions';
export const BREVITY_PENALTY = 'brevity penalty';
export const ALIGNMENT_ERROR_RATE = 'alignment error rate';
export const ATTENTION_MASS = 'attention on the true links';
/** "3 of 9" steps, "0:21 of 0:34" minutes. */
export const outOf = (done: string, all: string): string => `${done} of ${all}`;

export const RUNNING = 'Training…';
const ENDS = { paused: 'Paused', done: 'Trained', diverged: 'Diverged' };
export const ended = (
  status: keyof typeof ENDS,
  { step, time, loss, accuracy }: { step: number; time: string; loss: string; accuracy: string },
): string => `${ENDS[status]} at step ${grouped(step)} after ${time}: loss ${loss}, accuracy ${accuracy}`;

export const whatItWrites = (steps: number): string =>
  steps ? `What it writes after ${counted(steps, STEPS)}` : 'What it writes before training';
/** In place of an output without tokens. */
export const NOTHING = 'nothing';
export const expected = (target: string): string => `expected: ${target}`;

/** The choice of how many cores may share a training step. */
export const CORES = 'Cores for steps of over 2 ms';
export const coresOf = (wanted: number, most: number): string => (wanted === most ? `all ${most}` : String(wanted));
/** Beside the choice, while it trains. */
export const atWork = (threads: number): string => `${counted(threads, { one: 'core', other: 'cores' })} at work`;

export const MEASURE = 'Measure';
export const PAIRS_TESTED = 'Pairs tested';

/** `tested`: how many of the pairs are done; null before. */
export function onUnseenPairs(tested: { done: number; pairs: number } | null): string {
  if (!tested) return 'On pairs it has not seen in training';
  const { done, pairs } = tested;
  const all = counted(pairs, { one: 'pair', other: 'pairs' });
  return `On ${done < pairs ? `${grouped(done)} of ${all}` : all} it has not seen in training`;
}
