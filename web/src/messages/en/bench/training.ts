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

// The curve.

export const SHOWN_ON_AXIS = 'On the axis';
/** Titles of the chart, by what is on its axis. */
export const CURVE_TITLES = { loss: 'Loss', accuracy: 'Accuracy' };
/** At the ends of its lines. `texts`: the model reads texts, not pairs. */
export const TRAINING_LINE = 'training';
export const unseenLine = (texts: boolean): string => (texts ? 'new texts' : 'new pairs');
/** Of the pale line behind: in the table and at the cursor. */
export const EACH_BATCH = 'each batch';
export const seedLine = (seed: number): string => `seed ${seed}`;
export const OTHER_SEEDS = 'other seeds';

/** What the lines are. `halfLife`: in steps, of the moving average. */
export const curveLegend = (halfLife: number, unseen: string | null, whole: boolean): string =>
  `The pale line is the batch of each step. The dark line is its moving average, in which a batch counts half as much after ${counted(halfLife, STEPS)}.` +
  (unseen
    ? ` The dashed line is the ${whole ? 'share of' : 'loss on'} ${unseen} kept out of training${whole ? ' that it writes without a mistake' : ''}.`
    : '');

export const learntByHeart = (
  texts: boolean,
  { step, lowest, now }: { step: number; lowest: string; now: string },
): string =>
  `On ${texts ? 'texts' : 'pairs'} it has not seen, the loss has risen from ${lowest} to ${now} since step ${grouped(step)}, while the loss in training fell: the model learns its training ${texts ? 'texts' : 'pairs'} by heart.`;

// The same training from other seeds.

export const moreSeeds = (more: number, some: boolean): string =>
  `${NUMBERS[more] ?? String(more)} ${some ? 'more seeds' : 'other seeds'}`;
const NUMBERS: Record<number, string> = { 3: 'Three' };
export const STOP_SEEDS = 'Stop the other seeds';
export const SEEDS_HINT =
  'Trains the same model from other random numbers, as far as this one. This model stays as it is.';
export const seedsAt = (run: number, runs: number, step: number, steps: number): string =>
  `Seed ${run} of ${runs}: step ${grouped(step)} of ${grouped(steps)}`;
export const SEEDS_PROGRESS = 'Training from other seeds';
/** `seeds` counts this model too. */
export const seedsFound = (found: {
  seeds: number;
  step: number;
  unseen: string;
  lowest: string;
  highest: string;
}): string =>
  `After ${counted(found.step, STEPS)} from ${found.seeds} seeds the loss on ${found.unseen} is ${found.lowest} to ${found.highest}. These runs are kept until the page is reloaded.`;
