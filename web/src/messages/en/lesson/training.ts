// The button in the text of a lesson that trains the model.
import { grouped } from '../../intl';
import { steps } from './counts';

export const STOP = 'Stop';
export const STEPS_TRAINED = 'Steps trained';
export const RESET_UNDOES = 'Reset undoes the training.';
/** For a model that is trained one step at a time. */
export const TAKE_A_STEP = 'Take a step';
export const BACK_TO_START = 'Back to step 0';
/** Where the next step lands, by its learning rate. */
export const LOSS_BY_RATE = 'The loss after the next step, by its learning rate';
export const RATE = 'learning rate η';
export const AFTER_A_STEP = 'after a step';
export const withRate = (rate: number): string => `η = ${rate}`;
export const LOSS_BY_STEP = 'Loss by step';
export const STEP = 'step';
export const LOSS = 'loss';
export const train = (count: number): string => `Train ${steps(count)}`;
/** No loss is known before the first step is taken. */
export const training = (step: number, loss: string | null): string =>
  loss === null ? `step ${grouped(step)}` : `step ${grouped(step)}: loss ${loss}`;

interface Trained {
  /** The loss without training, where it is comparable. */
  before: string | null;
  after: string;
  steps: number;
  /** Per cent of the tokens, for a model with a task. */
  correct: string | null;
}

export function trained({ before, after, steps: count, correct }: Trained): string {
  const lost = before === null ? after : `${before} before, ${after}`;
  const loss = `Loss ${lost} after ${steps(count)}`;
  return correct === null ? loss : `${loss}, ${correct} % of tokens correct`;
}
