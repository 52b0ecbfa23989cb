// The bench around its parts: tabs, messages, transport.
import { plural } from '../../intl';

export const WORKBENCH = 'Workbench';
export const STAGES = { picture: 'Picture', numbers: 'Numbers', code: 'Code', training: 'Training' };
export const FOLLOW_LESSON = 'Follow the lesson';
export const OTHER_INPUT = 'Change what the model reads';
export const PIN = 'Show a second stage beside this one';
export const UNPIN = 'Show one stage';
export const WIDTH_OF_TEXT = 'Width of the text';
export const PRESENT = 'Present: the stage alone';
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
export const OUT = 'Out';
export const NEW_SEED = 'New seed';
/** The key for Play and Pause, in brackets. */
export const SPACE_BAR = 'space';
export const withKey = (label: string, key: string): string => `${label} (${key})`;

/** Before the first stop. */
export const AT_START = 'Only the inputs are there yet';
export const stopOf = <T>(stop: T, stops: number): (T | string)[] => [stop, ` of ${stops}`];
/** The menu of what is needed less often. */
export const MORE = 'More';
export const capital = (sentence: string): string => sentence.charAt(0).toUpperCase() + sentence.slice(1);
/** Between a stop and the part of it that one is at: "The decoder writes g: the context". */
export const PART_OF = ': ';

/** While training goes before there is anything to step through. */
export const trainedOf = <T>(step: T, steps: number): (T | string)[] => [
  step,
  ` of ${steps} ${plural(steps, { one: 'step', other: 'steps' })} trained`,
];
export const STOP_TRAINING = 'Stop';

/** The scrubber, and its value. */
export const STEP = 'Step';
export const positionAt = (sentence: string, stop: number, stops: number): string => `${sentence}, ${stop} of ${stops}`;
