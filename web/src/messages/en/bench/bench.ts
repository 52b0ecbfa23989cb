// The bench around its parts: tabs, messages, transport.
import { plural } from '../../intl';

export const WORKBENCH = 'Workbench';
export const STAGES = { picture: 'Picture', numbers: 'Numbers', code: 'Code', training: 'Training' };
export const FOLLOW_LESSON = 'Follow the lesson';
export const OTHER_INPUT = 'Change what the model reads';
export const PIN = 'Show a second stage beside this one';
export const UNPIN = 'Show one stage';
export const WIDTH_OF_TEXT = 'Width of the text';
export const PRESENT = 'Present: the stage alone, in large type';
export const LEAVE_PRESENTING = 'Leave presenting';
export const BESIDE = 'Stage beside the first';
export const NOTHING_TO_TRAIN = 'This model has no task to learn, so there is nothing to train.';
export const DISMISS = 'Dismiss';
/** Where it is a bottom sheet. */
export const FOLD = 'Fold workbench';
export const UNFOLD = 'Unfold workbench';

export const TRANSPORT = 'Transport';
export const PLAY = 'Play';
export const PAUSE = 'Pause';
export const INTO = 'Into';
export const OVER = 'Over';
export const OUT = 'Out';
export const NEW_SEED = 'New seed';
/** The key for Play and Pause, in brackets. */
export const SPACE_BAR = 'space';
export const withKey = (label: string, key: string): string => `${label} (${key})`;

/** Where the cursor is before the first step. */
export const INPUTS = 'inputs';
export const stepOf = <T>(step: T, steps: number): (T | string)[] => ['step ', step, ` of ${steps}`];

/** While training goes before there is anything to step through. */
export const trainedOf = <T>(step: T, steps: number): (T | string)[] => [
  step,
  ` of ${steps} ${plural(steps, { one: 'step', other: 'steps' })} trained`,
];
export const STOP_TRAINING = 'Stop';

export const STEP = 'Step';
/** By the engine's name of the phase. */
export const PHASES = { forward: 'forward', backward: 'backward', update: 'update' };
export const partOf = (phase: keyof typeof PHASES, steps: number): string => `${PHASES[phase]} ${steps}`;
export const positionAt = (step: number, steps: number, phase: keyof typeof PHASES, name: string): string =>
  `Step ${step} of ${steps}, ${PHASES[phase]}, ${name}`;
export const positionAtInputs = (step: number, steps: number): string => `Step ${step} of ${steps}, inputs only`;
