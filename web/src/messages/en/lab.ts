// The lab: what it is busy with, what it kept or dropped of the learner's work, and what it cannot do.
import { counted, grouped, listed, plural, type Forms } from '../intl';

/** What it is busy with. */
const JOBS = {
  load: 'loading the model',
  run: 'running',
  read: 'reading',
  train: 'training',
  checkGradient: 'checking the gradient',
  export: 'writing the script',
  restart: 'restarting the engine',
};
export type Job = keyof typeof JOBS;

/** Empty where it is not busy. */
export const busyWith = (job: Job | null): string => (job ? JOBS[job] : '');

export const RESTARTED = 'The engine stopped and was restarted: your work is unchanged.';
export const ON_ONE_THREAD =
  'Training continues with one thread, and with the same numbers: the others did not start, or stopped.';
export const NEVER_STARTED = 'The engine could not start: reload the page while online, or try an up-to-date browser.';
export const stoppedAgain = (times: number): string =>
  `The engine stopped ${counted(times, { one: 'time', other: 'times' })} in a row: reload the page, or reset the model.`;

export const trainedEnough = (steps: number): string =>
  `This model has been trained for ${grouped(steps)} steps, the most a link can hold: reset it to start training again.`;
export const SEEDLESS = 'Another seed would change nothing: this model has no random parameters or inputs.';

/** Why the latest saved training could not be resumed. */
export const RETRAINED = {
  damaged: 'The saved training was damaged, so the model was trained again.',
  earlier: 'The engine has changed since this model was trained, so it was trained again.',
};
export const EARLIER_ENGINE =
  'These weights were made by an earlier version of the engine: the last digits may differ if you continue from them.';

export const UNDO = 'Undo';
export const CONTINUE_FROM_THERE = 'Continue from there';
export const CONTINUE_TRAINING = 'Continue training';

/** Of the learner's work: how many edits, changed inputs and training steps. */
export interface Work {
  edits: number;
  inputs: number;
  steps: number;
}

const partsOf = ({ edits, inputs, steps }: Work): string[] => [
  ...some(edits, { one: 'edit', other: 'edits' }),
  ...some(inputs, { one: 'changed input', other: 'changed inputs' }),
  ...some(steps, { one: 'training step', other: 'training steps' }),
];

const some = (count: number, forms: Forms): string[] => (count ? [counted(count, forms)] : []);

/** "New seed 7: 2 edits kept, 30 training steps dropped." */
export function newSeed(seed: number, keptWork: Work, droppedWork: Work): string {
  const clauses = [...clause(partsOf(keptWork), 'kept'), ...clause(partsOf(droppedWork), 'dropped')].join(', ');
  return clauses ? `New seed ${seed}: ${clauses}.` : `New seed ${seed}.`;
}

const clause = (parts: string[], done: string): string[] => (parts.length ? [`${listed(parts)} ${done}`] : []);

/** "Reset: 2 edits, 30 training steps and seed 7 dropped."; empty if nothing was dropped. */
export function resetDropped(work: Work, seed: number | null): string {
  const dropped = [...partsOf(work), ...(seed === null ? [] : [`seed ${seed}`])];
  return dropped.length ? `Reset: ${listed(dropped)} dropped.` : '';
}

/** For edits that the rebuilt model refused. */
export const editsDropped = (edits: number): string =>
  plural(edits, {
    one: 'An edit was dropped: this model does not have that tensor.',
    other: `${grouped(edits)} edits were dropped: this model does not have those tensors.`,
  });

/** "Your changed mask was replaced." */
export const inputsReplaced = (inputs: readonly string[]): string =>
  `Your changed ${listed(inputs)} ${plural(inputs.length, { one: 'was', other: 'were' })} replaced.`;

export const NOT_TAKEN_OVER =
  'The weights that this program took over from an earlier one are not in this browser: it begins with its own.';

/** "You trained a model here for 412 steps, 5 minutes ago." */
export const trainedHere = (steps: number, minutesAgo: number): string =>
  `You trained a model here for ${counted(steps, { one: 'step', other: 'steps' })}, ${ago(minutesAgo)}.`;

function ago(minutes: number): string {
  if (minutes < 1.5) return 'a minute ago';
  if (minutes < 90) return `${counted(Math.round(minutes), MINUTES)} ago`;
  if (minutes < 36 * 60) return `${counted(Math.round(minutes / 60), { one: 'hour', other: 'hours' })} ago`;
  return `${counted(Math.round(minutes / 60 / 24), { one: 'day', other: 'days' })} ago`;
}

const MINUTES = { one: 'minute', other: 'minutes' };

/** "Training is at step 412 of 100,000: the rest will take about 7 minutes on this device." */
export function trainingAt(step: number, target: number, seconds: number): string {
  const progress = `Training is at step ${grouped(step)} of ${grouped(target)}`;
  return seconds < 1 ? `${progress}.` : `${progress}: the rest will take about ${timeOf(seconds)} on this device.`;
}

function timeOf(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes > 1) return counted(minutes, MINUTES);
  return counted(Math.round(seconds), { one: 'second', other: 'seconds' });
}
